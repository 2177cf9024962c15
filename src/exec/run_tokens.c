/* The token engine: the general form of execution, with frames, iterations and dead tokens (token_flow.c has their rules).
 *
 * Values arrive in slots that belong to the reader. One lock per step guards counts, frames and the queue of ready nodes; kernels run without
 * it. A step ends when nothing is ready, running or waited for. After the first error nothing new is started. */
#include "base/alloc.h"
#include "base/hash.h"
#include "exec/token_step.h"
#include "exec/trace.h"
#include "kernel/cancellation.h"
#include "kernel/rendezvous.h"
#include "kernel/variable.h"
#include "os/clock.h"
#include "os/float_mode.h"
#include "os/pool.h"

struct sl_open_step {
    struct sl_token_step *step;
    struct sl_value *args, *rets;
    bool *is_fed, *is_there; /* by argument, by result */
    struct sl_error err;
};

/* An asynchronous kernel under way. */
struct sl_token_call {
    struct sl_kernel_context k;
    struct sl_token_call *next; /* of the step's idle ones */
    struct sl_token_step *step;
    struct sl_ready_node ready;
    struct sl_error err;
    int64_t start_ns; /* when somebody looks, else 0 */
};

/* Ends the waits of a step that has failed. With the lock held, which it gives up meanwhile; the caller has a reference. */
static void cancel_locked(struct sl_token_step *s) {
    if (!s->must_cancel) return;
    s->must_cancel = false;
    sl_mutex_unlock(&s->mutex);
    sl_cancellation_start(s->env->cancellation, s->code, s->err ? s->err->message : "");
    sl_mutex_lock(&s->mutex);
}

/* ---- what a node needs */

/* Work that is worth another thread's waking up takes longer than this. */
static const float LIGHT_NS = 5000;

/* Whether it takes so little time that another thread would come too late. Of kernels that do not say how long they take, only those that are
 * always cheap. */
static bool is_light(const struct sl_ready_node *r) {
    if (r->node->is_cheap || r->is_dead) return true;
    const struct sl_kernel_node *k = r->node->kernel;
    const struct sl_value *in = &r->iteration->slots[r->node->in];
    if (k->def->cost_element <= 0) return false;
    int64_t most = 1;
    for (uint32_t i = 0; i < k->n_in; i++) {
        if (in[i].kind > SL_VALUE_TENSOR) return false; /* read when it runs */
        if (in[i].kind == SL_VALUE_TENSOR && in[i].tensor->count > most) most = in[i].tensor->count;
    }
    return k->def->cost_ns + k->def->cost_element * (float)most < LIGHT_NS;
}

/* Whether it only moves values between slots of its iteration, or does nothing at all: not worth giving up the lock. */
static bool only_moves(const struct sl_ready_node *r) {
    if (r->is_dead) return !r->node->runs_dead;
    const struct sl_value *in = &r->iteration->slots[r->node->in];
    switch ((enum sl_token_flow)r->node->flow) {
    case SL_TOKEN_NOTHING:
    case SL_TOKEN_TRIGGER:
    case SL_TOKEN_CONSTANT:
    case SL_TOKEN_MERGE: return true;
    case SL_TOKEN_SWITCH: return in[0].kind != SL_VALUE_REF && in[1].kind != SL_VALUE_REF; /* else read first */
    case SL_TOKEN_ENTER:
    case SL_TOKEN_EXIT:
    case SL_TOKEN_NEXT: return in[0].kind != SL_VALUE_REF;
    case SL_TOKEN_KERNEL:
    case SL_TOKEN_ARG:
    case SL_TOKEN_RET:
    case SL_TOKEN_COND: return false;
    }
    return false;
}

/* ---- for those who look */

static struct sl_trace_subject subject_of(const struct sl_token_step *s, const struct sl_ready_node *r) {
    return (struct sl_trace_subject){r->node->kernel->name, r->node->kernel->op->name, s->program->device,
                                     s->env->step_id};
}

static bool is_op(const struct sl_ready_node *r, const char *op) { return sl_str_is(r->node->kernel->op->name, op); }

