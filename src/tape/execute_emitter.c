/* Emission by execution: the op's kernel instance runs on the inputs' values, and the outputs are what comes of it. */
#include "tape/execute_emitter.h"

#include "base/alloc.h"
#include "device/transfer.h"
#include "grad/rules.h"
#include "kernel/numerics.h"
#include "tape/call_cache.h"
#include "tape/emission_cache.h"
#include "tape/execute_batch.h"
#include "tape/execute_call.h"
#include "tape/recording.h"

/* ---- the environment */
sl_code sl_execute_env_init(struct sl_execute_env *env, struct sl_error *err) {
    sl_arena_init(&env->own_arena);
    env->own_last_id = env->own_end_id = env->own_gradients = 0;
    memset(env->own_calls, 0, sizeof env->own_calls);
    env->own_next_call = 0;
    env->own_emitted = NULL;
    env->own_n_rooms = 0;
    env->own_spare = NULL;
    env->own_free = NULL;
    env->own_n_free = 0;
    memset(env->own_held, 0, sizeof env->own_held);
    return sl_rules_index(&env->own_rules, &env->own_arena, err);
}

static void free_room(struct sl_emitter_room *room);
static void free_outcomes(struct sl_execute_env *env);

void sl_execute_env_clear(struct sl_execute_env *env) {
    sl_call_cache_clear(env);
    sl_emission_cache_clear(env);
    while (env->own_n_rooms) free_room(&env->own_rooms[--env->own_n_rooms]);
    sl_recording_free_spare(env);
    free_outcomes(env);
    for (int i = 0; i < SL_HELD_INSTANCES; i++) sl_kernel_instance_unref(env->own_held[i]);
    sl_arena_clear(&env->own_arena);
}

/* Numbers are the process's; an environment takes many at once. */
uint64_t sl_execute_next_id(struct sl_execute_env *env) {
    enum { AT_ONCE = 4096 };
    static atomic_ullong taken;
    if (env->own_last_id == env->own_end_id) {
        env->own_last_id = atomic_fetch_add_explicit(&taken, AT_ONCE, memory_order_relaxed);
        env->own_end_id = env->own_last_id + AT_ONCE;
    }
    return ++env->own_last_id;
}

struct sl_traced sl_execute_number(struct sl_execute_env *env, struct sl_value value) {
    return (struct sl_traced){value, sl_execute_next_id(env)};
}

/* ---- outcomes */
void sl_outcome_free(struct sl_outcome *o) {
    struct sl_execute_env *env = o->env;
    for (int i = 0; i < o->n; i++) sl_value_clear(&o->outputs[i].value);
    if (o->owns_instance) sl_kernel_instance_unref(o->instance);
    if (o->n > SL_FEW_OUTPUTS || env->own_n_free == SL_KEPT_OUTCOMES) {
        sl_free(o);
        return;
    }
    o->next = env->own_free;
    env->own_free = o;
    env->own_n_free++;
}

static void free_outcomes(struct sl_execute_env *env) {
    for (struct sl_outcome *o = env->own_free, *next; o; o = next) {
        next = o->next;
        sl_free(o);
    }
    env->own_free = NULL;
    env->own_n_free = 0;
}

static void outcome_unref(struct sl_outcome *o) {
    if (--o->refs == 0) sl_outcome_free(o);
}

static struct sl_outcome *take_outcome(struct sl_execute_env *env, int n) {
    struct sl_outcome *o = env->own_free;
    const size_t room = (size_t)(n > SL_FEW_OUTPUTS ? n : SL_FEW_OUTPUTS);
    if (n > SL_FEW_OUTPUTS || !o) return sl_malloc(sizeof *o + room * sizeof *o->outputs);
    env->own_free = o->next;
    env->own_n_free--;
    return o;
}

