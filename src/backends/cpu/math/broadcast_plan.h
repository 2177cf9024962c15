/* How inputs that broadcast to one shape are read in blocks: for each block of the result every input is a run of
 * consecutive elements, in its own memory or in a tile. broadcast_map.c maps one loop so, program_cpu.c a series of
 * them.
 *
 *   DENSE     as many elements as the result: its own memory
 *   SCALAR    one element: a tile of copies, filled once
 *   PERIODIC  repeats every few elements: a tile of whole periods, filled once
 *   STRIDED   anything else: a tile, filled anew for each block
 *
 * Threads: a plan is read-only once made; tiles belong to one thread. */
#ifndef SL_BACKENDS_CPU_MATH_BROADCAST_PLAN_H
#define SL_BACKENDS_CPU_MATH_BROADCAST_PLAN_H

#include "backends/cpu/math/broadcast_map.h"

enum { SL_TILE = 4096 }; /* bytes */

enum sl_plan_mode { SL_PLAN_DENSE, SL_PLAN_SCALAR, SL_PLAN_PERIODIC, SL_PLAN_STRIDED };

struct sl_plan {
    const struct sl_broadcast_map_input *in;
    int n;
    enum sl_plan_mode *mode; /* of each input */
    int64_t step;            /* elements of a block: as many as a tile holds, or fewer */
    int rank;
    /* The result's dims, innermost first, adjacent ones merged where all inputs allow it, and how far each input
     * moves in them: stride d of input i is strides[i * rank_limit + d]. */
    int64_t *dims, *strides;
    int rank_limit;
};

/* Sets `rank`, `step`, `mode`, `dims`, `strides` for a result of `shape` with `count` > 0 elements of which a tile
 * holds `tile`. The other members are given, with room for n modes, rank_limit (at least the shape's rank) dims and
 * n * rank_limit strides. */
void sl_plan_make(struct sl_plan *p, struct sl_shape shape, int64_t count, int64_t tile);
/* Elements [begin, begin + n) of input i, n at most `step`: where they stand, or `tile`, which has to hold what it
 * did in the call before unless `is_first`. `begin` is a multiple of `step` beyond the first call's. */
const void *sl_plan_block(const struct sl_plan *p, int i, void *tile, int64_t begin, int64_t n, bool is_first);

#endif
