/* One node of a step in token form: what it costs, how it runs, what a trace says of it. Its inputs are in the slots
 * of its iteration; nobody else touches them or its outputs meanwhile. Called without a lock. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "exec/token_step.h"
#include "exec/trace.h"
#include "kernel/cancellation.h"
#include "kernel/metered_node.h"
#include "kernel/numerics.h"
#include "kernel/rendezvous.h"
#include "kernel/resources.h"
#include "kernel/variable.h"
#include "os/clock.h"

bool sl_ready_node_is_light(const struct sl_ready_node *r) {
    const struct sl_token_node *node = r->node;
    const struct sl_value *in = &r->iteration->slots[node->in];
    if (node->light_most == INT64_MAX || r->is_dead) return true;
    for (uint32_t i = 0; i < node->kernel->n_in; i++) {
        if (in[i].kind > SL_VALUE_TENSOR) return false; /* read when it runs */
        if (in[i].kind == SL_VALUE_TENSOR && in[i].tensor->count > node->light_most) return false;
    }
    return node->light_most > 0;
}

/* ---- traces */

static struct sl_trace_subject subject_of(const struct sl_token_step *s, const struct sl_ready_node *r) {
    return (struct sl_trace_subject){r->node->kernel->name, r->node->kernel->op->name,  s->program->device,
                                     s->env->step_id,       sl_ready_node_weight(s, r), false};
}

uint64_t sl_ready_node_weight(const struct sl_token_step *s, const struct sl_ready_node *r) {
    const uint64_t every = s->env->trace->every;
    uint64_t weight = s->env->trace_weight;
    const struct sl_iteration *turn = r->iteration;
    const struct sl_live_frame *f = r->frame;
    if (r->node->flow == SL_TOKEN_EXIT) turn = f->parent_iteration, f = f->parent; /* it runs once */
    for (; every && f->parent; turn = f->parent_iteration, f = f->parent) {
        if (turn->index < every) continue;
        if (turn->index % every) return 0;
        weight *= every;
    }
    return weight;
}

int64_t sl_ready_node_start(const struct sl_token_step *s, const struct sl_ready_node *r) {
    return sl_ready_node_weight(s, r) ? sl_clock_ns() : 0;
}

static bool is_op(const struct sl_ready_node *r, const char *op) { return sl_str_is(r->node->kernel->op->name, op); }

/* The same for a _Send and its _Recv. */
static uint64_t arrow_id(const struct sl_token_step *s, const struct sl_ready_node *r) {
    const struct sl_rendezvous_pair *pair = r->node->kernel->state;
    const uint64_t words[] = {(uint64_t)(uintptr_t)s->env->rendezvous, s->env->step_id, pair->number, r->frame->id,
                              r->iteration->index};
    return sl_hash_bytes(words, sizeof words);
}

void sl_ready_node_trace(const struct sl_token_step *s, const struct sl_ready_node *r, int64_t start,
                         bool has_outputs) {
    const struct sl_trace_subject subject = subject_of(s, r);
    if (r->is_dead || is_op(r, "_Recv")) return;
    uint32_t n = has_outputs ? r->node->kernel->n_out : 0;
    sl_trace_event(s->env->trace, &subject, start, &r->iteration->slots[r->node->out], n);
    if (is_op(r, "_Send")) sl_trace_arrow(s->env->trace, &subject, arrow_id(s, r), start, false);
}

void sl_token_call_trace(const struct sl_token_call *c) {
    const struct sl_token_step *s = c->step;
    const struct sl_kernel_node *node = c->ready.node->kernel;
    const struct sl_trace_subject subject = subject_of(s, &c->ready);
    if (node->def->run) return; /* a call, which ran */
    const struct sl_value *outputs = &c->ready.iteration->slots[c->ready.node->out];
    bool has_outputs = c->code == SL_OK && !c->ready.is_dead;
    sl_trace_wait(s->env->trace, &subject,
                  (struct sl_trace_span){c->start_ns, c->end_ns, outputs, has_outputs ? node->n_out : 0});
    if (!has_outputs || !is_op(&c->ready, "_Recv")) return;
    sl_trace_event(s->env->trace, &subject, c->end_ns, outputs, node->n_out);
    sl_trace_arrow(s->env->trace, &subject, arrow_id(s, &c->ready), c->end_ns, true);
}

/* ---- loops */

