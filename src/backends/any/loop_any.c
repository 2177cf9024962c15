/* While and For: loops whose condition and body are functions.
 *
 * One machine for both and for both ways of calling: `advance` goes on as long as calls are done at once, and is
 * entered again by the last call's end when one was not. Nothing is allocated in an iteration: variables are moved
 * into the body, its results are moved back; the condition is given a share of each.
 *
 *     values: [ body arguments: (index) variables ... | body results ... | condition arguments ... | its result ] */
#include "backends/any/callees.h"

#include "base/alloc.h"
#include "device/transfer.h"
#include "kernel/cancellation.h"
#include "kernel/numerics.h"

enum { SMALL_LOOP = 12 }; /* up to so many variables stay on the stack */

enum phase { TEST, TESTED, NEXT };

struct loop {
    struct sl_kernel_context *k;
    struct sl_function *condition; /* NULL: a For */
    struct sl_function *body;
    int64_t index, limit, delta; /* For */
    uint64_t turns;              /* iterations that are over */
    int n;                       /* variables */
    uint8_t phase;
    bool may_wait;   /* calls go through call_async */
    atomic_int turn; /* 1: the call's end, or its caller, has passed; whoever comes second goes on */
    sl_code code;    /* of the last call */
    struct sl_value *variables, *results, *shared, *answer;
    struct sl_value values[];
};
enum { LOOP_VALUES = 2 }; /* besides three for each variable */

/* ---- set-up */

sl_code sl_while_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_callees *c = sl_callees_new(2, setup->functions, setup->err);
    if (!c) return SL_RESOURCE_EXHAUSTED;
    const struct sl_pb_NameAttrList *condition;
    struct sl_callee_types types = {setup->in_types, setup->out_types, setup->n_in, setup->n_out};
    sl_code code = sl_callee_bind(c, 1, setup, "body", types);
    if (code == SL_OK) code = sl_attr_func(&condition, setup->attrs, "cond", setup->err);
    if (code == SL_OK) code = sl_callee_find(c, 0, setup, condition);
    if (code == SL_OK) { /* its result may be of any type */
        int n_args, n_rets;
        const uint8_t *args, *rets;
        setup->functions->signature(c->functions[0], &n_args, &args, &n_rets, &rets);
        types.n_rets = 1;
        types.rets = rets;
        code = n_rets == 1 ? sl_callee_check(c->functions[0], setup->functions, types, setup->err)
                           : sl_fail(setup->err, SL_INVALID_ARGUMENT,
                                     "Expected a single scalar return value from %.*s but got %d tensors",
                                     SL_STR_ARG(condition->name), n_rets);
    }
    code = sl_callees_keep_error(c, setup, code == SL_INTERNAL ? SL_INVALID_ARGUMENT : code);
    if (code == SL_OK) *state = c;
    else sl_callees_free(c);
    return code;
}

sl_code sl_for_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_callees *c = sl_callees_new(1, setup->functions, setup->err);
    if (!c) return SL_RESOURCE_EXHAUSTED;
    /* The body takes the index, of the type of `delta`, and the variables, which follow it. */
    struct sl_callee_types types = {setup->in_types + 2, setup->out_types, setup->n_in - 2, setup->n_out};
    sl_code code = sl_callee_bind(c, 0, setup, "body", types);
    code = sl_callees_keep_error(c, setup, code == SL_INTERNAL ? SL_INVALID_ARGUMENT : code);
    if (code == SL_OK) *state = c;
    else sl_callees_free(c);
    return code;
}

/* ---- one call */

static void call_is_done(void *arg, sl_code code);

/* True when the call is over; false when its end will go on with the loop, which must then be left alone. */
static bool call(struct loop *l, struct sl_function *f, struct sl_value *args, struct sl_value *rets) {
    struct sl_kernel_context *k = l->k;
    if (!l->may_wait) {
        l->code = k->env->functions->call(f, k->env, args, rets, k->err);
        return true;
    }
    atomic_store_explicit(&l->turn, 0, memory_order_relaxed);
    k->env->functions->call_async(f, k->env, args, rets, k->err, call_is_done, l);
    return atomic_exchange(&l->turn, 1) == 1;
}

/* ---- the machine */

/* Whether there is another iteration, in `*more`; false when that is not known yet. */
static bool test(bool *more, struct loop *l) {
    if (!l->condition) {
        *more = l->delta > 0 ? l->index < l->limit : l->index > l->limit;
        return true;
    }
    if (l->phase == TEST) {
        l->phase = TESTED;
        for (int i = 0; i < l->n; i++) l->shared[i] = sl_value_share(&l->variables[i]);
        if (!call(l, l->condition, l->shared, l->answer)) return false;
    }
    if (l->code != SL_OK) return true;
    l->code = sl_value_settle(l->answer, NULL, l->k->env->step_id, l->k->err);
    if (l->code == SL_OK) l->code = sl_value_is_true(more, l->answer, l->k->err);
    sl_value_clear(l->answer);
    return true;
}

/* Starts the body on the variables. */
static bool run_body(struct loop *l) {
    l->phase = NEXT;
    if (l->condition) return call(l, l->body, l->variables, l->results);
    l->variables[-1] = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT32, .i32 = (int32_t)l->index};
    l->index += l->delta;
    return call(l, l->body, l->variables - 1, l->results);
}

