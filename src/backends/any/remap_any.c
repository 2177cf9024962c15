/* Carrying embeddings over to another vocabulary: where the words of the new one stood in the old, and the rows and
 * columns of a saved matrix in that order. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>

#include "backends/any/path_input.h"
#include "base/alloc.h"
#include "base/str_map.h"
#include "ckpt/byte_stream.h"
#include "ckpt/checkpoint.h"

/* ---- GenerateVocabRemapping */

struct vocabulary_state {
    int64_t new_offset, n_new, old_size;
};

static sl_code vocabulary_create(void **state, struct sl_kernel_setup *setup) {
    struct vocabulary_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = sl_attr_int(&s->new_offset, setup->attrs, "new_vocab_offset", setup->err);
    if (code == SL_OK) code = sl_attr_int(&s->n_new, setup->attrs, "num_new_vocab", setup->err);
    if (code == SL_OK) code = sl_attr_int(&s->old_size, setup->attrs, "old_vocab_size", setup->err);
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

/* The words of a file, one a line, to their numbers from 1; the first `most` of them unless that is negative. */
static sl_code read_words(struct sl_str_map *words, const char *path, int64_t most, struct sl_arena *arena,
                          struct sl_error *err) {
    struct sl_byte_stream *s;
    struct sl_str line;
    bool at_end = false;
    int64_t n = 0;
    SL_TRY(sl_byte_stream_open(&s, path, SL_COMPRESSION_NONE, err));
    sl_code code = SL_OK;
    while (code == SL_OK && n != most) {
        code = sl_byte_stream_line(&line, &at_end, s, err);
        if (code != SL_OK || at_end) break;
        struct sl_str word = sl_arena_str(arena, line);
        if (word.p && sl_str_map_get(words, word))
            code = sl_fail(err, SL_FAILED_PRECONDITION,
                           "HashTable has different value for same key. Key %.*s has %" PRIu64
                           " and trying to add value %" PRId64,
                           SL_STR_ARG(word), (uint64_t)(uintptr_t)sl_str_map_get(words, word) - 1, n);
        else if (!word.p || sl_str_map_put(words, word, (void *)(uintptr_t)++n)) code = sl_fail_memory(err, line.n);
    }
    sl_byte_stream_close(s);
    if (code == SL_OK && most >= 0 && n < most)
        code = sl_fail(err, SL_INVALID_ARGUMENT, "Invalid vocab_size in %s: expected %" PRId64 " but got %" PRId64,
                       path, most, n);
    return code;
}

/* The numbers in `words` of the lines of a file from `offset` on, -1 for others. */
static sl_code look_up_lines(int64_t *to, int32_t *n_present, const struct sl_str_map *words, const char *path,
                             int64_t offset, int64_t n, struct sl_error *err) {
    struct sl_byte_stream *s;
    struct sl_str line;
    bool at_end = false;
    SL_TRY(sl_byte_stream_open(&s, path, SL_COMPRESSION_NONE, err));
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < n + offset; i++) {
        code = sl_byte_stream_line(&line, &at_end, s, err);
        if (code == SL_OK && at_end)
            code =
                sl_fail(err, SL_INVALID_ARGUMENT, "lookup table size must be larger than last new vocab entry's line");
        if (code != SL_OK || i < offset) continue;
        to[i - offset] = (int64_t)(uintptr_t)sl_str_map_get(words, line) - 1;
        *n_present += to[i - offset] >= 0;
    }
    sl_byte_stream_close(s);
    return code;
}

