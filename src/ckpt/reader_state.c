/* ReaderBaseState: work of which one unit may be under way. */
#include "ckpt/reader_state.h"

#include "proto/wire.h"

sl_code sl_reader_state_encode(struct sl_str *out, const struct sl_reader_state *state, struct sl_arena *arena,
                               struct sl_error *err) {
    struct sl_pb_ReaderBaseState message = {.work_started = state->work_started,
                                            .work_finished = state->work_finished,
                                            .num_records_produced = state->records_produced,
                                            .current_work = state->current_work};
    return sl_pb_encode(out, SL_PB_TYPE(ReaderBaseState), &message, 0, arena, err);
}

sl_code sl_reader_state_decode(struct sl_reader_state *out, struct sl_str bytes, struct sl_str name,
                               struct sl_error *err) {
    struct sl_pb_ReaderBaseState m;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&m, SL_PB_TYPE(ReaderBaseState), bytes, &arena, NULL);
    sl_arena_clear(&arena); /* the message holds no pointers but into `bytes` */
    if (code != SL_OK) return sl_fail(err, SL_INVALID_ARGUMENT, "Could not parse state for %.*s", SL_STR_ARG(name));
    if (m.work_started < 0 || m.work_finished < 0 || m.num_records_produced < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unexpected negative value when restoring in %.*s", SL_STR_ARG(name));
    if (m.work_started > m.work_finished + (m.work_finished < INT64_MAX))
        return sl_fail(err, SL_INVALID_ARGUMENT, "More than one unit of work in progress when restoring in %.*s",
                       SL_STR_ARG(name));
    if (m.work_started < m.work_finished)
        return sl_fail(err, SL_INVALID_ARGUMENT, "More work finished than started when restoring in %.*s",
                       SL_STR_ARG(name));
    *out = (struct sl_reader_state){m.work_started, m.work_finished, m.num_records_produced, m.current_work};
    return SL_OK;
}
