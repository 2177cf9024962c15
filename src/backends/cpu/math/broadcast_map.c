/* One loop over whole tensors: at once when every input has as many elements as the result, else in blocks
 * (broadcast_plan.h). half and bfloat16 go through float, a tile at a time. */
#include "backends/cpu/math/broadcast_map.h"

#include <string.h>

#include "backends/cpu/math/broadcast_plan.h"

enum { TILE_FLOATS = SL_TILE / 4 };

struct plan {
    const struct sl_broadcast_map *map;
    struct sl_plan blocks;
    enum sl_plan_mode mode[SL_BROADCAST_MAP_INPUTS];
    int64_t dims[SL_MAX_RANK], strides[SL_BROADCAST_MAP_INPUTS * SL_MAX_RANK];
};

struct tiles {
    _Alignas(64) unsigned char raw[SL_BROADCAST_MAP_INPUTS][SL_TILE];
    _Alignas(64) float wide[SL_BROADCAST_MAP_INPUTS][TILE_FLOATS];
    _Alignas(64) float result[TILE_FLOATS];
};

struct sl_broadcast_map_input sl_broadcast_map_input(struct sl_view v) {
    return (struct sl_broadcast_map_input){v.data, (int64_t)sl_dtype_size(v.dtype), v.count, sl_view_shape(v)};
}

bool sl_broadcast_map_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], const struct sl_broadcast_map_input *in,
                            int n) {
    int rank = 0;
    for (int i = 0; i < n; i++) rank = in[i].shape.rank > rank ? in[i].shape.rank : rank;
    for (int d = 0; d < rank; d++) {
        int64_t size = 1;
        for (int i = 0; i < n; i++) {
            int own = d - (rank - in[i].shape.rank);
            int64_t other = own < 0 ? 1 : in[i].shape.dims[own];
            if (other != 1 && size != 1 && other != size) return false;
            size = size == 1 ? other : size;
        }
        dims[d] = size;
    }
    *out = (struct sl_shape){rank, dims};
    return true;
}

/* Input i for n elements from `begin`. */
static const void *input_block(const struct plan *p, int i, struct tiles *t, int64_t begin, int64_t n, bool is_first) {
    const struct sl_broadcast_map *m = p->map;
    const void *from = sl_plan_block(&p->blocks, i, t->raw[i], begin, n, is_first);
    if (!m->half || m->in[i].size != 2) return from;
    if (is_first || p->mode[i] == SL_PLAN_DENSE || p->mode[i] == SL_PLAN_STRIDED)
        SL_ISA_PICK(sl_cast_loop)(m->half, SL_FLOAT)(t->wide[i], from, NULL, NULL, n);
    return t->wide[i];
}

static void run_blocks(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_broadcast_map *m = p->map;
    const void *in[SL_BROADCAST_MAP_INPUTS] = {NULL, NULL, m->z};
    struct tiles t;
    bool narrows = m->half && m->to_size == 2;
    for (int64_t b = begin; b < end; b += p->blocks.step) {
        int64_t n = end - b < p->blocks.step ? end - b : p->blocks.step;
        char *to = (char *)m->to + b * m->to_size;
        for (int i = 0; i < m->n; i++) in[i] = input_block(p, i, &t, b, n, b == begin);
        m->loop(narrows ? (void *)t.result : to, in[0], in[1], in[2], n);
        if (narrows) SL_ISA_PICK(sl_cast_loop)(SL_FLOAT, m->half)(to, t.result, NULL, NULL, n);
    }
}

static void run_dense(void *arg, int64_t begin, int64_t end) {
    const struct sl_broadcast_map *m = arg;
    const void *in[SL_BROADCAST_MAP_INPUTS] = {NULL, NULL, m->z};
    for (int i = 0; i < m->n; i++) in[i] = (const char *)m->in[i].data + begin * m->in[i].size;
    m->loop((char *)m->to + begin * m->to_size, in[0], in[1], in[2], end - begin);
}

void sl_broadcast_map_run(struct sl_kernel_context *k, const struct sl_broadcast_map *map) {
    int64_t count = 1, largest = map->half ? 4 : map->to_size;
    bool is_dense = !map->half;
    for (int d = 0; d < map->shape.rank; d++) count *= map->shape.dims[d];
    for (int i = 0; i < map->n; i++) {
        is_dense &= map->in[i].count == count;
        largest = map->in[i].size > largest ? map->in[i].size : largest;
    }
    if (count == 0) return;
    if (is_dense) {
        sl_kernel_split(k, count, map->ns, run_dense, (void *)map);
        return;
    }
    struct plan p; /* large, and every part is set below */
    p.map = map;
    p.blocks = (struct sl_plan){
        .in = map->in, .n = map->n, .mode = p.mode, .dims = p.dims, .strides = p.strides, .rank_limit = SL_MAX_RANK};
    sl_plan_make(&p.blocks, map->shape, count, SL_TILE / largest);
    sl_kernel_split(k, count, map->ns + 0.2, run_blocks, &p);
}

const void **sl_broadcast_map_pointers(struct sl_view v) {
    size_t size = sl_dtype_size(v.dtype), n = (size_t)v.count;
    const void **pointers = sl_scratch_new((n + 1) * sizeof *pointers);
    if (!pointers) return NULL;
    for (size_t i = 0; i < n; i++) pointers[i] = (const char *)v.data + i * size;
    return pointers;
}

void sl_broadcast_map_pointers_free(const void **pointers, int64_t count) {
    sl_scratch_free(pointers, ((size_t)count + 1) * sizeof *pointers);
}
