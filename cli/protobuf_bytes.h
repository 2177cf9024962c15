/* Steps through the fields of a protobuf message, for the few that the C API hands out as bytes. */
#ifndef SLUICE_CLI_PROTOBUF_BYTES_H
#define SLUICE_CLI_PROTOBUF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    const unsigned char *p;
    size_t n;
};
struct field {
    uint32_t number;
    uint64_t value;     /* varints */
    struct bytes bytes; /* length-delimited fields */
};
/* False at the end, and where the bytes are none of a message. */
bool next_field(struct field *f, struct bytes *b);
bool next_varint(uint64_t *out, struct bytes *b);
/* The first field of this number; empty, 0 when there is none. */
struct bytes bytes_of(struct bytes message, uint32_t number);
uint64_t number_of(struct bytes message, uint32_t number);

#endif