/* With outputs NONE; in the list. */
static sl_code new_outcome(struct sl_outcome **out, struct sl_execute_emitter *e, int n, struct sl_error *err) {
    struct sl_outcome *o = take_outcome(e->env, n);
    if (!o || (e->room.made.n == e->room.made.cap && sl_vec_reserve(&e->room.made, 1))) {
        sl_free(o);
        return sl_fail_memory(err, (size_t)n * sizeof *o->outputs);
    }
    e->room.made.items[e->room.made.n++] = o;
    o->refs = 1;
    o->env = e->env;
    o->instance = NULL;
    o->owns_instance = false;
    o->attrs = NULL;
    o->inputs = NULL;
    o->shapes = NULL;
    o->is_batch = false;
    o->n = n;
    for (int i = 0; i < n; i++) o->outputs[i] = (struct sl_traced){{.kind = SL_VALUE_NONE}, 0};
    *out = o;
    return SL_OK;
}

sl_code sl_term_hand_over(struct sl_execute_emitter *e, struct sl_term t, struct sl_error *err) {
    if (!sl_term_is(t) || sl_vec_push(&e->room.made, t.of) == 0) return SL_OK;
    sl_term_drop(t);
    return sl_fail_memory(err, sizeof t);
}

void sl_execute_emitter_release(struct sl_execute_emitter *e) {
    while (e->room.made.n) outcome_unref(e->room.made.items[--e->room.made.n]);
    sl_arena_reset(&e->room.scratch);
}

sl_code sl_execute_bring(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_traced *values,
                         const struct sl_shape *shapes, int n, struct sl_error *err) {
    struct sl_outcome *o;
    SL_TRY(new_outcome(&o, e, n, err));
    o->shapes = shapes;
    for (int i = 0; i < n; i++) o->outputs[i] = (struct sl_traced){sl_value_share(&values[i].value), values[i].id};
    *out = (struct sl_term){o, 0};
    return SL_OK;
}

/* ---- where: NULL on the host */
static struct sl_device *device_of(const struct sl_value *v) {
    const struct sl_memory *memory = sl_value_memory(v);
    return memory ? sl_memory_device(memory) : NULL;
}

static struct sl_device *choose_device(const struct sl_execute_env *env, const struct sl_op *op,
                                       const struct sl_attrs *bound, const struct sl_term *inputs, int n) {
    struct sl_device *device = NULL;
    for (int i = 0; i < n && env->steps_there && !device; i++) device = device_of(&sl_term_value(inputs[i])->value);
    if (!device) return NULL;
    struct sl_kernel_table *kernels = sl_kernel_cache_table(env->kernels);
    return sl_kernel_row(kernels, op->name, device->type->name, bound) ? device : NULL;
}

/* ---- running */
static sl_code prepare(struct sl_kernel_instance **out, struct sl_execute_emitter *e, const struct sl_op *op,
                       const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err) {
    struct sl_execute_env *env = e->env;
    struct sl_device *device = choose_device(env, op, bound, inputs, n);
    const struct sl_kernel_request request = {.op = op,
                                              .attrs = bound,
                                              .device = device ? device->name : env->step->device,
                                              .device_type = device ? device->type->name : env->device_type,
                                              .memory_device = device,
                                              .functions = env->step->functions,
                                              .def = op->index == SL_OP_NO_ROW ? env->call_by_name : NULL};
    if (sl_flow_kind_of(op) != SL_FLOW_NONE)
        return sl_fail(err, SL_UNIMPLEMENTED,
                       "Op %.*s moves the tokens of a graph: it cannot be run by itself, only within a function",
                       SL_STR_ARG(op->name));
    return sl_kernel_prepare(out, env->kernels, &request, err);
}

/* With devices that have memory of their own: inputs go where the kernel reads them. */
static sl_code run_settled(const struct sl_outcome *o, struct sl_execute_env *env, struct sl_value *slots, int n,
                           struct sl_error *err) {
    const struct sl_kernel_node *node = &o->instance->node;
    const struct sl_device *device = node->device;
    struct sl_step_env step = device ? env->steps_there[device - env->step->devices->items] : *env->step;
    step.cancellation = env->step->cancellation;
    for (int i = 0; i < n; i++)
        SL_TRY(sl_value_settle(&slots[i], device && !node->on_host[i] ? device->memory : NULL, step.step_id, err));
    return sl_kernel_instance_run(o->instance, &step, slots, 0, err);
}

