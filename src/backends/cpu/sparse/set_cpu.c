/* Sets: every row of the last dimension is a set of values. An operand becomes a list of (group, value) in order
 * without repeats, where the group is the place of the row; operations are merges of two such lists. */
#include <inttypes.h>
#include <stdlib.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"
#include "backends/cpu/sparse/coo.h"
#include "base/alloc.h"

struct member {
    int64_t group, number;
    struct sl_str text; /* of strings; the number is then 0 */
    int64_t entry;      /* in the values it comes from */
};

struct members {
    struct member *items;
    int64_t n;
    struct sl_view values;
    const int64_t *dims; /* of the groups: `rank` of them */
    int rank;
};

/* ---- lists */

static int compare_members(const struct member *a, const struct member *b) {
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return sl_str_cmp(a->text, b->text);
}
static int compare_stable(const void *left, const void *right) {
    const struct member *a = left, *b = right;
    int c = compare_members(a, b);
    return c ? c : (a->entry > b->entry) - (a->entry < b->entry);
}

static struct member member_at(struct sl_view values, int64_t entry, int64_t group) {
    struct member m = {.group = group, .entry = entry};
    if (values.dtype == SL_STRING) m.text = sl_string_get((const TF_TString *)values.data + entry);
    else m.number = sl_index_at(values, entry);
    return m;
}

static sl_code members_new(struct members *s, struct sl_kernel_context *k, int64_t n) {
    s->n = n;
    s->items = sl_calloc((size_t)(n ? n : 1), sizeof *s->items);
    return s->items ? SL_OK : sl_fail_memory(k->err, (size_t)n * sizeof *s->items);
}

static void sort_out(struct members *s) {
    int64_t kept = 0;
    if (s->n) qsort(s->items, (size_t)s->n, sizeof *s->items, compare_stable);
    for (int64_t i = 0; i < s->n; i++)
        if (i == 0 || compare_members(&s->items[kept - 1], &s->items[i])) s->items[kept++] = s->items[i];
    s->n = kept;
}

static sl_code read_dense(struct members *s, struct sl_kernel_context *k, int in) {
    s->values = sl_in(k, in);
    if (s->values.rank < 2) return sl_invalid(k, "Invalid rank %d.", s->values.rank);
    s->dims = s->values.dims;
    s->rank = s->values.rank - 1;
    int64_t row = s->dims[s->rank];
    SL_TRY(members_new(s, k, s->values.count));
    for (int64_t e = 0; e < s->n; e++) s->items[e] = member_at(s->values, e, e / row);
    sort_out(s);
    return SL_OK;
}

static sl_code check_set(struct sl_kernel_context *k, struct sl_view indices, struct sl_view values,
                         struct sl_view shape) {
    if (shape.rank != 1) return sl_invalid(k, "Shape must be a 1D tensor.");
    if (indices.rank != 2) return SL_OK; /* the next check says so */
    if (values.rank != 1) return sl_invalid(k, "vals must be a vec, but got: %s", SHAPE_OF(values));
    if (indices.dims[0] != values.count)
        return sl_invalid(k,
                          "indices and values rows (indexing dimension) must match. (indices = %" PRId64
                          ", values = %" PRId64 ")",
                          indices.dims[0], values.count);
    if (indices.dims[1] != shape.count) return sl_invalid(k, "Order length must be SparseTensor rank.");
    return SL_OK;
}

