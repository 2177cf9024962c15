/* Addresses of sockets: TCP over IPv4 and IPv6, and Unix sockets. Plain values; thread-safe. */
#ifndef SL_OS_ADDRESS_H
#define SL_OS_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { SL_ADDRESS_BYTES = 128, SL_ADDRESS_TEXT = 160 };

/* What the system's calls take: a struct sockaddr of `length` bytes. */
struct sl_address {
    _Alignas(8) unsigned char bytes[SL_ADDRESS_BYTES];
    uint32_t length;
};

/* The addresses of "host:port", "[::1]:port", ":port" (any of this machine's, to listen at) or "unix:path", in the
 * order in which they should be tried: up to `most`, and at least one. A host is a number or a name; names may take
 * as long as the system's resolver does. INVALID_ARGUMENT for a text that is no such thing, UNAVAILABLE for a name
 * that has no address (at this time). */
sl_code sl_address_resolve(struct sl_address *out, int *n, int most, const char *text, struct sl_error *err);
/* The host of such a text, without brackets ("localhost" of a Unix socket, "" for ":port"); nobody is asked whether
 * it is there. INVALID_ARGUMENT for what is no address. */
sl_code sl_address_split(char *host, size_t room, const char *text, struct sl_error *err);
/* "127.0.0.1:80", "[::1]:80", "unix:path". Returns `text`. */
const char *sl_address_print(char text[SL_ADDRESS_TEXT], const struct sl_address *address);
/* 0 for Unix sockets. */
int sl_address_port(const struct sl_address *address);

#endif