/* The same for a _Send and its _Recv. */
static uint64_t arrow_id(const struct sl_token_step *s, const struct sl_ready_node *r) {
    const struct sl_rendezvous_pair *pair = r->node->kernel->state;
    const uint64_t words[] = {(uint64_t)(uintptr_t)s->env->rendezvous, s->env->step_id, pair->number, r->frame->id,
                              r->iteration->index};
    return sl_hash_bytes(words, sizeof words);
}

/* A node has run, or has begun to: what waits says more when it is done. */
static void trace_run(const struct sl_token_step *s, const struct sl_ready_node *r, int64_t start, bool has_outputs) {
    const struct sl_trace_subject subject = subject_of(s, r);
    if (r->is_dead || is_op(r, "_Recv")) return;
    uint32_t n = has_outputs ? r->node->kernel->n_out : 0;
    sl_trace_event(s->env->trace, &subject, start, sl_trace_bytes(&r->iteration->slots[r->node->out], n));
    if (is_op(r, "_Send")) sl_trace_arrow(s->env->trace, &subject, arrow_id(s, r), start, false);
}

/* What a kernel waited for has come. Looked at before it is passed on: iterations end then. */
struct arrival {
    int64_t at_ns, bytes; /* at_ns 0: nobody looks */
    uint64_t arrow;       /* 0: it is no _Recv, or dead */
};

static struct arrival look_at_arrival(const struct sl_token_call *c, sl_code code) {
    const struct sl_kernel_node *node = c->ready.node->kernel;
    struct arrival a = {0};
    if (!c->start_ns || node->def->run) return a; /* the latter: a call, which runs */
    a.at_ns = sl_clock_ns();
    if (code != SL_OK || c->ready.is_dead || !is_op(&c->ready, "_Recv")) return a;
    a.bytes = sl_trace_bytes(&c->ready.iteration->slots[node->out], node->n_out);
    a.arrow = arrow_id(c->step, &c->ready);
    return a;
}

static void trace_arrival(const struct sl_token_call *c, const struct arrival *a) {
    struct sl_trace *trace = c->step->env->trace;
    const struct sl_trace_subject subject = subject_of(c->step, &c->ready);
    if (!a->at_ns) return;
    sl_trace_wait(trace, &subject, c->start_ns, a->at_ns);
    if (!a->arrow) return;
    sl_trace_event(trace, &subject, a->at_ns, a->bytes);
    sl_trace_arrow(trace, &subject, a->arrow, a->at_ns, true);
}

/* ---- running one node; without the lock */

static sl_code deref_inputs(const struct sl_token_node *node, struct sl_value *in, struct sl_error *err) {
    const struct sl_kernel_node *k = node->kernel;
    for (uint32_t i = 0; i < k->n_in; i++) {
        if (in[i].kind != SL_VALUE_REF || sl_dtype_is_ref(k->in_types[i])) continue;
        struct sl_value v;
        SL_TRY(sl_variable_read(&v, (struct sl_variable *)in[i].object, err));
        sl_value_clear(&in[i]);
        in[i] = v;
    }
    return SL_OK;
}

static void do_switch(const struct sl_token_node *node, struct sl_value *slots) {
    uint32_t n = node->kernel->n_out, chosen;
    struct sl_view select = sl_value_view(&slots[node->in + 1]);
    if (select.dtype == SL_BOOL) {
        chosen = *(const bool *)select.data;
    } else {
        int32_t i = *(const int32_t *)select.data;
        chosen = i < 0 || (uint32_t)i >= n ? n - 1 : (uint32_t)i;
    }
    for (uint32_t o = 0; o < n; o++) {
        if (o == chosen) slots[node->out + o] = sl_value_move(&slots[node->in]);
        else slots[node->out + o].kind = SL_VALUE_DEAD;
    }
}

static void do_merge(const struct sl_token_node *node, struct sl_value *slots) {
    for (uint32_t i = 0; i < node->kernel->n_in; i++) {
        struct sl_value *in = &slots[node->in + i];
        if (in->kind <= SL_VALUE_DEAD) continue;
        slots[node->out] = sl_value_move(in);
        if (node->kernel->n_out > 1)
            slots[node->out + 1] = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT32, .i32 = (int32_t)i};
        return;
    }
}

