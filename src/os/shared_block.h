/* Memory that two processes of one user on one machine have: one owns blocks and offers them, another writes into them.
 *
 *   owner:  sl_shared_block_take ── offer (forty bytes, by any way) ──► sl_shared_maps_write   other process
 *           reads block->data    ◄── word that it has been written ──
 *
 * A block is a memfd: it has no name in any folder, and goes when the last process that has it ends. The other process
 * opens it as /proc/PROCESS/fd/N, which the system allows the same user alone, and believes nothing that the offer says: it
 * must be such a memfd, whose size cannot shrink, of that size, with the offer's random number in its first page.
 * Linux only: elsewhere there are no blocks. Thread-safe. */
#ifndef SL_OS_SHARED_BLOCK_H
#define SL_OS_SHARED_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* As it is sent: both are the same machine. */
struct sl_shared_offer {
    uint64_t process, descriptor, size, number[2];
};

/* ---- the owner's */

struct sl_shared_blocks;
struct sl_shared_block {
    void *data; /* a page and more; nobody else writes when the other process has said that it is done */
    size_t size;
    struct sl_shared_offer offer;
    struct sl_shared_blocks *all;
    struct sl_shared_block *next;
};
/* Blocks that are given back are kept for the next, a few of them. `most`: bytes of all that there are. */
sl_code sl_shared_blocks_new(struct sl_shared_blocks **out, size_t most, struct sl_error *err);
void sl_shared_blocks_unref(struct sl_shared_blocks *all); /* blocks may outlive this; NULL is fine */
/* Of `size` bytes at least; NULL: there is none to be had. */
struct sl_shared_block *sl_shared_block_take(struct sl_shared_blocks *all, size_t size);
void sl_shared_block_give(struct sl_shared_block *block);
/* Instead, when the other process may still write. */
void sl_shared_block_drop(struct sl_shared_block *block);

/* ---- the other process's */

enum { SL_SHARED_MAPS = 4 };
struct sl_shared_maps;
sl_code sl_shared_maps_new(struct sl_shared_maps **out, struct sl_error *err);
void sl_shared_maps_free(struct sl_shared_maps *maps); /* nobody writes; NULL is fine */
/* Copies bytes to the begin of the block. False: it is not there, or too small. Its memory stays mapped for the next. */
bool sl_shared_maps_write(struct sl_shared_maps *maps, const struct sl_shared_offer *offer, const void *data, size_t n);
/* Lets go of those that nobody has written to since the last time. False: none is left. */
bool sl_shared_maps_trim(struct sl_shared_maps *maps);

#endif
