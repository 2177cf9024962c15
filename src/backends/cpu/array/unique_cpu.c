/* Distinct elements: Unique and its variants, ListDiff. All stand on a hash set of rows: a row is one element, or a
 * slice when an axis is given. 0 and -0 are the same, a NaN is like nothing, not even itself. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/scatter.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/vec.h"

/* ---- rows as keys */

/* `n` elements of `row` elements each, in a run. */
struct rows {
    const void *data;
    int dtype;
    int64_t row;
    size_t size; /* of an element */
};
static struct rows rows_of(const void *data, int dtype, int64_t row) {
    return (struct rows){data, dtype, row, sl_dtype_size(dtype)};
}

/* The bits of a plain element (at most 8 bytes), -0 as 0; sets `*is_nan`. */
static uint64_t key_at(const struct rows *r, int64_t i, bool *is_nan) {
    switch (r->dtype) {
    case SL_FLOAT: {
        float x = ((const float *)r->data)[i];
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        *is_nan |= x != x;
        return x == 0 ? 0 : bits;
    }
    case SL_DOUBLE: {
        double x = ((const double *)r->data)[i];
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        *is_nan |= x != x;
        return x == 0 ? 0 : bits;
    }
    case SL_HALF:
    case SL_BFLOAT16: {
        uint16_t bits = ((const uint16_t *)r->data)[i], magnitude = bits & 0x7fff;
        *is_nan |= magnitude > (r->dtype == SL_HALF ? 0x7c00 : 0x7f80);
        return magnitude ? bits : 0;
    }
    default: break;
    }
    switch (r->size) {
    case 1: return ((const uint8_t *)r->data)[i];
    case 2: return ((const uint16_t *)r->data)[i];
    case 4: return ((const uint32_t *)r->data)[i];
    default: return ((const uint64_t *)r->data)[i];
    }
}

/* Rows of one number: their hash says all. */
static bool is_simple(const struct rows *r) { return r->row == 1 && r->dtype != SL_STRING; }

static uint64_t hash_row(const struct rows *r, int64_t i, bool *is_nan) {
    uint64_t hash = 0;
    *is_nan = false;
    if (is_simple(r)) return key_at(r, i, is_nan);
    for (int64_t j = i * r->row; j < (i + 1) * r->row; j++) {
        if (r->dtype == SL_STRING) {
            struct sl_str s = sl_string_get((const TF_TString *)r->data + j);
            hash = sl_hash_mix(hash, sl_hash_bytes(s.p, s.n));
        } else {
            hash = sl_hash_mix(hash, key_at(r, j, is_nan));
        }
    }
    return hash;
}

static bool is_equal_row(const struct rows *a, int64_t i, const struct rows *b, int64_t j) {
    bool is_nan = false;
    for (int64_t e = 0; e < a->row; e++) {
        int64_t ai = i * a->row + e, bj = j * b->row + e;
        if (a->dtype == SL_STRING) {
            if (!sl_str_eq(sl_string_get((const TF_TString *)a->data + ai),
                           sl_string_get((const TF_TString *)b->data + bj)))
                return false;
        } else if (key_at(a, ai, &is_nan) != key_at(b, bj, &is_nan)) {
            return false;
        }
    }
    return !is_nan;
}

/* ---- the set: members by number, in the order they came */
struct slot {
    uint64_t hash;
    int64_t member; /* + 1, or 0 */
};
struct set {
    const struct rows *rows;
    SL_VEC(int64_t) first; /* row of each member */
    struct slot *slots;    /* open addressing; NaNs have none: nothing is like them */
    int64_t n_slots, n_used;
    int shift; /* n_slots is 2 to the power of 64 - shift */
};

/* Sets that fit the first-level cache all the same are kept three quarters empty, so that a look-up seldom meets a
 * stranger; others half. */
enum { SMALL_SET = 1 << 11 };
static bool is_full(const struct set *s) { return s->n_used * (s->n_slots < SMALL_SET ? 4 : 2) >= s->n_slots; }

static void set_free(struct set *s) {
    sl_vec_free(&s->first);
    sl_free(s->slots);
}

/* The upper bits of a product with the golden ratio: neighbours are scattered. */
static int64_t place_of(uint64_t hash, int shift) { return (int64_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> shift); }

static int set_grow(struct set *s) {
    int64_t n = s->n_slots ? 2 * s->n_slots : 64;
    int shift = s->n_slots ? s->shift - 1 : 58;
    struct slot *slots = sl_calloc((size_t)n, sizeof *slots);
    if (!slots) return -1;
    for (int64_t old = 0; old < s->n_slots; old++) {
        if (!s->slots[old].member) continue;
        int64_t at = place_of(s->slots[old].hash, shift);
        while (slots[at].member) at = (at + 1) & (n - 1);
        slots[at] = s->slots[old];
    }
    sl_free(s->slots);
    s->slots = slots;
    s->n_slots = n;
    s->shift = shift;
    return 0;
}

