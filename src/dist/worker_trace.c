/* What a step tells of itself: a record of the step, and a plan of the same part beside its program, which keeps nothing
 * of it. */
#include "base/alloc.h"
#include "dist/worker_state.h"

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

sl_code sl_worker_trace_encode(struct sl_str *out, const struct sl_worker_trace *trace, struct sl_error *err) {
    return sl_run_metadata_encode(out, &trace->plan, &trace->record, trace->wishes, err);
}

void sl_worker_trace_end(struct sl_worker_trace *trace) {
    sl_step_record_clear(&trace->record);
    sl_run_plan_clear(&trace->plan);
}
