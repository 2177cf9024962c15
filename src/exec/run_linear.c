/* The linear engine: runs a program's regions in order on the calling thread, and a fork's strands on others, too, when
 * they are long.
 *
 * Invariants: an output slot is empty (or holds a plain scalar) when its item runs; every slot but the constants is
 * empty when the slab goes back. After a failure the whole slab is cleared, so nothing is tracked for that case. */
#include "exec/step.h"

#include <inttypes.h>
#include <stdio.h>

#include "exec/trace.h"
#include "kernel/cancellation.h"
#include "kernel/metered_node.h"
#include "kernel/numerics.h"
#include "kernel/variable.h"
#include "os/clock.h"
#include "os/float_mode.h"
#include "os/mutex.h"
#include "os/pool.h"

struct run {
    struct sl_program *program;
    struct sl_value *slots;
    struct sl_kernel_context k;
    uintptr_t watched; /* not 0: memory is counted, or numbers are looked at */
};

static inline void release(struct run *r, struct sl_table_range list) {
    const uint32_t *slot = r->program->slot_lists + list.first;
    for (uint32_t i = 0; i < list.n; i++) sl_value_clear(&r->slots[slot[i]]);
}

/* Whether what is guarded lives; FAILED, with the error set, when that is decided by something that is no scalar. */
enum holds { NO, YES, FAILED };

static __attribute__((noinline)) enum holds fail_choice(const struct run *r, const struct sl_value *choice,
                                                        const struct sl_kernel_node *node) {
    sl_fail_choice(choice, r->k.err);
    if (node) sl_error_name_node(r->k.err, node->name);
    return FAILED;
}

/* Most guards are one truth value in its slot. */
static inline enum holds literal_holds(const struct run *r, const struct sl_literal *l) {
    const struct sl_value *v = &r->slots[l->slot];
    if (v->kind == SL_VALUE_SCALAR && l->kind <= SL_LITERAL_FALSE)
        return v->b == (l->kind == SL_LITERAL_TRUE) ? YES : NO;
    if (l->kind == SL_LITERAL_LIVE) return v->kind != SL_VALUE_DEAD ? YES : NO;
    const void *choice = sl_value_scalar(v);
    if (__builtin_expect(!choice, 0)) return fail_choice(r, v, l->node);
    if (l->kind != SL_LITERAL_INDEX) return *(const bool *)choice == (l->kind == SL_LITERAL_TRUE) ? YES : NO;
    int32_t i = *(const int32_t *)choice;
    if (i < 0 || i >= l->n) i = l->n - 1;
    return i == l->index ? YES : NO;
}

static inline enum holds guard_holds(const struct run *r, struct sl_table_range guard) {
    const struct sl_literal *l = r->program->literals + guard.first, *end = l + guard.n;
    for (; l < end; l++) {
        const enum holds lives = literal_holds(r, l);
        if (lives != YES) return lives;
    }
    return YES;
}

static inline void put(struct sl_value *slots, uint32_t to, uint32_t from, bool take) {
    struct sl_value v = take ? sl_value_move(&slots[from]) : sl_value_share(&slots[from]);
    sl_value_clear(&slots[to]);
    slots[to] = v;
}

static sl_code run_merge(struct run *r, const struct sl_item *item) {
    const struct sl_slot_merge *m = &r->program->merges[item->detail];
    struct sl_value *out = &r->slots[item->out];
    for (uint32_t i = 0; i < m->inputs.n; i++) {
        const struct sl_slot_merge_input *in = &r->program->merge_inputs[m->inputs.first + i];
        const enum holds lives = guard_holds(r, in->guard);
        if (lives == NO) continue;
        if (lives == FAILED) return SL_INVALID_ARGUMENT;
        if (in->slot != item->out) put(r->slots, item->out, in->slot, in->may_take);
        if (m->value_index != SL_NO_SLOT)
            r->slots[m->value_index] = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT32, .i32 = (int32_t)i};
        return SL_OK;
    }
    sl_value_clear(out);
    out->kind = SL_VALUE_DEAD;
    if (m->value_index != SL_NO_SLOT) r->slots[m->value_index].kind = SL_VALUE_DEAD;
    return SL_OK;
}

