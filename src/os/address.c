/* Reading, resolving and printing addresses. */
#include "os/address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

_Static_assert(sizeof(struct sockaddr_storage) <= SL_ADDRESS_BYTES, "every address fits");

enum { HOST_MOST = 255, PORT_MOST = 65535 };

static sl_code malformed(struct sl_error *err, const char *text) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "'%s' is no address: want host:port, [IPv6]:port or unix:path", text);
}

static sl_code resolve_unix(struct sl_address *out, const char *text, struct sl_error *err) {
    const char *path = text + strlen("unix:");
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    size_t n = strlen(path);
    if (!n) return malformed(err, text);
    if (n >= sizeof un.sun_path)
        return sl_fail(err, SL_INVALID_ARGUMENT, "the path in '%s' is longer than %zu bytes", text,
                       sizeof un.sun_path - 1);
    memcpy(un.sun_path, path, n + 1);
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, &un, sizeof un);
    out->length = (uint32_t)(offsetof(struct sockaddr_un, sun_path) + n + 1);
    return SL_OK;
}

/* Splits "host:port" at its last colon; the host may stand in brackets, and must when it has colons. */
static bool split(char host[HOST_MOST + 1], const char **port, const char *text) {
    const char *colon = strrchr(text, ':'), *from = text;
    if (!colon || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1)) return false;
    size_t n = (size_t)(colon - text);
    bool is_bracketed = n >= 2 && text[0] == '[' && text[n - 1] == ']';
    if (is_bracketed) {
        from++;
        n -= 2;
    }
    if (n > HOST_MOST || strlen(colon + 1) > 5 || atoi(colon + 1) > PORT_MOST) return false;
    if (is_bracketed ? !n : memchr(from, ':', n) != NULL) return false;
    memcpy(host, from, n);
    host[n] = 0;
    *port = colon + 1;
    return true;
}

sl_code sl_address_split(char *host, size_t room, const char *text, struct sl_error *err) {
    struct sl_address address;
    char name[HOST_MOST + 1];
    const char *port;
    bool is_unix = !strncmp(text, "unix:", 5);
    if (is_unix) SL_TRY(resolve_unix(&address, text, err));
    else if (!split(name, &port, text)) return malformed(err, text);
    snprintf(host, room, "%s", is_unix ? "localhost" : name);
    return SL_OK;
}

static sl_code fail_lookup(struct sl_error *err, const char *text, int why) {
    if (why == EAI_MEMORY) return sl_fail_memory(err, sizeof(struct addrinfo));
    return sl_fail(err, SL_UNAVAILABLE, "the name in '%s' has no address: %s", text, gai_strerror(why));
}

sl_code sl_address_resolve(struct sl_address *out, int *n, int most, const char *text, struct sl_error *err) {
    char host[HOST_MOST + 1];
    const char *port;
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found;
    *n = 0;
    if (!strncmp(text, "unix:", 5)) {
        *n = 1;
        return resolve_unix(out, text, err);
    }
    if (!split(host, &port, text)) return malformed(err, text);
    if (!host[0]) wanted.ai_flags |= AI_PASSIVE;
    int why = getaddrinfo(host[0] ? host : NULL, port, &wanted, &found);
    if (why) return fail_lookup(err, text, why);
    for (const struct addrinfo *at = found; at && *n < most; at = at->ai_next) {
        if ((at->ai_family != AF_INET && at->ai_family != AF_INET6) || at->ai_addrlen > SL_ADDRESS_BYTES) continue;
        struct sl_address *address = &out[(*n)++];
        memset(address, 0, sizeof *address);
        memcpy(address->bytes, at->ai_addr, at->ai_addrlen);
        address->length = (uint32_t)at->ai_addrlen;
    }
    freeaddrinfo(found);
    return *n ? SL_OK : fail_lookup(err, text, EAI_NONAME);
}

static sa_family_t family_of(const struct sl_address *address) {
    struct sockaddr head;
    memcpy(&head, address->bytes, sizeof head);
    return head.sa_family;
}

const char *sl_address_print(char text[SL_ADDRESS_TEXT], const struct sl_address *address) {
    struct sockaddr_un un;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    char host[INET6_ADDRSTRLEN];
    snprintf(text, SL_ADDRESS_TEXT, "an unknown address");
    switch (family_of(address)) {
    case AF_UNIX:
        memset(&un, 0, sizeof un);
        memcpy(&un, address->bytes, address->length < sizeof un ? address->length : sizeof un);
        snprintf(text, SL_ADDRESS_TEXT, "unix:%.*s", (int)sizeof un.sun_path, un.sun_path);
        break;
    case AF_INET:
        memcpy(&v4, address->bytes, sizeof v4);
        if (inet_ntop(AF_INET, &v4.sin_addr, host, sizeof host))
            snprintf(text, SL_ADDRESS_TEXT, "%s:%d", host, ntohs(v4.sin_port));
        break;
    case AF_INET6:
        memcpy(&v6, address->bytes, sizeof v6);
        if (inet_ntop(AF_INET6, &v6.sin6_addr, host, sizeof host))
            snprintf(text, SL_ADDRESS_TEXT, "[%s]:%d", host, ntohs(v6.sin6_port));
        break;
    default: break;
    }
    return text;
}

int sl_address_port(const struct sl_address *address) {
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    memcpy(&v4, address->bytes, sizeof v4);
    memcpy(&v6, address->bytes, sizeof v6);
    sa_family_t family = family_of(address);
    return family == AF_INET ? ntohs(v4.sin_port) : family == AF_INET6 ? ntohs(v6.sin6_port) : 0;
}
