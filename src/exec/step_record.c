/* Records: copies of what a step tells, under one lock. */
#include "exec/step_record.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void describe(struct sl_recorded_output *out, const struct sl_value *v, struct sl_step_record *r) {
    *out = (struct sl_recorded_output){.kind = v->kind, .dtype = v->kind > SL_VALUE_DEAD ? v->dtype : 0};
    if (v->kind == SL_VALUE_SCALAR) out->bytes = sl_dtype_size(v->dtype);
    if (v->kind != SL_VALUE_TENSOR) return;
    const struct sl_tensor *t = v->tensor;
    const struct sl_memory *memory = sl_tensor_memory(t);
    int64_t *dims = SL_ARENA_ARRAY(&r->arena, int64_t, (size_t)t->rank + 1);
    if (!dims) r->is_cut = true;
    else memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
    out->shape = (struct sl_shape){dims ? t->rank : 0, dims};
    out->bytes = t->bytes;
    out->data = t->data;
    out->is_sole = sl_tensor_is_sole(t);
    out->memory = memory ? memory->name : NULL;
}

static void describe_outputs(struct sl_recorded_event *e, struct sl_trace_span span, struct sl_step_record *r) {
    if (!span.n) return;
    e->outputs = SL_ARENA_ARRAY(&r->arena, struct sl_recorded_output, span.n);
    if (!e->outputs) {
        r->is_cut = true;
        return;
    }
    e->n_outputs = span.n;
    for (uint32_t i = 0; i < span.n; i++) describe(&e->outputs[i], &span.outputs[i], r);
}

/* The event of the same run of a node: one tells that it began, another that its wait is over, in either order. */
static struct sl_recorded_event *find_other(struct sl_step_record *r, const struct sl_trace_subject *s,
                                            struct sl_trace_span span, bool is_wait) {
    if (!is_wait && r->n_waits == 0) return NULL;
    for (size_t i = r->events.n; i-- > 0;) {
        struct sl_recorded_event *e = &r->events.items[i];
        if (e->is_wait == is_wait || e->name.p != s->name.p) continue;
        if (e->start_ns == span.start_ns || (e->is_wait && e->end_ns == span.start_ns)) return e;
    }
    return NULL;
}

static void add(struct sl_step_record *r, const struct sl_trace_subject *s, struct sl_trace_span span, bool is_wait) {
    struct sl_recorded_event *e = find_other(r, s, span, is_wait);
    if (e) {
        r->n_waits -= e->is_wait;
        e->is_wait = false;
        if (span.end_ns > e->end_ns) e->end_ns = span.end_ns;
    } else {
        const struct sl_recorded_event fresh = {.name = s->name,
                                                .op = s->kind,
                                                .device = s->device ? s->device : "",
                                                .thread = syscall(SYS_gettid),
                                                .start_ns = span.start_ns,
                                                .end_ns = span.end_ns,
                                                .is_wait = is_wait};
        if (sl_vec_push(&r->events, fresh)) {
            r->is_cut = true;
            return;
        }
        r->n_waits += is_wait;
        e = &r->events.items[r->events.n - 1];
    }
    describe_outputs(e, span, r);
}

static void record_event(struct sl_trace *base, const struct sl_trace_subject *s, struct sl_trace_span span) {
    struct sl_step_record *r = (struct sl_step_record *)base;
    sl_mutex_lock(&r->mutex);
    if (!s->is_loop) add(r, s, span, false);
    sl_mutex_unlock(&r->mutex);
    if (r->next) r->next->event(r->next, s, span);
}

static void record_wait(struct sl_trace *base, const struct sl_trace_subject *s, struct sl_trace_span span) {
    struct sl_step_record *r = (struct sl_step_record *)base;
    sl_mutex_lock(&r->mutex);
    add(r, s, span, true);
    sl_mutex_unlock(&r->mutex);
    if (r->next) r->next->wait(r->next, s, span);
}

static void record_arrow(struct sl_trace *base, const struct sl_trace_subject *s, uint64_t id, int64_t at_ns,
                         bool is_head) {
    struct sl_step_record *r = (struct sl_step_record *)base;
    if (r->next) r->next->arrow(r->next, s, id, at_ns, is_head);
}

void sl_step_record_init(struct sl_step_record *r, struct sl_trace *next) {
    *r = (struct sl_step_record){.base = {record_event, record_wait, record_arrow, NULL, 0},
                                 .next = next,
                                 .epoch_ns = sl_wall_us() * 1000 - sl_clock_ns()};
    sl_mutex_init(&r->mutex);
    sl_arena_init(&r->arena);
}

void sl_step_record_clear(struct sl_step_record *r) {
    sl_vec_free(&r->events);
    sl_arena_clear(&r->arena);
    sl_mutex_clear(&r->mutex);
}
