/* Messages out of a stream of bytes: each is 5 bytes of prefix (0, or 1 for compressed; 4 bytes of length, big-endian)
 * and its own. They are put together in one block each, that is given away when it is full.
 *
 * A length is only a claim: memory is asked for as bytes come (64 KiB, 4 MiB, then the whole), and what the system
 * gives is not touched before. The end of a block of SL_GRPC_ALIGNED bytes or more lies at a multiple of 64 bytes, so
 * that a tensor at the end of its message can be used where it is. One owner. */
#ifndef SL_NET_GRPC_MESSAGE_H
#define SL_NET_GRPC_MESSAGE_H

#include "net/rpc.h"

enum { SL_GRPC_PREFIX = 5, SL_GRPC_ALIGNED = 1024 };

void sl_grpc_prefix_write(unsigned char out[SL_GRPC_PREFIX], size_t size);

/* Zero-initialise it, set `most` and perhaps `encoding`. */
struct sl_grpc_assembler {
    size_t most;          /* bytes of a message; RESOURCE_EXHAUSTED beyond */
    const char *encoding; /* that the peer named, for messages; borrowed; NULL: none */
    unsigned char prefix[SL_GRPC_PREFIX];
    unsigned n_prefix;           /* bytes of it that have come */
    size_t size, filled;         /* of the message */
    struct sl_grpc_block *block; /* NULL until the prefix has come */
};
void sl_grpc_assembler_clear(struct sl_grpc_assembler *a);
/* Takes what belongs to the next message from *data, and moves *data and *n behind it. `*body`: the message, when it is
 * there, else NULL. After an error it must not be called again. */
sl_code sl_grpc_assembler_take(struct sl_rpc_body **body, struct sl_grpc_assembler *a, const unsigned char **data,
                               size_t *n, struct sl_error *err);
/* Where the next bytes of the message go, and how many; NULL when that is not known yet. What is read into that place
 * and then given to `take` from there is not copied. `*owner` keeps it, also when the assembler is cleared. */
void *sl_grpc_assembler_place(size_t *room, struct sl_rpc_body **owner, struct sl_grpc_assembler *a);
/* Whether a message has begun and has not ended. */
static inline bool sl_grpc_assembler_is_amid(const struct sl_grpc_assembler *a) { return a->n_prefix != 0; }

#endif
