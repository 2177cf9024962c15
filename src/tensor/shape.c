/* Shapes: count, compare, print. */
#include "tensor/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

bool sl_shape_equal(struct sl_shape a, struct sl_shape b) {
    return a.rank == b.rank && (a.rank <= 0 || memcmp(a.dims, b.dims, (size_t)a.rank * sizeof *a.dims) == 0);
}

sl_code sl_shape_count(int64_t *count, struct sl_shape s, struct sl_error *err) {
    char text[SL_SHAPE_TEXT];
    if (s.rank < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Shape has unknown rank");
    int64_t n = 1;
    for (int i = 0; i < s.rank; i++) {
        if (s.dims[i] < 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Dimension %d of shape %s is negative", i, sl_shape_text(text, s));
        if (!sl_mul_i64(&n, n, s.dims[i]))
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Encountered overflow when multiplying %" PRId64 " with %" PRId64 ", result: -1", n,
                           s.dims[i]);
    }
    *count = n;
    return SL_OK;
}

struct sl_shape sl_shape_copy(struct sl_arena *arena, struct sl_shape s) {
    if (s.rank <= 0) return (struct sl_shape){s.rank, NULL};
    size_t bytes = (size_t)s.rank * sizeof *s.dims;
    int64_t *dims = sl_arena_alloc(arena, bytes);
    if (!dims) return (struct sl_shape){-2, NULL};
    memcpy(dims, s.dims, bytes);
    return (struct sl_shape){s.rank, dims};
}

bool sl_shape_is_compatible(struct sl_shape a, struct sl_shape b) {
    if (a.rank < 0 || b.rank < 0) return true;
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; i++)
        if (a.dims[i] >= 0 && b.dims[i] >= 0 && a.dims[i] != b.dims[i]) return false;
    return true;
}

const char *sl_shape_text(char text[SL_SHAPE_TEXT], struct sl_shape s) {
    if (s.rank < 0) return strcpy(text, "<unknown>");
    size_t at = 0;
    text[at++] = '[';
    for (int i = 0; i < s.rank; i++) {
        if (at > SL_SHAPE_TEXT - 32) {
            at += (size_t)snprintf(text + at, SL_SHAPE_TEXT - at, ",...");
            break;
        }
        if (i) text[at++] = ',';
        if (s.dims[i] < 0) text[at++] = '?';
        else at += (size_t)snprintf(text + at, SL_SHAPE_TEXT - at, "%" PRId64, s.dims[i]);
    }
    text[at++] = ']';
    text[at] = 0;
    return text;
}

const char *sl_index_text(char text[SL_SHAPE_TEXT], int64_t place, struct sl_shape s) {
    int64_t at[SL_MAX_RANK];
    for (int i = s.rank - 1; i >= 0; i--) {
        at[i] = place % s.dims[i];
        place /= s.dims[i];
    }
    text[0] = 0;
    return s.rank ? sl_shape_text(text, (struct sl_shape){s.rank, at}) : text;
}
