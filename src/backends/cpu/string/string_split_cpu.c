/* Splitting strings into pieces, and joining pieces again: StringSplit, StringSplitV2, StringNGrams, ReduceJoin,
 * UnsortedSegmentJoin. */
#include <inttypes.h>

#include "backends/cpu/cpu_kernels.h"
#include "base/vec.h"
#include "formats/number_text.h"
#include "formats/text.h"

/* ---- splitting: the pieces of all strings, as a sparse matrix */

enum { PIECE_NS = 40, BYTES_PER_NS = 4 };
static int64_t bytes_ns(size_t bytes) { return (int64_t)(bytes / BYTES_PER_NS); }

struct pieces {
    SL_VEC(struct sl_str) all;
    SL_VEC(int64_t) ends; /* for each string, how many pieces it and those before it have */
    bool is_broken;       /* memory was out */
};

static void add_piece(struct pieces *p, struct sl_str piece) {
    if (sl_vec_push(&p->all, piece)) p->is_broken = true;
}

static sl_code put_pieces(struct sl_kernel_context *k, const struct pieces *p) {
    const int64_t n = (int64_t)p->all.n, rows = (int64_t)p->ends.n, matrix[2] = {n, 2}, two = 2;
    struct sl_view indices, values, shape;
    int64_t widest = 0;
    SL_TRY(sl_out_new(&indices, k, 0, (struct sl_shape){2, matrix}));
    SL_TRY(sl_out_new(&values, k, 1, (struct sl_shape){1, &n}));
    SL_TRY(sl_out_new(&shape, k, 2, (struct sl_shape){1, &two}));
    int64_t *index = indices.data;
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t row = 0, at = 0; row < rows; row++) {
        int64_t first = at;
        for (; at < p->ends.items[row]; at++) {
            if (sl_pace_ends(&pace, PIECE_NS + bytes_ns(p->all.items[at].n))) return SL_CANCELLED;
            *index++ = row;
            *index++ = at - first;
            SL_TRY(sl_string_set((TF_TString *)values.data + at, p->all.items[at], k->err));
        }
        if (at - first > widest) widest = at - first;
    }
    ((int64_t *)shape.data)[0] = rows;
    ((int64_t *)shape.data)[1] = widest;
    return SL_OK;
}

/* Splits every string by `split`, which adds its pieces. */
static sl_code split_all(struct sl_kernel_context *k, const char *delimiter_name,
                         void (*split)(struct pieces *p, struct sl_str s, struct sl_str delimiter, const void *arg)) {
    struct sl_view in = sl_in(k, 0), delimiter = sl_in(k, 1);
    struct pieces p = {.is_broken = false};
    char text[SL_SHAPE_TEXT];
    if (in.rank != 1)
        return sl_invalid(k, "input must be a vector, got shape: %s", sl_shape_text(text, sl_view_shape(in)));
    if (delimiter.rank != 0)
        return sl_invalid(k, "%s must be a scalar, got shape: %s", delimiter_name,
                          sl_shape_text(text, sl_view_shape(delimiter)));
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < in.count && !p.is_broken; i++) {
        /* each byte may be looked at once */
        if (sl_pace_ends(&pace, PIECE_NS + (int64_t)TF_TString_GetSize((const TF_TString *)in.data + i))) break;
        split(&p, sl_string_get((const TF_TString *)in.data + i), sl_string_get(delimiter.data), k->state);
        if (sl_vec_push(&p.ends, (int64_t)p.all.n)) p.is_broken = true;
    }
    sl_code code = p.is_broken ? sl_fail_memory(k->err, p.all.n * sizeof *p.all.items) : put_pieces(k, &p);
    sl_vec_free(&p.all);
    sl_vec_free(&p.ends);
    return code;
}

/* Every byte of the delimiter ends a piece; without one every byte is a piece. An empty string has no pieces. `arg`:
 * whether empty pieces are left out. */