static sl_code read_sparse(struct members *s, struct sl_kernel_context *k, int in, bool validates) {
    struct sl_coo t;
    int64_t strides[SL_MAX_RANK];
    SL_TRY(check_set(k, sl_in(k, in), sl_in(k, in + 1), sl_in(k, in + 2)));
    SL_TRY(sl_coo_in(&t, k, in, in + 1, in + 2));
    if (t.rank < 2) return sl_invalid(k, "Invalid rank %d.", t.rank);
    if (validates) {
        SL_TRY(sl_coo_check(&t, k));
        SL_TRY(sl_coo_check_order(&t, k));
    }
    s->values = t.values;
    s->dims = t.dims;
    s->rank = t.rank - 1;
    sl_strides_of(strides, s->rank, s->dims);
    SL_TRY(members_new(s, k, t.n));
    for (int64_t e = 0; e < t.n; e++) {
        const int64_t *at = sl_coo_at(&t, e);
        for (int d = 0; d < t.rank; d++)
            if (at[d] < 0 || at[d] >= s->dims[d])
                return sl_fail(k->err, SL_INTERNAL, "indices[%" PRId64 ", %d] expected < %" PRId64 ", got %" PRId64 ".",
                               e, d, s->dims[d], at[d]);
        s->items[e] = member_at(t.values, e, sl_coo_place(at, strides, s->rank));
    }
    sort_out(s);
    return SL_OK;
}

/* ---- SetSize */

static sl_code validates_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "validate_indices");
}

static sl_code set_size_run(struct sl_kernel_context *k) {
    struct members s = {0};
    struct sl_view y;
    sl_code code = read_sparse(&s, k, 0, sl_state_number(k));
    if (code == SL_OK) code = sl_out_new(&y, k, 0, (struct sl_shape){s.rank, s.dims});
    if (code == SL_OK) {
        sl_move_zero(k, y);
        for (int64_t i = 0; i < s.n; i++) ((int32_t *)y.data)[s.items[i].group]++;
    }
    sl_free(s.items);
    return code;
}

/* ---- operations */

enum operation { A_MINUS_B, B_MINUS_A, INTERSECTION, UNION };
enum { VALIDATES = 4 };

static sl_code operation_create(void **state, struct sl_kernel_setup *setup) {
    static const char *const names[] = {"a-b", "b-a", "intersection", "union"};
    struct sl_str name;
    bool validates;
    SL_TRY(sl_attr_string(&name, setup->attrs, "set_operation", setup->err));
    SL_TRY(sl_attr_bool(&validates, setup->attrs, "validate_indices", setup->err));
    for (int i = 0; i < 4; i++) {
        bool is_it = name.n == strlen(names[i]);
        for (size_t c = 0; is_it && c < name.n; c++)
            is_it = (name.p[c] >= 'A' && name.p[c] <= 'Z' ? name.p[c] - 'A' + 'a' : name.p[c]) == names[i][c];
        if (!is_it) continue;
        *state = (void *)(intptr_t)(i | (validates ? VALIDATES : 0));
        return SL_OK;
    }
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Invalid set_operation %.*s.", SL_STR_ARG(name));
}

/* Merges into `to`, which has room for both; entries of b are marked by adding a's number of values. */
static void merge_sets(struct members *to, const struct members *a, const struct members *b, enum operation op) {
    int64_t i = 0, j = 0;
    to->n = 0;
    while (i < a->n || j < b->n) {
        int c = i == a->n ? 1 : j == b->n ? -1 : compare_members(&a->items[i], &b->items[j]);
        bool keeps = c < 0   ? op == A_MINUS_B || op == UNION
                     : c > 0 ? op == B_MINUS_A || op == UNION
                             : op == INTERSECTION || op == UNION;
        struct member m = c <= 0 ? a->items[i] : b->items[j];
        if (c > 0) m.entry += a->values.count;
        if (keeps) to->items[to->n++] = m;
        i += c <= 0;
        j += c >= 0;
    }
}

static int64_t largest_group(const struct members *s) {
    int64_t largest = 0, run = 0;
    for (int64_t i = 0; i < s->n; i++) {
        run = i && s->items[i].group == s->items[i - 1].group ? run + 1 : 1;
        if (run > largest) largest = run;
    }
    return largest;
}