static void call_done(struct sl_kernel_context *k, sl_code code);

/* False: the kernel goes on by itself and calls call_done. `idle`: one for an asynchronous kernel, or NULL. */
static bool run_kernel(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_token_call *idle,
                       sl_code *code, struct sl_error *err) {
    const struct sl_kernel_node *node = r->node->kernel;
    struct sl_kernel_context k = {.node = node,
                                  .state = node->state,
                                  .slots = r->iteration->slots,
                                  .may_take = ~UINT64_C(0),
                                  .env = s->env,
                                  .err = err,
                                  .frame = r->frame->id,
                                  .iteration = r->iteration->index,
                                  .is_dead = r->is_dead,
                                  .done = call_done};
    if (!node->is_async) {
        *code = node->def->run(&k);
        return true;
    }
    struct sl_token_call *c = idle ? idle : sl_malloc(sizeof *c);
    if (!c) {
        *code = sl_fail_memory(err, sizeof *c);
        return true;
    }
    c->k = k;
    c->step = s;
    c->ready = *r;
    c->start_ns = s->env->trace ? sl_clock_ns() : 0;
    c->k.err = &c->err;
    c->err.code = SL_OK;
    c->err.message[0] = 0;
    node->def->start(&c->k);
    return false;
}

/* A result within a loop is alive in several iterations, perhaps at the same time: the second is an error. */
static sl_code set_ret(struct sl_token_step *s, uint32_t index, struct sl_value *value, struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    struct sl_value *ret = &s->rets[index];
    bool is_first = ret->kind == SL_VALUE_NONE;
    if (is_first) *ret = sl_value_move(value);
    sl_mutex_unlock(&s->mutex);
    return is_first ? SL_OK : sl_fail(err, SL_INTERNAL, "Retval[%u] has already been set.", (unsigned)index);
}

static bool run_node(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_token_call *idle, sl_code *code,
                     struct sl_error *err) {
    const struct sl_token_node *node = r->node;
    struct sl_value *slots = r->iteration->slots, *in = slots + node->in, *out = slots + node->out;
    if (node->flow != SL_TOKEN_MERGE && (*code = deref_inputs(node, in, err)) != SL_OK) return true;
    switch ((enum sl_token_flow)node->flow) {
    case SL_TOKEN_KERNEL: return run_kernel(s, r, idle, code, err);
    case SL_TOKEN_NOTHING:
    case SL_TOKEN_TRIGGER: break;
    case SL_TOKEN_CONSTANT: *out = sl_value_share(&s->program->constants[node->detail]); break;
    case SL_TOKEN_ARG: *out = sl_value_move(&s->args[node->detail]); break;
    case SL_TOKEN_RET: *code = set_ret(s, node->detail, in, err); break;
    case SL_TOKEN_SWITCH: do_switch(node, slots); break;
    case SL_TOKEN_MERGE: do_merge(node, slots); break;
    case SL_TOKEN_COND:
        if (s->env->cancellation && sl_cancellation_is_on(s->env->cancellation)) {
            *code = sl_cancellation_status(s->env->cancellation, err);
            if (*code == SL_CANCELLED) sl_fail(err, SL_CANCELLED, "Loop execution was cancelled.");
            return true;
        }
        *out = sl_value_move(in);
        break;
    case SL_TOKEN_ENTER:
    case SL_TOKEN_EXIT:
    case SL_TOKEN_NEXT: *out = sl_value_move(in); break;
    }
    return true;
}

/* ---- the step */

static void end_step(struct sl_token_step *s);

/* Takes everything off the queue that will not run any more. */
static void drop_queue_locked(struct sl_token_step *s) {
    s->outstanding -= s->queue.n;
    s->queue.n = 0;
}

