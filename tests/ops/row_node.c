/* A node of a row's op, and running one kernel of it by hand, in one of several ways. */
#include "ops/op_rows.h"

#include <sched.h>

#include "device/transfer.h"
#include "graph/graph.h"
#include "kernel/cancellation.h"
#include "kernel/resources.h"
#include "os/float_mode.h"
#include "os/pool.h"

static uint8_t *base_types(struct sl_arena *arena, const uint8_t *types, int n) {
    uint8_t *base = sl_arena_alloc(arena, (size_t)n + 1);
    for (int i = 0; base && i < n; i++) base[i] = (uint8_t)sl_dtype_base(types[i]);
    return base;
}

static sl_code types_fit(struct row_node *node) {
    const struct op_row *row = node->row;
    if (row->n_in != node->signature.n_inputs)
        return sl_fail(&node->err, SL_INVALID_ARGUMENT, "the op takes %d inputs, not %d", node->signature.n_inputs,
                       row->n_in);
    for (int i = 0; i < row->n_in; i++)
        if (!sl_types_fit(node->signature.inputs[i], row->in[i]->dtype))
            return sl_fail(&node->err, SL_INVALID_ARGUMENT, "input %d is %s, the op takes %s", i,
                           sl_dtype_name(row->in[i]->dtype), sl_dtype_name(node->signature.inputs[i]));
    return SL_OK;
}

sl_code row_node_make(struct row_node *node, struct op_row *row, const struct row_place *place) {
    struct sl_attrs inferred;
    memset(node, 0, sizeof *node);
    node->row = row;
    node->place = place;
    SL_TRY(sl_attrs_infer(&inferred, row->arena, row->op, row->arguments, row->n_arguments, &row->given, SL_STR("row"),
                          &node->err));
    SL_TRY(sl_attrs_bind(&node->attrs, row->arena, row->op, &inferred, SL_STR("row"), &node->err));
    SL_TRY(sl_op_signature(&node->signature, row->arena, row->op, &node->attrs, &node->err));
    SL_TRY(types_fit(node));
    if (node->signature.n_outputs > ROW_TENSORS)
        return sl_fail(&node->err, SL_INVALID_ARGUMENT, "more than %d outputs", ROW_TENSORS);
    node->in_types = base_types(row->arena, node->signature.inputs, node->signature.n_inputs);
    node->out_types = base_types(row->arena, node->signature.outputs, node->signature.n_outputs);
    return node->in_types && node->out_types ? SL_OK : sl_fail_memory(&node->err, 0);
}

/* ---- candidates */

static bool rule_holds(const struct sl_type_rule *rule, const struct sl_attrs *attrs) {
    const struct sl_pb_AttrValue *v = sl_attr_find(attrs, sl_str_of(rule->attr));
    if (v && v->which == SL_PB_AttrValue_type) return sl_set_has(rule->allowed, v->type);
    if (!v || v->which != SL_PB_AttrValue_list) return false;
    for (size_t i = 0; v->list && i < v->list->type.n; i++)
        if (!sl_set_has(rule->allowed, v->list->type.items[i])) return false;
    return true;
}

bool row_serves(const struct sl_kernel_def *def, const struct row_place *place) {
    if (!def->device) return !place->device || def->flags & SL_KERNEL_MOVES;
    return !strcmp(def->device, place->device ? place->device->type->name : SL_HOST_DEVICE);
}

static bool serves(const struct sl_kernel_def *def, const struct row_node *node) {
    const struct sl_attrs *attrs = &node->attrs;
    const struct sl_pb_AttrValue *label = sl_attr_find(attrs, SL_STR("_kernel"));
    if (!sl_str_is(label ? label->s : SL_STR(""), def->label ? def->label : "")) return false;
    if (!row_serves(def, node->place)) return false;
    for (int r = 0; r < SL_KERNEL_RULES && def->types[r].attr; r++)
        if (!rule_holds(&def->types[r], attrs)) return false;
    return !def->available || def->available();
}

