/* Datasets that read files, one after another: lines, records of fixed length, record files. Their first argument is a
 * string or a vector of paths. Called by iterators. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "ckpt/record.h"
#include "data/element.h"
#include "data/file_names.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"
#include "os/file.h"

struct files {
    struct sl_file_names names;
    enum sl_compression compression;
    int64_t header, record, footer; /* bytes; of fixed length */
    const int64_t *offsets;         /* of the first record in each file; NULL: 0 */
};

/* At file `at`, which is open where one of the three is there. */
struct files_iterator {
    struct sl_iterator base;
    int64_t at;
    struct sl_byte_stream *stream;
    struct sl_record_reader *records;
    uint64_t position;  /* fixed length: behind the last record that was given */
    SL_VEC(char) ahead; /* fixed length: what was read behind it, at most a record and the footer */
};

static const struct files *files_of(const struct sl_iterator *it) { return it->dataset->state; }
static const char *path_of(const struct files_iterator *it) { return files_of(&it->base)->names.paths[it->at]; }

static sl_code read_compression(struct sl_dataset *d, int i, struct sl_error *err) {
    struct files *f = d->state;
    struct sl_str word;
    SL_TRY(sl_dataset_string(&word, d, i, "compression_type", err));
    return sl_compression_parse(&f->compression, word, err);
}

static sl_code check_buffer(const struct sl_dataset *d, int i, struct sl_error *err) {
    int64_t bytes;
    SL_TRY(sl_dataset_int(&bytes, d, i, "buffer_size", err));
    return bytes >= 0 ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "`buffer_size` must be >= 0 (0 == default)");
}

static void close_file(struct files_iterator *it) {
    sl_byte_stream_close(it->stream);
    sl_record_reader_close(it->records);
    it->stream = NULL;
    it->records = NULL;
    it->position = it->ahead.n = 0;
}

static void next_file(struct files_iterator *it) {
    close_file(it);
    it->at++;
}

static void files_end(struct sl_iterator *self) {
    struct files_iterator *it = (struct files_iterator *)self;
    close_file(it);
    sl_vec_free(&it->ahead);
}

/* A scalar string with these bytes. */
static sl_code give_string(struct sl_value *out, struct sl_str bytes, struct sl_error *err) {
    SL_TRY(sl_value_new(out, SL_STRING, SL_SHAPE_SCALAR, err));
    return sl_string_set(sl_value_view(out).data, bytes, err);
}

/* ---- states: the file, and how far it was read, if it is open */

static sl_code save_files(const struct files_iterator *it, const char *key, bool is_open, uint64_t position,
                          struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_put_int(state, &it->base, "current_file_index", it->at, err));
    return is_open ? sl_state_put_int(state, &it->base, key, (int64_t)position, err) : SL_OK;
}

/* `*position` -1: the file is not open, as it also stands in some states. */
static sl_code restore_files(int64_t *position, struct files_iterator *it, const char *key,
                             const struct sl_state *state, struct sl_error *err) {
    close_file(it);
    *position = -1;
    SL_TRY(sl_state_get_int(&it->at, state, &it->base, "current_file_index", err));
    if (it->at < 0 || it->at > files_of(&it->base)->names.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state is of file %" PRId64 ", but there are %" PRId64,
                       it->at, files_of(&it->base)->names.n);
    if (!sl_state_has(state, &it->base, key)) return SL_OK;
    SL_TRY(sl_state_get_int(position, state, &it->base, key, err));
    if (*position == -1) return SL_OK;
    if (*position < 0 || it->at == files_of(&it->base)->names.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state has the position %" PRId64 " in a file", *position);
    return SL_OK;
}

/* ---- TextLineDataset: filenames, compression_type, buffer_size */

static sl_code text_init(struct sl_dataset *d, struct sl_error *err) {
    struct files *f = d->state;
    SL_TRY(sl_file_names_read(&f->names, d, 0, "filenames", err));
    SL_TRY(read_compression(d, 1, err));
    return check_buffer(d, 2, err);
}

static sl_code open_stream(struct files_iterator *it, uint64_t at, struct sl_error *err) {
    SL_TRY(sl_byte_stream_open(&it->stream, path_of(it), files_of(&it->base)->compression, err));
    sl_code code = sl_byte_stream_skip(it->stream, at, err);
    if (code != SL_OK) close_file(it);
    return code;
}

/* A file that cannot be read fails every time: there is no telling how many lines it has. */
static sl_code text_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct files_iterator *it = (struct files_iterator *)self;
    for (; it->at < files_of(self)->names.n; next_file(it)) {
        struct sl_str line;
        bool at_end;
        if (!it->stream) SL_TRY(open_stream(it, 0, err));
        SL_TRY(sl_byte_stream_line(&line, &at_end, it->stream, err));
        if (!at_end) return give_string(&element[0], line, err);
    }
    *is_end = true;
    return SL_OK;
}