/* What has come of an op whose numbers are watched. */
static __attribute__((noinline)) sl_code settle_numbers(struct sl_outcome *o, struct sl_step_env *step,
                                                        struct sl_value *slots, sl_code code, struct sl_error *err) {
    struct sl_kernel_context k = {.node = &o->instance->node, .slots = slots, .env = step, .err = err};
    const sl_code settled = sl_numerics_settle(&k, code);
    for (uint32_t i = 0; i < k.node->n_out && code == SL_OK && settled != SL_OK; i++)
        sl_value_clear(&slots[k.node->out + i]);
    return settled;
}

/* Runs on a row of slots: inputs, then outputs. */
static sl_code run(struct sl_outcome *o, struct sl_execute_emitter *e, const struct sl_term *inputs, int n,
                   struct sl_error *err) {
    enum { FEW = 16 };
    struct sl_value few[FEW], *slots = few;
    const int n_slots = n + o->n;
    if (n_slots > FEW) slots = sl_malloc((size_t)n_slots * sizeof *slots);
    if (!slots) return sl_fail_memory(err, (size_t)n_slots * sizeof *slots);
    sl_code code = SL_OK;
    for (int i = 0; i < n; i++) {
        slots[i] = sl_value_share(&sl_term_value(inputs[i])->value);
        if (slots[i].kind == SL_VALUE_NONE)
            code =
                sl_fail(err, SL_INTERNAL, "Op %.*s reads a value that is not kept: what its reader's row says is wrong",
                        SL_STR_ARG(o->instance->node.op->name));
    }
    for (int i = 0; i < o->n; i++) slots[n + i].kind = SL_VALUE_NONE;
    if (code == SL_OK)
        code = e->env->steps_there ? run_settled(o, e->env, slots, n, err)
                                   : sl_kernel_instance_run(o->instance, e->env->step, slots, 0, err);
    if (__builtin_expect(e->env->step->watch != 0, 0)) code = settle_numbers(o, e->env->step, slots, code, err);
    for (int i = 0; i < n; i++) sl_value_clear(&slots[i]);
    for (int i = 0; i < o->n && code == SL_OK; i++) o->outputs[i] = sl_execute_number(e->env, slots[n + i]);
    if (slots != few) sl_free(slots);
    return code;
}

/* `owns`: takes over a reference to the instance, also on failure. */
static sl_code run_instance(struct sl_outcome **out, struct sl_execute_emitter *e, struct sl_kernel_instance *instance,
                            bool owns, const struct sl_attrs *bound, const struct sl_term *inputs, int n,
                            struct sl_error *err) {
    struct sl_outcome *o;
    sl_code code = (int)instance->node.n_in == n
                       ? new_outcome(&o, e, (int)instance->node.n_out, err)
                       : sl_fail(err, SL_INVALID_ARGUMENT, "Op %.*s takes %d inputs, not %d",
                                 SL_STR_ARG(instance->node.name), (int)instance->node.n_in, n);
    if (code != SL_OK) {
        if (owns) sl_kernel_instance_unref(instance);
        return code;
    }
    o->instance = instance;
    o->owns_instance = owns;
    o->attrs = bound;
    o->inputs = inputs;
    if (n && sl_kernel_run_scalar(&o->outputs[0].value, &instance->node, &sl_term_value(inputs[0])->value,
                                  &sl_term_value(inputs[n - 1])->value))
        o->outputs[0].id = sl_execute_next_id(e->env);
    else code = run(o, e, inputs, n, err);
    if (code == SL_OK) *out = o;
    else outcome_unref(e->room.made.items[--e->room.made.n]);
    return code;
}

sl_code sl_execute_silently(struct sl_outcome **out, struct sl_execute_emitter *e, const struct sl_op *op,
                            const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err) {
    struct sl_kernel_instance *instance;
    SL_TRY(prepare(&instance, e, op, bound, inputs, n, err));
    return run_instance(out, e, instance, true, bound, inputs, n, err);
}

/* ---- recording */
static sl_code record(struct sl_execute_emitter *e, const struct sl_outcome *o, const struct sl_term *inputs, int n,
                      struct sl_error *err) {
    const struct sl_traced **values = SL_ARENA_ARRAY(&e->room.scratch, const struct sl_traced *, (size_t)n + 1);
    if (!values) return sl_fail_memory(err, (size_t)n * sizeof *values);
    for (int i = 0; i < n; i++) values[i] = sl_term_value(inputs[i]);
    const struct sl_ran ran = {.op = o->instance->node.op,
                               .instance = o->instance,
                               .attrs = o->attrs,
                               .inputs = values,
                               .outputs = o->outputs,
                               .n_inputs = n,
                               .n_outputs = o->n};
    for (int t = 0; t < e->n_tapes; t++) SL_TRY(sl_recording_add(e->tapes[t], &ran, err));
    return SL_OK;
}

