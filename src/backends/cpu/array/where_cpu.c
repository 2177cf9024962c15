/* Where: the coordinates of all elements that are not zero, in order. Two walks over the elements: one counts by
 * chunk, one writes. */
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"

enum { CHUNK = 4096 };

struct job {
    struct sl_view x, y;
    int64_t *before; /* by chunk: elements found in it, later: in those before it */
};

#define MARK(type, mask)                                                                                               \
    do {                                                                                                               \
        const type *from = (const type *)x.data + begin;                                                               \
        for (int64_t i = 0; i < n; i++) marks[i] = (from[i] & (type)(mask)) != 0;                                      \
    } while (0)

/* marks[i] = 1 where element begin + i is not zero. -0 is, and denormal floats and doubles are (TensorFlow flushes
 * them here, but not those of the other types). */
static void mark(uint8_t *restrict marks, struct sl_view x, int64_t begin, int64_t n) {
    switch (x.dtype) {
    case SL_HALF:
    case SL_BFLOAT16: MARK(uint16_t, 0x7fff); return;
    case SL_FLOAT: MARK(uint32_t, 0x7f800000); return;
    case SL_DOUBLE: MARK(uint64_t, 0x7ff0000000000000); return;
    case SL_COMPLEX64: MARK(uint64_t, 0x7fffffff7fffffff); return;
    case SL_COMPLEX128: {
        const uint64_t *from = (const uint64_t *)x.data + 2 * begin;
        for (int64_t i = 0; i < n; i++) marks[i] = ((from[2 * i] | from[2 * i + 1]) & INT64_MAX) != 0;
        return;
    }
    default: break;
    }
    switch (sl_dtype_size(x.dtype)) {
    case 1: MARK(uint8_t, -1); return;
    case 2: MARK(uint16_t, -1); return;
    case 4: MARK(uint32_t, -1); return;
    default: MARK(uint64_t, -1); return;
    }
}

static void count_chunks(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    uint8_t marks[CHUNK];
    for (int64_t c = begin; c < end; c++) {
        int64_t first = c * CHUNK, n = j->x.count - first < CHUNK ? j->x.count - first : CHUNK, found = 0;
        mark(marks, j->x, first, n);
        for (int64_t i = 0; i < n; i++) found += marks[i];
        j->before[c] = found;
    }
}

/* Writes the coordinates of marked elements, from the coordinates `at` on, until `end`. An element that is not
 * marked is written over by the next: no branch. */
static inline __attribute__((always_inline)) void write_marked(int64_t *to, const int64_t *end, const uint8_t *marks,
                                                               int64_t *at, const int64_t *dims, int rank) {
    while (to < end) {
        for (int64_t i = at[rank - 1]; i < dims[rank - 1] && to < end; i++) {
            for (int d = 0; d < rank - 1; d++) to[d] = at[d];
            to[rank - 1] = i;
            to += *marks++ ? rank : 0;
        }
        at[rank - 1] = 0;
        for (int d = rank - 2; d >= 0 && ++at[d] == dims[d]; d--) at[d] = 0;
    }
}

static void write_chunks(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    uint8_t marks[CHUNK];
    int64_t at[SL_MAX_RANK];
    const int rank = j->x.rank;
    for (int64_t c = begin; c < end; c++) {
        int64_t first = c * CHUNK, n = j->x.count - first < CHUNK ? j->x.count - first : CHUNK;
        int64_t *to = (int64_t *)j->y.data + j->before[c] * rank;
        const int64_t *last = (int64_t *)j->y.data + (first + n < j->x.count ? j->before[c + 1] : j->y.dims[0]) * rank;
        mark(marks, j->x, first, n);
        for (int64_t i = rank - 1, rest = first; i >= 0; i--) {
            at[i] = rest % j->x.dims[i];
            rest /= j->x.dims[i];
        }
        if (rank == 1) write_marked(to, last, marks, at, j->x.dims, 1);
        else if (rank == 2) write_marked(to, last, marks, at, j->x.dims, 2);
        else write_marked(to, last, marks, at, j->x.dims, rank);
    }
}

static sl_code where_run(struct sl_kernel_context *k) {
    struct job j = {.x = sl_in(k, 0)};
    if (j.x.rank == 0) return sl_invalid(k, "WhereOp : Unhandled input dimensions: 0");
    int64_t chunks = j.x.count ? (j.x.count - 1) / CHUNK + 1 : 0, total = 0;
    size_t bytes = (size_t)chunks * sizeof *j.before;
    j.before = sl_scratch_new(bytes);
    if (!j.before) return sl_fail_memory(k->err, bytes);
    sl_kernel_split(k, chunks, CHUNK * 0.3, count_chunks, &j);
    for (int64_t c = 0; c < chunks; c++) {
        int64_t found = j.before[c];
        j.before[c] = total;
        total += found;
    }
    sl_code code = sl_out_new(&j.y, k, 0, (struct sl_shape){2, (int64_t[]){total, j.x.rank}});
    if (code == SL_OK && total) sl_kernel_split(k, chunks, CHUNK * 2, write_chunks, &j);
    sl_scratch_free(j.before, bytes);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_where_rows[] = {
    KERNEL("Where", RULE("T", SL_SET_NUMBERS | SL_SET(BOOL)), .run = where_run, .cost_element = 2)
    SL_ROWS_END
};
/* clang-format on */