static void split_at_bytes(struct pieces *p, struct sl_str s, struct sl_str delimiter, const void *arg) {
    bool skips_empty = *(const bool *)arg;
    if (s.n == 0) return;
    for (size_t begin = 0, i = 0; i <= s.n; i++) {
        bool is_end = i == s.n || (delimiter.n ? memchr(delimiter.p, s.p[i], delimiter.n) != NULL : i > begin);
        if (!is_end) continue;
        if (i > begin || !skips_empty) add_piece(p, (struct sl_str){s.p + begin, i - begin});
        begin = delimiter.n ? i + 1 : i;
    }
}

static sl_code split_create(void **state, struct sl_kernel_setup *setup) {
    bool *skips_empty = sl_malloc(sizeof *skips_empty);
    if (!skips_empty) return sl_fail_memory(setup->err, sizeof *skips_empty);
    *state = skips_empty;
    sl_code code = sl_attr_bool(skips_empty, setup->attrs, "skip_empty", setup->err);
    if (code != SL_OK) sl_free(skips_empty);
    return code;
}
static sl_code split_run(struct sl_kernel_context *k) { return split_all(k, "delimiter", split_at_bytes); }

static struct sl_str without_blanks(struct sl_str s) {
    while (s.n && sl_is_blank(s.p[0])) s = (struct sl_str){s.p + 1, s.n - 1};
    return s;
}

/* At white space: runs of it count as one, and it is taken off at both ends. After `most` pieces the rest is one
 * more piece. */
static void split_at_blanks(struct pieces *p, struct sl_str s, int64_t most) {
    s = without_blanks(s);
    for (int64_t n = 1; s.n; n++) {
        size_t length = 0;
        while (length < s.n && !sl_is_blank(s.p[length])) length++;
        add_piece(p, (struct sl_str){s.p, length});
        s = without_blanks((struct sl_str){s.p + length, s.n - length});
        if (n == most) {
            add_piece(p, s);
            return;
        }
    }
}

/* As Python's str.split. `arg`: the number of splits, all when below 0. */
static void split_at_text(struct pieces *p, struct sl_str s, struct sl_str separator, const void *arg) {
    int64_t most = *(const int64_t *)arg;
    if (most == 0) {
        add_piece(p, s);
        return;
    }
    if (separator.n == 0) {
        split_at_blanks(p, s, most);
        return;
    }
    for (int64_t n = 0; n != most; n++) {
        const char *at = s.n ? memmem(s.p, s.n, separator.p, separator.n) : NULL;
        if (!at) break;
        size_t length = (size_t)(at - s.p), taken = length + separator.n;
        add_piece(p, (struct sl_str){s.p, length});
        s = (struct sl_str){s.p + taken, s.n - taken};
    }
    add_piece(p, s);
}

static sl_code split_v2_create(void **state, struct sl_kernel_setup *setup) {
    int64_t *most = sl_malloc(sizeof *most);
    if (!most) return sl_fail_memory(setup->err, sizeof *most);
    *state = most;
    sl_code code = sl_attr_int(most, setup->attrs, "maxsplit", setup->err);
    if (code != SL_OK) sl_free(most);
    return code;
}
static sl_code split_v2_run(struct sl_kernel_context *k) { return split_all(k, "sep", split_at_text); }

/* ---- StringNGrams */

struct ngrams {
    struct sl_text separator, left, right;
    const int64_t *widths; /* behind this struct */
    int n_widths;
    int64_t pad; /* strings added at both ends, at most width - 1; below 0: as many as that */
    bool keeps_short;
};

static void ngrams_destroy(void *state) {
    struct ngrams *g = state;
    sl_text_free(&g->separator);
    sl_text_free(&g->left);
    sl_text_free(&g->right);
    sl_free(g);
}