static sl_code give_set(struct sl_kernel_context *k, const struct members *s, const struct members *a,
                        const struct members *b) {
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK], run = 0, a_count = a->values.count;
    struct sl_coo_out out;
    if (s->rank) memcpy(dims, s->dims, (size_t)s->rank * sizeof *dims);
    dims[s->rank] = largest_group(s);
    sl_strides_of(strides, s->rank, dims);
    SL_TRY(sl_coo_out(&out, k, 0, s->n, s->rank + 1, dims));
    int dtype = out.values.dtype;
    for (int64_t i = 0, *at = out.indices; i < s->n; i++) {
        const struct member *m = &s->items[i];
        int64_t group = m->group;
        run = i && group == m[-1].group ? run + 1 : 0;
        for (int d = 0; d < s->rank; d++) {
            *at++ = group / strides[d];
            group %= strides[d];
        }
        *at++ = run;
        const void *from = m->entry < a_count ? sl_element(a->values.data, dtype, m->entry)
                                              : sl_element(b->values.data, dtype, m->entry - a_count);
        SL_TRY(sl_elements_copy(dtype, sl_element(out.values.data, dtype, i), from, 1, k->err));
    }
    return SL_OK;
}

static sl_code operate(struct sl_kernel_context *k, struct members *a, struct members *b) {
    struct members merged = {.dims = a->dims, .rank = a->rank};
    bool fits = a->rank == b->rank;
    for (int d = 0; fits && d < a->rank; d++) fits = a->dims[d] == b->dims[d];
    if (!fits) {
        char left[SL_SHAPE_TEXT], right[SL_SHAPE_TEXT];
        return sl_invalid(k, "Mismatched shapes %s vs %s", sl_shape_text(left, (struct sl_shape){a->rank, a->dims}),
                          sl_shape_text(right, (struct sl_shape){b->rank, b->dims}));
    }
    SL_TRY(members_new(&merged, k, a->n + b->n));
    merge_sets(&merged, a, b, sl_state_number(k) & 3);
    sl_code code = give_set(k, &merged, a, b);
    sl_free(merged.items);
    return code;
}

static sl_code set_operation(struct sl_kernel_context *k, bool a_is_sparse, bool b_is_sparse) {
    struct members a = {0}, b = {0};
    bool validates = sl_state_number(k) & VALIDATES;
    sl_code code = a_is_sparse ? read_sparse(&a, k, 0, validates) : read_dense(&a, k, 0);
    int second = a_is_sparse ? 3 : 1;
    if (code == SL_OK) code = b_is_sparse ? read_sparse(&b, k, second, validates) : read_dense(&b, k, second);
    if (code == SL_OK) code = operate(k, &a, &b);
    sl_free(a.items);
    sl_free(b.items);
    return code;
}
static sl_code dense_to_dense_run(struct sl_kernel_context *k) { return set_operation(k, false, false); }
static sl_code dense_to_sparse_run(struct sl_kernel_context *k) { return set_operation(k, false, true); }
static sl_code sparse_to_sparse_run(struct sl_kernel_context *k) { return set_operation(k, true, true); }

#define MEMBERS      RULE("T", SL_SET_SIGNED | SL_SET(UINT8) | SL_SET(UINT16) | SL_SET(STRING))
#define COST(op_run) .run = op_run, .cost_ns = 200, .cost_element = 30
/* clang-format off */
const struct sl_kernel_def sl_cpu_set_rows[] = {
    KERNEL("SetSize", MEMBERS, COST(set_size_run), .create = validates_create)
    KERNEL("DenseToDenseSetOperation", MEMBERS, COST(dense_to_dense_run), .create = operation_create)
    KERNEL("DenseToSparseSetOperation", MEMBERS, COST(dense_to_sparse_run), .create = operation_create)
    KERNEL("SparseToSparseSetOperation", MEMBERS, COST(sparse_to_sparse_run), .create = operation_create)
    SL_ROWS_END
};
/* clang-format on */