static sl_code run_deref(struct run *r, const struct sl_item *item) {
    struct sl_value *from = &r->slots[item->a];
    if (from->kind != SL_VALUE_REF) {
        put(r->slots, item->out, item->a, false);
        return SL_OK;
    }
    return sl_variable_read(&r->slots[item->out], (struct sl_variable *)from->object, r->k.err);
}

static sl_code run_kernel(struct run *r, const struct sl_item *item) {
    r->k.node = item->node;
    r->k.state = item->node->state;
    r->k.may_take = item->may_take;
    return sl_kernel_status(&r->k, item->node->def->run(&r->k));
}

static sl_code run_loop(struct run *r, const struct sl_loop *loop);
static sl_code run_fork(struct run *r, const struct sl_fork *fork, const struct sl_item *first);

static sl_code run_items(struct run *r, const struct sl_item *item, const struct sl_item *end) {
    struct sl_value *slots = r->slots;
    for (; item < end; item++) {
        sl_code code = SL_OK;
        switch ((enum sl_item_kind)item->kind) {
        case SL_ITEM_SCALAR: {
            const struct sl_value *a = &slots[item->a], *b = &slots[item->b];
            if (__builtin_expect(a->kind == SL_VALUE_SCALAR && b->kind == SL_VALUE_SCALAR, 1)) {
                struct sl_value *out = &slots[item->out];
                item->scalar(out->bits, a->bits, b->bits);
                out->kind = SL_VALUE_SCALAR;
                out->dtype = item->out_dtype;
                continue; /* scalars need no release */
            }
            code = run_kernel(r, item);
            break;
        }
        case SL_ITEM_KERNEL: code = run_kernel(r, item); break;
        case SL_ITEM_MERGE: code = run_merge(r, item); break;
        case SL_ITEM_DEREF: code = run_deref(r, item); break;
        case SL_ITEM_LOOP: code = run_loop(r, &r->program->loops[item->detail]); break;
        case SL_ITEM_FORK: {
            const struct sl_fork *fork = &r->program->forks[item->detail];
            SL_TRY(run_fork(r, fork, item + 1));
            release(r, item->release);
            item += fork->n_items;
            continue;
        }
        }
        if (__builtin_expect(code != SL_OK, 0)) {
            if (item->node) sl_error_name_node(r->k.err, item->node->name);
            return code;
        }
        if (item->release.n) release(r, item->release);
    }
    return SL_OK;
}

static sl_code run_sampled_loop(struct run *r, const struct sl_item *item);

/* A scalar's item has run, and may have made such a number. */
static __attribute__((noinline)) sl_code judge_scalar(struct run *r, const struct sl_item *item) {
    r->k.node = item->node;
    r->k.state = item->node->state;
    const sl_code code = sl_numerics_check(&r->k);
    if (code != SL_OK) sl_error_name_node(r->k.err, item->node->name);
    return code;
}

/* As many of the items as are of scalars, which need no more than a look at the result; `*from` gets the one behind. */
static sl_code run_numbered_scalars(struct run *r, const struct sl_item **from, const struct sl_item *end) {
    struct sl_value *slots = r->slots;
    const struct sl_item *item = *from;
    for (; item < end && item->kind == SL_ITEM_SCALAR; item++) {
        const struct sl_value *a = &slots[item->a], *b = &slots[item->b];
        struct sl_value *out = &slots[item->out];
        if (a->kind != SL_VALUE_SCALAR || b->kind != SL_VALUE_SCALAR) break;
        item->scalar(out->bits, a->bits, b->bits);
        out->kind = SL_VALUE_SCALAR;
        out->dtype = item->out_dtype;
        if (__builtin_expect(!sl_numerics_scalar_is_finite(out), 0)) SL_TRY(judge_scalar(r, item));
    }
    *from = item;
    return SL_OK;
}

