/* A node of a row's op, and running one kernel of it by hand, in one of several ways. */
#include "ops/op_rows.h"

#include <sched.h>

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

sl_code row_node_make(struct row_node *node, struct op_row *row, struct sl_kernel_cache *instances) {
    struct sl_attrs inferred;
    memset(node, 0, sizeof *node);
    node->row = row;
    node->instances = instances;
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

static bool serves(const struct sl_kernel_def *def, const struct sl_attrs *attrs) {
    const struct sl_pb_AttrValue *label = sl_attr_find(attrs, SL_STR("_kernel"));
    if (!sl_str_is(label ? label->s : SL_STR(""), def->label ? def->label : "")) return false;
    if (def->device && strcmp(def->device, "CPU") != 0) return false;
    for (int r = 0; r < SL_KERNEL_RULES && def->types[r].attr; r++)
        if (!rule_holds(&def->types[r], attrs)) return false;
    return !def->available || def->available();
}

const struct sl_kernel_def *row_candidate(const struct row_node *node, int n) {
    const struct sl_kernel_def *def;
    size_t at = 0;
    while ((def = sl_kernel_table_next(sl_kernel_cache_table(node->instances), node->row->op->name, &at)))
        if (serves(def, &node->attrs) && n-- == 0) return def;
    return NULL;
}

/* ---- running */

enum { SLOTS = 2 * ROW_TENSORS };

struct run {
    struct sl_kernel_context k;
    struct sl_step_env env;
    uint32_t in[ROW_TENSORS];
    struct sl_value slots[SLOTS];
    atomic_bool is_done;
    sl_code code;
};

/* The first input with the same bits as input i: i when it is the first. */
static int first_equal(struct sl_tensor *const *in, int i) {
    for (int j = 0; j < i; j++)
        if (in[i]->dtype != SL_STRING && row_same_bits(in[i], in[j])) return j;
    return i;
}

static sl_code fill_slots(struct run *run, struct sl_tensor *const *in, int n, unsigned variant, struct sl_error *err) {
    for (int i = 0; i < n; i++) {
        int same = variant & ROW_ALIASED ? first_equal(in, i) : i;
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

static sl_code make_env(struct sl_step_env *env, unsigned variant, struct sl_error *err) {
    *env = (struct sl_step_env){.step_id = 1, .device = "/job:localhost/replica:0/task:0/device:CPU:0"};
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
    const struct sl_kernel_request request = {.op = node->row->op,
                                              .attrs = &node->attrs,
                                              .device = device,
                                              .device_type = "CPU",
                                              .node = SL_STR("row"),
                                              .graph_version = SL_GRAPH_DEF_VERSION,
                                              .def = def};
    return sl_kernel_prepare(out, node->instances, &request, &node->err);
}

static sl_code run_on_slots(struct sl_tensor *out[ROW_TENSORS], struct run *run, struct row_node *node,
                            struct sl_kernel_instance *instance, unsigned variant) {
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
    for (uint32_t o = 0; o < fixed.n_out && code == SL_OK; o++)
        if (run->slots[ROW_TENSORS + o].kind > SL_VALUE_DEAD)
            code = sl_value_to_tensor(&out[o], &run->slots[ROW_TENSORS + o], &node->err);
    return code;
}

sl_code row_run(struct sl_tensor *out[ROW_TENSORS], struct row_node *node, const struct sl_kernel_def *def,
                struct sl_tensor *const *in, unsigned variant) {
    struct run run = {.code = SL_OK};
    struct sl_kernel_instance *instance = NULL;
    memset(out, 0, ROW_TENSORS * sizeof *out);
    sl_error_clear(&node->err);
    sl_code code = make_env(&run.env, variant, &node->err);
    if (code == SL_OK) code = fill_slots(&run, in, node->signature.n_inputs, variant, &node->err);
    if (code == SL_OK) code = prepare(&instance, node, def, run.env.device);
    if (code == SL_OK) code = run_on_slots(out, &run, node, instance, variant);
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
