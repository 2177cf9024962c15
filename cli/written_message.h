/* Writes fields of a protobuf message (https://protobuf.dev/programming-guides/encoding/). One thread. */
#ifndef SLUICE_CLI_WRITTEN_MESSAGE_H
#define SLUICE_CLI_WRITTEN_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/* Starts as zeros; `p` is to be freed. */
struct message {
    unsigned char *p;
    size_t n, room;
};
void message_number(struct message *m, int field, uint64_t value);
void message_bytes(struct message *m, int field, const void *bytes, size_t n);
void message_text(struct message *m, int field, const char *text);
/* `inner` is empty afterwards. */
void message_message(struct message *m, int field, struct message *inner);

#endif