static sl_code text_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct files_iterator *it = (const struct files_iterator *)self;
    return save_files(it, "current_pos", it->stream != NULL, it->stream ? sl_byte_stream_position(it->stream) : 0,
                      state, err);
}

static sl_code text_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct files_iterator *it = (struct files_iterator *)self;
    int64_t position;
    SL_TRY(restore_files(&position, it, "current_pos", state, err));
    return position < 0 ? SL_OK : open_stream(it, (uint64_t)position, err);
}

const struct sl_dataset_kind sl_text_line_data = {.name = "TextLine",
                                                  .state_bytes = sizeof(struct files),
                                                  .iterator_bytes = sizeof(struct files_iterator),
                                                  .init = text_init,
                                                  .next = text_next,
                                                  .end = files_end,
                                                  .save = text_save,
                                                  .restore = text_restore};

/* ---- FixedLengthRecordDataset: filenames, header_bytes, record_bytes, footer_bytes, buffer_size, and maybe
 * compression_type */

static sl_code fixed_init(struct sl_dataset *d, struct sl_error *err) {
    struct files *f = d->state;
    SL_TRY(sl_file_names_read(&f->names, d, 0, "filenames", err));
    SL_TRY(sl_dataset_int(&f->header, d, 1, "header_bytes", err));
    SL_TRY(sl_dataset_int(&f->record, d, 2, "record_bytes", err));
    SL_TRY(sl_dataset_int(&f->footer, d, 3, "footer_bytes", err));
    if (f->header < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`header_bytes` must be >= 0");
    if (f->record <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`record_bytes` must be > 0");
    if (f->footer < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`footer_bytes` must be >= 0");
    if (f->footer > INT64_MAX - f->record)
        return sl_fail(err, SL_INVALID_ARGUMENT, "`record_bytes` and `footer_bytes` are too large");
    SL_TRY(check_buffer(d, 4, err));
    return d->n_values > 5 ? read_compression(d, 5, err) : SL_OK;
}

static sl_code fail_length(const struct files_iterator *it, int64_t body, sl_code code, struct sl_error *err) {
    const struct files *f = files_of(&it->base);
    return sl_fail(err, code,
                   "Excluding the header (%" PRId64 " bytes) and footer (%" PRId64
                   " bytes), input file \"%s\" has body length %" PRId64
                   " bytes, which is not an exact multiple of the record length (%" PRId64 " bytes).",
                   f->header, f->footer, path_of(it), body, f->record);
}

static sl_code open_fixed(struct files_iterator *it, uint64_t at, struct sl_error *err) {
    const struct files *f = files_of(&it->base);
    struct sl_file_info info;
    if (f->compression == SL_COMPRESSION_NONE) {
        SL_TRY(sl_file_stat(&info, path_of(it), err));
        const int64_t body = info.size < f->header ? -1 : info.size - f->header - f->footer;
        if (info.is_dir || body < 0 || body % f->record != 0) return fail_length(it, body, SL_INVALID_ARGUMENT, err);
    }
    SL_TRY(open_stream(it, at, err));
    it->position = at;
    return SL_OK;
}

/* Reads on until a record and what must follow it are there, or the file ends: memory grows with what was read. */
static sl_code read_ahead(struct files_iterator *it, struct sl_error *err) {
    enum { STEP = 1 << 20 };
    const struct files *f = files_of(&it->base);
    const uint64_t wanted = (uint64_t)(f->record + f->footer);
    for (bool is_over = false; it->ahead.n < wanted && !is_over;) {
        const uint64_t left = wanted - it->ahead.n;
        const size_t step = left < STEP ? (size_t)left : STEP;
        size_t got;
        if (sl_vec_reserve(&it->ahead, step)) return sl_fail_memory(err, it->ahead.n + step);
        SL_TRY(sl_byte_stream_read(&got, it->stream, it->ahead.items + it->ahead.n, step, err));
        it->ahead.n += got;
        is_over = got < step;
    }
    return SL_OK;
}

static sl_code give_fixed(struct files_iterator *it, struct sl_value *element, struct sl_error *err) {
    const size_t record = (size_t)files_of(&it->base)->record;
    SL_TRY(give_string(element, (struct sl_str){it->ahead.items, record}, err));
    it->ahead.n -= record;
    memmove(it->ahead.items, it->ahead.items + record, it->ahead.n);
    it->position += record;
    return SL_OK;
}

static sl_code fixed_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct files_iterator *it = (struct files_iterator *)self;
    const struct files *f = files_of(self);
    for (; it->at < f->names.n; next_file(it)) {
        if (!it->stream) SL_TRY(open_fixed(it, (uint64_t)f->header, err));
        sl_code code = read_ahead(it, err);
        if (code != SL_OK) {
            next_file(it);
            return code;
        }
        if (it->ahead.n == (size_t)(f->record + f->footer)) return give_fixed(it, element, err);
        if (it->ahead.n != (size_t)f->footer) {
            const int64_t body = (int64_t)(it->position + it->ahead.n) - f->header - f->footer;
            code = fail_length(it, body, SL_DATA_LOSS, err);
            next_file(it);
            return code;
        }
    }
    *is_end = true;
    return SL_OK;
}

static sl_code fixed_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct files_iterator *it = (const struct files_iterator *)self;
    return save_files(it, "current_pos", it->stream != NULL, it->position, state, err);
}

static sl_code fixed_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct files_iterator *it = (struct files_iterator *)self;
    int64_t position;
    SL_TRY(restore_files(&position, it, "current_pos", state, err));
    return position < 0 ? SL_OK : open_fixed(it, (uint64_t)position, err);
}

