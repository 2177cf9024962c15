/* CSVDataset: filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols,
 * record_defaults, and in the second version exclude_cols. Records of comma-separated values (RFC 4180); a field may
 * be quoted and then hold delimiters, line breaks and doubled quotes. A record that is wrong is an error of its own;
 * the next one follows. Called by iterators. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "ckpt/byte_stream.h"
#include "data/file_names.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"
#include "formats/number_text.h"
#include "kernel/slices.h"

enum { FILES, COMPRESSION, BUFFER, HEADER, DELIMITER, QUOTES, MISSING, SELECTED, DEFAULTS };

struct csv {
    struct sl_file_names names;
    enum sl_compression compression;
    int64_t has_header, quotes, buffer;
    char delimiter;
    struct sl_str missing;
    struct sl_view selected; /* columns, ascending; count 0: all but those excluded */
    struct sl_view excluded;
};
struct csv_iterator {
    struct sl_iterator base;
    int64_t at; /* file */
    struct sl_byte_stream *stream;
    char chunk[1 << 12];
    size_t used, n; /* of the chunk: what is read, what there is */
    SL_VEC(char) field;
};

static sl_code read_columns(struct sl_view *out, const struct sl_dataset *d, int i, const char *what,
                            struct sl_error *err) {
    const struct sl_view v = sl_value_on_host(&d->values[i]);
    const int64_t *x = v.data;
    if (v.dtype != SL_INT64 || v.rank != 1) return sl_fail(err, SL_INVALID_ARGUMENT, "`%s` must be a vector", what);
    for (int64_t k = 0; k < v.count; k++) {
        if (x[k] < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "%s should be non-negative indices", what);
        if (k && x[k] <= x[k - 1])
            return sl_fail(err, SL_INVALID_ARGUMENT, "%s should be strictly increasing indices", what);
    }
    *out = v;
    return SL_OK;
}

static sl_code csv_init(struct sl_dataset *d, struct sl_error *err) {
    struct csv *s = d->state;
    struct sl_str word;
    SL_TRY(sl_file_names_read(&s->names, d, FILES, "filenames", err));
    SL_TRY(sl_dataset_string(&word, d, COMPRESSION, "compression_type", err));
    SL_TRY(sl_compression_parse(&s->compression, word, err));
    SL_TRY(sl_dataset_int(&s->buffer, d, BUFFER, "buffer_size", err));
    if (s->buffer <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "buffer_size should be positive");
    SL_TRY(sl_dataset_int(&s->has_header, d, HEADER, "header", err));
    SL_TRY(sl_dataset_string(&word, d, DELIMITER, "field_delim", err));
    if (word.n != 1) return sl_fail(err, SL_INVALID_ARGUMENT, "field_delim should be only 1 char");
    s->delimiter = word.p[0];
    SL_TRY(sl_dataset_int(&s->quotes, d, QUOTES, "use_quote_delim", err));
    SL_TRY(sl_dataset_string(&s->missing, d, MISSING, "na_value", err));
    SL_TRY(read_columns(&s->selected, d, SELECTED, "select_cols", err));
    if (s->selected.count && s->selected.count != d->n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "select_cols should match output size");
    if (d->n_values < DEFAULTS + d->n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "There is a default for each of %d columns", d->n);
    for (int c = 0; c < d->n; c++) {
        const struct sl_view v = sl_value_on_host(&d->values[DEFAULTS + c]);
        if (v.rank > 1) return sl_fail(err, SL_INVALID_ARGUMENT, "Each record default should be at most rank 1");
        if (v.count > 1)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "There should only be 1 default per field but field %d has %" PRId64, c, v.count);
        if (v.dtype != d->types[c])
            return sl_fail(err, SL_INVALID_ARGUMENT, "The default of column %d is of another type", c);
    }
    if (d->n_values == DEFAULTS + d->n) return SL_OK;
    SL_TRY(read_columns(&s->excluded, d, DEFAULTS + d->n, "exclude_cols", err));
    if (s->excluded.count && s->selected.count)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Either select_cols or exclude_cols should be empty");
    return SL_OK;
}

static void close_csv(struct csv_iterator *it) {
    sl_byte_stream_close(it->stream);
    it->stream = NULL;
    it->used = it->n = 0;
}

static void csv_end(struct sl_iterator *self) {
    struct csv_iterator *it = (struct csv_iterator *)self;
    close_csv(it);
    sl_vec_free(&it->field);
}

/* ---- bytes */