static sl_code remap_vocabulary(struct sl_kernel_context *k, struct sl_str_map *words, struct sl_arena *arena) {
    const struct vocabulary_state *s = k->state;
    char *new_path, *old_path;
    struct sl_view out;
    int32_t n_present = 0;
    int64_t end;
    SL_TRY(sl_in_path(&new_path, k, 0, "new_vocab_file", arena));
    SL_TRY(sl_in_path(&old_path, k, 1, "old_vocab_file", arena));
    if (__builtin_add_overflow(s->new_offset, s->n_new, &end)) return sl_invalid(k, "new_vocab_offset is too large");
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &s->n_new}));
    if (s->n_new > 0) {
        SL_TRY(read_words(words, old_path, s->old_size, arena, k->err));
        SL_TRY(look_up_lines(out.data, &n_present, words, new_path, s->new_offset, s->n_new, k->err));
    }
    return sl_out_int(k, 1, n_present);
}

static sl_code vocabulary_run(struct sl_kernel_context *k) {
    struct sl_str_map words = {0};
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = remap_vocabulary(k, &words, &arena);
    sl_str_map_free(&words);
    sl_arena_clear(&arena);
    return code;
}

/* ---- LoadAndRemapMatrix */

struct matrix_state {
    int64_t rows, columns;
};

static sl_code matrix_create(void **state, struct sl_kernel_setup *setup) {
    struct matrix_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = sl_attr_int(&s->rows, setup->attrs, "num_rows", setup->err);
    if (code == SL_OK) code = sl_attr_int(&s->columns, setup->attrs, "num_cols", setup->err);
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

static sl_code check_remappings(struct sl_kernel_context *k) {
    const struct matrix_state *s = k->state;
    struct sl_view rows = sl_in(k, 2), columns = sl_in(k, 3);
    char text[SL_SHAPE_TEXT];
    if (sl_in(k, 1).count != 1) return sl_invalid(k, "old_tensor_name must be a single string");
    if (rows.rank != 1)
        return sl_invalid(k, "The `row_remapping` tensor must be 1-D, got a tensor of shape %s",
                          sl_shape_text(text, sl_view_shape(rows)));
    if (columns.rank != 1)
        return sl_invalid(k, "The `col_remapping` tensor must be 1-D, got a tensor of shape %s",
                          sl_shape_text(text, sl_view_shape(columns)));
    if (rows.count != s->rows)
        return sl_invalid(k, "Size of row_remapping is %" PRId64 " instead of being equal to num_rows=%" PRId64,
                          rows.count, s->rows);
    if (columns.count && columns.count != s->columns)
        return sl_invalid(k,
                          "Provided col_remapping, but its size is %" PRId64
                          " instead of being equal to num_cols=%" PRId64,
                          columns.count, s->columns);
    return SL_OK;
}

/* Every old number is used once at most, and is one of `n`. */
static sl_code check_numbers(struct sl_kernel_context *k, struct sl_view remapping, int64_t n, int dim) {
    const int64_t *from = remapping.data;
    int64_t *used = sl_calloc((size_t)(n > 0 ? n : 1), sizeof *used);
    if (!used) return sl_fail_memory(k->err, (size_t)n * sizeof *used);
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < remapping.count; i++) {
        if (from[i] < 0) continue;
        if (from[i] >= n)
            code = sl_invalid(k, "Old ID %" PRId64 " is not in dimension %d of the matrix, which has %" PRId64, from[i],
                              dim, n);
        else if (used[from[i]])
            code = sl_fail(k->err, SL_UNIMPLEMENTED,
                           "Old ID %" PRId64 " is mapped to both new ID %" PRId64 " and %" PRId64
                           ", which is not supported.",
                           from[i], used[from[i]] - 1, i);
        else used[from[i]] = i + 1;
    }
    sl_free(used);
    return code;
}