static sl_code ngrams_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_attrs *attrs = setup->attrs;
    struct sl_error *err = setup->err;
    struct sl_str separator, left, right;
    const int64_t *widths;
    int64_t pad;
    int n;
    bool keeps_short;
    SL_TRY(sl_attr_string(&separator, attrs, "separator", err));
    SL_TRY(sl_attr_string(&left, attrs, "left_pad", err));
    SL_TRY(sl_attr_string(&right, attrs, "right_pad", err));
    SL_TRY(sl_attr_int_list(&widths, &n, attrs, "ngram_widths", err));
    SL_TRY(sl_attr_int(&pad, attrs, "pad_width", err));
    SL_TRY(sl_attr_bool(&keeps_short, attrs, "preserve_short_sequences", err));
    struct ngrams *g = sl_calloc(1, sizeof *g + (size_t)n * sizeof *widths);
    if (!g) return sl_fail_memory(err, sizeof *g);
    if (n) memcpy(g + 1, widths, (size_t)n * sizeof *widths);
    g->widths = (const int64_t *)(g + 1);
    g->n_widths = n;
    g->pad = pad;
    g->keeps_short = keeps_short;
    sl_text_add(&g->separator, separator);
    sl_text_add(&g->left, left);
    sl_text_add(&g->right, right);
    *state = g;
    if (!g->separator.is_broken && !g->left.is_broken && !g->right.is_broken) return SL_OK;
    ngrams_destroy(g);
    return sl_fail_memory(err, separator.n + left.n + right.n);
}

static int64_t split_at(struct sl_view v, int64_t i) {
    return v.dtype == SL_INT64 ? ((const int64_t *)v.data)[i] : ((const int32_t *)v.data)[i];
}
static void set_split(struct sl_view v, int64_t i, int64_t x) {
    if (v.dtype == SL_INT64) ((int64_t *)v.data)[i] = x;
    else ((int32_t *)v.data)[i] = (int32_t)x;
}

static int64_t padding(const struct ngrams *g, int64_t width) {
    return g->pad < 0 || g->pad > width - 1 ? width - 1 : g->pad;
}

/* n-grams of this width of a sequence of `n` strings. */
static int64_t count_ngrams(const struct ngrams *g, int64_t n, int64_t width) {
    int64_t slots = n + 2 * padding(g, width) - width + 1;
    return slots > 0 ? slots : 0;
}
/* The width that makes one n-gram of a whole short sequence; 0: there is none to make. */
static int64_t whole_width(const struct ngrams *g, int64_t n) {
    return g->keeps_short && n > 0 ? n + 2 * (g->pad < 0 ? 0 : g->pad) : 0;
}
static int64_t count_all(const struct ngrams *g, int64_t n) {
    int64_t sum = 0;
    for (int i = 0; i < g->n_widths; i++) sum += count_ngrams(g, n, g->widths[i]);
    return sum == 0 && whole_width(g, n) ? 1 : sum;
}

/* The n-grams of one width of a sequence, `pad` strings added at either end. */
static sl_code put_ngrams(TF_TString **to, const struct ngrams *g, const TF_TString *s, int64_t n, int64_t width,
                          int64_t pad, struct sl_pace *pace, struct sl_error *err) {
    struct sl_text t = {.n = 0};
    sl_code code = SL_OK;
    for (int64_t i = -pad; i <= n + pad - width && code == SL_OK; i++) {
        sl_text_clear(&t);
        for (int64_t j = i; j < i + width; j++) {
            if (j > i) sl_text_add(&t, sl_text_str(&g->separator));
            const struct sl_str part = j < 0    ? sl_text_str(&g->left)
                                       : j >= n ? sl_text_str(&g->right)
                                                : sl_string_get(&s[j]);
            sl_text_add(&t, part);
            if (sl_pace_ends(pace, 10 + bytes_ns(part.n + g->separator.n))) {
                code = SL_CANCELLED;
                break;
            }
        }
        if (code == SL_OK) code = sl_text_store((*to)++, &t, err);
    }
    sl_text_free(&t);
    return code;
}

