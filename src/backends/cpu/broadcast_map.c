/* How a loop meets its elements. The result is cut in blocks of up to TILE bytes of the largest type; for each block every input
 * is a run of consecutive elements:
 *
 *   DENSE     as many elements as the result: its own memory
 *   SCALAR    one element: a tile of copies, filled once
 *   PERIODIC  repeats every few elements: a tile of whole periods, filled once
 *   STRIDED   anything else: a tile, filled anew for each block
 *
 * When all are DENSE there are no blocks: the loop runs over everything. */
#include "backends/cpu/broadcast_map.h"

#include <string.h>

enum { TILE = 4096, TILE_FLOATS = TILE / 4 };

enum mode { DENSE, SCALAR, PERIODIC, STRIDED };

struct plan {
    const struct sl_map *map;
    enum mode mode[SL_MAP_INPUTS];
    int64_t step; /* elements of a block */
    int rank;
    /* The result's dims, innermost first, adjacent ones merged where all inputs allow it, and how far each input moves. */
    int64_t dims[SL_MAX_RANK], strides[SL_MAP_INPUTS][SL_MAX_RANK];
};

struct tiles {
    _Alignas(64) unsigned char raw[SL_MAP_INPUTS][TILE];
    _Alignas(64) float wide[SL_MAP_INPUTS][TILE_FLOATS];
    _Alignas(64) float result[TILE_FLOATS];
};

struct sl_map_input sl_map_input(struct sl_view v) {
    return (struct sl_map_input){v.data, (int64_t)sl_dtype_size(v.dtype), v.count, sl_view_shape(v)};
}

bool sl_map_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], const struct sl_map_input *in, int n) {
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

/* Merges the dims and finds the strides. */
static void collapse(struct plan *p) {
    const struct sl_map *m = p->map;
    int64_t below[SL_MAP_INPUTS] = {1, 1, 1}; /* elements of the input in the dims further in */
    p->rank = 0;
    for (int d = 1; d <= m->shape.rank; d++) {
        int64_t size = m->shape.dims[m->shape.rank - d], stride[SL_MAP_INPUTS];
        if (size == 1) continue;
        bool merges = p->rank > 0;
        for (int i = 0; i < m->n; i++) {
            int own = m->in[i].shape.rank - d;
            int64_t own_size = own < 0 ? 1 : m->in[i].shape.dims[own];
            stride[i] = own_size == 1 ? 0 : below[i];
            below[i] *= own_size;
            if (p->rank > 0 && stride[i] != p->strides[i][p->rank - 1] * p->dims[p->rank - 1]) merges = false;
        }
        if (merges) {
            p->dims[p->rank - 1] *= size;
            continue;
        }
        for (int i = 0; i < m->n; i++) p->strides[i][p->rank] = stride[i];
        p->dims[p->rank++] = size;
    }
}

static enum mode mode_of(const struct plan *p, int i, int64_t count, int64_t tile) {
    if (p->map->in[i].count == count) return DENSE;
    if (p->map->in[i].count == 1) return SCALAR;
    for (int d = 0; d < p->rank; d++)
        if (p->strides[i][d] != (d == 0)) return STRIDED;
    return p->dims[0] <= tile / 2 ? PERIODIC : STRIDED;
}

static void fill(unsigned char *to, const void *element, int64_t size, int64_t n) {
#define FILL(type)                                                                                                     \
    do {                                                                                                               \
        type value, *out = (type *)(void *)to;                                                                         \
        memcpy(&value, element, sizeof value);                                                                         \
        for (int64_t i = 0; i < n; i++) out[i] = value;                                                                \
    } while (0)
    switch (size) {
    case 1: memset(to, *(const unsigned char *)element, (size_t)n); break;
    case 2: FILL(uint16_t); break;
    case 4: FILL(uint32_t); break;
    case 8: FILL(uint64_t); break;
    default:
        for (int64_t i = 0; i < n; i++) memcpy(to + i * size, element, (size_t)size);
    }
#undef FILL
}

/* The elements of input i that belong to elements [begin, begin + n) of the result. */
static void gather(const struct plan *p, int i, unsigned char *to, int64_t begin, int64_t n) {
    const int64_t size = p->map->in[i].size, *strides = p->strides[i];
    const unsigned char *from = p->map->in[i].data;
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
        else fill(to, from + offset * size, size, run);
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

/* Input i for n elements from `begin`. */
static const void *input_block(const struct plan *p, int i, struct tiles *t, int64_t begin, int64_t n, bool is_first) {
    const struct sl_map *m = p->map;
    const void *from = t->raw[i];
    if (p->mode[i] == DENSE) from = (const char *)m->in[i].data + begin * m->in[i].size;
    else if (p->mode[i] == STRIDED) gather(p, i, t->raw[i], begin, n);
    else if (is_first && p->mode[i] == SCALAR) fill(t->raw[i], m->in[i].data, m->in[i].size, n);
    else if (is_first) gather(p, i, t->raw[i], begin, n);
    if (!m->half || m->in[i].size != 2) return from;
    if (is_first || p->mode[i] == DENSE || p->mode[i] == STRIDED)
        SL_ISA_PICK(sl_cast_loop)(m->half, SL_FLOAT)(t->wide[i], from, NULL, NULL, n);
    return t->wide[i];
}

static void run_blocks(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_map *m = p->map;
    const void *in[SL_MAP_INPUTS] = {NULL, NULL, m->z};
    struct tiles t;
    bool narrows = m->half && m->to_size == 2;
    for (int64_t b = begin; b < end; b += p->step) {
        int64_t n = end - b < p->step ? end - b : p->step;
        char *to = (char *)m->to + b * m->to_size;
        for (int i = 0; i < m->n; i++) in[i] = input_block(p, i, &t, b, n, b == begin);
        m->loop(narrows ? (void *)t.result : to, in[0], in[1], in[2], n);
        if (narrows) SL_ISA_PICK(sl_cast_loop)(SL_FLOAT, m->half)(to, t.result, NULL, NULL, n);
    }
}

static void run_dense(void *arg, int64_t begin, int64_t end) {
    const struct sl_map *m = arg;
    const void *in[SL_MAP_INPUTS] = {NULL, NULL, m->z};
    for (int i = 0; i < m->n; i++) in[i] = (const char *)m->in[i].data + begin * m->in[i].size;
    m->loop((char *)m->to + begin * m->to_size, in[0], in[1], in[2], end - begin);
}

void sl_map_run(struct sl_kernel_context *k, const struct sl_map *map) {
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
    collapse(&p);
    p.step = TILE / largest;
    for (int i = 0; i < map->n; i++) {
        p.mode[i] = mode_of(&p, i, count, TILE / largest);
        if (p.mode[i] == PERIODIC) p.step = TILE / largest / p.dims[0] * p.dims[0];
    }
    sl_kernel_split(k, count, map->ns + 0.2, run_blocks, &p);
}

const void **sl_map_pointers(struct sl_view v) {
    size_t size = sl_dtype_size(v.dtype), n = (size_t)v.count;
    const void **pointers = sl_scratch_new((n + 1) * sizeof *pointers);
    if (!pointers) return NULL;
    for (size_t i = 0; i < n; i++) pointers[i] = (const char *)v.data + i * size;
    return pointers;
}

void sl_map_pointers_free(const void **pointers, int64_t count) {
    sl_scratch_free(pointers, ((size_t)count + 1) * sizeof *pointers);
}
