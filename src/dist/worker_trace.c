/* What a step tells of itself: a record of the step, and a plan of the same part beside its program, which keeps nothing
 * of it. */
#include <stdio.h>

#include "base/alloc.h"
#include "dist/worker_state.h"
#include "kernel/rendezvous.h"

/* The plan has the part; its graph is optimised and cut as that of the program was. */
static sl_code begin(struct sl_worker_trace *trace, struct sl_runtime *r, struct sl_run_wishes wishes,
                     struct sl_error *err) {
    trace->plan.runtime = r;
    trace->wishes = wishes;
    sl_code code = sl_run_plan_cut(&trace->plan, err);
    if (code == SL_OK) sl_step_record_init(&trace->record, r->trace);
    else sl_run_plan_clear(&trace->plan);
    return code;
}

sl_code sl_worker_trace_begin(struct sl_worker_trace *trace, struct sl_worker_graph *graph, struct sl_run_wishes wishes,
                              struct sl_error *err) {
    struct sl_front *front = &trace->plan.front;
    *trace = (struct sl_worker_trace){.wishes = wishes};
    front->parts = sl_calloc(1, sizeof *front->parts);
    if (!front->parts) return sl_fail_memory(err, sizeof *front->parts);
    sl_code code = sl_worker_read_part(&front->parts[0], graph->session->runtime, graph->def, err);
    if (code != SL_OK) {
        sl_front_clear(front);
        return code;
    }
    front->n_parts = 1;
    return begin(trace, graph->session->runtime, wishes, err);
}

sl_code sl_worker_trace_begin_part(struct sl_worker_trace *trace, struct sl_worker_session *session,
                                   struct sl_front *front, int own, const char *device, struct sl_run_wishes wishes,
                                   struct sl_error *err) {
    *trace = (struct sl_worker_trace){.wishes = wishes};
    struct sl_part first = front->parts[0];
    front->parts[0] = front->parts[own];
    front->parts[own] = first;
    trace->plan.front = *front;
    *front = (struct sl_front){.n_parts = 0};
    sl_code code = sl_worker_move_part(&trace->plan.front.parts[0], session->runtime, device, err);
    if (code == SL_OK) return begin(trace, session->runtime, wishes, err);
    sl_run_plan_clear(&trace->plan);
    return code;
}

/* ---- what came from other tasks */

static sl_code write_arrival(struct sl_pb_DeviceStepStats *out, const struct sl_worker_arrival *a,
                             struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_NodeExecStats *node = SL_ARENA_NEW(arena, struct sl_pb_NodeExecStats);
    struct sl_rendezvous_pair pair;
    uint64_t frame, iteration;
    if (!node) return sl_fail_memory(err, sizeof *node);
    SL_TRY(sl_rendezvous_key_parse(&pair, &frame, &iteration, (struct sl_str){a->key, a->n}, err));
    const int64_t took = a->ended_us - a->begun_us;
    const char *label = sl_arena_format(arena, "[%zuB] %.*s from %.*s to %.*s", a->bytes, SL_STR_ARG(pair.tensor_name),
                                        SL_STR_ARG(pair.send_device), SL_STR_ARG(pair.recv_device));
    if (!label) return sl_fail_memory(err, a->n);
    *node = (struct sl_pb_NodeExecStats){.node_name = SL_STR("RecvTensor"),
                                         .all_start_micros = a->begun_us,
                                         .op_end_rel_micros = took,
                                         .all_end_rel_micros = took,
                                         .timeline_label = sl_str_of(label),
                                         .scheduled_micros = a->begun_us,
                                         .all_start_nanos = a->begun_us * 1000,
                                         .op_end_rel_nanos = took * 1000,
                                         .all_end_rel_nanos = took * 1000,
                                         .scheduled_nanos = a->begun_us * 1000};
    *out = (struct sl_pb_DeviceStepStats){.device = pair.recv_device};
    out->node_stats.items = node;
    out->node_stats.n = 1;
    return SL_OK;
}

sl_code sl_worker_arrivals_to_proto(struct sl_pb_StepStats *out, const struct sl_worker_arrival *arrivals,
                                    struct sl_arena *arena, struct sl_error *err) {
    size_t n = 0;
    *out = (struct sl_pb_StepStats){.unknown = NULL};
    for (const struct sl_worker_arrival *a = arrivals; a; a = a->next) n++;
    out->dev_stats.items = SL_ARENA_ARRAY(arena, struct sl_pb_DeviceStepStats, n + 1);
    if (!out->dev_stats.items) return sl_fail_memory(err, n * sizeof *out->dev_stats.items);
    for (const struct sl_worker_arrival *a = arrivals; a; a = a->next)
        SL_TRY(write_arrival(&out->dev_stats.items[out->dev_stats.n++], a, arena, err));
    return SL_OK;
}

void sl_worker_arrivals_free(struct sl_worker_arrival *arrivals) {
    for (struct sl_worker_arrival *a; (a = arrivals);) {
        arrivals = a->next;
        sl_free(a);
    }
}

/* A RunMetadata of nothing else: messages that stand one after the other are merged. */
static sl_code write_arrivals(struct sl_str *out, const struct sl_worker_step *step, struct sl_arena *arena,
                              struct sl_error *err) {
    struct sl_pb_StepStats steps;
    const struct sl_pb_RunMetadata all = {.step_stats = &steps};
    SL_TRY(sl_worker_arrivals_to_proto(&steps, step->arrivals, arena, err));
    return sl_pb_encode(out, SL_PB_TYPE_OF(RunMetadata), &all, 0, arena, err);
}

static sl_code append_arrivals(struct sl_str *metadata, const struct sl_worker_step *step, struct sl_arena *arena,
                               struct sl_error *err) {
    struct sl_str more;
    SL_TRY(write_arrivals(&more, step, arena, err));
    char *all = sl_realloc((char *)metadata->p, metadata->n + more.n + 1);
    if (!all) return sl_fail_memory(err, metadata->n + more.n);
    memcpy(all + metadata->n, more.p, more.n);
    *metadata = (struct sl_str){all, metadata->n + more.n};
    return SL_OK;
}

sl_code sl_worker_trace_encode(struct sl_str *out, const struct sl_worker_trace *trace,
                               const struct sl_worker_step *step, struct sl_error *err) {
    struct sl_arena arena;
    SL_TRY(sl_run_metadata_encode(out, &trace->plan, &trace->record, trace->wishes, err));
    if (!trace->wishes.steps || !step->arrivals) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = append_arrivals(out, step, &arena, err);
    sl_arena_clear(&arena);
    if (code != SL_OK) sl_free((char *)out->p);
    return code;
}

void sl_worker_trace_end(struct sl_worker_trace *trace) {
    sl_step_record_clear(&trace->record);
    sl_run_plan_clear(&trace->plan);
}