/* TensorFlow's states call both ops by the newer one's name. */
const struct sl_dataset_kind sl_fixed_length_data = {.name = "FixedLengthRecordV2",
                                                     .state_bytes = sizeof(struct files),
                                                     .iterator_bytes = sizeof(struct files_iterator),
                                                     .init = fixed_init,
                                                     .next = fixed_next,
                                                     .end = files_end,
                                                     .save = fixed_save,
                                                     .restore = fixed_restore};

/* ---- TFRecordDataset: filenames, compression_type, buffer_size, and maybe byte_offsets */

static sl_code record_init(struct sl_dataset *d, struct sl_error *err) {
    struct files *f = d->state;
    struct sl_str word;
    int64_t bytes;
    SL_TRY(sl_file_names_read(&f->names, d, 0, "filenames", err));
    SL_TRY(sl_dataset_string(&word, d, 1, "compression_type", err));
    SL_TRY(sl_record_compression_parse(&f->compression, word, err));
    SL_TRY(sl_dataset_int(&bytes, d, 2, "buffer_size", err));
    if (d->n_values < 4) return SL_OK;
    const struct sl_view v = sl_value_on_host(&d->values[3]);
    if (v.dtype != SL_INT64 || v.rank != 1 || v.count != f->names.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The lengths of `filenames` and `byte_offsets` must be equal");
    f->offsets = v.data;
    for (int64_t i = 0; i < v.count; i++)
        if (f->offsets[i] < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`byte_offsets` must not be negative");
    return SL_OK;
}

static sl_code open_records(struct files_iterator *it, uint64_t at, struct sl_error *err) {
    SL_TRY(sl_record_reader_open(&it->records, path_of(it), files_of(&it->base)->compression, err));
    sl_record_reader_end_in_header(it->records);
    return sl_record_reader_skip(it->records, at, err);
}

/* What is damaged ends its file: there is no telling where the next record begins. */
static sl_code record_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct files_iterator *it = (struct files_iterator *)self;
    const struct files *f = files_of(self);
    for (; it->at < f->names.n; next_file(it)) {
        struct sl_str record;
        bool at_end = false;
        sl_code code = SL_OK;
        if (!it->records) {
            code = open_records(it, f->offsets ? (uint64_t)f->offsets[it->at] : 0, err);
            if (!it->records) return code;
        }
        if (code == SL_OK) code = sl_record_reader_next(&record, &at_end, it->records, err);
        if (code == SL_OK && !at_end) return give_string(&element[0], record, err);
        if (code != SL_OK) {
            next_file(it);
            return code;
        }
    }
    *is_end = true;
    return SL_OK;
}

static sl_code record_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct files_iterator *it = (const struct files_iterator *)self;
    return save_files(it, "offset", it->records != NULL, it->records ? sl_record_reader_position(it->records) : 0,
                      state, err);
}

static sl_code record_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct files_iterator *it = (struct files_iterator *)self;
    int64_t position;
    SL_TRY(restore_files(&position, it, "offset", state, err));
    return position < 0 ? SL_OK : open_records(it, (uint64_t)position, err);
}

const struct sl_dataset_kind sl_record_data = {.name = "TFRecord",
                                               .state_bytes = sizeof(struct files),
                                               .iterator_bytes = sizeof(struct files_iterator),
                                               .init = record_init,
                                               .next = record_next,
                                               .end = files_end,
                                               .save = record_save,
                                               .restore = record_restore};
