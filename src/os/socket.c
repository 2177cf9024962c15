/* Sockets over the system's calls. What a call may end with beside success is sorted here once: nothing there, the
 * peer's fault, ours. */
#include "os/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "os/fault.h"
#include "os/file.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* there SO_NOSIGPIPE is an option of the socket */
#endif

/* Repeats an interrupted call; an injected fault counts as a failed one. */
#define RETRY(rc, call)                                                                                                \
    do (rc) = sl_fault() ? -1 : (call);                                                                                \
    while ((rc) == -1 && errno == EINTR)

/* ---- errors */

/* "connect to 127.0.0.1:80; Connection refused". */
static sl_code fail_at(struct sl_error *err, const char *what, const struct sl_address *address, int why) {
    char subject[SL_ADDRESS_TEXT + 32], text[SL_ADDRESS_TEXT] = "";
    if (address) sl_address_print(text, address);
    snprintf(subject, sizeof subject, "%s%s", what, text);
    sl_code code = sl_fail_errno(err, subject, why);
    bool is_peers_fault = why == ETIMEDOUT || why == EPIPE || why == ENOTCONN || why == EADDRNOTAVAIL ||
                          why == EPROTO || why == ENOENT || why == EBADMSG;
    if (!is_peers_fault) return code;
    if (err) err->code = SL_UNAVAILABLE;
    return SL_UNAVAILABLE;
}

static sl_code fail_closing(struct sl_error *err, const char *what, const struct sl_address *address, int *fd) {
    int why = errno;
    sl_socket_close(*fd);
    *fd = -1;
    return fail_at(err, what, address, why);
}

/* ---- one socket */

static sa_family_t family_of(const struct sl_address *address) {
    struct sockaddr head;
    memcpy(&head, address->bytes, sizeof head);
    return head.sa_family;
}

static const struct sockaddr *native(const struct sl_address *address) {
    return (const struct sockaddr *)(const void *)address->bytes;
}

static bool set_option(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value) == 0;
}

/* What every socket of ours is; 0, or -1 with errno. */
static int prepare(int fd, sa_family_t family) {
#if !defined(__linux__)
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) || fcntl(fd, F_SETFL, O_NONBLOCK)) return -1;
#endif
#if defined(SO_NOSIGPIPE)
    if (!set_option(fd, SOL_SOCKET, SO_NOSIGPIPE, 1)) return -1;
#endif
    return family == AF_UNIX || set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1) ? 0 : -1;
}

/* -1 with errno on failure. */
static int new_socket(sa_family_t family) {
    int fd, type = SOCK_STREAM;
#if defined(__linux__)
    type |= SOCK_NONBLOCK | SOCK_CLOEXEC;
#endif
    RETRY(fd, socket(family, type, 0));
    if (fd < 0 || prepare(fd, family) == 0) return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

void sl_socket_close(int fd) {
    if (fd >= 0) close(fd);
}

/* ---- listening */

static int try_bind(int fd, const struct sl_address *at) {
    int rc;
    RETRY(rc, bind(fd, native(at), (socklen_t)at->length));
    return rc;
}

/* A socket file that a process left behind: nobody answers there. */
static bool remove_stale(const struct sl_address *at) {
    struct sockaddr_un un;
    struct stat st;
    memset(&un, 0, sizeof un);
    memcpy(&un, at->bytes, at->length);
    if (stat(un.sun_path, &st) || !S_ISSOCK(st.st_mode)) return false;
    int fd = new_socket(AF_UNIX);
    bool is_stale = fd >= 0 && connect(fd, native(at), (socklen_t)at->length) != 0 && errno == ECONNREFUSED;
    sl_socket_close(fd);
    return is_stale && unlink(un.sun_path) == 0;
}

sl_code sl_socket_listen(int *fd, const struct sl_address *at, struct sl_error *err) {
    sa_family_t family = family_of(at);
    *fd = new_socket(family);
    if (*fd < 0) return fail_at(err, "listen at ", at, errno);
    if (family != AF_UNIX && !set_option(*fd, SOL_SOCKET, SO_REUSEADDR, 1))
        return fail_closing(err, "listen at ", at, fd);
    if (family == AF_INET6) set_option(*fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    int rc = try_bind(*fd, at);
    if (rc && errno == EADDRINUSE && family == AF_UNIX) {
        if (remove_stale(at)) rc = try_bind(*fd, at);
        else errno = EADDRINUSE;
    }
    if (rc == 0) RETRY(rc, listen(*fd, SOMAXCONN));
    return rc == 0 ? SL_OK : fail_closing(err, "listen at ", at, fd);
}

static int try_accept(int listener, struct sockaddr_storage *from, socklen_t *length) {
    int fd;
    *length = sizeof *from;
#if defined(__linux__)
    RETRY(fd, accept4(listener, (struct sockaddr *)from, length, SOCK_NONBLOCK | SOCK_CLOEXEC));
#else
    RETRY(fd, accept(listener, (struct sockaddr *)from, length));
#endif
    return fd;
}

/* The peer has gone before it was accepted, or there is none. */
static bool is_nobody(int why) {
    return why == EAGAIN || why == EWOULDBLOCK || why == ECONNABORTED || why == EPROTO || why == ENETDOWN ||
           why == EHOSTUNREACH || why == ENETUNREACH;
}

sl_code sl_socket_accept(int *fd, struct sl_address *peer, int listener, struct sl_error *err) {
    struct sockaddr_storage from;
    socklen_t length;
    memset(&from, 0, sizeof from);
    *fd = try_accept(listener, &from, &length);
    if (*fd < 0) return is_nobody(errno) ? SL_OK : fail_at(err, "accept", NULL, errno);
    if (prepare(*fd, from.ss_family)) {
        sl_socket_close(*fd); /* gone again */
        *fd = -1;
        return SL_OK;
    }
    if (!peer) return SL_OK;
    memset(peer, 0, sizeof *peer);
    memcpy(peer->bytes, &from, sizeof from);
    peer->length = (uint32_t)length;
    return SL_OK;
}

/* ---- connecting */

sl_code sl_socket_connect(int *fd, bool *is_done, const struct sl_address *to, struct sl_error *err) {
    *is_done = false;
    *fd = new_socket(family_of(to));
    if (*fd < 0) return fail_at(err, "connect to ", to, errno);
    int rc = sl_fault() ? -1 : connect(*fd, native(to), (socklen_t)to->length);
    *is_done = rc == 0;
    if (rc == 0 || errno == EINPROGRESS || errno == EINTR) return SL_OK; /* an interrupted one goes on */
    if (errno == EAGAIN) errno = ECONNREFUSED;                           /* of a Unix socket with too many waiting */
    return fail_closing(err, "connect to ", to, fd);
}

sl_code sl_socket_connected(int fd, const struct sl_address *to, struct sl_error *err) {
    int why = 0;
    socklen_t length = sizeof why;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &length)) why = errno;
    struct sl_address peer;
    if (!why && sl_socket_peer(&peer, fd, NULL) != SL_OK) why = ENOTCONN;
    return why ? fail_at(err, "connect to ", to, why) : SL_OK;
}