static sl_code check_splits(struct sl_kernel_context *k, struct sl_view splits, int64_t n) {
    if (splits.count == 0) return SL_OK;
    int64_t last = split_at(splits, 0);
    if (last != 0) return sl_invalid(k, "First split value must be 0, got %" PRId64, last);
    for (int64_t i = 1; i < splits.count; i++) {
        int64_t at = split_at(splits, i);
        if (at < last || at > n)
            return sl_invalid(k, "Invalid split value %" PRId64 ", must be in [%" PRId64 ", %" PRId64 "]", at, last, n);
        last = at;
    }
    if (last != n)
        return sl_invalid(k, "Last split value must be data size. Expected %" PRId64 ", got %" PRId64, n, last);
    return SL_OK;
}

static sl_code ngrams_run(struct sl_kernel_context *k) {
    const struct ngrams *g = k->state;
    struct sl_view data = sl_in(k, 0), splits = sl_in(k, 1), out, out_splits;
    for (int i = 0; i < g->n_widths; i++)
        if (g->widths[i] <= 0 || g->widths[i] > INT32_MAX)
            return sl_invalid(k, "ngram_widths must contain positive values");
    SL_TRY(check_splits(k, splits, data.count));
    SL_TRY(sl_out_new(&out_splits, k, 1, sl_view_shape(splits)));
    if (splits.count == 0) return sl_out_new(&out, k, 0, sl_view_shape(data));
    int64_t total = 0;
    set_split(out_splits, 0, 0);
    for (int64_t i = 1; i < splits.count; i++) {
        total += count_all(g, split_at(splits, i) - split_at(splits, i - 1));
        if (splits.dtype == SL_INT32 && total > INT32_MAX)
            return sl_invalid(k, "too many n-grams for splits of 32 bits");
        set_split(out_splits, i, total);
    }
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &total}));
    TF_TString *to = out.data;
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 1; i < splits.count; i++) {
        const TF_TString *begin = (const TF_TString *)data.data + split_at(splits, i - 1), *first = to;
        const int64_t n = split_at(splits, i) - split_at(splits, i - 1);
        for (int w = 0; w < g->n_widths; w++) {
            int64_t width = g->widths[w];
            SL_TRY(put_ngrams(&to, g, begin, n, width, padding(g, width), &pace, k->err));
        }
        if (to == first && whole_width(g, n))
            SL_TRY(put_ngrams(&to, g, begin, n, whole_width(g, n), g->pad < 0 ? 0 : g->pad, &pace, k->err));
    }
    return SL_OK;
}

/* ---- joining */

struct joiner {
    struct sl_text separator;
    bool keeps_dims;
};

static void joiner_destroy(void *state) {
    struct joiner *j = state;
    sl_text_free(&j->separator);
    sl_free(j);
}

static sl_code joiner_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str separator;
    bool keeps_dims = false;
    SL_TRY(sl_attr_string(&separator, setup->attrs, "separator", setup->err));
    if (sl_attr_find(setup->attrs, SL_STR("keep_dims")))
        SL_TRY(sl_attr_bool(&keeps_dims, setup->attrs, "keep_dims", setup->err));
    struct joiner *j = sl_calloc(1, sizeof *j);
    if (!j) return sl_fail_memory(setup->err, sizeof *j);
    j->keeps_dims = keeps_dims;
    sl_text_add(&j->separator, separator);
    *state = j;
    if (!j->separator.is_broken) return SL_OK;
    joiner_destroy(j);
    return sl_fail_memory(setup->err, separator.n);
}

/* The dimensions to join over: those of input 1, whose first runs fastest, in reverse. `is_joined` marks them. */
static sl_code joined_dims(int axes[SL_MAX_RANK], int *n, bool is_joined[SL_MAX_RANK], struct sl_kernel_context *k,
                           int rank) {
    struct sl_view in = sl_in(k, 1);
    memset(is_joined, 0, SL_MAX_RANK * sizeof *is_joined);
    *n = 0;
    for (int64_t i = in.count - 1; i >= 0; i--) {
        int32_t given = ((const int32_t *)in.data)[i], axis = given < 0 ? given + rank : given;
        if (axis < 0 || axis >= rank)
            return sl_fail(k->err, SL_OUT_OF_RANGE, "Invalid reduction dimension %d for input with %d dimension(s)",
                           given, rank);
        if (is_joined[axis]) return sl_invalid(k, "Duplicate reduction dimension %d", given);
        is_joined[axis] = true;
        axes[(*n)++] = axis;
    }
    return SL_OK;
}