/* The scope of the loop that the frame is of: where its LoopCond is. */
static struct sl_str loop_of(const struct sl_program *program, uint32_t frame) {
    struct sl_str name = SL_STR("");
    for (uint32_t i = 0; i < program->n_token_nodes && !name.n; i++)
        if (program->token_nodes[i].flow == SL_TOKEN_COND && program->token_nodes[i].frame == frame)
            name = program->token_nodes[i].kernel->name;
    size_t n = name.n;
    while (n && name.p[n - 1] != '/') n--;
    return n ? (struct sl_str){name.p, n - 1} : name;
}

void sl_ready_node_add_loops(const struct sl_token_step *s, const struct sl_ready_node *r, struct sl_error *err) {
    const struct sl_iteration *turn = r->iteration;
    for (const struct sl_live_frame *f = r->frame; f->parent; turn = f->parent_iteration, f = f->parent)
        sl_error_name_loop(err, loop_of(s->program, f->number), turn->index);
}

/* ---- waits */

/* "a queue's name", where the first input is the handle of something that has one. In `arena`, else empty. */
static struct sl_str name_of_handle(const struct sl_token_step *s, const struct sl_ready_node *r,
                                    struct sl_arena *arena) {
    const struct sl_kernel_node *node = r->node->kernel;
    const struct sl_value *handle = &r->iteration->slots[r->node->in];
    struct sl_str container = SL_STR(""), name = SL_STR("");
    if (node->n_in && node->def && !node->def->run && handle->kind == SL_VALUE_OBJECT && handle->object)
        (void)sl_resources_name_of(&container, &name, s->env->session_resources, handle->object, arena, NULL);
    return name;
}