static bool any_batch(const struct sl_execute_emitter *e, const struct sl_term *inputs, int n) {
    for (int i = 0; i < n && e->batch; i++)
        if (sl_term_is_batch(inputs[i])) return true;
    return false;
}

/* Whether the op's gradient is made as a graph. */
static bool is_call(const struct sl_execute_emitter *e, const struct sl_op *op) {
    return sl_op_calls_functions(op) || sl_execute_has_callers_rule(e->env->find_rule, op);
}

sl_code sl_execute(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_op *op,
                   const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err) {
    struct sl_outcome *o;
    if (any_batch(e, inputs, n)) return sl_execute_batch(out, e, op, bound, inputs, n, err);
    if (e->n_tapes && is_call(e, op)) return sl_execute_call(out, e, op, bound, inputs, n, err);
    SL_TRY(sl_execute_silently(&o, e, op, bound, inputs, n, err));
    *out = (struct sl_term){o, 0};
    return e->n_tapes ? record(e, o, inputs, n, err) : SL_OK;
}

/* ---- the emitter */
/* By what an emission is known again: types, and where values lie. False: in more places than can be told apart. */
static bool read_types(uint8_t *types, const struct sl_execute_emitter *e, const struct sl_term *inputs, int n) {
    enum { PLACES = 8, TYPES = 32 };
    for (int i = 0; i < n && i < SL_EMITTED_INPUTS; i++) {
        const struct sl_value *v = &sl_term_value(inputs[i])->value;
        types[i] = v->dtype;
        const struct sl_device *device = e->env->steps_there ? device_of(v) : NULL;
        if (!device) continue;
        const ptrdiff_t place = device - e->env->step->devices->items;
        if (place >= PLACES || v->dtype >= TYPES) return false;
        types[i] = (uint8_t)(v->dtype + TYPES * place);
    }
    return true;
}

/* `types`: NULL when the emission is not to be kept. */
static sl_code look_up(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_emission *what,
                       const uint8_t *types, const struct sl_term *inputs, struct sl_error *err) {
    const struct sl_op *op;
    struct sl_attrs found, *bound = SL_ARENA_NEW(&e->room.scratch, struct sl_attrs);
    if (!bound) return sl_fail_memory(err, sizeof *bound);
    SL_TRY(e->env->library ? sl_graph_find_op(&op, e->env->library, what->op, err)
                           : sl_op_find(&op, e->env->ops, what->op, err));
    SL_TRY(sl_emit_attrs(&found, &e->room.scratch, op, what, &e->base, what->op, err));
    SL_TRY(sl_attrs_bind(bound, &e->room.scratch, op, &found, what->op, err));
    SL_TRY(sl_execute(out, e, op, bound, inputs, what->n_inputs, err));
    if (types && !is_call(e, op) && !sl_term_is_batch(*out))
        sl_emission_cache_add(e->env, what, types, ((struct sl_outcome *)out->of)->instance);
    return SL_OK;
}

static sl_code add(struct sl_term *out, struct sl_emitter *self, const struct sl_emission *what, struct sl_error *err) {
    struct sl_execute_emitter *e = (struct sl_execute_emitter *)self;
    struct sl_term *inputs = sl_arena_alloc(&e->room.scratch, (size_t)what->n_inputs * sizeof *inputs);
    uint8_t few[SL_EMITTED_INPUTS];
    if (!inputs) return sl_fail_memory(err, (size_t)what->n_inputs * sizeof *inputs);
    if (what->n_inputs) memcpy(inputs, what->inputs, (size_t)what->n_inputs * sizeof *inputs);
    const bool is_known = read_types(few, e, inputs, what->n_inputs);
    struct sl_kernel_instance *known =
        !is_known || any_batch(e, inputs, what->n_inputs) ? NULL : sl_emission_cache_find(e->env, what, few);
    if (!known) return look_up(out, e, what, is_known ? few : NULL, inputs, err);
    struct sl_outcome *o;
    const bool owns = !sl_execute_holds(e->env, known);
    if (owns) sl_kernel_instance_ref(known);
    SL_TRY(run_instance(&o, e, known, owns, known->request.attrs, inputs, what->n_inputs, err));
    *out = (struct sl_term){o, 0};
    return e->n_tapes ? record(e, o, inputs, what->n_inputs, err) : SL_OK;
}