sl_code sl_socket_pair(int fds[2], struct sl_error *err) {
    int rc, type = SOCK_STREAM;
#if defined(__linux__)
    type |= SOCK_NONBLOCK | SOCK_CLOEXEC;
#endif
    RETRY(rc, socketpair(AF_UNIX, type, 0, fds));
    if (rc == 0 && prepare(fds[0], AF_UNIX) == 0 && prepare(fds[1], AF_UNIX) == 0) return SL_OK;
    int why = errno;
    for (int i = 0; i < 2 && rc == 0; i++) sl_socket_close(fds[i]);
    return fail_at(err, "a pair of sockets", NULL, why);
}

static sl_code take_name(struct sl_address *out, int fd, int (*call)(int, struct sockaddr *, socklen_t *),
                         const char *what, struct sl_error *err) {
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    memset(&name, 0, sizeof name);
    if (call(fd, (struct sockaddr *)&name, &length)) return fail_at(err, what, NULL, errno);
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, &name, sizeof name);
    out->length = (uint32_t)length;
    return SL_OK;
}

sl_code sl_socket_local(struct sl_address *out, int fd, struct sl_error *err) {
    return take_name(out, fd, getsockname, "address of a socket", err);
}

sl_code sl_socket_peer(struct sl_address *out, int fd, struct sl_error *err) {
    return take_name(out, fd, getpeername, "address of a peer", err);
}

/* ---- bytes */

static bool must_wait(void) { return errno == EAGAIN || errno == EWOULDBLOCK; }

static sl_code read_end(ptrdiff_t *n, ssize_t got, struct sl_error *err) {
    *n = got;
    if (got >= 0) return SL_OK;
    *n = SL_SOCKET_WAIT;
    return must_wait() ? SL_OK : fail_at(err, "read from peer", NULL, errno);
}

sl_code sl_socket_read(ptrdiff_t *n, int fd, void *data, size_t size, struct sl_error *err) {
    ssize_t got;
    RETRY(got, recv(fd, data, size, 0));
    return read_end(n, got, err);
}

sl_code sl_socket_read_both(ptrdiff_t *n, int fd, const struct sl_socket_place places[2], struct sl_error *err) {
    struct iovec parts[2] = {{places[0].data, places[0].size}, {places[1].data, places[1].size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t got;
    RETRY(got, recvmsg(fd, &message, 0));
    return read_end(n, got, err);
}

sl_code sl_socket_write(ptrdiff_t *n, int fd, const struct sl_socket_piece *pieces, int n_pieces,
                        struct sl_error *err) {
    struct iovec parts[SL_SOCKET_PIECES];
    int n_parts = n_pieces < SL_SOCKET_PIECES ? n_pieces : SL_SOCKET_PIECES;
    size_t room = SSIZE_MAX; /* more in one call is an error */
    for (int i = 0; i < n_parts; i++) {
        size_t size = pieces[i].size < room ? pieces[i].size : room;
        parts[i] = (struct iovec){(void *)(uintptr_t)pieces[i].data, size};
        room -= size;
    }
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)n_parts};
    ssize_t put;
    RETRY(put, sendmsg(fd, &message, MSG_NOSIGNAL));
    *n = put;
    if (put >= 0) return SL_OK;
    *n = SL_SOCKET_WAIT;
    return must_wait() ? SL_OK : fail_at(err, "write to peer", NULL, errno);
}

sl_code sl_socket_finish(int fd, struct sl_error *err) {
    return shutdown(fd, SHUT_WR) == 0 ? SL_OK : fail_at(err, "finish writing to peer", NULL, errno);
}

unsigned sl_socket_most(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
    return limit.rlim_cur < UINT_MAX ? (unsigned)limit.rlim_cur : UINT_MAX;
}
