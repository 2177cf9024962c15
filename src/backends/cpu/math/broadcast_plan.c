/* Merging of dims, modes of inputs, and the copies that fill tiles. */
#include "backends/cpu/math/broadcast_plan.h"

#include <string.h>

#include "backends/cpu/array/move_tiles.h"

static int64_t *strides_of(const struct sl_plan *p, int i) { return p->strides + (int64_t)i * p->rank_limit; }

/* Elements of input i in the dims further in than dim d, counted from the innermost, which is 1. */
static int64_t own_size(const struct sl_broadcast_map_input *in, int d) {
    int own = in->shape.rank - d;
    return own < 0 ? 1 : in->shape.dims[own];
}

/* Merges the dims and finds the strides. The stride of an input in the next dim stands behind those it has already:
 * with the merged ones it is overwritten. */
static void collapse(struct sl_plan *p, struct sl_shape shape) {
    p->rank = 0;
    for (int d = 1; d <= shape.rank; d++) {
        int64_t size = shape.dims[shape.rank - d];
        if (size == 1) continue;
        bool merges = p->rank > 0;
        for (int i = 0; i < p->n; i++) {
            int64_t *strides = strides_of(p, i), below = 1;
            for (int e = 1; e < d; e++) below *= own_size(&p->in[i], e);
            strides[p->rank] = own_size(&p->in[i], d) == 1 ? 0 : below;
            if (merges && strides[p->rank] != strides[p->rank - 1] * p->dims[p->rank - 1]) merges = false;
        }
        if (merges) p->dims[p->rank - 1] *= size;
        else p->dims[p->rank++] = size;
    }
}

static enum sl_plan_mode mode_of(const struct sl_plan *p, int i, int64_t count, int64_t tile) {
    if (p->in[i].count == count) return SL_PLAN_DENSE;
    if (p->in[i].count == 1) return SL_PLAN_SCALAR;
    for (int d = 0; d < p->rank; d++)
        if (strides_of(p, i)[d] != (d == 0)) return SL_PLAN_STRIDED;
    return p->dims[0] <= tile / 2 ? SL_PLAN_PERIODIC : SL_PLAN_STRIDED;
}

void sl_plan_make(struct sl_plan *p, struct sl_shape shape, int64_t count, int64_t tile) {
    collapse(p, shape);
    p->step = tile;
    for (int i = 0; i < p->n; i++) {
        p->mode[i] = mode_of(p, i, count, tile);
        if (p->mode[i] == SL_PLAN_PERIODIC) p->step = tile / p->dims[0] * p->dims[0];
    }
}

/* The elements of input i that belong to elements [begin, begin + n) of the result. */
static void gather(const struct sl_plan *p, int i, unsigned char *to, int64_t begin, int64_t n) {
    const int64_t size = p->in[i].size, *strides = strides_of(p, i);
    const unsigned char *from = p->in[i].data;
    int64_t at[SL_MAX_RANK], offset = 0;
    for (int d = 0; d < p->rank; d++) {
        at[d] = begin % p->dims[d];
        begin /= p->dims[d];
        offset += at[d] * strides[d];
    }
    while (n > 0) {
        int64_t run = p->dims[0] - at[0];
        if (run > n) run = n;
        if (strides[0]) memcpy(to, from + offset * size, (size_t)(run * size));
        else sl_elements_fill(to, from + offset * size, (int)size, run);
        to += run * size;
        n -= run;
        at[0] += run;
        offset += run * strides[0];
        for (int d = 0; d + 1 < p->rank && at[d] == p->dims[d]; d++) {
            offset += strides[d + 1] - at[d] * strides[d];
            at[d] = 0;
            at[d + 1]++;
        }
    }
}

const void *sl_plan_block(const struct sl_plan *p, int i, void *tile, int64_t begin, int64_t n, bool is_first) {
    const struct sl_broadcast_map_input *in = &p->in[i];
    if (p->mode[i] == SL_PLAN_DENSE) return (const char *)in->data + begin * in->size;
    if (p->mode[i] == SL_PLAN_STRIDED) gather(p, i, tile, begin, n);
    else if (is_first && p->mode[i] == SL_PLAN_SCALAR) sl_elements_fill(tile, in->data, (int)in->size, n);
    else if (is_first) gather(p, i, tile, begin, n);
    return tile;
}