const struct sl_kernel_def *row_candidate(const struct row_node *node, int n) {
    const struct sl_kernel_def *def;
    size_t at = 0;
    while ((def = sl_kernel_table_next(sl_kernel_cache_table(node->place->instances), node->row->op->name, &at)))
        if (serves(def, node) && n-- == 0) return def;
    return NULL;
}

/* ---- running */

enum { SLOTS = 2 * ROW_TENSORS, STEP = 1 };

struct run {
    struct sl_kernel_context k;
    struct sl_step_env env;
    uint32_t in[ROW_TENSORS];
    struct sl_value slots[SLOTS];
    atomic_bool is_done;
    sl_code code;
};

/* Where input i has to lie; NULL: on the host. */
static struct sl_memory *memory_of(const struct sl_kernel_node *node, int i) {
    return node->device && !node->on_host[i] ? node->device->memory : NULL;
}

/* The first input with the same bits as input i in the same memory: i when it is the first. */
static int first_equal(struct sl_tensor *const *in, const struct sl_kernel_node *node, int i) {
    for (int j = 0; j < i; j++)
        if (in[i]->dtype != SL_STRING && row_same_bits(in[i], in[j]) && memory_of(node, i) == memory_of(node, j))
            return j;
    return i;
}

static sl_code fill_slots(struct run *run, struct sl_tensor *const *in, const struct sl_kernel_node *node,
                          unsigned variant, struct sl_error *err) {
    for (int i = 0; i < (int)node->n_in; i++) {
        int same = variant & ROW_ALIASED ? first_equal(in, node, i) : i;
        struct sl_tensor *t;
        run->in[i] = (uint32_t)i;
        if (same != i && !(variant & ROW_TAKEN)) { /* one slot read twice */
            run->in[i] = (uint32_t)same;
            continue;
        }
        if (same != i) { /* two holders of one tensor */
            run->slots[i] = sl_value_share(&run->slots[same]);
            continue;
        }
        if (variant & ROW_TAKEN) SL_TRY(sl_tensor_copy(&t, in[i], err));
        else t = sl_tensor_ref(in[i]);
        run->slots[i] = sl_value_of_tensor(t);
        SL_TRY(sl_value_settle(&run->slots[i], memory_of(node, i), STEP, err));
    }
    return SL_OK;
}

/* Whether the inputs are what they were, where the caller cannot see them. */
static sl_code check_kept(struct run *run, struct sl_tensor *const *in, const struct sl_kernel_node *node,
                          struct sl_error *err) {
    for (int i = 0; i < (int)node->n_in; i++) {
        struct sl_value *v = &run->slots[run->in[i]];
        struct sl_tensor *t;
        if (!memory_of(node, i)) continue;
        SL_TRY(sl_value_settle(v, NULL, STEP, err));
        SL_TRY(sl_value_to_tensor(&t, v, err));
        bool is_kept = row_same_bits(t, in[i]);
        sl_tensor_unref(t);
        if (!is_kept) return sl_fail(err, SL_INTERNAL, "input %d has changed in the device's memory", i);
    }
    return SL_OK;
}

static void is_done(struct sl_kernel_context *k, sl_code code) {
    struct run *run = (struct run *)((char *)k - offsetof(struct run, k));
    run->code = code;
    atomic_store(&run->is_done, true);
}

/* The kernel's call as the executor makes it. */
static sl_code call(struct run *run, const struct sl_kernel_def *def) {
    uint64_t mode = sl_float_mode_enter();
    if (def->run) run->code = def->run(&run->k);
    else {
        def->start(&run->k);
        while (!atomic_load(&run->is_done)) sched_yield();
    }
    sl_float_mode_leave(mode);
    return run->code;
}

