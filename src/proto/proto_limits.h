/* What the message layer refuses, in one place. All are compared before anything of that size is allocated. */
#ifndef SL_PROTO_PROTO_LIMITS_H
#define SL_PROTO_PROTO_LIMITS_H

#include <stdint.h>

enum {
    /* Levels of messages within messages below the outermost, map entries included; decode, encode and text alike.
     * The same as in protobuf. A level costs a few hundred bytes of stack. */
    SL_PB_MAX_DEPTH = 100,
    /* Bytes of a binary message or of a text: protobuf's own bound, 2 GiB - 1. */
    SL_PB_MAX_BYTES = INT32_MAX,
    /* A decoded message may take this many bytes of memory per byte on the wire, and SL_PB_FREE_MEMORY besides. Real
     * graphs need 5 to 8; an empty message in a repeated field costs two bytes on the wire and hundreds in memory. */
    SL_PB_MEMORY_FACTOR = 64,
    SL_PB_FREE_MEMORY = 1 << 20,
    /* Bytes of a tag and of any other varint. */
    SL_PB_MAX_TAG_BYTES = 5,
    SL_PB_MAX_VARINT_BYTES = 10
};

#endif