/* The slot of the member that equals row `i` of `rows`, or where it would stand. */
static inline int64_t set_find(const struct set *s, const struct rows *rows, int64_t i, uint64_t hash, bool is_all) {
    int64_t at = place_of(hash, s->shift);
    for (; s->slots[at].member; at = (at + 1) & (s->n_slots - 1))
        if (s->slots[at].hash == hash &&
            (is_all || is_equal_row(rows, i, s->rows, s->first.items[s->slots[at].member - 1])))
            break;
    return at;
}

/* The member for row `i`, added when there is none; -1 when memory is out. */
static inline int64_t set_add(struct set *s, int64_t i, uint64_t hash, bool is_nan, bool is_all) {
    if (is_full(s) && set_grow(s)) return -1;
    const int64_t at = is_nan ? 0 : set_find(s, s->rows, i, hash, is_all);
    if (!is_nan && s->slots[at].member) return s->slots[at].member - 1;
    if (sl_vec_push(&s->first, i)) return -1;
    const int64_t member = (int64_t)s->first.n - 1;
    if (is_nan) return member;
    s->slots[at] = (struct slot){hash, member + 1};
    s->n_used++;
    return member;
}

/* Rows [begin, begin + n), n at most SL_INDICES: to[j] is the member for each; false when memory is out. */
static bool set_add_rows(struct set *s, int64_t *to, int64_t begin, int64_t n) {
    const bool is_words = is_simple(s->rows) && s->rows->size == 4 && s->rows->dtype != SL_FLOAT;
    const uint32_t *words = (const uint32_t *)s->rows->data + begin;
    bool is_nan;
    for (int64_t j = 0; is_words && j < n; j++) /* indices, mostly */
        if ((to[j] = set_add(s, begin + j, words[j], false, true)) < 0) return false;
    for (int64_t j = 0; !is_words && j < n; j++) {
        const uint64_t hash = hash_row(s->rows, begin + j, &is_nan);
        if ((to[j] = set_add(s, begin + j, hash, is_nan, is_simple(s->rows))) < 0) return false;
    }
    return true;
}

/* ---- Unique */

/* Rows along `axis` of x in a run: a copy in `*scratch` unless they stand so already. */
static sl_code rows_along(struct rows *r, struct sl_tensor **scratch, struct sl_kernel_context *k, struct sl_view x,
                          int axis) {
    int64_t outer = sl_dims_product(x.dims, 0, axis), inner = sl_dims_product(x.dims, axis + 1, x.rank),
            n = x.dims[axis];
    *r = rows_of(x.data, x.dtype, outer * inner);
    *scratch = NULL;
    if (outer == 1 || x.count == 0) return SL_OK;
    SL_TRY(sl_tensor_new(scratch, x.dtype, (struct sl_shape){1, &x.count}, k->err));
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, n, outer * inner, inner);
    sl_move_dim(&m, outer, inner, n * inner);
    sl_move_dim(&m, inner, 1, 1);
    r->data = (*scratch)->data;
    return sl_move_run(k, &m, x.dtype, (*scratch)->data, x.data);
}

enum { ROW_NS = 20 }; /* for each element of a row */

static sl_code fill_set(struct set *s, struct sl_kernel_context *k, int64_t n, struct sl_view idx) {
    int64_t member[SL_INDICES];
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < n; i += SL_INDICES) {
        int64_t stretch = n - i < SL_INDICES ? n - i : SL_INDICES;
        if (sl_pace_ends(&pace, stretch * s->rows->row * ROW_NS)) return SL_CANCELLED;
        if (!set_add_rows(s, member, i, stretch))
            return sl_fail_memory(k->err, (size_t)s->n_slots * sizeof(struct slot));
        sl_indices_store(idx, i, member, stretch);
    }
    return SL_OK;
}

static sl_code put_counts(struct sl_kernel_context *k, int64_t members, int64_t n, struct sl_view idx) {
    struct sl_view counts;
    SL_TRY(sl_out_new(&counts, k, 2, (struct sl_shape){1, &members}));
    memset(counts.data, 0, (size_t)members * sl_dtype_size(counts.dtype));
    for (int64_t i = 0; i < n; i++) {
        int64_t m = sl_index_at(idx, i);
        if (counts.dtype == SL_INT64) ((int64_t *)counts.data)[m]++;
        else ((int32_t *)counts.data)[m]++;
    }
    return SL_OK;
}

