/* HTTP/2 by hand. */
#include "unit/net/raw_peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, HEAD = 9 };

int raw_listen(int *port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&at, n) || listen(fd, 16) || getsockname(fd, (struct sockaddr *)&at, &n)) abort();
    *port = ntohs(at.sin_port);
    return fd;
}

int raw_accept(int listener) {
    struct pollfd p = {.fd = listener, .events = POLLIN};
    if (poll(&p, 1, PATIENCE_MS) != 1) return -1;
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

int raw_connect(const char *address) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (struct sockaddr *)&to, sizeof to)) abort();
    return fd;
}

void raw_close(int fd) { close(fd); }

bool raw_write(int fd, const void *data, size_t size) {
    for (const char *at = data; size;) {
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        if (poll(&p, 1, PATIENCE_MS) != 1) return false;
        ssize_t n = send(fd, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool raw_send(int fd, unsigned type, unsigned flags, uint32_t stream, const void *data, size_t size) {
    unsigned char head[HEAD] = {(unsigned char)(size >> 16),   (unsigned char)(size >> 8),
                                (unsigned char)size,           (unsigned char)type,
                                (unsigned char)flags,          (unsigned char)(stream >> 24),
                                (unsigned char)(stream >> 16), (unsigned char)(stream >> 8),
                                (unsigned char)stream};
    return raw_write(fd, head, HEAD) && raw_write(fd, data, size);
}

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

bool raw_begin_client(int fd) {
    return raw_write(fd, preface, sizeof preface - 1) && raw_send(fd, RAW_SETTINGS, 0, 0, NULL, 0);
}

static bool read_all(int fd, void *data, size_t size) {
    for (char *at = data; size;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (poll(&p, 1, PATIENCE_MS) != 1) abort();
        ssize_t n = recv(fd, at, size, 0);
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool raw_begin_server(int fd) {
    char got[sizeof preface - 1];
    return read_all(fd, got, sizeof got) && !memcmp(got, preface, sizeof got) &&
           raw_send(fd, RAW_SETTINGS, 0, 0, NULL, 0);
}

/* A string of HPACK: its length, with a prefix of 7 bits, and its bytes. */
static unsigned char *put_string(unsigned char *to, const char *text) {
    size_t n = strlen(text), rest = n;
    if (n < 127) {
        *to++ = (unsigned char)n;
    } else {
        *to++ = 127;
        for (rest -= 127; rest >= 128; rest >>= 7) *to++ = (unsigned char)(rest | 128);
        *to++ = (unsigned char)rest;
    }
    memcpy(to, text, n);
    return to + n;
}

size_t raw_headers(unsigned char *out, ...) {
    va_list args;
    unsigned char *to = out;
    va_start(args, out);
    for (const char *name; (name = va_arg(args, const char *));) {
        *to++ = 0; /* a literal, not to be indexed, with a new name */
        to = put_string(to, name);
        to = put_string(to, va_arg(args, const char *));
    }
    va_end(args);
    return (size_t)(to - out);
}

bool raw_call(int fd, uint32_t stream, const char *path) {
    unsigned char block[1024];
    size_t n = raw_headers(block, ":path", path, ":authority", "test", ":method", "POST", ":scheme", "http",
                           "content-type", "application/grpc", "te", "trailers", (char *)NULL);
    return raw_send(fd, RAW_HEADERS, RAW_END_HEADERS, stream, block, n);
}

bool raw_message(int fd, uint32_t stream, const void *data, size_t size, unsigned flags) {
    unsigned char frame[65536] = {0, (unsigned char)(size >> 24), (unsigned char)(size >> 16),
                                  (unsigned char)(size >> 8), (unsigned char)size};
    memcpy(frame + 5, data, size);
    return raw_send(fd, RAW_DATA, flags, stream, frame, size + 5);
}

uint32_t raw_number(const unsigned char *data) {
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

bool raw_read(struct raw_frame *frame, int fd) {
    unsigned char head[HEAD], rest[4096];
    if (!read_all(fd, head, HEAD)) return false;
    frame->length = (unsigned)head[0] << 16 | (unsigned)head[1] << 8 | head[2];
    frame->type = head[3];
    frame->flags = head[4];
    frame->stream = raw_number(head + 5);
    size_t part = frame->length < sizeof frame->data ? frame->length : sizeof frame->data;
    if (!read_all(fd, frame->data, part)) return false;
    for (size_t left = frame->length - part, n; left; left -= n) {
        n = left < sizeof rest ? left : sizeof rest;
        if (!read_all(fd, rest, n)) return false;
    }
    return true;
}

bool raw_expect(struct raw_frame *frame, int fd, unsigned type) {
    while (raw_read(frame, fd)) {
        if (frame->type == type) return true;
        if (frame->type == RAW_PING && !(frame->flags & RAW_ACK)) raw_send(fd, RAW_PING, RAW_ACK, 0, frame->data, 8);
    }
    return false;
}

bool raw_is_closed(int fd, int *error) {
    static struct raw_frame frame;
    *error = -1;
    while (raw_read(&frame, fd))
        if (frame.type == RAW_GOAWAY) *error = (int)raw_number(frame.data + 4);
    return true;
}
