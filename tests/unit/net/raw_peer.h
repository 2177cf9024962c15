/* A peer that writes HTTP/2 by hand, frame by frame, also where it should not. Blocking, ten seconds at most. */
#ifndef SL_TESTS_NET_RAW_PEER_H
#define SL_TESTS_NET_RAW_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum raw_type {
    RAW_DATA,
    RAW_HEADERS,
    RAW_PRIORITY,
    RAW_RST_STREAM,
    RAW_SETTINGS,
    RAW_PUSH_PROMISE,
    RAW_PING,
    RAW_GOAWAY,
    RAW_WINDOW_UPDATE,
    RAW_CONTINUATION
};
enum { RAW_END_STREAM = 1, RAW_ACK = 1, RAW_END_HEADERS = 4, RAW_PADDED = 8 };

struct raw_frame {
    unsigned type, flags, length;
    uint32_t stream;
    unsigned char data[65536]; /* its beginning */
};

int raw_listen(int *port);
int raw_accept(int listener);
int raw_connect(const char *address); /* "127.0.0.1:1" */
void raw_close(int fd);
/* False: the other side has closed. */
bool raw_write(int fd, const void *data, size_t size);
bool raw_send(int fd, unsigned type, unsigned flags, uint32_t stream, const void *data, size_t size);
bool raw_begin_client(int fd); /* preface and empty settings */
bool raw_begin_server(int fd); /* takes the preface, sends empty settings */
/* A block of headers as literals: name, value, …, NULL. Returns its size. */
size_t raw_headers(unsigned char *out, ...);
/* HEADERS of a call of gRPC. */
bool raw_call(int fd, uint32_t stream, const char *path);
/* DATA of one message, in one frame. */
bool raw_message(int fd, uint32_t stream, const void *data, size_t size, unsigned flags);
/* False: the other side has closed. */
bool raw_read(struct raw_frame *frame, int fd);
/* The next frame of a type, others passed over; pings are answered. */
bool raw_expect(struct raw_frame *frame, int fd, unsigned type);
/* Whether the other side closes, whatever it says before; `error`: of its last GOAWAY, -1 without one. */
bool raw_is_closed(int fd, int *error);
uint32_t raw_number(const unsigned char *data); /* 4 bytes, big-endian */

#endif