/* One item whose numbers are watched: its inputs stay until they have been looked at. */
static sl_code run_numbered(struct run *r, const struct sl_item *item) {
    const bool is_kernel = item->kind == SL_ITEM_KERNEL || item->kind == SL_ITEM_SCALAR;
    if (!r->k.env->watch || !is_kernel) return run_items(r, item, item + 1);
    struct sl_item kept = *item;
    r->k.node = item->node;
    kept.may_take = sl_numerics_keep(&r->k, item->may_take);
    kept.release.n = 0;
    sl_code code = sl_numerics_settle(&r->k, run_items(r, &kept, &kept + 1));
    if (code == SL_OK) release(r, item->release);
    else sl_error_name_node(r->k.err, item->node->name);
    return code;
}

/* One item of a step whose memory has a limit. */
static sl_code run_metered(struct run *r, const struct sl_item *item) {
    const struct sl_kernel_node *node = item->node;
    struct sl_meter *meter = r->k.env->meter;
    if (!meter || !node) return run_numbered(r, item);
    struct sl_metered_node metered;
    sl_metered_node_begin(&metered, meter, node);
    sl_code code = run_numbered(r, item);
    if (item->kind == SL_ITEM_KERNEL || item->kind == SL_ITEM_SCALAR)
        sl_metered_node_settle(meter, node, &r->slots[node->out], code, r->k.err);
    sl_metered_node_end(&metered);
    if (code != SL_OK) sl_error_name_node(r->k.err, node->name);
    return code;
}

static void trace_item(const struct run *r, const struct sl_item *item, int64_t start) {
    const struct sl_kernel_node *node = item->node;
    bool has_outputs = item->kind == SL_ITEM_KERNEL || item->kind == SL_ITEM_SCALAR;
    struct sl_str name = node                         ? node->name
                         : item->kind == SL_ITEM_LOOP ? r->program->loops[item->detail].name
                                                      : SL_STR("");
    const struct sl_trace_subject subject = {.name = name,
                                             .kind = node && node->op ? node->op->name : SL_STR("Loop"),
                                             .device = r->program->device,
                                             .step = r->k.env->step_id,
                                             .weight = r->k.env->trace_weight,
                                             .is_loop = item->kind == SL_ITEM_LOOP};
    if (has_outputs) sl_trace_event(r->k.env->trace, &subject, start, &r->slots[node->out], node->n_out);
    else sl_trace_event(r->k.env->trace, &subject, start, NULL, 0);
}

/* The same with an event for each item, with memory that is counted, or with numbers that are watched. */
static sl_code watch_items(struct run *r, const struct sl_item *item, const struct sl_item *end) {
    const struct sl_trace *trace = r->k.env->trace;
    const bool is_only_numbered = !trace && !r->k.env->meter;
    for (; item < end; item++) {
        if (is_only_numbered) SL_TRY(run_numbered_scalars(r, &item, end));
        if (item == end) break;
        int64_t start = trace ? sl_clock_ns() : 0;
        const bool is_sampled = item->kind == SL_ITEM_LOOP && trace && trace->every;
        SL_TRY(is_sampled ? run_sampled_loop(r, item) : run_metered(r, item));
        if (item->kind == SL_ITEM_FORK)
            item += r->program->forks[item->detail].n_items; /* each was watched by itself */
        else if (trace) trace_item(r, item, start);
    }
    return SL_OK;
}

/* Somebody looks at each item. */
static inline bool is_looked_at(const struct run *r) { return (r->watched | (uintptr_t)r->k.env->trace) != 0; }

static sl_code run_some(struct run *r, const struct sl_item *items, uint32_t n) {
    if (__builtin_expect(is_looked_at(r), 0)) return watch_items(r, items, items + n);
    return run_items(r, items, items + n);
}