/* A node is through: passes its outputs on. With the lock held. */
static void complete_locked(struct sl_token_step *s, const struct sl_ready_node *r, sl_code code,
                            struct sl_error *err) {
    const struct sl_token_node *node = r->node;
    struct sl_value *slots = r->iteration->slots;
    for (uint32_t i = 0; i < node->kernel->n_in; i++) sl_value_clear(&slots[node->in + i]);
    if (code != SL_OK) {
        sl_error_name_node(err, node->kernel->name);
        sl_token_step_fail(s, err);
        for (uint32_t o = 0; o < node->kernel->n_out; o++) sl_value_clear(&slots[node->out + o]);
    }
    if (node->flow == SL_TOKEN_RET && s->open && !r->is_dead) s->open->is_there[node->detail] = true;
    if (s->code == SL_OK) {
        sl_tokens_propagate(s, r, slots + node->out, r->is_dead);
        for (uint32_t o = 0; o < node->kernel->n_out; o++) sl_value_clear(&slots[node->out + o]);
        r->iteration->running--;
        sl_iterations_finish(s, r->frame, r->iteration);
    }
    s->outstanding--;
    if (s->code != SL_OK) drop_queue_locked(s);
    if (s->outstanding == 0) {
        s->is_finished = !s->open;
        if (s->is_held) {
            s->is_held = false;
            s->references--;
        }
        sl_cond_broadcast(&s->finished_or_ready);
    }
}

static void help(void *arg);

/* Whether there is work for another thread, which the caller then asks for when it has given up the lock. */
static bool needs_help_locked(struct sl_token_step *s) {
    struct sl_pool *pool = s->env->pool;
    if (!pool || s->queue.n < 2 || s->workers >= sl_pool_threads(pool)) return false;
    size_t heavy = 0;
    for (size_t i = 0; i < s->queue.n && i < 8; i++)
        heavy += !is_light(&s->queue.items[(s->queue.first + i) % s->queue.cap]);
    if (heavy < 2) return false;
    s->workers++;
    s->holders++;
    return true;
}

/* Gives up the lock, runs a node that is off the queue, and comes back with the lock. */
static void run_unlocked(struct sl_token_step *s, const struct sl_ready_node *r) {
    bool needs_help = needs_help_locked(s), needs_relief = s->crew && !is_light(r);
    struct sl_token_call *idle = r->node->kernel->is_async ? s->idle_calls : NULL;
    if (idle) s->idle_calls = idle->next;
    sl_mutex_unlock(&s->mutex);
    if (needs_help) sl_pool_submit(s->env->pool, help, s);
    if (needs_relief) sl_crew_relieve(s->crew);
    struct sl_error err;
    err.code = SL_OK;
    err.message[0] = 0;
    sl_code code = SL_OK;
    int64_t start = s->env->trace ? sl_clock_ns() : 0;
    bool is_through = run_node(s, r, idle, &code, &err);
    if (start) trace_run(s, r, start, is_through && code == SL_OK);
    sl_mutex_lock(&s->mutex);
    if (!is_through) return;
    if (idle) { /* not even begun */
        idle->next = s->idle_calls;
        s->idle_calls = idle;
    }
    complete_locked(s, r, code, &err);
}

/* Runs ready nodes until there are none. With the lock held, before and after. */
static void work_locked(struct sl_token_step *s) {
    uint64_t mode = sl_float_mode_enter();
    s->working++;
    while (s->queue.n && s->code == SL_OK) {
        struct sl_ready_node r = s->queue.items[s->queue.first];
        s->queue.first = s->queue.first + 1 == s->queue.cap ? 0 : s->queue.first + 1;
        s->queue.n--;
        if (only_moves(&r) && (!s->env->trace || r.is_dead)) {
            struct sl_error no_error;
            sl_code code = SL_OK;
            if (!r.is_dead) run_node(s, &r, NULL, &code, &no_error);
            complete_locked(s, &r, SL_OK, &no_error);
        } else {
            run_unlocked(s, &r);
        }
        cancel_locked(s);
    }
    s->working--;
    sl_float_mode_leave(mode);
}

static void drop_holder_locked(struct sl_token_step *s) {
    bool is_last = --s->holders == 0;
    sl_mutex_unlock(&s->mutex);
    if (!is_last) return;
    sl_cond_clear(&s->finished_or_ready);
    sl_mutex_clear(&s->mutex);
    sl_free(s);
}