/* Moves to the next index of the dimensions `axes`, the last fastest; `*at` is the element it stands for. False
 * behind the last. */
static bool next_index(int64_t *index, int64_t *at, const int *axes, int n, const int64_t *dims,
                       const int64_t *strides) {
    for (int i = n - 1; i >= 0; i--) {
        int d = axes[i];
        *at += strides[d];
        if (++index[d] < dims[d]) return true;
        *at -= strides[d] * dims[d];
        index[d] = 0;
    }
    return false;
}

static sl_code join_one(TF_TString *to, const struct joiner *j, struct sl_view in, int64_t at, const int *axes, int n,
                        const int64_t *strides, struct sl_text *text, struct sl_pace *pace) {
    int64_t index[SL_MAX_RANK] = {0};
    bool is_first = true;
    sl_text_clear(text);
    do {
        if (!is_first) sl_text_add(text, sl_text_str(&j->separator));
        is_first = false;
        const struct sl_str part = sl_string_get((const TF_TString *)in.data + at);
        sl_text_add(text, part);
        if (sl_pace_ends(pace, PIECE_NS + bytes_ns(part.n + j->separator.n))) return SL_CANCELLED;
    } while (next_index(index, &at, axes, n, in.dims, strides));
    return sl_text_store(to, text, pace->k->err);
}

static sl_code reduce_join_run(struct sl_kernel_context *k) {
    const struct joiner *j = k->state;
    struct sl_view in = sl_in(k, 0), out;
    int joined[SL_MAX_RANK], kept[SL_MAX_RANK], n_joined, n_kept = 0, rank = 0;
    bool is_joined[SL_MAX_RANK];
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK], index[SL_MAX_RANK] = {0}, at = 0, stride = 1, each = 1;
    SL_TRY(joined_dims(joined, &n_joined, is_joined, k, in.rank));
    for (int d = in.rank - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= in.dims[d];
    }
    for (int d = 0; d < in.rank; d++) {
        if (is_joined[d]) each *= in.dims[d];
        else kept[n_kept++] = d;
        if (!is_joined[d] || j->keeps_dims) dims[rank++] = is_joined[d] ? 1 : in.dims[d];
    }
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){rank, dims}));
    if (each == 0 || out.count == 0) return SL_OK;
    struct sl_text text = {.n = 0};
    sl_code code = SL_OK;
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t o = 0; o < out.count && code == SL_OK; o++) {
        code = join_one((TF_TString *)out.data + o, j, in, at, joined, n_joined, strides, &text, &pace);
        next_index(index, &at, kept, n_kept, in.dims, strides);
    }
    sl_text_free(&text);
    return code;
}

/* ---- UnsortedSegmentJoin: ids stand for the first dimensions of the input */

static int64_t id_at(struct sl_view ids, int64_t i) { return split_at(ids, i); }

/* How many parts each segment has, and where they begin in `order`, which gets the parts by segment. */
static sl_code sort_by_segment(int64_t *begins, int64_t *order, struct sl_kernel_context *k, struct sl_view ids,
                               int64_t segments) {
    memset(begins, 0, (size_t)(segments + 1) * sizeof *begins);
    for (int64_t i = 0; i < ids.count; i++) {
        int64_t id = id_at(ids, i);
        if (id < 0 || id >= segments)
            return sl_invalid(k, "segment_ids are not allowed to exceed num_segments or to have negative values.");
        begins[id + 1]++;
    }
    for (int64_t s = 0; s < segments; s++) begins[s + 1] += begins[s];
    for (int64_t i = 0; i < ids.count; i++) order[begins[id_at(ids, i)]++] = i;
    for (int64_t s = segments; s > 0; s--) begins[s] = begins[s - 1];
    begins[0] = 0;
    return SL_OK;
}