/* The next byte of the file, which stays; -1 at its end. */
static sl_code peek(int *c, struct csv_iterator *it, struct sl_error *err) {
    if (it->used == it->n) {
        it->used = it->n = 0;
        SL_TRY(sl_byte_stream_read(&it->n, it->stream, it->chunk, sizeof it->chunk, err));
    }
    *c = it->n ? (unsigned char)it->chunk[it->used] : -1;
    return SL_OK;
}

static sl_code keep(struct csv_iterator *it, int c, struct sl_error *err) {
    return sl_vec_push(&it->field, (char)c) ? sl_fail_memory(err, it->field.n) : SL_OK;
}

/* ---- fields: into it->field, with the byte that ended them: the delimiter, '\\n', or -1 */

/* Behind the opening quote. Afterwards what must follow is read as well. */
static sl_code read_quoted(int *end, const char **wrong, struct csv_iterator *it, struct sl_error *err) {
    const struct csv *s = it->base.dataset->state;
    for (int c;;) {
        SL_TRY(peek(&c, it, err));
        if (c < 0) {
            *wrong = "Reached end of file without closing quoted field in record";
            *end = -1;
            return SL_OK;
        }
        it->used++;
        if (c != '"') {
            SL_TRY(keep(it, c, err));
            continue;
        }
        SL_TRY(peek(&c, it, err));
        if (c == '"') {
            it->used++;
            SL_TRY(keep(it, c, err));
            continue;
        }
        if (c >= 0) it->used++;
        if (c == '\r') {
            SL_TRY(peek(&c, it, err));
            if (c == '\n') it->used++;
            else c = '\n';
        }
        *end = c;
        if (c == s->delimiter || c == '\n' || c == -1) return SL_OK;
        *wrong = "Quote inside a string has to be escaped by another quote"; /* and the string goes on */
    }
}

static sl_code read_plain(int *end, const char **wrong, struct csv_iterator *it, struct sl_error *err) {
    const struct csv *s = it->base.dataset->state;
    for (int c;;) {
        SL_TRY(peek(&c, it, err));
        *end = c;
        if (c < 0) return SL_OK;
        it->used++;
        if (c == s->delimiter || c == '\n') return SL_OK;
        if (c == '\r') {
            SL_TRY(peek(&c, it, err));
            if (c == '\n') it->used++;
            *end = '\n';
            return SL_OK;
        }
        if (c == '"' && s->quotes) *wrong = "Unquoted fields cannot have quotes inside";
        SL_TRY(keep(it, c, err));
    }
}

static sl_code read_field(int *end, const char **wrong, struct csv_iterator *it, struct sl_error *err) {
    const struct csv *s = it->base.dataset->state;
    int c;
    it->field.n = 0;
    SL_TRY(peek(&c, it, err));
    if (c != '"' || !s->quotes) return read_plain(end, wrong, it, err);
    it->used++;
    return read_quoted(end, wrong, it, err);
}

/* ---- records */

static bool is_listed(struct sl_view columns, int64_t *next, int64_t column) {
    const int64_t *x = columns.data;
    while (*next < columns.count && x[*next] < column) ++*next;
    return *next < columns.count && x[*next] == column;
}