static void drop_reference_locked(struct sl_token_step *s) {
    bool is_last = --s->references == 0;
    if (!is_last) sl_cond_broadcast(&s->finished_or_ready);
    sl_mutex_unlock(&s->mutex);
    if (is_last) end_step(s);
}

/* A part that can only wait asks whether anything is left to wait for. Whoever did the last thing in any part comes here afterwards, unless
 * tasks wait, which come here later. With the lock held, which it gives up meanwhile; the caller has a reference. */
static void ask_if_stuck_locked(struct sl_token_step *s) {
    if (!s->when_idle || s->queue.n || s->working || !s->outstanding || s->code != SL_OK || sl_crew_has_tasks(s->crew))
        return;
    sl_mutex_unlock(&s->mutex);
    s->when_idle(s->done_arg);
    sl_mutex_lock(&s->mutex);
}

/* On a thread of the pool, which may come late: nobody waits for it, since all threads may be waiting for steps inside of steps. */
static void help(void *arg) {
    struct sl_token_step *s = arg;
    sl_mutex_lock(&s->mutex);
    if (s->references) {
        s->references++;
        work_locked(s);
        s->workers--;
        ask_if_stuck_locked(s);
        drop_reference_locked(s);
        sl_mutex_lock(&s->mutex);
    }
    drop_holder_locked(s);
}

/* A turn at a part, given by the crew. The part may be over by now. */
static void take_turn(struct sl_crew_task *turn) {
    struct sl_token_step *s = (struct sl_token_step *)((char *)turn - offsetof(struct sl_token_step, turn));
    sl_mutex_lock(&s->mutex);
    s->is_on_list = false;
    if (s->references) {
        s->references++;
        work_locked(s);
        ask_if_stuck_locked(s);
        drop_reference_locked(s);
        sl_mutex_lock(&s->mutex);
    }
    drop_holder_locked(s);
}

/* Puts a part that has work on the crew's list, unless somebody is at it. True: the caller must drive the crew. */
static bool ask_crew_locked(struct sl_token_step *s) {
    if (!s->queue.n || s->working || s->is_on_list) return false;
    s->is_on_list = true;
    s->holders++;
    return sl_crew_add(s->crew, &s->turn);
}

static void call_done(struct sl_kernel_context *k, sl_code code) {
    struct sl_token_call *c = (struct sl_token_call *)k;
    struct sl_token_step *s = c->step;
    const struct sl_token_node *node = c->ready.node;
    if (node->runs_dead && code == SL_OK && sl_out_value(k, 0)->kind == SL_VALUE_DEAD) c->ready.is_dead = true;
    const struct arrival arrival = look_at_arrival(c, code);
    sl_mutex_lock(&s->mutex);
    s->references++;
    complete_locked(s, &c->ready, code, &c->err);
    trace_arrival(c, &arrival);
    cancel_locked(s);
    struct sl_crew *must_drive = s->crew && ask_crew_locked(s) ? sl_crew_ref(s->crew) : NULL;
    bool is_waited_for = s->done == NULL;
    if (s->crew) {
        /* asked */
    } else if (is_waited_for && s->queue.n) {
        sl_cond_broadcast(&s->finished_or_ready); /* the waiting thread does the work */
    } else if (s->queue.n) {
        s->workers++;
        work_locked(s);
        s->workers--;
    }
    c->next = s->idle_calls;
    s->idle_calls = c;
    if (!node->runs_dead) ask_if_stuck_locked(s); /* else it is a _Recv, and whoever served it is at work */
    drop_reference_locked(s);
    if (!must_drive) return;
    sl_crew_drive(must_drive);
    sl_crew_unref(must_drive);
}

static void end_step(struct sl_token_step *s) {
    for (int i = 0; i < s->program->n_args; i++) sl_value_clear(&s->args[i]);
    if (s->code != SL_OK)
        for (int i = 0; i < s->program->n_rets; i++) sl_value_clear(&s->rets[i]);
    if (s->root) sl_live_frame_free(s, s->root);
    for (uint32_t f = 0; s->idle && f < s->program->n_token_frames; f++)
        while (s->idle[f]) {
            struct sl_iteration *it = s->idle[f];
            s->idle[f] = it->next;
            sl_free(it);
        }
    while (s->idle_calls) {
        struct sl_token_call *c = s->idle_calls;
        s->idle_calls = c->next;
        sl_free(c);
    }
    sl_free(s->idle);
    sl_free(s->queue.items);
    void (*done)(void *, sl_code) = s->done;
    void *arg = s->done_arg;
    sl_code code = s->code;
    sl_mutex_lock(&s->mutex);
    drop_holder_locked(s);
    if (done) done(arg, code);
}