static sl_code unique(struct sl_kernel_context *k, struct sl_view x, int axis) {
    struct sl_view y, idx;
    struct sl_tensor *scratch;
    struct rows rows;
    struct set set = {.rows = &rows};
    int64_t dims[SL_MAX_RANK], n = x.dims[axis];
    SL_TRY(sl_out_new(&idx, k, 1, (struct sl_shape){1, &n}));
    sl_code code = rows_along(&rows, &scratch, k, x, axis);
    if (code == SL_OK) code = fill_set(&set, k, n, idx);
    int64_t members = (int64_t)set.first.n;
    memcpy(dims, x.dims, (size_t)x.rank * sizeof *dims);
    dims[axis] = members;
    if (code == SL_OK) code = sl_out_new(&y, k, 0, (struct sl_shape){x.rank, dims});
    struct sl_view first = {set.first.items, &members, members, 1, SL_INT64};
    if (code == SL_OK && members) code = sl_gather_slices(k, y, x, first, axis, 0);
    if (code == SL_OK && sl_out_count(k) > 2) code = put_counts(k, members, n, idx);
    set_free(&set);
    sl_tensor_unref(scratch);
    return code;
}

static sl_code unique_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0);
    if (x.rank != 1) return sl_invalid(k, "unique expects a 1D vector.");
    return unique(k, x, 0);
}

static sl_code unique_v2_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), axis_in = sl_in(k, 1);
    if (axis_in.rank != 1) return sl_invalid(k, "axis expects a 1D vector.");
    if (axis_in.count > 1) return sl_invalid(k, "axis does not support input tensors larger than 1 elements");
    if (axis_in.count == 0) return unique_run(k);
    int64_t axis = sl_index_at(axis_in, 0);
    if (axis < 0) axis += x.rank;
    if (axis < 0 || axis >= x.rank) return sl_invalid(k, "axis has to be between [0, %d)", x.rank);
    return unique(k, x, (int)axis);
}

/* ---- ListDiff: the elements of x that y has not */

static sl_code give_missing(struct sl_kernel_context *k, struct set *s, struct sl_view x, struct sl_view y,
                            int64_t *kept) {
    int64_t members[SL_INDICES];
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < y.count && !sl_pace_ends(&pace, SL_INDICES * ROW_NS); i += SL_INDICES)
        if (!set_add_rows(s, members, i, y.count - i < SL_INDICES ? y.count - i : SL_INDICES))
            return sl_fail_memory(k->err, (size_t)s->n_slots * sizeof(struct slot));
    struct rows rows = rows_of(x.data, x.dtype, 1);
    struct sl_view out, idx;
    int64_t n = 0;
    for (int64_t i = 0; i < x.count; i++) {
        bool is_nan;
        if (sl_pace_ends(&pace, ROW_NS)) return SL_CANCELLED;
        uint64_t hash = hash_row(&rows, i, &is_nan);
        if (is_nan || s->n_slots == 0 || !s->slots[set_find(s, &rows, i, hash, is_simple(&rows))].member) kept[n++] = i;
    }
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &n}));
    SL_TRY(sl_out_new(&idx, k, 1, (struct sl_shape){1, &n}));
    sl_indices_store(idx, 0, kept, n);
    return sl_rows_gather(x.dtype, out.data, x.data, kept, n, 1, k->err);
}

static sl_code list_diff_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y = sl_in(k, 1);
    if (x.rank != 1) return sl_invalid(k, "x should be a 1D vector.");
    if (y.rank != 1) return sl_invalid(k, "y should be a 1D vector.");
    size_t bytes = (size_t)x.count * sizeof(int64_t);
    int64_t *kept = sl_scratch_new(bytes);
    if (!kept) return sl_fail_memory(k->err, bytes);
    struct rows rows = rows_of(y.data, y.dtype, 1);
    struct set set = {.rows = &rows};
    sl_code code = give_missing(k, &set, x, y, kept);
    set_free(&set);
    sl_scratch_free(kept, bytes);
    return code;
}

#define HASHED       RULE("T", SL_SET_REAL | SL_SET(BOOL) | SL_SET(STRING))
#define COST(op_run) .run = op_run, .cost_element = 20
/* clang-format off */
const struct sl_kernel_def sl_cpu_unique_rows[] = {
    KERNEL("Unique", HASHED, COST(unique_run))
    KERNEL("UniqueWithCounts", HASHED, COST(unique_run))
    KERNEL("UniqueV2", HASHED, COST(unique_v2_run))
    KERNEL("UniqueWithCountsV2", HASHED, COST(unique_v2_run))
    KERNEL("ListDiff", HASHED, COST(list_diff_run))
    SL_ROWS_END
};
/* clang-format on */
