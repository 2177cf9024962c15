/* Readers: what a record and its key are, kind by kind. */
#include "backends/any/file_reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "ckpt/reader_state.h"
#include "os/file.h"

static void close_file(struct sl_file_reader *r) {
    sl_byte_stream_close(r->stream);
    sl_record_reader_close(r->records);
    r->stream = NULL;
    r->records = NULL;
    r->number = 0;
}

static void reader_free(struct sl_object *object) {
    struct sl_file_reader *r = (struct sl_file_reader *)object;
    close_file(r);
    sl_vec_free(&r->work);
    sl_vec_free(&r->window);
    sl_mutex_clear(&r->mutex);
    sl_session_object_clear(&r->base);
    sl_free(r);
}

const struct sl_object_type sl_file_reader_type = {.name = "tensorflow::ReaderInterface", .free = reader_free};

sl_code sl_file_reader_new(struct sl_file_reader **out, const struct sl_file_reader_spec *spec, struct sl_error *err) {
    struct sl_file_reader *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_object_init(&r->base.object, &sl_file_reader_type);
    sl_mutex_init(&r->mutex);
    r->spec = *spec;
    *out = r;
    return SL_OK;
}

static struct sl_str work_of(const struct sl_file_reader *r) { return (struct sl_str){r->work.items, r->work.n}; }

/* "file:number" */
static sl_code set_key(TF_TString *key, const struct sl_file_reader *r, uint64_t number, struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    char *text = sl_arena_format(&arena, "%.*s:%" PRIu64, SL_STR_ARG(work_of(r)), number);
    sl_code code = text ? sl_string_set(key, sl_str_of(text), err) : sl_fail_memory(err, r->work.n);
    sl_arena_clear(&arena);
    return code;
}

/* ---- kinds */

static sl_code open_fixed(struct sl_file_reader *r, const char *path, struct sl_error *err) {
    const struct sl_file_reader_spec *s = &r->spec;
    SL_TRY(sl_byte_stream_open(&r->stream, path, s->compression, err));
    r->end_at = UINT64_MAX;
    if (s->compression == SL_COMPRESSION_NONE) {
        struct sl_file_info info;
        SL_TRY(sl_file_stat(&info, path, err));
        r->end_at = info.size > s->footer_bytes ? (uint64_t)(info.size - s->footer_bytes) : 0;
    }
    r->window.n = 0;
    return sl_byte_stream_skip(r->stream, (uint64_t)s->header_bytes, err);
}

static sl_code open_lines(struct sl_file_reader *r, const char *path, struct sl_error *err) {
    SL_TRY(sl_byte_stream_open(&r->stream, path, SL_COMPRESSION_NONE, err));
    bool at_end = false;
    while (r->number < r->spec.skip_lines && !at_end) {
        struct sl_str line;
        SL_TRY(sl_byte_stream_line(&line, &at_end, r->stream, err));
        r->number += !at_end;
    }
    return SL_OK;
}

static sl_code open_file(struct sl_file_reader *r, struct sl_error *err) {
    struct sl_str work = work_of(r);
    struct sl_arena arena;
    sl_arena_init(&arena);
    const char *path = sl_arena_str(&arena, work).p;
    sl_code code = path ? SL_OK : sl_fail_memory(err, work.n);
    if (code == SL_OK) switch (r->spec.kind) {
        case SL_READER_RECORDS: code = sl_record_reader_open(&r->records, path, r->spec.compression, err); break;
        case SL_READER_LINES: code = open_lines(r, path, err); break;
        case SL_READER_FIXED: code = open_fixed(r, path, err); break;
        case SL_READER_WHOLE:
        case SL_READER_IDENTITY: break;
        }
    sl_arena_clear(&arena);
    return code;
}

static sl_code next_record(bool *produced, TF_TString *key, TF_TString *record, struct sl_file_reader *r,
                           struct sl_error *err) {
    struct sl_str bytes;
    bool at_end;
    uint64_t at = sl_record_reader_position(r->records);
    SL_TRY(sl_record_reader_next(&bytes, &at_end, r->records, err));
    *produced = !at_end;
    if (at_end) return SL_OK;
    SL_TRY(set_key(key, r, at, err));
    return sl_string_set(record, bytes, err);
}

static sl_code next_line(bool *produced, TF_TString *key, TF_TString *record, struct sl_file_reader *r,
                         struct sl_error *err) {
    struct sl_str line;
    bool at_end;
    SL_TRY(sl_byte_stream_line(&line, &at_end, r->stream, err));
    *produced = !at_end;
    if (at_end) return SL_OK;
    SL_TRY(set_key(key, r, (uint64_t)++r->number, err));
    return sl_string_set(record, line, err);
}

/* The window is the last record; the next one begins `hop` bytes after it (0: right behind it). In a compressed file
 * the footer is known only at the end, so the window also has the bytes of a footer that may follow. */
