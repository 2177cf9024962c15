/* Event files: their names, their first event, and messages in records. */
#include "ckpt/event_file.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/cpu.h"
#include "os/file.h"
#include "proto/wire.h"

struct sl_event_writer {
    struct sl_arena arena;
    const char *path;
    struct sl_record_writer *records;
};

static sl_code open_file(struct sl_event_writer *w, const char *dir, const char *suffix, struct sl_error *err) {
    char host[SL_HOST_NAME];
    char *name = sl_arena_format(&w->arena, "events.out.tfevents.%010" PRId64 ".%s%s", sl_wall_us() / 1000000,
                                 sl_host_name(host), suffix);
    w->path = name ? sl_path_join(&w->arena, dir, name) : NULL;
    if (!w->path) return sl_fail_memory(err, strlen(dir));
    if (*dir) SL_TRY(sl_dir_create_all(dir, err));
    SL_TRY(sl_record_writer_open(&w->records, w->path, SL_COMPRESSION_NONE, err));
    struct sl_pb_Event first = {.which = SL_PB_Event_file_version};
    first.file_version = SL_STR("brain.Event:2");
    SL_TRY(sl_event_writer_add(w, &first, err));
    return sl_event_writer_flush(w, err);
}

sl_code sl_event_writer_open(struct sl_event_writer **out, const char *dir, const char *suffix, struct sl_error *err) {
    struct sl_event_writer *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    sl_arena_init(&w->arena);
    sl_code code = open_file(w, dir, suffix, err);
    if (code == SL_OK) *out = w;
    else (void)sl_event_writer_close(w, NULL);
    return code;
}

const char *sl_event_writer_path(const struct sl_event_writer *w) { return w->path; }

sl_code sl_event_writer_add(struct sl_event_writer *w, const struct sl_pb_Event *event, struct sl_error *err) {
    struct sl_pb_Event timed = *event;
    struct sl_str bytes;
    if (timed.wall_time == 0) timed.wall_time = (double)sl_wall_us() / 1e6;
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(Event), &timed, 0, NULL, err));
    sl_code code = sl_record_writer_add(w->records, bytes, err);
    sl_free((void *)(uintptr_t)bytes.p);
    return code;
}

sl_code sl_event_writer_add_summary(struct sl_event_writer *w, int64_t step, struct sl_str summary,
                                    struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_Summary message;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&message, SL_PB_TYPE(Summary), summary, &arena, NULL);
    if (code == SL_OK) {
        struct sl_pb_Event event = {.step = step, .which = SL_PB_Event_summary};
        event.summary = &message;
        code = sl_event_writer_add(w, &event, err);
    } else {
        code = sl_fail(err, SL_INVALID_ARGUMENT, "%s; what is added is no summary", w->path);
    }
    sl_arena_clear(&arena);
    return code;
}

sl_code sl_event_writer_flush(struct sl_event_writer *w, struct sl_error *err) {
    return sl_record_writer_flush(w->records, err);
}

sl_code sl_event_writer_close(struct sl_event_writer *w, struct sl_error *err) {
    sl_code code = w->records ? sl_record_writer_close(w->records, err) : SL_OK;
    sl_arena_clear(&w->arena);
    sl_free(w);
    return code;
}

sl_code sl_event_read(struct sl_pb_Event *event, bool *at_end, struct sl_record_reader *r, struct sl_arena *arena,
                      struct sl_error *err) {
    struct sl_str record;
    uint64_t at = sl_record_reader_position(r);
    SL_TRY(sl_record_reader_next(&record, at_end, r, err));
    if (*at_end) return SL_OK;
    sl_code code = sl_pb_decode(event, SL_PB_TYPE(Event), record, arena, NULL);
    if (code == SL_OK || code == SL_RESOURCE_EXHAUSTED) return code == SL_OK ? SL_OK : sl_fail_memory(err, record.n);
    return sl_fail(err, SL_DATA_LOSS, "the record at %" PRIu64 " is no event", at);
}