/* Runs until the loop is over (true; l->code says how) or waits for a call (false). */
static bool advance(struct loop *l) {
    for (;;) {
        if (l->phase == NEXT) {
            if (l->code != SL_OK) return true;
            for (int i = 0; i < l->n; i++) l->variables[i] = sl_value_move(&l->results[i]);
            l->phase = TEST;
            l->turns++;
        }
        if (l->phase == TEST && sl_kernel_is_cancelled(l->k)) {
            l->code = sl_cancellation_status(l->k->env->cancellation, l->k->err);
            return true;
        }
        bool more = false;
        if (!test(&more, l)) return false;
        if (l->code != SL_OK || !more) return true;
        if (!run_body(l)) return false;
    }
}

/* Gives the variables out, or drops everything. */
static sl_code finish(struct loop *l) {
    struct sl_kernel_context *k = l->k;
    if (l->code != SL_OK) sl_error_name_loop(k->err, k->node->name, l->turns);
    for (int i = 0; i < l->n; i++) {
        if (l->code == SL_OK) *sl_out_value(k, i) = sl_value_move(&l->variables[i]);
        sl_value_clear(&l->variables[i]);
        sl_value_clear(&l->results[i]);
        sl_value_clear(&l->shared[i]);
    }
    sl_value_clear(l->answer);
    return l->code;
}

static void finish_later(struct loop *l) {
    struct sl_kernel_context *k = l->k;
    sl_code code = finish(l);
    sl_free(l);
    sl_kernel_done(k, code);
}

static void call_is_done(void *arg, sl_code code) {
    struct loop *l = arg;
    l->code = code;
    if (atomic_exchange(&l->turn, 1) == 1 && advance(l)) finish_later(l);
}

/* ---- beginning */

static sl_code read_bound(int64_t *out, struct sl_kernel_context *k, int i, const char *name) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 0) return sl_invalid(k, "%s must be a scalar, but %s", name, sl_shape_text(text, sl_view_shape(v)));
    *out = *(const int32_t *)v.data;
    return SL_OK;
}

static sl_code read_bounds(struct loop *l) {
    struct sl_kernel_context *k = l->k;
    SL_TRY(read_bound(&l->index, k, 0, "start"));
    SL_TRY(read_bound(&l->limit, k, 1, "limit"));
    SL_TRY(read_bound(&l->delta, k, 2, "delta"));
    if (l->delta > 0 ? l->index <= l->limit : l->delta < 0 ? l->index >= l->limit : l->index == l->limit) return SL_OK;
    return sl_invalid(k, "Invalid start/limit/delta: %d %d %d", (int)l->index, (int)l->limit, (int)l->delta);
}

/* Readies `l`, which has room for its values. On failure it holds nothing. */
static sl_code begin(struct loop *l, struct sl_kernel_context *k, bool is_for, bool may_wait) {
    const struct sl_callees *c = k->state;
    SL_TRY(sl_callees_status(c, k->err));
    int first = is_for ? 3 : 0, n = sl_in_count(k) - first;
    l->k = k;
    l->n = n;
    l->may_wait = may_wait;
    l->phase = TEST;
    l->turns = 0;
    l->code = SL_OK;
    l->condition = is_for ? NULL : c->functions[0];
    l->body = c->functions[is_for ? 0 : 1];
    l->variables = l->values + 1;
    l->results = l->variables + n;
    l->shared = l->results + n;
    l->answer = l->shared + n;
    if (is_for) SL_TRY(read_bounds(l));
    for (int i = 0; i < 3 * n + LOOP_VALUES; i++) l->values[i].kind = SL_VALUE_NONE;
    for (int i = 0; i < n; i++) {
        struct sl_value *v = sl_in_value(k, first + i);
        bool take = first + i < 64 && (k->may_take >> (first + i) & 1);
        l->variables[i] = take ? sl_value_move(v) : sl_value_share(v);
    }
    return SL_OK;
}

static size_t loop_bytes(int n) {
    return sizeof(struct loop) + (3 * (size_t)n + LOOP_VALUES) * sizeof(struct sl_value);
}

static sl_code run(struct sl_kernel_context *k, bool is_for) {
    union {
        struct loop loop;
        char room[sizeof(struct loop) + (3 * SMALL_LOOP + LOOP_VALUES) * sizeof(struct sl_value)];
    } small;
    int n = sl_in_count(k);
    struct loop *l = n <= SMALL_LOOP ? &small.loop : sl_malloc(loop_bytes(n));
    if (!l) return sl_fail_memory(k->err, loop_bytes(n));
    sl_code code = begin(l, k, is_for, false);
    if (code == SL_OK) {
        advance(l);
        code = finish(l);
    }
    if (l != &small.loop) sl_free(l);
    return code;
}

static void start(struct sl_kernel_context *k, bool is_for) {
    struct loop *l = sl_malloc(loop_bytes(sl_in_count(k)));
    sl_code code = l ? begin(l, k, is_for, true) : sl_fail_memory(k->err, loop_bytes(sl_in_count(k)));
    if (code != SL_OK) {
        sl_free(l);
        sl_kernel_done(k, code);
    } else if (advance(l)) {
        finish_later(l);
    }
}

sl_code sl_while_run(struct sl_kernel_context *k) { return run(k, false); }
sl_code sl_for_run(struct sl_kernel_context *k) { return run(k, true); }
void sl_while_start(struct sl_kernel_context *k) { start(k, false); }
void sl_for_start(struct sl_kernel_context *k) { start(k, true); }