static sl_code next_fixed(bool *produced, TF_TString *key, TF_TString *record, struct sl_file_reader *r,
                          struct sl_error *err) {
    const struct sl_file_reader_spec *s = &r->spec;
    size_t size = (size_t)s->record_bytes, hop = (size_t)(s->hop_bytes ? s->hop_bytes : s->record_bytes), got;
    size_t want = size + (s->compression == SL_COMPRESSION_NONE ? 0 : (size_t)s->footer_bytes);
    if (r->number > 0) {
        size_t gone = hop < r->window.n ? hop : r->window.n;
        memmove(r->window.items, r->window.items + gone, r->window.n - gone);
        r->window.n -= gone;
        SL_TRY(sl_byte_stream_skip(r->stream, hop - gone, err));
    }
    if (sl_vec_reserve(&r->window, want)) return sl_fail_memory(err, want);
    SL_TRY(sl_byte_stream_read(&got, r->stream, r->window.items + r->window.n, want - r->window.n, err));
    r->window.n += got;
    *produced = r->window.n == want && sl_byte_stream_position(r->stream) - (want - size) <= r->end_at;
    if (!*produced) return SL_OK;
    SL_TRY(set_key(key, r, (uint64_t)r->number++, err));
    return sl_string_set(record, (struct sl_str){r->window.items, size}, err);
}

static sl_code read_whole(TF_TString *key, TF_TString *record, struct sl_file_reader *r, struct sl_error *err) {
    struct sl_arena arena;
    char *data = NULL;
    size_t size = 0;
    sl_arena_init(&arena);
    const char *path = sl_arena_str(&arena, work_of(r)).p;
    sl_code code = path ? sl_file_read(&data, &size, path, SIZE_MAX / 2, err) : sl_fail_memory(err, r->work.n);
    if (code == SL_OK) code = sl_string_set(record, (struct sl_str){data, size}, err);
    if (code == SL_OK) code = sl_string_set(key, work_of(r), err);
    sl_free(data);
    sl_arena_clear(&arena);
    return code;
}

/* ---- work */

static void finish_work(struct sl_file_reader *r) {
    close_file(r);
    r->is_working = false;
    r->work_finished++;
}

sl_code sl_file_reader_start(struct sl_file_reader *r, struct sl_str work, struct sl_error *err) {
    if (work.n && r->spec.kind != SL_READER_IDENTITY && memchr(work.p, 0, work.n))
        return sl_fail(err, SL_INVALID_ARGUMENT, "a file name holds a NUL: %.*s", SL_STR_ARG(work));
    r->work.n = 0;
    if (sl_vec_reserve(&r->work, work.n + 1)) return sl_fail_memory(err, work.n);
    if (work.n) memcpy(r->work.items, work.p, work.n);
    r->work.n = work.n;
    sl_code code = open_file(r, err);
    if (code != SL_OK) {
        close_file(r);
        return code;
    }
    r->is_working = true;
    r->work_started++;
    return SL_OK;
}

sl_code sl_file_reader_next(bool *produced, TF_TString *key, TF_TString *record, struct sl_file_reader *r,
                            struct sl_error *err) {
    *produced = false;
    if (!r->is_working) return SL_OK;
    bool is_single = false; /* the only record of its work */
    switch (r->spec.kind) {
    case SL_READER_RECORDS: SL_TRY(next_record(produced, key, record, r, err)); break;
    case SL_READER_LINES: SL_TRY(next_line(produced, key, record, r, err)); break;
    case SL_READER_FIXED: SL_TRY(next_fixed(produced, key, record, r, err)); break;
    case SL_READER_WHOLE:
        SL_TRY(read_whole(key, record, r, err));
        *produced = is_single = true;
        break;
    case SL_READER_IDENTITY:
        SL_TRY(sl_string_set(key, work_of(r), err));
        SL_TRY(sl_string_set(record, work_of(r), err));
        *produced = is_single = true;
        break;
    }
    r->records_produced += *produced;
    if (!*produced || is_single) finish_work(r);
    return SL_OK;
}

void sl_file_reader_reset(struct sl_file_reader *r) {
    close_file(r);
    r->is_working = false;
    r->work.n = 0;
    r->work_started = r->work_finished = r->records_produced = 0;
}

/* ---- state */

static sl_code check_state(const struct sl_file_reader *r, const char *what, struct sl_error *err) {
    if (r->spec.kind == SL_READER_WHOLE || r->spec.kind == SL_READER_IDENTITY) return SL_OK;
    return sl_fail(err, SL_UNIMPLEMENTED, "Reader %s", what);
}

sl_code sl_file_reader_save(struct sl_str *text, struct sl_file_reader *r, struct sl_arena *arena,
                            struct sl_error *err) {
    SL_TRY(check_state(r, "SerializeState", err));
    struct sl_reader_state state = {r->work_started, r->work_finished, r->records_produced, {NULL, 0}};
    if (r->is_working) state.current_work = work_of(r);
    return sl_reader_state_encode(text, &state, arena, err);
}

sl_code sl_file_reader_restore(struct sl_file_reader *r, struct sl_str text, struct sl_error *err) {
    struct sl_reader_state state;
    SL_TRY(check_state(r, "RestoreState", err));
    char name[256];
    (void)snprintf(name, sizeof name, "%s '%s'", r->spec.kind == SL_READER_WHOLE ? "WholeFileReader" : "IdentityReader",
                   r->base.name ? r->base.name : "");
    SL_TRY(sl_reader_state_decode(&state, text, sl_str_of(name), err));
    sl_file_reader_reset(r);
    if (state.work_started > state.work_finished) SL_TRY(sl_file_reader_start(r, state.current_work, err));
    r->work_started = state.work_started;
    r->work_finished = state.work_finished;
    r->records_produced = state.records_produced;
    return SL_OK;
}