/* The field as component c. */
static sl_code give_field(struct sl_value *element, const struct csv_iterator *it, int c, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    const struct csv *s = d->state;
    const struct sl_str text = {it->field.items, it->field.n};
    const struct sl_value *fallback = &d->values[DEFAULTS + c];
    const struct sl_view v = sl_value_on_host(fallback);
    if (text.n == 0 || sl_str_eq(text, s->missing)) {
        if (v.count == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Field %d is required but missing in record!", c);
        if (v.rank == 0) {
            element[c] = sl_value_share(fallback);
            return SL_OK;
        }
        SL_TRY(sl_value_new(&element[c], v.dtype, SL_SHAPE_SCALAR, err));
        return sl_elements_copy(v.dtype, sl_value_view(&element[c]).data, v.data, 1, err);
    }
    SL_TRY(sl_value_new(&element[c], d->types[c], SL_SHAPE_SCALAR, err));
    void *to = sl_value_view(&element[c]).data;
    if (d->types[c] == SL_STRING) return sl_string_set(to, text, err);
    if (sl_number_read(to, d->types[c], text)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Field %d in record is not a valid %s: %.*s", c,
                   sl_dtype_name(d->types[c]), (int)(text.n < 100 ? text.n : 100), text.p);
}

static sl_code pass_record(bool *is_whole, struct csv_iterator *it, struct sl_error *err) {
    const struct csv *s = it->base.dataset->state;
    const char *wrong = NULL;
    int end;
    do {
        SL_TRY(read_field(&end, &wrong, it, err));
    } while (end == s->delimiter || (end != '\n' && end != -1));
    *is_whole = !wrong;
    return SL_OK;
}

/* Reads a record to its end, whatever is wrong with it, which is told then. */
static sl_code read_record(struct sl_value *element, struct csv_iterator *it, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    const struct csv *s = d->state;
    const char *wrong = NULL;
    struct sl_error first = {0};
    int64_t in_selected = 0, in_excluded = 0;
    int n = 0, end = s->delimiter;
    for (int64_t column = 0; end == s->delimiter || (end != '\n' && end != -1); column++) {
        SL_TRY(read_field(&end, &wrong, it, err));
        const bool is_wanted = s->selected.count ? is_listed(s->selected, &in_selected, column)
                                                 : !is_listed(s->excluded, &in_excluded, column);
        if (!is_wanted) continue;
        if (n < d->n && !wrong && first.code == SL_OK) (void)give_field(element, it, n, &first);
        n++;
    }
    if (wrong) return sl_fail(err, SL_INVALID_ARGUMENT, "%s", wrong);
    if (first.code != SL_OK) {
        if (err) *err = first;
        return first.code;
    }
    if (n == d->n) return SL_OK;
    if (n > d->n) return sl_fail(err, SL_INVALID_ARGUMENT, "Expect %d fields but have more in record", d->n);
    return sl_fail(err, SL_INVALID_ARGUMENT, "Expect %d fields but have %d in record", d->n, n);
}

/* Passes over the first record, which must be whole. After an error the file goes on behind what was read. */
static sl_code skip_header(struct csv_iterator *it, struct sl_error *err) {
    int c;
    bool is_whole = false;
    SL_TRY(peek(&c, it, err));
    if (c >= 0) SL_TRY(pass_record(&is_whole, it, err));
    return is_whole ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "Can't read header of file");
}

static sl_code open_csv(struct csv_iterator *it, uint64_t at, struct sl_error *err) {
    const struct csv *s = it->base.dataset->state;
    SL_TRY(sl_byte_stream_open(&it->stream, s->names.paths[it->at], s->compression, err));
    sl_code code = at ? sl_byte_stream_skip(it->stream, at, err) : SL_OK;
    if (code != SL_OK) close_csv(it);
    return code;
}

static sl_code csv_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct csv_iterator *it = (struct csv_iterator *)self;
    const struct csv *s = self->dataset->state;
    for (; it->at < s->names.n; it->at++, close_csv(it)) {
        int c;
        if (!it->stream) {
            SL_TRY(open_csv(it, 0, err));
            if (s->has_header) SL_TRY(skip_header(it, err));
        }
        SL_TRY(peek(&c, it, err));
        if (c >= 0) return read_record(element, it, err);
    }
    *is_end = true;
    return SL_OK;
}

/* A position is saved as TensorFlow counts: buffers that were read, and bytes of the last one. */
static sl_code csv_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct csv_iterator *it = (const struct csv_iterator *)self;
    const struct csv *s = self->dataset->state;
    SL_TRY(sl_state_put_int(state, self, ":current_file_index", it->at, err));
    if (!it->stream) return SL_OK;
    const int64_t at = (int64_t)(sl_byte_stream_position(it->stream) - (it->n - it->used));
    SL_TRY(sl_state_put_int(state, self, ":pos", at % s->buffer, err));
    return sl_state_put_int(state, self, ":num_buffer_reads", at / s->buffer + 1, err);
}

static sl_code csv_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct csv_iterator *it = (struct csv_iterator *)self;
    const struct csv *s = self->dataset->state;
    int64_t at, reads;
    SL_TRY(sl_state_get_int(&it->at, state, self, ":current_file_index", err));
    if (it->at < 0 || it->at > s->names.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state is of file %" PRId64, it->at);
    if (!sl_state_has(state, self, ":pos")) return SL_OK;
    SL_TRY(sl_state_get_int(&at, state, self, ":pos", err));
    SL_TRY(sl_state_get_int(&reads, state, self, ":num_buffer_reads", err));
    if (reads < 1 || __builtin_mul_overflow(reads - 1, s->buffer, &reads) || __builtin_add_overflow(at, reads, &at))
        at = -1;
    if (at < 0 || it->at == s->names.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state has the position %" PRId64 " in a file", at);
    return open_csv(it, (uint64_t)at, err);
}

const struct sl_dataset_kind sl_csv_data = {.name = "CSV",
                                            .state_bytes = sizeof(struct csv),
                                            .iterator_bytes = sizeof(struct csv_iterator),
                                            .init = csv_init,
                                            .next = csv_next,
                                            .end = csv_end,
                                            .save = csv_save,
                                            .restore = csv_restore};
