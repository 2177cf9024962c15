/* What a peer of remote calls may send. The first byte says what the rest is: bytes of messages, in cuts that the second
 * byte gives; the words of headers; what a client sends to a server after its preface and settings, as bytes or as
 * frames. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/grpc_message.h"
#include "net/grpc_text.h"

static void put_together(const uint8_t *data, size_t size, size_t cut) {
    struct sl_grpc_assembler a = {.most = 1 << 20, .encoding = cut & 1 ? "gzip" : NULL};
    struct sl_error err;
    bool is_in_place = cut & 2;
    while (size) {
        size_t part = cut < size ? cut + 1 : size, room;
        if (part > size) part = size;
        const unsigned char *from = data;
        struct sl_rpc_body *owner = NULL, *body;
        void *place = is_in_place ? sl_grpc_assembler_place(&room, &owner, &a) : NULL;
        if (place) {
            if (part > room) part = room;
            from = memcpy(place, data, part);
        }
        size_t left = part;
        sl_code code = sl_grpc_assembler_take(&body, &a, &from, &left, &err);
        sl_rpc_body_unref(body);
        sl_rpc_body_unref(owner);
        if (code != SL_OK) break;
        data += part - left;
        size -= part - left;
    }
    sl_grpc_assembler_clear(&a);
}

/* What is read can be written, and is the same again. */
static void read_words(const uint8_t *data, size_t size) {
    struct sl_str text = {(const char *)data, size};
    char encoded[SL_GRPC_MESSAGE_ROOM], timeout[SL_GRPC_TIMEOUT_ROOM];
    sl_code code;
    int64_t ns, again;
    sl_grpc_status_parse(&code, text);
    if (sl_grpc_timeout_parse(&ns, text)) {
        size_t n = sl_grpc_timeout_print(timeout, ns);
        if (!sl_grpc_timeout_parse(&again, (struct sl_str){timeout, n}) || again < ns) abort();
    }
    if (size > SL_GRPC_MESSAGE_MOST || memchr(data, 0, size)) return;
    char *copy = malloc(size + 1), *back = malloc(3 * size + 1);
    memcpy(copy, data, size);
    copy[size] = 0;
    size_t n = sl_grpc_message_encode(encoded, copy);
    if (sl_grpc_message_decode(back, encoded, n) != size || memcmp(back, copy, size) != 0) abort();
    sl_grpc_message_decode(back, copy, size);
    free(copy);
    free(back);
}

#if SL_HAVE_NGHTTP2
#include "net/http2_net.h"
#include "os/socket.h"
#include "os/task_threads.h"

static void answer(void *service, struct sl_rpc_call *call) {
    struct sl_rpc_message m = {0};
    (void)service;
    sl_rpc_message_add_bytes(&m, call->body->bytes, NULL);
    sl_rpc_call_answer(call, &m);
}

static void talk_message(struct sl_rpc_call *call, struct sl_rpc_body *body) {
    struct sl_rpc_message m = {0};
    if (body) sl_rpc_call_send(call, &m);
    else sl_rpc_call_answer(call, NULL);
    sl_rpc_body_unref(body);
}

static void end_call(void *call) { sl_rpc_call_fail(call, SL_CANCELLED, "gone"); }

static void talk_gone(struct sl_rpc_call *call, sl_code code) {
    (void)code;
    sl_task_threads_run(end_call, call); /* not from within `gone` */
}
static const struct sl_rpc_listener talk_listener = {talk_gone, talk_message};

static void talk(void *service, struct sl_rpc_call *call) {
    (void)service;
    sl_rpc_call_listen(call, &talk_listener);
}

static const struct sl_rpc_method methods[] = {{"/a", false, answer}, {"/t", true, talk}, {0}};
static const struct sl_rpc_service service = {methods, NULL};

static struct sl_address begin(void) {
    const struct sl_rpc_serving how = {.address = "127.0.0.1:0",
                                       .services = &service,
                                       .n_services = 1,
                                       .limits = {.message_bytes = 1 << 20, .unfinished_bytes = 8 << 20}};
    static struct sl_net *net;
    static struct sl_rpc_server *server;
    struct sl_address address;
    char text[32];
    int n;
    if (sl_http2_net_new(&net, NULL) != SL_OK || sl_net_serve(&server, net, &how, NULL) != SL_OK) abort();
    snprintf(text, sizeof text, "127.0.0.1:%d", sl_rpc_server_port(server));
    if (sl_address_resolve(&address, &n, 1, text, NULL) != SL_OK) abort();
    return address;
}

/* Waits for nothing but the socket; false when the server has closed. */
static bool write_all(int fd, const void *data, size_t size) {
    for (const char *at = data; size;) {
        struct sl_socket_piece piece = {at, size};
        ptrdiff_t n;
        if (sl_socket_write(&n, fd, &piece, 1, NULL) != SL_OK) return false;
        if (n == SL_SOCKET_WAIT) continue;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static void write_frame(int fd, unsigned type, unsigned flags, unsigned stream, const uint8_t *data, size_t size) {
    const unsigned char head[9] = {
        0, (unsigned char)(size >> 8), (unsigned char)size, (unsigned char)type, (unsigned char)flags, 0, 0,
        0, (unsigned char)stream};
    if (write_all(fd, head, sizeof head)) write_all(fd, data, size);
}

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0";
static const char headers[] = "\0\5:path\2/a\0\7:method\4POST\0\7:scheme\4http\0\14content-type\20application/grpc";

/* A frame for each four bytes and what they say that follows: type, flags, stream, length. */
static void write_frames(int fd, const uint8_t *data, size_t size) {
    char block[sizeof headers];
    memcpy(block, headers, sizeof headers);
    for (; size >= 4;) {
        unsigned type = data[0] % 12, flags = data[1], stream = data[2] % 8;
        size_t part = data[3];
        data += 4;
        size -= 4;
        if (part > size) part = size;
        if (type == 10) block[9] = part & 1 ? 't' : 'a';
        if (type >= 10) write_frame(fd, 1, flags | 4, stream, (const uint8_t *)block, sizeof headers - 1);
        else write_frame(fd, type, flags, stream, data, part);
        data += part;
        size -= part;
    }
}

static void talk_to_server(const uint8_t *data, size_t size, bool is_framed) {
    static struct sl_address address;
    char answer_bytes[4096];
    bool is_done;
    int fd;
    if (!address.length) address = begin();
    if (sl_socket_connect(&fd, &is_done, &address, NULL) != SL_OK) return;
    write_all(fd, preface, sizeof preface); /* with the NUL: the last byte of the settings' head */
    if (is_framed) write_frames(fd, data, size);
    else write_all(fd, data, size);
    sl_socket_finish(fd, NULL);
    for (ptrdiff_t n = 1; n != SL_SOCKET_END;)
        if (sl_socket_read(&n, fd, answer_bytes, sizeof answer_bytes, NULL) != SL_OK) break;
    sl_socket_close(fd);
}
#else
static void talk_to_server(const uint8_t *data, size_t size, bool is_framed) {
    (void)data;
    (void)size;
    (void)is_framed;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    switch (data[0] % 4) {
    case 0: put_together(data + 2, size - 2, data[1]); break;
    case 1: read_words(data + 1, size - 1); break;
    case 2: talk_to_server(data + 1, size - 1, false); break;
    default: talk_to_server(data + 1, size - 1, true); break;
    }
    return 0;
}