static sl_code join_segments(struct sl_kernel_context *k, struct sl_view out, const int64_t *begins,
                             const int64_t *order, int64_t segments, int64_t row) {
    const struct joiner *j = k->state;
    const TF_TString *in = sl_in(k, 0).data;
    struct sl_text text = {.n = 0};
    sl_code code = SL_OK;
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t s = 0; s < segments && code == SL_OK; s++)
        for (int64_t e = 0; e < row && code == SL_OK; e++) {
            sl_text_clear(&text);
            if (sl_pace_ends(&pace, PIECE_NS * (1 + begins[s + 1] - begins[s]))) code = SL_CANCELLED;
            for (int64_t i = begins[s]; i < begins[s + 1]; i++) {
                if (i > begins[s]) sl_text_add(&text, sl_text_str(&j->separator));
                sl_text_add(&text, sl_string_get(&in[order[i] * row + e]));
            }
            if (code == SL_OK) code = sl_text_store((TF_TString *)out.data + s * row + e, &text, k->err);
        }
    sl_text_free(&text);
    return code;
}

static sl_code segment_join_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), ids = sl_in(k, 1), count = sl_in(k, 2), out;
    int64_t dims[SL_MAX_RANK], row = 1;
    if (count.rank != 0) return sl_invalid(k, "Number of segments must be a scalar");
    if (ids.rank == 0) return sl_invalid(k, "Segment_id cannot have rank 0");
    if (ids.rank > in.rank) return sl_invalid(k, "Segment_id rank %d exceeds input rank %d", ids.rank, in.rank);
    for (int d = 0; d < ids.rank; d++)
        if (ids.dims[d] != in.dims[d])
            return sl_invalid(k, "Segment dimension is %" PRId64 " while input dimension is %" PRId64 " in rank %d",
                              ids.dims[d], in.dims[d], d);
    const int64_t segments = id_at(count, 0);
    if (segments < 0) return sl_invalid(k, "Number of segments must be non-negative but got %" PRId64, segments);
    dims[0] = segments;
    for (int d = ids.rank; d < in.rank; d++) {
        dims[1 + d - ids.rank] = in.dims[d];
        row *= in.dims[d];
    }
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1 + in.rank - ids.rank, dims}));
    size_t bytes = ((size_t)segments + 1 + (size_t)ids.count) * sizeof(int64_t);
    int64_t *begins = sl_scratch_new(bytes);
    if (!begins) return sl_fail_memory(k->err, bytes);
    int64_t *order = begins + segments + 1;
    sl_code code = sort_by_segment(begins, order, k, ids, segments);
    if (code == SL_OK) code = join_segments(k, out, begins, order, segments, row);
    sl_scratch_free(begins, bytes);
    return code;
}

#define JOINER .create = joiner_create, .destroy = joiner_destroy, .cost_element = 40

/* clang-format off */
const struct sl_kernel_def sl_cpu_string_split_rows[] = {
    KERNEL("StringSplit", NO_RULE, .create = split_create, .destroy = sl_free, .run = split_run, .cost_element = 100)
    KERNEL("StringSplitV2", NO_RULE, .create = split_v2_create, .destroy = sl_free, .run = split_v2_run, .cost_element = 100)
    KERNEL("StringNGrams", NO_RULE, .create = ngrams_create, .destroy = ngrams_destroy, .run = ngrams_run, .cost_element = 100)
    KERNEL("ReduceJoin", NO_RULE, JOINER, .run = reduce_join_run)
    KERNEL("UnsortedSegmentJoin", NO_RULE, JOINER, .run = segment_join_run)
    SL_ROWS_END
};
/* clang-format on */