void sl_ready_node_note_wait(const struct sl_token_step *s, const struct sl_ready_node *r) {
    const struct sl_kernel_node *node = r->node->kernel;
    struct sl_arena arena;
    char text[768], who[320], key_text[256], turn[64] = "";
    if (!s->env->cancellation) return;
    if (r->frame->parent) snprintf(turn, sizeof turn, " in iteration %" PRIu64 " of its loop", r->iteration->index);
    sl_arena_init(&arena);
    struct sl_str handle = name_of_handle(s, r, &arena);
    snprintf(who, sizeof who, "node '%.*s' (%.*s)", SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
    snprintf(text, sizeof text, "%s%s%.*s%s%s", who, handle.n ? " waits on '" : "", SL_STR_ARG(handle),
             handle.n ? "'" : "", turn);
    if (r->node->runs_dead) {
        const struct sl_rendezvous_key key = {node->state, r->frame->id, r->iteration->index};
        sl_rendezvous_key_print(key_text, sizeof key_text, &key);
        snprintf(text, sizeof text, "%s waits for %s", who, key_text);
    }
    sl_cancellation_note_wait(s->env->cancellation, who, text);
    sl_arena_clear(&arena);
}

/* ---- running one node */

static sl_code do_switch(const struct sl_token_node *node, struct sl_value *slots, struct sl_error *err) {
    uint32_t n = node->kernel->n_out, chosen;
    const struct sl_value *choice = &slots[node->in + 1];
    const void *select = sl_value_scalar(choice);
    if (!select) return sl_fail_choice(choice, err);
    if (choice->dtype == SL_BOOL) {
        chosen = *(const bool *)select;
    } else {
        int32_t i = *(const int32_t *)select;
        chosen = i < 0 || (uint32_t)i >= n ? n - 1 : (uint32_t)i;
    }
    for (uint32_t o = 0; o < n; o++) {
        if (o == chosen) slots[node->out + o] = sl_value_move(&slots[node->in]);
        else slots[node->out + o].kind = SL_VALUE_DEAD;
    }
    return SL_OK;
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

/* The step's, in which what the kernel calls is traced as the kernel is. */
static __attribute__((noinline)) void copy_traced_env(struct sl_step_env *env, const struct sl_token_step *s,
                                                      const struct sl_ready_node *r) {
    *env = *s->env;
    env->trace_weight = sl_ready_node_weight(s, r);
    if (!env->trace_weight) env->trace = NULL;
}

/* False: the kernel goes on by itself, in `call`. */
static inline bool begin_kernel(const struct sl_kernel_node *node, struct sl_kernel_context *k,
                                struct sl_token_call *call, sl_code *code) {
    if (!node->is_async) {
        *code = sl_kernel_status(k, node->def->run(k));
        return true;
    }
    call->k = *k;
    call->k.err = &call->err;
    node->def->start(&call->k);
    return false;
}

/* In a step whose memory has a limit. */
static __attribute__((noinline)) bool begin_metered(const struct sl_kernel_node *node, struct sl_kernel_context *k,
                                                    struct sl_token_call *call, sl_code *code) {
    struct sl_metered_node metered;
    sl_metered_node_begin(&metered, k->env->meter, node);
    struct sl_meter *meter = k->env->meter;
    bool is_through = begin_kernel(node, k, call, code);
    if (is_through) sl_metered_node_settle(meter, node, &k->slots[node->out], *code, k->err);
    sl_metered_node_end(&metered);
    return is_through;
}

/* In a step whose numbers are watched; what goes on by itself is looked at when it has completed. */
static __attribute__((noinline)) bool begin_numbered(const struct sl_kernel_node *node, struct sl_kernel_context *k,
                                                     struct sl_token_call *call, sl_code *code) {
    k->may_take = sl_numerics_keep(k, k->may_take);
    if (!(k->env->meter ? begin_metered : begin_kernel)(node, k, call, code)) return false;
    *code = sl_numerics_settle(k, *code);
    return true;
}

/* False: the kernel goes on by itself. */
static bool run_kernel(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_token_call *call,
                       void (*done)(struct sl_kernel_context *k, sl_code code), sl_code *code, struct sl_error *err) {
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
                                  .done = done};
    struct sl_step_env own;
    if (__builtin_expect(s->watched == 0, 1)) return begin_kernel(node, &k, call, code);
    if (s->env->trace) {
        k.env = node->is_async ? &call->env : &own;
        copy_traced_env(k.env, s, r);
    }
    if (s->env->watch && !r->is_dead) return begin_numbered(node, &k, call, code);
    return (s->env->meter ? begin_metered : begin_kernel)(node, &k, call, code);
}

/* A result within a loop is alive in several iterations, perhaps at the same time: the second is an error. */
static sl_code set_ret(struct sl_token_step *s, uint32_t index, struct sl_value *value, struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    struct sl_value *ret = &s->rets[index];
    bool is_first = ret->kind <= SL_VALUE_DEAD;
    if (is_first) *ret = sl_value_move(value);
    sl_mutex_unlock(&s->mutex);
    return is_first ? SL_OK : sl_fail(err, SL_INTERNAL, "Retval[%u] has already been set.", (unsigned)index);
}

/* A loop goes round, and is asked about it or shall end. */
static __attribute__((noinline)) sl_code heed(const struct sl_token_step *s, const struct sl_ready_node *r,
                                              struct sl_error *err) {
    struct sl_cancellation *c = s->env->cancellation;
    const struct sl_str loop = loop_of(s->program, r->frame->number);
    char text[512];
    snprintf(text, sizeof text, "loop '%.*s' goes round, %" PRIu64 " iteration%s so far; its LoopCond is node '%.*s'",
             SL_STR_ARG(loop), r->iteration->index, r->iteration->index == 1 ? "" : "s",
             SL_STR_ARG(r->node->kernel->name));
    sl_cancellation_answer(c, text);
    if (!sl_cancellation_is_on(c)) return SL_OK;
    sl_ready_node_note_wait(s, r);
    sl_code code = sl_cancellation_status(c, err);
    return code == SL_CANCELLED ? sl_fail(err, SL_CANCELLED, "Loop execution was cancelled.") : code;
}

bool sl_ready_node_run(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_token_call *call,
                       void (*done)(struct sl_kernel_context *k, sl_code code), sl_code *code, struct sl_error *err) {
    const struct sl_token_node *node = r->node;
    struct sl_value *slots = r->iteration->slots, *in = slots + node->in, *out = slots + node->out;
    const struct sl_kernel_node *k = node->kernel;
    if (node->flow != SL_TOKEN_MERGE && (*code = sl_values_deref(in, k->in_types, k->n_in, err)) != SL_OK) return true;
    switch ((enum sl_token_flow)node->flow) {
    case SL_TOKEN_KERNEL: return run_kernel(s, r, call, done, code, err);
    case SL_TOKEN_NOTHING:
    case SL_TOKEN_TRIGGER: break;
    case SL_TOKEN_CONSTANT: *out = sl_value_share(&s->program->constants[node->detail]); break;
    case SL_TOKEN_ARG: *out = sl_value_move(&s->args[node->detail]); break;
    case SL_TOKEN_RET: *code = set_ret(s, node->detail, in, err); break;
    case SL_TOKEN_SWITCH: *code = do_switch(node, slots, err); break;
    case SL_TOKEN_MERGE: do_merge(node, slots); break;
    case SL_TOKEN_COND:
        if (s->env->cancellation && sl_cancellation_has_news(s->env->cancellation) &&
            (*code = heed(s, r, err)) != SL_OK)
            return true;
        *out = sl_value_move(in);
        break;
    case SL_TOKEN_ENTER:
    case SL_TOKEN_EXIT:
    case SL_TOKEN_NEXT: *out = sl_value_move(in); break;
    }
    return true;
}