static sl_code run_regions(struct run *r, struct sl_table_range regions) {
    const struct sl_region *region = r->program->regions + regions.first, *end = region + regions.n;
    for (; region < end; region++) {
        const enum holds lives = region->guard.n ? guard_holds(r, region->guard) : YES;
        if (lives != YES) {
            if (lives == FAILED) return SL_INVALID_ARGUMENT;
            release(r, region->release);
            continue;
        }
        SL_TRY(run_some(r, r->program->items + region->items.first, region->items.n));
    }
    return SL_OK;
}

/* ---- forks: strands on several threads, in parts of one or some. No part ends because another failed, so that the
 * error is that of the first strand, whoever was first. */
struct forked {
    const struct run *run;
    const struct sl_strand *strands;
    int64_t n, parts;
    struct sl_mutex mutex;
    int64_t failed; /* the first part that did; INT64_MAX: none */
    sl_code code;
};

static void run_part(void *arg, int64_t part) {
    struct forked *f = arg;
    struct sl_error err;
    struct run r = *f->run;
    const struct sl_table_range first = f->strands[part * f->n / f->parts].items,
                                last = f->strands[(part + 1) * f->n / f->parts - 1].items;
    sl_error_clear(&err);
    r.k.err = &err;
    sl_code code = run_some(&r, r.program->items + first.first, last.first + last.n - first.first);
    if (code == SL_OK) return;
    sl_mutex_lock(&f->mutex);
    if (part < f->failed) {
        f->failed = part;
        f->code = code;
        *f->run->k.err = err;
    }
    sl_mutex_unlock(&f->mutex);
}

static double larger_count(double most, const struct sl_value *v) {
    return v->kind == SL_VALUE_TENSOR && (double)v->tensor->count > most ? (double)v->tensor->count : most;
}

/* About how long a strand takes: its heavy items, as if all had inputs as large as the first's, and loops of unknown
 * length took LOOP_NS for each element that goes round. */
static double strand_ns(const struct run *r, const struct sl_strand *strand) {
    enum { LOOP_NS = 100 };
    const struct sl_item *item = &r->program->items[strand->items.first];
    double most = 1;
    if (item->kind == SL_ITEM_LOOP) {
        const struct sl_table_range enters = r->program->loops[item->detail].enters;
        const struct sl_slot_move *move = r->program->moves + enters.first;
        for (uint32_t i = 0; i < enters.n; i++) most = larger_count(most, &r->slots[move[i].from]);
        return strand->n_heavy * most * LOOP_NS;
    }
    const struct sl_kernel_node *n = item->node;
    for (uint32_t i = 0; i < n->n_in; i++) most = larger_count(most, &r->slots[n->in[i]]);
    return strand->n_heavy * ((double)n->def->cost_ns + (double)n->def->cost_element * most);
}

/* Other threads help when what they take over is worth sharing; they are woken when it is worth that, too. */
static const double LEAST_SHARED_NS = 10000, WAKING_NS = 60000;
enum { MOST_PARTS = 256 };

static __attribute__((noinline)) sl_code run_fork(struct run *r, const struct sl_fork *fork,
                                                  const struct sl_item *first) {
    struct sl_pool *pool = r->k.env->pool;
    const struct sl_strand *strands = r->program->strands + fork->strands.first;
    double shared = 0, longest = 0;
    for (uint32_t i = 0; pool && i < fork->strands.n; i++) {
        const double ns = strand_ns(r, &strands[i]);
        shared += ns;
        if (ns > longest) longest = ns;
    }
    shared -= longest;
    if (shared < LEAST_SHARED_NS || sl_pool_threads(pool) < 2) return run_some(r, first, fork->n_items);
    struct forked f = {.run = r, .strands = strands, .n = fork->strands.n, .failed = INT64_MAX, .code = SL_OK};
    f.parts = f.n < MOST_PARTS ? f.n : MOST_PARTS;
    sl_mutex_init(&f.mutex);
    sl_pool_parallel_as(pool, f.parts, run_part, &f, SL_POOL_LONG | (shared < WAKING_NS ? SL_POOL_AWAKE : 0));
    sl_mutex_clear(&f.mutex);
    return f.code;
}