static sl_code make_env(struct sl_step_env *env, const struct row_place *place, unsigned variant,
                        struct sl_error *err) {
    *env = (struct sl_step_env){.step_id = STEP, .devices = place->devices};
    env->device = place->device ? place->device->name : "/job:localhost/replica:0/task:0/device:CPU:0";
    SL_TRY(sl_resources_new(&env->session_resources, err));
    SL_TRY(sl_resources_new(&env->step_resources, err));
    SL_TRY(sl_cancellation_new(&env->cancellation, NULL, err));
    return variant & ROW_THREADS ? sl_pool_create(&env->pool, 4, err) : SL_OK;
}

static void end_env(struct sl_step_env *env) {
    sl_pool_unref(env->pool);
    sl_cancellation_free(env->cancellation);
    sl_resources_free(env->step_resources);
    sl_resources_free(env->session_resources);
}

static sl_code prepare(struct sl_kernel_instance **out, struct row_node *node, const struct sl_kernel_def *def,
                       const char *device) {
    struct sl_device *to = node->place->device;
    const struct sl_kernel_request request = {.op = node->row->op,
                                              .attrs = &node->attrs,
                                              .device = device,
                                              .device_type = to ? to->type->name : SL_HOST_DEVICE,
                                              .memory_device = to,
                                              .node = SL_STR("row"),
                                              .graph_version = SL_GRAPH_DEF_VERSION,
                                              .def = def};
    return sl_kernel_prepare(out, node->place->instances, &request, &node->err);
}

static sl_code run_on_slots(struct sl_tensor *out[ROW_TENSORS], struct run *run, struct row_node *node,
                            struct sl_kernel_instance *instance, struct sl_tensor *const *in, unsigned variant) {
    struct sl_kernel_node fixed = instance->node;
    fixed.in = run->in;
    fixed.out = ROW_TENSORS;
    fixed.name = SL_STR("row");
    run->k = (struct sl_kernel_context){.node = &fixed,
                                        .state = fixed.state,
                                        .slots = run->slots,
                                        .may_take = variant & ROW_TAKEN ? ~UINT64_C(0) : 0,
                                        .env = &run->env,
                                        .err = &node->err,
                                        .done = is_done};
    sl_code code = call(run, fixed.def);
    for (uint32_t o = 0; o < fixed.n_out && code == SL_OK; o++) {
        struct sl_value *v = &run->slots[ROW_TENSORS + o];
        code = sl_value_settle(v, NULL, STEP, &node->err);
        if (code == SL_OK && v->kind > SL_VALUE_DEAD) code = sl_value_to_tensor(&out[o], v, &node->err);
    }
    if (code == SL_OK && !(variant & ROW_TAKEN)) code = check_kept(run, in, &fixed, &node->err);
    return code;
}

/* What the device has found out later. */
static sl_code end_step(struct row_node *node, sl_code code) {
    if (!node->place->devices) return code;
    sl_code later = sl_device_set_end_step(node->place->devices, STEP, code == SL_OK ? &node->err : NULL);
    return code == SL_OK ? later : code;
}

sl_code row_run(struct sl_tensor *out[ROW_TENSORS], struct row_node *node, const struct sl_kernel_def *def,
                struct sl_tensor *const *in, unsigned variant) {
    struct run run = {.code = SL_OK};
    struct sl_kernel_instance *instance = NULL;
    memset(out, 0, ROW_TENSORS * sizeof *out);
    sl_error_clear(&node->err);
    sl_code code = make_env(&run.env, node->place, variant, &node->err);
    if (code == SL_OK) code = prepare(&instance, node, def, run.env.device);
    if (code == SL_OK) code = fill_slots(&run, in, &instance->node, variant, &node->err);
    if (code == SL_OK) code = run_on_slots(out, &run, node, instance, in, variant);
    code = end_step(node, code);
    sl_kernel_instance_unref(instance);
    for (int s = 0; s < SLOTS; s++) sl_value_clear(&run.slots[s]);
    if (code != SL_OK) row_drop(out, ROW_TENSORS);
    end_env(&run.env);
    return code;
}

void row_drop(struct sl_tensor *tensors[ROW_TENSORS], int n) {
    for (int i = 0; i < n; i++) {
        sl_tensor_unref(tensors[i]);
        tensors[i] = NULL;
    }
}
