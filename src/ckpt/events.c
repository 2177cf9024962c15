/* Event files. The name holds time, host, process and a number, so that runs that write into one directory at once
 * do not meet; readers take a directory's files in the order of their names. */
#include "ckpt/events.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "ckpt/record.h"
#include "os/clock.h"
#include "os/file.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

enum { HOST_MAX = 64, NUMBER_MAX = 100000 };

struct sl_events {
    struct sl_arena arena;
    const char *path;
    struct sl_record_writer *records; /* NULL: the file could not be opened */
};

static sl_code add(struct sl_events *e, struct sl_pb_Event *event, struct sl_error *err) {
    struct sl_str bytes;
    event->wall_time = (double)sl_wall_us() / 1e6;
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(Event), event, 0, NULL, err));
    sl_code code = sl_record_writer_add(e->records, bytes, err);
    sl_free((void *)bytes.p);
    return code;
}

/* A path in `dir` that nothing has. */
static sl_code choose_path(struct sl_events *e, const char *dir, const char *suffix, struct sl_error *err) {
    char host[HOST_MAX + 1] = "";
    if (gethostname(host, HOST_MAX) || !*host) memcpy(host, "localhost", sizeof "localhost");
    for (char *c = host; *c; c++)
        if (*c == '/') *c = '_';
    for (int number = 0; number < NUMBER_MAX; number++) {
        char *name = sl_arena_format(&e->arena, "events.out.tfevents.%010" PRId64 ".%s.%ld.%d%s",
                                     sl_wall_us() / 1000000, host, (long)getpid(), number, suffix);
        e->path = name ? sl_path_join(&e->arena, dir, name) : NULL;
        if (!e->path) return sl_fail_memory(err, HOST_MAX);
        sl_code code = sl_file_exists(e->path, err);
        if (code != SL_OK) return code == SL_NOT_FOUND ? SL_OK : code;
    }
    return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%s; too many event files", dir);
}

static sl_code open_file(struct sl_events *e, const char *dir, const char *suffix, struct sl_error *err) {
    if (*dir) SL_TRY(sl_dir_create_all(dir, err));
    SL_TRY(choose_path(e, dir, suffix, err));
    SL_TRY(sl_record_writer_open(&e->records, e->path, SL_WRITER_TRUNCATE, SL_COMPRESSION_NONE, err));
    struct sl_pb_Event version = {.which = SL_PB_Event_file_version, .file_version = SL_STR("brain.Event:2")};
    return add(e, &version, err);
}

sl_code sl_events_open(struct sl_events **out, const char *dir, struct sl_error *err) {
    return sl_events_open_with(out, dir, "", err);
}

sl_code sl_events_open_with(struct sl_events **out, const char *dir, const char *suffix, struct sl_error *err) {
    struct sl_events *e = sl_calloc(1, sizeof *e);
    if (!e) return sl_fail_memory(err, sizeof *e);
    sl_arena_init(&e->arena);
    sl_code code = open_file(e, dir, suffix, err);
    if (code == SL_OK) *out = e;
    else sl_events_close(e, NULL);
    return code;
}

const char *sl_events_path(const struct sl_events *e) { return e->path; }

sl_code sl_events_add_scalar(struct sl_events *e, struct sl_str tag, int64_t step, float value, struct sl_error *err) {
    if (!sl_utf8_valid(tag)) return sl_fail(err, SL_INVALID_ARGUMENT, "The tag of a summary must be UTF-8");
    struct sl_pb_Summary_Value curve = {.tag = tag, .which = SL_PB_Summary_Value_simple_value, .simple_value = value};
    struct sl_pb_Summary summary = {.value = {.items = &curve, .n = 1}};
    struct sl_pb_Event event = {.step = step, .which = SL_PB_Event_summary, .summary = &summary};
    return add(e, &event, err);
}

sl_code sl_events_add_summary(struct sl_events *e, struct sl_str summary, int64_t step, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_Summary message;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&message, SL_PB_TYPE(Summary), summary, &arena, err);
    struct sl_pb_Event event = {.step = step, .which = SL_PB_Event_summary, .summary = &message};
    if (code == SL_OK) code = add(e, &event, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code put_tensor(struct sl_events *e, struct sl_str tag, int64_t step, const struct sl_tensor *tensor,
                          struct sl_str metadata, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_TensorProto message;
    struct sl_pb_SummaryMetadata about;
    SL_TRY(sl_tensor_to_proto(&message, tensor, arena, err));
    if (metadata.n) SL_TRY(sl_pb_decode(&about, SL_PB_TYPE(SummaryMetadata), metadata, arena, err));
    struct sl_pb_Summary_Value value = {.tag = tag,
                                        .metadata = metadata.n ? &about : NULL,
                                        .which = SL_PB_Summary_Value_tensor,
                                        .tensor = &message};
    struct sl_pb_Summary summary = {.value = {.items = &value, .n = 1}};
    struct sl_pb_Event event = {.step = step, .which = SL_PB_Event_summary, .summary = &summary};
    return add(e, &event, err);
}

sl_code sl_events_add_tensor(struct sl_events *e, struct sl_str tag, int64_t step, const struct sl_tensor *tensor,
                             struct sl_str metadata, struct sl_error *err) {
    struct sl_arena arena;
    if (!sl_utf8_valid(tag)) return sl_fail(err, SL_INVALID_ARGUMENT, "The tag of a summary must be UTF-8");
    sl_arena_init(&arena);
    sl_code code = put_tensor(e, tag, step, tensor, metadata, &arena, err);
    sl_arena_clear(&arena);
    return code;
}

sl_code sl_events_add_graph(struct sl_events *e, struct sl_str graph, int64_t step, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_GraphDef message;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&message, SL_PB_TYPE(GraphDef), graph, &arena, err);
    sl_arena_clear(&arena);
    struct sl_pb_Event event = {.step = step, .which = SL_PB_Event_graph_def, .graph_def = graph};
    return code == SL_OK ? add(e, &event, err) : code;
}

sl_code sl_events_add_event(struct sl_events *e, struct sl_str event, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_Event message;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&message, SL_PB_TYPE(Event), event, &arena, err);
    sl_arena_clear(&arena);
    return code == SL_OK ? sl_record_writer_add(e->records, event, err) : code;
}

sl_code sl_events_add_start(struct sl_events *e, int64_t step, struct sl_error *err) {
    struct sl_pb_SessionLog log = {.status = SL_PB_SessionLog_SessionStatus_START};
    struct sl_pb_Event event = {.step = step, .which = SL_PB_Event_session_log, .session_log = &log};
    return add(e, &event, err);
}

sl_code sl_events_flush(struct sl_events *e, struct sl_error *err) { return sl_record_writer_flush(e->records, err); }

sl_code sl_events_close(struct sl_events *e, struct sl_error *err) {
    sl_code code = e->records ? sl_record_writer_close(e->records, false, err) : SL_OK;
    sl_arena_clear(&e->arena);
    sl_free(e);
    return code;
}