static inline __attribute__((always_inline)) void run_moves(struct run *r, struct sl_table_range moves) {
    const struct sl_slot_move *m = r->program->moves + moves.first;
    for (uint32_t i = 0; i < moves.n; i++) put(r->slots, m[i].to, m[i].from, m[i].take);
}

/* The item that decides whether the loop goes on; NULL: it is no item of the condition. */
static const struct sl_item *find_condition(const struct run *r, const struct sl_loop *loop) {
    const struct sl_program *p = r->program;
    for (uint32_t g = 0; g < loop->condition.n; g++) {
        const struct sl_table_range items = p->regions[loop->condition.first + g].items;
        for (uint32_t i = items.first; i < items.first + items.n; i++)
            if (p->items[i].out == loop->predicate && p->items[i].node && p->items[i].kind <= SL_ITEM_SCALAR)
                return &p->items[i];
    }
    return NULL;
}

static int print_scalar(char *text, size_t size, const struct sl_value *v) {
    switch (v->dtype) {
    case SL_INT32: return snprintf(text, size, "%" PRId32, v->i32);
    case SL_INT64: return snprintf(text, size, "%" PRId64, v->i64);
    case SL_FLOAT: return snprintf(text, size, "%.7g", (double)v->f32);
    case SL_DOUBLE: return snprintf(text, size, "%.15g", v->f64);
    case SL_BOOL: return snprintf(text, size, "%s", v->b ? "true" : "false");
    default: return snprintf(text, size, "a %s", sl_dtype_name(v->dtype));
    }
}