static struct sl_token_step *begin(struct sl_program *program, struct sl_step_env *env, struct sl_value *args,
                                   struct sl_value *rets, struct sl_open_step *open, struct sl_error *err) {
    struct sl_token_step *s = sl_calloc(1, sizeof *s);
    for (int i = 0; i < program->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
    if (s) s->idle = sl_calloc(program->n_token_frames, sizeof *s->idle);
    if (!s || !s->idle) {
        sl_free(s);
        for (int i = 0; i < program->n_args; i++) sl_value_clear(&args[i]);
        sl_fail_memory(err, sizeof *s);
        return NULL;
    }
    s->program = program;
    s->env = env;
    s->args = args;
    s->rets = rets;
    s->err = err;
    s->references = 1;
    s->holders = 1;
    s->workers = 1;
    sl_mutex_init(&s->mutex);
    sl_cond_init(&s->finished_or_ready);
    s->open = open;
    s->root = sl_live_frame_new(s, 0, NULL, NULL);
    for (uint32_t i = 0; s->root && i < program->n_token_roots; i++) {
        const struct sl_token_node *node = &program->token_nodes[program->token_roots[i]];
        if (!open || node->flow != SL_TOKEN_ARG) sl_node_make_ready(s, node, s->root, s->root->ring[0], false);
    }
    if (s->code != SL_OK) drop_queue_locked(s);
    return s;
}

/* Waits for news. When the step's time is over, those that wait are told to stop. With the lock held. */
static void wait_locked(struct sl_token_step *s) {
    struct sl_cancellation *c = s->env->cancellation;
    int64_t deadline = c && !s->is_late ? sl_cancellation_deadline(c) : 0;
    if (!deadline) {
        sl_cond_wait(&s->finished_or_ready, &s->mutex);
    } else if (!sl_cond_wait_until(&s->finished_or_ready, &s->mutex, deadline)) {
        s->is_late = true;
        sl_mutex_unlock(&s->mutex);
        sl_cancellation_is_on(c);
        sl_mutex_lock(&s->mutex);
    }
}

/* Works and waits until nothing is left to do, or until `*until`. With the lock held, before and after. */
static void drain_locked(struct sl_token_step *s, const bool *until) {
    for (;;) {
        work_locked(s);
        if (s->outstanding == 0 || (until && *until)) return;
        wait_locked(s);
    }
}

/* The last act of a thread that waited: helpers that came must have left before the caller's memory goes. */
static sl_code finish_waiting(struct sl_token_step *s) {
    s->workers--;
    while (s->references > 1) sl_cond_wait(&s->finished_or_ready, &s->mutex);
    sl_code code = s->code;
    drop_reference_locked(s);
    return code;
}

sl_code sl_tokens_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err) {
    struct sl_token_step *s = begin(program, env, args, rets, NULL, err);
    if (!s) return SL_RESOURCE_EXHAUSTED;
    sl_mutex_lock(&s->mutex);
    drain_locked(s, NULL);
    return finish_waiting(s);
}

void sl_tokens_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done) {
    struct sl_token_step *s = begin(program, env, args, rets, NULL, err);
    if (!s) {
        done(arg_of_done, SL_RESOURCE_EXHAUSTED);
        return;
    }
    s->done = done;
    s->done_arg = arg_of_done;
    sl_mutex_lock(&s->mutex);
    if (s->outstanding) {
        s->is_held = true;
        s->references++;
    }
    work_locked(s);
    s->workers--;
    drop_reference_locked(s);
}

/* ---- parts */