static sl_code check_matrix(struct sl_kernel_context *k, const struct sl_bundle_entry *e, bool has_columns) {
    const struct matrix_state *s = k->state;
    char shape[SL_SHAPE_TEXT];
    if (e->dtype != SL_FLOAT)
        return sl_invalid(k, "Tensor %.*s has invalid type %s instead of expected type float", SL_STR_ARG(e->key),
                          sl_dtype_name(e->dtype));
    if (e->shape.rank != 2)
        return sl_invalid(k, "Tensor %.*s has shape %s of invalid rank %d instead of expected shape of rank 2.",
                          SL_STR_ARG(e->key), sl_shape_text(shape, e->shape), e->shape.rank);
    if (!has_columns && e->shape.dims[1] != s->columns)
        return sl_invalid(k,
                          "Tensor %.*s has shape %s, where the size of its 2nd dimension is %" PRId64
                          " instead of being equal to num_cols=%" PRId64,
                          SL_STR_ARG(e->key), sl_shape_text(shape, e->shape), e->shape.dims[1], s->columns);
    return SL_OK;
}

/* Row by row; what the old matrix has not comes from the initial values, in order. */
static sl_code fill_matrix(struct sl_kernel_context *k, float *to, const struct sl_tensor *old, struct sl_view rows,
                           struct sl_view columns) {
    const struct matrix_state *s = k->state;
    const int64_t *row = rows.data, *column = columns.count ? columns.data : NULL;
    struct sl_view initial = sl_in(k, 4);
    int64_t used = 0;
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t j = 0; j < s->columns; j++) {
            int64_t from = column ? column[j] : j;
            if (row[i] >= 0 && from >= 0) {
                *to++ = ((const float *)old->data)[row[i] * old->dims[1] + from];
                continue;
            }
            if (used == initial.count)
                return sl_invalid(k,
                                  "initializing_values contained %" PRId64 " elements, but more missing values remain.",
                                  initial.count);
            *to++ = ((const float *)initial.data)[used++];
        }
    if (used == initial.count) return SL_OK;
    return sl_invalid(k,
                      "initializing_values contained %" PRId64 " elements, but only %" PRId64
                      " elements were used to fill in missing values.",
                      initial.count, used);
}

static sl_code remap_matrix(struct sl_kernel_context *k, struct sl_checkpoint *c, struct sl_arena *arena) {
    const struct matrix_state *s = k->state;
    struct sl_view name = sl_in(k, 1), rows = sl_in(k, 2), columns = sl_in(k, 3), out;
    struct sl_bundle_entry e;
    struct sl_tensor *old;
    SL_TRY(sl_checkpoint_find(&e, c, sl_string_get(name.data), arena, k->err));
    SL_TRY(check_matrix(k, &e, columns.count > 0));
    SL_TRY(sl_checkpoint_read(&old, c, e.key, NULL, k->err));
    sl_code code = check_numbers(k, rows, old->dims[0], 0);
    if (code == SL_OK) code = check_numbers(k, columns, old->dims[1], 1);
    if (code == SL_OK) code = sl_out_new(&out, k, 0, (struct sl_shape){2, (int64_t[]){s->rows, s->columns}});
    if (code == SL_OK) code = fill_matrix(k, out.data, old, rows, columns);
    sl_tensor_unref(old);
    return code;
}

static sl_code matrix_run(struct sl_kernel_context *k) {
    struct sl_checkpoint *c;
    struct sl_arena arena;
    char *prefix;
    SL_TRY(check_remappings(k));
    sl_arena_init(&arena);
    sl_code code = sl_in_path(&prefix, k, 0, "ckpt_path", &arena);
    if (code == SL_OK) code = sl_checkpoint_open(&c, prefix, k->env->pool, k->err);
    if (code == SL_OK) {
        code = remap_matrix(k, c, &arena);
        sl_checkpoint_close(c);
    }
    sl_arena_clear(&arena);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_any_remap_rows[] = {
    KERNEL("GenerateVocabRemapping", NO_RULE, .run = vocabulary_run, .create = vocabulary_create, .destroy = sl_free)
    KERNEL("LoadAndRemapMatrix", NO_RULE, .run = matrix_run, .create = matrix_create, .destroy = sl_free)
    SL_ROWS_END
};
/* clang-format on */