/* "; node 'less' (Less) decides by 3 and 10": what it will read next, where that are scalars. */
static int print_condition(char *text, size_t size, const struct run *r, const struct sl_loop *loop) {
    const struct sl_item *item = find_condition(r, loop);
    if (!item) return 0;
    const struct sl_kernel_node *node = item->node;
    int n = snprintf(text, size, "; node '%.*s' (%.*s) decides", SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
    for (uint32_t i = 0; i < node->n_in && n > 0 && (size_t)n < size; i++) {
        const struct sl_value *v = &r->slots[node->in[i]];
        if (v->kind != SL_VALUE_SCALAR) continue;
        n += snprintf(text + n, size - (size_t)n, i ? " and " : " by ");
        n += print_scalar(text + n, (size_t)n < size ? size - (size_t)n : 0, v);
    }
    return n;
}

/* It is going round, and is asked about it or shall end: `turn` iterations are over. */
static __attribute__((noinline)) sl_code heed(const struct run *r, const struct sl_loop *loop, uint64_t turn) {
    struct sl_cancellation *cancellation = r->k.env->cancellation;
    char text[768], who[256];
    snprintf(who, sizeof who, "loop '%.*s' goes round", SL_STR_ARG(loop->name));
    int n = snprintf(text, sizeof text, "%s, %" PRIu64 " iteration%s so far", who, turn, turn == 1 ? "" : "s");
    print_condition(text + n, sizeof text - (size_t)n, r, loop);
    sl_cancellation_answer(cancellation, text);
    if (!sl_cancellation_is_on(cancellation)) return SL_OK;
    sl_cancellation_note_wait(cancellation, who, text);
    sl_code code = sl_cancellation_status(cancellation, r->k.err);
    return code == SL_CANCELLED ? sl_fail(r->k.err, SL_CANCELLED, "Loop execution was cancelled.") : code;
}

static __attribute__((noinline)) sl_code fail_turn(const struct run *r, const struct sl_loop *loop, uint64_t turn,
                                                   sl_code code) {
    sl_error_name_loop(r->k.err, loop->name, turn);
    return code;
}

/* ---- loops that are machine code */
enum { MOST_KEPT = 64 };

/* Of a loop whose numbers are watched: a turn up to which nothing bad was made, and what it begins with. */
struct kept_turn {
    struct sl_value reads[MOST_KEPT];
    int64_t ends[MOST_KEPT]; /* of stacks */
    int64_t turn;
    unsigned marks; /* those that count, enum SL_FLOAT_MET_... */
};
struct code_run {
    const struct run *run;
    const struct sl_loop_code *code;
    sl_code failed;
    struct kept_turn *kept; /* in run_watched_code alone */
};

static bool heed_code(void *context, uint32_t loop, uint64_t turn) {
    struct code_run *c = context;
    const struct run *r = c->run;
    if (!r->k.env->cancellation || !sl_cancellation_has_news(r->k.env->cancellation)) return true;
    c->failed = heed(r, &r->program->loops[c->code->loops[loop]], turn);
    return c->failed == SL_OK;
}

static void keep_turn(struct code_run *c, int64_t turn) {
    const struct sl_value *slots = c->run->slots;
    for (uint32_t i = 0; i < c->code->n_reads; i++) c->kept->reads[i] = slots[c->code->reads[i].slot];
    for (uint32_t i = 0; i < c->code->n_stacks; i++) c->kept->ends[i] = slots[c->code->stacks[i].end].i64;
    c->kept->turn = turn;
}

static bool has_bad(const struct code_run *c) { return (sl_float_marks() & c->kept->marks) != 0; }

static bool heed_watched_code(void *context, uint32_t loop, uint64_t turn) {
    struct code_run *c = context;
    if (has_bad(c)) return false;
    if (loop == 0) keep_turn(c, (int64_t)turn);
    return heed_code(c, loop, turn);
}

/* Somebody looks at each item; but where nothing is made but numbers, of which the processor tells whether one was bad,
 * there is nothing to see. */
static __attribute__((noinline)) bool code_may_be_watched(const struct run *r, const struct sl_loop_code *code) {
    const struct sl_step_env *env = r->k.env;
    if (env->trace || (env->meter && code->n_stacks)) return false;
    return !env->watch || (code->leaves_marks && code->n_reads <= MOST_KEPT && code->n_stacks <= MOST_KEPT);
}

/* Whether its code can run the loop: all is scalar. */
static bool code_fits(const struct run *r, const struct sl_loop_code *code) {
    if (is_looked_at(r) && !code_may_be_watched(r, code)) return false;
    for (uint32_t i = 0; i < code->n_reads; i++) {
        const struct sl_value *v = &r->slots[code->reads[i].slot];
        if (v->kind != SL_VALUE_SCALAR || v->dtype != code->reads[i].dtype) return false;
    }
    return true;
}

/* Tells the code where its stacks end, and how far it may go: one that grows up to its room, one of which it takes for
 * `most` values. False: one is not what it should be, or somebody else has it, too. */
static bool open_stacks(const struct run *r, const struct sl_loop_code *code, int64_t most) {
    for (uint32_t i = 0; i < code->n_stacks; i++) {
        const struct sl_scalar_stack *s = &code->stacks[i];
        const struct sl_value *list = &r->slots[s->list];
        if (list->kind != SL_VALUE_OBJECT || !list->object || !sl_object_is_sole(list->object)) return false;
        const struct sl_stack_methods *methods = list->object->type->stack;
        struct sl_value *end = NULL;
        if (!methods) return false;
        const int64_t n = s->grows ? methods->room(&end, list->object, s->dtype)
                                   : -methods->scalars(&end, list->object, s->dtype, most);
        r->slots[s->end].i64 = (int64_t)(intptr_t)end;
        r->slots[s->limit].i64 = r->slots[s->end].i64 + n * (int64_t)sizeof *end;
    }
    return true;
}

static void close_stacks(const struct run *r, const struct sl_loop_code *code) {
    for (uint32_t i = 0; i < code->n_stacks; i++) {
        const struct sl_scalar_stack *s = &code->stacks[i];
        struct sl_object *list = r->slots[s->list].object;
        list->type->stack->end_at(list, (const struct sl_value *)(intptr_t)r->slots[s->end].i64);
    }
}

static void return_to_kept(struct run *r, const struct code_run *c) {
    for (uint32_t i = 0; i < c->code->n_reads; i++) r->slots[c->code->reads[i].slot] = c->kept->reads[i];
    for (uint32_t i = 0; i < c->code->n_stacks; i++) r->slots[c->code->stacks[i].end].i64 = c->kept->ends[i];
    r->slots[c->code->turns].i64 = c->kept->turn;
}

/* As `jit.run`; when something bad was made, the interpreter has to find it from the kept turn on. */
static __attribute__((noinline)) int run_watched_code(struct run *r, struct code_run *c) {
    const uintptr_t watch = r->k.env->watch;
    struct kept_turn kept;
    /* Of an infinity that a function made, the mark is that of a NaN (SL_JIT_LOOK). */
    kept.marks = SL_FLOAT_MET_NAN | (watch & SL_WATCHES_INFINITY ? SL_FLOAT_MET_INFINITY : 0);
    c->kept = &kept;
    keep_turn(c, r->slots[c->code->turns].i64);
    sl_float_marks_clear();
    int end = c->code->jit.run(r->slots, c, heed_watched_code);
    if (c->failed == SL_OK && has_bad(c)) {
        return_to_kept(r, c);
        end = SL_LOOP_CODE_GAVE_UP;
    }
    return end;
}

/* Runs turns until the condition is false, which it tells in `*is_done`, or up to the `*turn` that it leaves to the
 * interpreter. */
static __attribute__((noinline)) sl_code run_code(struct run *r, const struct sl_loop_code *code, bool *is_done,
                                                  uint64_t *turn) {
    enum { FIRST_VALUES = 32, MOST_VALUES = 1 << 20 }; /* of a stack that are looked at */
    struct code_run c = {.run = r, .code = code, .failed = SL_OK};
    struct sl_value *turns = &r->slots[code->turns];
    turns->i64 = 0;
    for (uint32_t i = 0; i < code->n_writes; i++) {
        r->slots[code->writes[i].slot].kind = SL_VALUE_SCALAR;
        r->slots[code->writes[i].slot].dtype = code->writes[i].dtype;
    }
    for (int64_t most = FIRST_VALUES; open_stacks(r, code, most); most *= most < MOST_VALUES ? 4 : 1) {
        const int64_t before = turns->i64;
        const int end = __builtin_expect(r->k.env->watch != 0, 0) ? run_watched_code(r, &c)
                                                                  : code->jit.run(r->slots, &c, heed_code);
        close_stacks(r, code);
        if (end == SL_JIT_STOPPED) return c.failed;
        *is_done = end == SL_LOOP_CODE_DONE;
        *turn = (uint64_t)turns->i64;
        if (end != SL_LOOP_CODE_AGAIN || turns->i64 == before) break;
    }
    return SL_OK;
}

static sl_code end_loop(struct run *r, const struct sl_loop *loop) {
    SL_TRY(run_regions(r, loop->tail));
    run_moves(r, loop->exits);
    release(r, loop->release);
    return SL_OK;
}

/* `sampled`, unless NULL, is r->k.env, and says of each turn whether it is traced; `outer` is the env of the loop. */
static inline __attribute__((always_inline)) sl_code run_turns(struct run *r, const struct sl_loop *loop,
                                                               struct sl_step_env *sampled,
                                                               const struct sl_step_env *outer) {
    run_moves(r, loop->enters);
    struct sl_cancellation *cancellation = r->k.env->cancellation;
    uint64_t turn = 0;
    if (loop->code && code_fits(r, loop->code)) {
        bool is_done = false;
        SL_TRY(run_code(r, loop->code, &is_done, &turn));
        if (is_done) return end_loop(r, loop);
    }
    for (;; turn++) {
        if (sampled) sl_trace_take_turn(sampled, outer, turn);
        if (cancellation && __builtin_expect(sl_cancellation_has_news(cancellation), 0)) SL_TRY(heed(r, loop, turn));
        const sl_code asked = run_regions(r, loop->condition);
        if (__builtin_expect(asked != SL_OK, 0)) return fail_turn(r, loop, turn, asked);
        const struct sl_value *predicate = &r->slots[loop->predicate];
        if (predicate->kind != SL_VALUE_SCALAR && !sl_value_scalar(predicate)) {
            fail_choice(r, predicate, loop->node);
            return fail_turn(r, loop, turn, SL_INVALID_ARGUMENT);
        }
        if (!*(const bool *)sl_value_on_host(predicate).data) break;
        const sl_code code = run_regions(r, loop->body);
        if (__builtin_expect(code != SL_OK, 0)) return fail_turn(r, loop, turn, code);
        run_moves(r, loop->nexts);
        if (loop->back.n) release(r, loop->back);
    }
    return end_loop(r, loop);
}

static sl_code run_loop(struct run *r, const struct sl_loop *loop) { return run_turns(r, loop, NULL, NULL); }

/* For traces that have some of the turns. */
static sl_code run_sampled_loop(struct run *r, const struct sl_item *item) {
    struct sl_step_env *outer = r->k.env, sampled = *outer;
    r->k.env = &sampled;
    sl_code code = run_turns(r, &r->program->loops[item->detail], &sampled, outer);
    r->k.env = outer;
    if (code == SL_OK) release(r, item->release);
    else if (item->node) sl_error_name_node(r->k.err, item->node->name);
    return code;
}

static void take_args(struct run *r, struct sl_value *args) {
    for (int i = 0; i < r->program->n_args; i++) {
        uint32_t slot = r->program->args[i].slot;
        if (slot == SL_NO_SLOT) sl_value_clear(&args[i]);
        else r->slots[slot] = sl_value_move(&args[i]);
    }
}

static sl_code give_rets(struct run *r, struct sl_value *rets) {
    for (int i = 0; i < r->program->n_rets; i++) {
        const struct sl_program_ret *ret = &r->program->rets[i];
        struct sl_value *v = &r->slots[ret->slot];
        const enum holds lives = guard_holds(r, ret->guard);
        if (lives == FAILED) return SL_INVALID_ARGUMENT;
        if (lives == NO || v->kind == SL_VALUE_DEAD) {
            rets[i].kind = SL_VALUE_DEAD;
            continue;
        }
        if (v->kind == SL_VALUE_REF && !(r->program->ret_types[i] > SL_REF_OFFSET)) {
            SL_TRY(sl_variable_read(&rets[i], (struct sl_variable *)v->object, r->k.err));
        } else {
            rets[i] = ret->take ? sl_value_move(v) : sl_value_share(v);
        }
    }
    release(r, r->program->finals);
    return SL_OK;
}

sl_code sl_linear_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err) {
    struct sl_error own;
    struct sl_slab *slab = sl_program_take_slab(program);
    for (int i = 0; i < program->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
    if (!slab) {
        for (int i = 0; i < program->n_args; i++) sl_value_clear(&args[i]);
        return sl_fail_memory(err, program->n_slots * sizeof(struct sl_value));
    }
    struct run r = {.program = program, .slots = slab->slots, .watched = (uintptr_t)env->meter | env->watch};
    r.k = (struct sl_kernel_context){.slots = slab->slots, .env = env, .err = err ? err : &own};
    take_args(&r, args);
    sl_code code = run_regions(&r, program->root);
    if (code == SL_OK) code = give_rets(&r, rets);
    if (code != SL_OK) {
        for (int i = 0; i < program->n_rets; i++) sl_value_clear(&rets[i]);
        for (uint32_t s = program->n_constants; s < program->n_slots; s++) sl_value_clear(&slab->slots[s]);
    }
    sl_program_give_slab(program, slab);
    return code;
}