sl_code sl_part_start(struct sl_token_step **part, struct sl_program *program, struct sl_step_env *env,
                      struct sl_value *args, struct sl_value *rets, const struct sl_part_owner *owner,
                      struct sl_error *err) {
    struct sl_token_step *s = begin(program, env, args, rets, NULL, err);
    *part = s;
    if (!s) return SL_RESOURCE_EXHAUSTED;
    s->crew = owner->crew;
    s->turn.run = take_turn;
    s->done = owner->done;
    s->when_idle = owner->when_idle;
    s->done_arg = owner->arg;
    sl_mutex_lock(&s->mutex);
    s->holders++;
    s->workers--;
    if (s->outstanding) {
        s->is_held = true;
        s->references++;
        ask_crew_locked(s);
    }
    drop_reference_locked(s);
    return SL_OK;
}

void sl_part_release(struct sl_token_step *part) {
    if (!part) return;
    sl_mutex_lock(&part->mutex);
    drop_holder_locked(part);
}

size_t sl_part_lock(struct sl_token_step *part) {
    sl_mutex_lock(&part->mutex);
    return part->outstanding;
}

void sl_part_unlock(struct sl_token_step *part) { sl_mutex_unlock(&part->mutex); }

/* ---- open steps */

sl_code sl_step_open(struct sl_open_step **out, struct sl_program *program, struct sl_step_env *env,
                     struct sl_error *err) {
    size_t n_args = (size_t)program->n_args, n_rets = (size_t)program->n_rets;
    struct sl_open_step *o = sl_calloc(1, sizeof *o + (n_args + n_rets) * (sizeof(struct sl_value) + sizeof(bool)));
    if (!o) return sl_fail_memory(err, sizeof *o);
    o->args = (struct sl_value *)(o + 1);
    o->rets = o->args + n_args;
    o->is_fed = (bool *)(o->rets + n_rets);
    o->is_there = o->is_fed + n_args;
    o->step = begin(program, env, o->args, o->rets, o, &o->err);
    if (!o->step) {
        sl_free(o);
        return sl_fail_memory(err, sizeof *o);
    }
    *out = o;
    return SL_OK;
}

sl_code sl_step_feed(struct sl_open_step *o, int index, struct sl_value value, struct sl_error *err) {
    struct sl_token_step *s = o->step;
    if (o->is_fed[index]) {
        sl_value_clear(&value);
        return sl_fail(err, SL_INVALID_ARGUMENT, "argument %d has already been fed", index);
    }
    sl_mutex_lock(&s->mutex);
    o->is_fed[index] = true;
    uint32_t node = s->program->token_args[index];
    if (node != SL_NO_SLOT && s->code == SL_OK) {
        o->args[index] = value;
        sl_node_make_ready(s, &s->program->token_nodes[node], s->root, s->root->ring[0], false);
    } else {
        sl_value_clear(&value);
    }
    sl_mutex_unlock(&s->mutex);
    return SL_OK;
}

sl_code sl_step_fetch(struct sl_value *out, struct sl_open_step *o, int index, struct sl_error *err) {
    struct sl_token_step *s = o->step;
    sl_mutex_lock(&s->mutex);
    if (!o->is_there[index]) drain_locked(s, &o->is_there[index]);
    sl_code code = s->code;
    if (code != SL_OK) {
        sl_fail(err, code, "%s", o->err.message);
    } else if (!o->is_there[index] || o->rets[index].kind == SL_VALUE_NONE) {
        code = sl_fail(err, SL_INVALID_ARGUMENT,
                       "result %d cannot be computed from the feeds that have been fed so far", index);
    } else {
        *out = sl_value_move(&o->rets[index]);
    }
    sl_mutex_unlock(&s->mutex);
    return code;
}

void sl_step_close(struct sl_open_step *o) {
    if (!o) return;
    struct sl_token_step *s = o->step;
    sl_mutex_lock(&s->mutex);
    if (s->code == SL_OK) { /* what is ready does not matter any more */
        const struct sl_error err = {SL_CANCELLED, "Step was closed."};
        sl_token_step_fail(s, &err);
        cancel_locked(s);
        drop_queue_locked(s);
    }
    drain_locked(s, NULL);
    finish_waiting(s);
    sl_free(o);
}