static sl_code literal(struct sl_term *out, struct sl_emitter *self, struct sl_tensor *t, struct sl_error *err) {
    struct sl_execute_emitter *e = (struct sl_execute_emitter *)self;
    struct sl_outcome *o;
    SL_TRY(new_outcome(&o, e, 1, err));
    o->outputs[0] = sl_execute_number(e->env, sl_value_of_tensor(sl_tensor_ref(t)));
    *out = (struct sl_term){o, 0};
    return SL_OK;
}

static int dtype_of(struct sl_emitter *self, struct sl_term t) {
    (void)self;
    return sl_term_value(t)->value.dtype;
}

static bool has_elements(const struct sl_value *v) {
    return v->kind == SL_VALUE_SCALAR || v->kind == SL_VALUE_OBJECT || v->kind == SL_VALUE_TENSOR;
}

static struct sl_shape shape_of(struct sl_emitter *self, struct sl_term t) {
    const struct sl_value *v = &sl_term_value(t)->value;
    const struct sl_outcome *o = t.of;
    (void)self;
    if (has_elements(v)) {
        const struct sl_shape shape = sl_view_shape(sl_value_view(v));
        return o->is_batch ? (struct sl_shape){shape.rank - 1, shape.dims + 1} : shape;
    }
    return o->shapes ? o->shapes[t.index] : SL_SHAPE_UNKNOWN;
}

/* Rules ask for axes and the like: what has more elements is nothing that was known beforehand. */
enum { MOST_ELEMENTS = 1024 };

static const struct sl_tensor *constant_of(struct sl_emitter *self, struct sl_term t) {
    struct sl_execute_emitter *e = (struct sl_execute_emitter *)self;
    const struct sl_value *v = &sl_term_value(t)->value;
    if (!has_elements(v) || sl_value_view(v).count > MOST_ELEMENTS || sl_term_is_batch(t)) return NULL;
    struct sl_value here = sl_value_share(v);
    sl_tensor_unref(e->lent);
    e->lent = NULL;
    sl_code code = sl_value_settle(&here, NULL, e->env->step->step_id, NULL);
    if (code == SL_OK) code = sl_value_to_tensor(&e->lent, &here, NULL);
    sl_value_clear(&here);
    return code == SL_OK ? e->lent : NULL;
}

void sl_execute_emitter_init(struct sl_execute_emitter *e, struct sl_execute_env *env) {
    *e = (struct sl_execute_emitter){.base = {add, literal, dtype_of, shape_of, constant_of}, .env = env};
    e->room = sl_execute_take_room(env);
}

struct sl_emitter_room sl_execute_take_room(struct sl_execute_env *env) {
    if (env->own_n_rooms) return env->own_rooms[--env->own_n_rooms];
    struct sl_emitter_room room = {.made = {NULL, 0, 0}};
    sl_arena_init(&room.scratch);
    return room;
}

static void free_room(struct sl_emitter_room *room) {
    sl_arena_clear(&room->scratch);
    sl_vec_free(&room->made);
}

/* What has become large is not worth keeping. */
void sl_execute_give_room(struct sl_execute_env *env, struct sl_emitter_room *room) {
    enum { MOST_BYTES = 1 << 16 };
    sl_arena_reset(&room->scratch);
    if (env->own_n_rooms < SL_KEPT_ROOMS && sl_arena_bytes(&room->scratch) <= MOST_BYTES)
        env->own_rooms[env->own_n_rooms++] = *room;
    else free_room(room);
}

void sl_execute_emitter_clear(struct sl_execute_emitter *e) {
    sl_execute_emitter_release(e);
    sl_execute_give_room(e->env, &e->room);
    sl_tensor_unref(e->lent);
    e->lent = NULL;
}
