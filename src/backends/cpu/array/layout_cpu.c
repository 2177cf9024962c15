/* DataFormatDimMap, DataFormatVecPermute: dims and vectors of one data format in another. A format is a word with
 * one letter for each dim. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"

enum { MOST_DIMS = 5 };

struct layout {
    int n;
    char from[MOST_DIMS + 1], to[MOST_DIMS + 1];
};

static sl_code read_format(char *to, int *n, struct sl_kernel_setup *setup, const char *attr, const char *name) {
    struct sl_str word;
    SL_TRY(sl_attr_string(&word, setup->attrs, attr, setup->err));
    if (word.n != 4 && word.n != 5)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s format must be of length 4 or 5, received %s = %.*s", name,
                       attr, SL_STR_ARG(word));
    memcpy(to, word.p, word.n);
    to[word.n] = 0;
    *n = (int)word.n;
    return SL_OK;
}

/* Position of a letter, or -1. */
static int find(const char *format, int n, char letter) {
    const char *at = memchr(format, letter, (size_t)n);
    return at ? (int)(at - format) : -1;
}

static sl_code layout_create(void **state, struct sl_kernel_setup *setup) {
    struct layout l = {0}, *copy;
    int n = 0;
    SL_TRY(read_format(l.from, &l.n, setup, "src_format", "Source"));
    SL_TRY(read_format(l.to, &n, setup, "dst_format", "Destination"));
    bool is_permutation = n == l.n;
    for (int i = 0; is_permutation && i < n; i++)
        is_permutation =
            find(l.to, n, l.from[i]) >= 0 && find(l.from, n, l.to[i]) >= 0 && find(l.from, n, l.from[i]) == i;
    if (!is_permutation)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Destination and source format must determine a permutation, got %s and %s", l.from, l.to);
    copy = sl_malloc(sizeof *copy);
    if (!copy) return sl_fail_memory(setup->err, sizeof *copy);
    *copy = l;
    *state = copy;
    return SL_OK;
}

/* Any number stands for a dim: it wraps around. */
static sl_code dim_map_run(struct sl_kernel_context *k) {
    const struct layout *l = k->state;
    struct sl_view x = sl_in(k, 0), y;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(x), 0, 1));
    for (int64_t i = 0; i < x.count; i++) {
        int64_t dim = sl_index_at(x, i) % l->n;
        int64_t mapped = find(l->to, l->n, l->from[dim < 0 ? dim + l->n : dim]);
        sl_indices_store(y, i, &mapped, 1);
    }
    return SL_OK;
}

/* Without the letters of batch and depth. */
static int space_of(char *to, const char *format, int n) {
    int rest = 0;
    for (int i = 0; i < n; i++)
        if (format[i] != 'N' && format[i] != 'C') to[rest++] = format[i];
    return rest;
}

static sl_code vec_permute_run(struct sl_kernel_context *k) {
    const struct layout *l = k->state;
    struct sl_view x = sl_in(k, 0), y;
    char from[MOST_DIMS], to[MOST_DIMS];
    if (x.rank != 1 && x.rank != 2)
        return sl_invalid(k, "input must be a vector or 2D tensor, but got shape %s", SHAPE_OF(x));
    if (x.dims[0] != l->n && x.dims[0] != l->n - 2)
        return sl_invalid(k, "%s of size %d or %d, but got shape %s",
                          x.rank == 1 ? "1D input must be" : "First dimension of 2D input must be", l->n - 2, l->n,
                          SHAPE_OF(x));
    if (x.rank == 2 && x.dims[1] != 2)
        return sl_invalid(k, "Second dimension of 2D input must be of size 2, but got shape %s", SHAPE_OF(x));
    int n = l->n;
    if (x.dims[0] == n) {
        memcpy(from, l->from, (size_t)n);
        memcpy(to, l->to, (size_t)n);
    } else {
        n = space_of(from, l->from, l->n);
        space_of(to, l->to, l->n);
        if (n != x.dims[0])
            return sl_invalid(k, "Format %s has %d dims of space, but got shape %s", l->from, n, SHAPE_OF(x));
    }
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    int64_t row[2], width = x.rank == 2 ? 2 : 1;
    for (int i = 0; i < n; i++) {
        sl_indices_load(row, x, find(from, n, to[i]) * width, width);
        sl_indices_store(y, i * width, row, width);
    }
    return SL_OK;
}

#define LAID_OUT(op_run) .run = op_run, .create = layout_create, .destroy = sl_free, .flags = SL_KERNEL_CHEAP
/* clang-format off */
const struct sl_kernel_def sl_cpu_layout_rows[] = {
    KERNEL("DataFormatDimMap", NO_RULE, LAID_OUT(dim_map_run))
    KERNEL("DataFormatVecPermute", NO_RULE, LAID_OUT(vec_permute_run))
    SL_ROWS_END
};
/* clang-format on */
