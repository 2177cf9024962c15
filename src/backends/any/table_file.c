/* Reading tables from text files. Called by lookup_any.c. */
#include "backends/any/table_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "os/file.h"

struct line {
    struct sl_str text;
    int64_t number; /* from 0 */
};

struct reading {
    const struct sl_table_file *file;
    const char *path;
    struct sl_error *err;
};

/* Takes the next line off `*rest`, without its end; carriage returns go wherever they are. */
static struct sl_str next_line(char **rest, char *end) {
    char *from = *rest, *to = from, *p = from;
    for (; p < end && *p != '\n'; p++)
        if (*p != '\r') *to++ = *p;
    *rest = p < end ? p + 1 : end;
    return (struct sl_str){from, (size_t)(to - from)};
}

static sl_code check_column(int64_t column, int dtype, const char *what, const char *lower, struct sl_error *err) {
    if (column != SL_COLUMN_LINE_NUMBER || dtype == SL_INT64) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "%s index for line number requires table %s dtype of int64, got %s", what,
                   lower, sl_dtype_name(dtype));
}

/* Column `i` of a line; false when there are fewer, whose number is `*n`. */
static bool column_of(struct sl_str *out, int64_t *n, struct sl_str line, char delimiter, int64_t i) {
    const char *p = line.p, *end = line.p + line.n;
    for (*n = 0;; ++*n) {
        const char *stop = memchr(p, delimiter, (size_t)(end - p));
        if (*n == i) {
            *out = (struct sl_str){p, (size_t)((stop ? stop : end) - p)};
            return true;
        }
        if (!stop) break;
        p = stop + 1;
    }
    ++*n;
    return false;
}

/* ---- fields to elements */

static bool parse_int(int64_t *out, const char *text, int64_t low, int64_t high) {
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    *out = v;
    return end != text && !*end && !errno && v >= low && v <= high;
}

static bool parse_float(double *out, const char *text, bool is_single) {
    char *end;
    *out = is_single ? (double)strtof(text, &end) : strtod(text, &end);
    return end != text && !*end;
}

/* The field as element `i` of a plain type. */
static bool parse_number(struct sl_view to, int64_t i, const char *text) {
    int64_t integer = 0;
    double real = 0;
    bool fits;
    switch (to.dtype) {
    case SL_INT32:
        fits = parse_int(&integer, text, INT32_MIN, INT32_MAX);
        ((int32_t *)to.data)[i] = (int32_t)integer;
        return fits;
    case SL_INT64: return parse_int(&((int64_t *)to.data)[i], text, INT64_MIN, INT64_MAX);
    case SL_FLOAT:
        fits = parse_float(&real, text, true);
        ((float *)to.data)[i] = (float)real;
        return fits;
    case SL_DOUBLE: return parse_float(&((double *)to.data)[i], text, false);
    default: return false;
    }
}

static sl_code put_field(struct reading *r, struct sl_view to, int64_t i, struct sl_str field, int64_t line) {
    enum { FIELD = 128 };
    char text[FIELD];
    if (to.dtype == SL_STRING) return sl_string_set((TF_TString *)to.data + i, field, r->err);
    if (to.dtype != SL_INT32 && to.dtype != SL_INT64 && to.dtype != SL_FLOAT && to.dtype != SL_DOUBLE)
        return sl_fail(r->err, SL_INVALID_ARGUMENT, "Data type %s not supported.", sl_dtype_name(to.dtype));
    if (field.n < FIELD && field.n) {
        memcpy(text, field.p, field.n);
        text[field.n] = 0;
        if (parse_number(to, i, text)) return SL_OK;
    }
    return sl_fail(r->err, SL_INVALID_ARGUMENT, "Field %.*s in line %" PRId64 " is not a valid %s.", SL_STR_ARG(field),
                   line, sl_dtype_name(to.dtype));
}

static sl_code put_column(struct reading *r, struct sl_view to, struct line line, int64_t column) {
    struct sl_str field = line.text;
    int64_t n;
    if (column == SL_COLUMN_LINE_NUMBER) {
        ((int64_t *)to.data)[line.number] = line.number + r->file->offset;
        return SL_OK;
    }
    if (column >= 0 && !column_of(&field, &n, line.text, r->file->delimiter, column)) {
        int64_t last = r->file->key_column > r->file->value_column ? r->file->key_column : r->file->value_column;
        return sl_fail(r->err, SL_INVALID_ARGUMENT,
                       "Invalid number of columns in %s line %" PRId64 " (%.*s) : expected at least %" PRId64
                       " got %" PRId64,
                       r->path, line.number, SL_STR_ARG(line.text), last + 1, n);
    }
    return put_field(r, to, line.number, field, line.number);
}

/* ---- the file */

static int64_t count_lines(const char *text, size_t size) {
    int64_t n = 0;
    for (size_t i = 0; i < size; i++) n += text[i] == '\n';
    return n + (size && text[size - 1] != '\n');
}

static sl_code read_lines(struct reading *r, struct sl_view keys, struct sl_view values, char *text, size_t size) {
    char *rest = text, *end = text + size;
    for (int64_t i = 0; i < keys.count; i++) {
        struct line line = {next_line(&rest, end), i};
        if (!line.text.n)
            return sl_fail(r->err, SL_INVALID_ARGUMENT, "Invalid content in %s: empty line found at position %zu.",
                           r->path, (size_t)(rest - text));
        SL_TRY(put_column(r, keys, line, r->file->key_column));
        SL_TRY(put_column(r, values, line, r->file->value_column));
    }
    return SL_OK;
}

/* Makes the vectors and fills them. */
static sl_code read_text(struct sl_value *keys, struct sl_value *values, struct reading *r, char *text, size_t size,
                         int key_dtype, int value_dtype) {
    int64_t lines = count_lines(text, size), n = r->file->n_lines < 0 ? lines : r->file->n_lines;
    if (!lines) return sl_fail(r->err, SL_OUT_OF_RANGE, "Read less bytes than requested");
    if (n > lines)
        return sl_fail(r->err, SL_INVALID_ARGUMENT, "Invalid vocab_size in %s: expected %" PRId64 " but got %" PRId64,
                       r->path, n, lines);
    SL_TRY(sl_value_new(keys, key_dtype, (struct sl_shape){1, &n}, r->err));
    SL_TRY(sl_value_new(values, value_dtype, (struct sl_shape){1, &n}, r->err));
    return read_lines(r, sl_value_view(keys), sl_value_view(values), text, size);
}

sl_code sl_table_file_read(struct sl_value *keys, struct sl_value *values, const struct sl_table_file *f,
                           struct sl_str path, int key_dtype, int value_dtype, struct sl_error *err) {
    char *text, *name = sl_malloc(path.n + 1);
    size_t size;
    if (!name) return sl_fail_memory(err, path.n);
    memcpy(name, path.p, path.n);
    name[path.n] = 0;
    struct reading r = {f, name, err};
    keys->kind = values->kind = SL_VALUE_NONE;
    sl_code code = check_column(f->key_column, key_dtype, "Key", "key", err);
    if (code == SL_OK) code = check_column(f->value_column, value_dtype, "Value", "value", err);
    if (code == SL_OK && (code = sl_file_read(&text, &size, name, SIZE_MAX / 2, err)) == SL_OK) {
        code = read_text(keys, values, &r, text, size, key_dtype, value_dtype);
        sl_free(text);
    }
    sl_free(name);
    if (code != SL_OK) {
        sl_value_clear(keys);
        sl_value_clear(values);
    }
    return code;
}
