/* Rows of the fake device. A kernel learns the shapes of its outputs by the op's shape function, makes them in the
 * device's memory, and enqueues a JOB: the CPU's kernel for the same node, on slots of its own. On the device's
 * thread the job sees its inputs through the second mapping, runs, and copies the results to where the outputs are.
 *
 * Variables get a new tensor at once, which later work may be enqueued on; the job reads the old one, runs on a
 * shadow of the variable, and fills the new one. */
#include <stdlib.h>

#include "base/alloc.h"
#include "device/transfer.h"
#include "kernel/instance.h"
#include "kernel/row.h"
#include "kernel/variable.h"
#include "ops/shape_ctx.h"
#include "os/float_mode.h"
#include "root/root.h"
#include "unit/fake/fake_device.h"

struct fake_kernel {
    struct sl_kernel_instance *cpu;
    struct sl_arena arena;
    struct sl_attrs attrs; /* for the shape function */
    int graph_version;
};

static void kernel_destroy(void *state) {
    struct fake_kernel *s = state;
    sl_kernel_instance_unref(s->cpu);
    sl_arena_clear(&s->arena);
    free(s);
}

static sl_code kernel_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_registries *registries;
    struct fake_kernel *s = calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_arena_init(&s->arena);
    s->graph_version = setup->graph_version;
    sl_code code = sl_attrs_copy(&s->attrs, &s->arena, setup->attrs, setup->err);
    if (code == SL_OK) code = sl_root_registries(&registries, setup->err);
    const struct sl_kernel_request request = {.op = setup->op,
                                              .attrs = &s->attrs,
                                              .device = "/device:" SL_HOST_DEVICE ":0",
                                              .device_type = SL_HOST_DEVICE,
                                              .node = setup->name,
                                              .graph_version = setup->graph_version};
    if (code == SL_OK) code = sl_kernel_prepare(&s->cpu, registries->instances, &request, setup->err);
    if (code == SL_OK) *state = s;
    else kernel_destroy(s);
    return code;
}

/* ---- jobs */

struct output {
    void *reach; /* NULL: not the job's */
    size_t bytes;
};

/* A variable that the kernel may change. */
struct shadow {
    struct sl_variable *variable; /* the real one; not touched by the job */
    struct sl_variable *copy;
    struct sl_tensor *old, *fresh; /* while the job is made; references */
    struct sl_tensor *before;      /* wraps the old elements */
    void *after;                   /* reach of the new ones */
};

struct job {
    struct fake_work work;
    struct fake_kernel *kernel;
    struct sl_kernel_node node;
    struct sl_step_env env;
    struct sl_value *slots; /* inputs, then outputs */
    bool *is_wrapped;       /* by input: read when the job runs */
    struct output *outputs;
    struct shadow shadows[SL_VARIABLES_MAX];
    int n_shadows;
};

static void job_clear(struct fake_work *work) {
    struct job *j = (struct job *)work;
    for (uint32_t i = 0; i < j->node.n_in + j->node.n_out; i++) sl_value_clear(&j->slots[i]);
    for (int s = 0; s < j->n_shadows; s++) {
        sl_tensor_unref(j->shadows[s].before);
        sl_tensor_unref(j->shadows[s].old);
        sl_tensor_unref(j->shadows[s].fresh);
        if (j->shadows[s].copy) sl_object_unref(&j->shadows[s].copy->object);
    }
    free(j->slots);
    free(j->is_wrapped);
    free(j->outputs);
    free(j);
}

static sl_code put_result(const struct job *j, uint32_t o, struct sl_error *err) {
    const struct sl_value *v = &j->slots[j->node.out + o];
    if (!j->outputs[o].reach || v->kind <= SL_VALUE_DEAD) return SL_OK;
    struct sl_view from = sl_value_view(v);
    if ((size_t)from.count * sl_dtype_size(from.dtype) != j->outputs[o].bytes)
        return sl_fail(err, SL_INTERNAL, "the shape function of %.*s was wrong", SL_STR_ARG(j->node.op->name));
    memcpy(j->outputs[o].reach, from.data, j->outputs[o].bytes);
    return SL_OK;
}

static sl_code run_on_cpu(struct job *j, struct sl_error *err) {
    struct sl_kernel_context k = {
        .node = &j->node, .state = j->node.state, .slots = j->slots, .env = &j->env, .err = err};
    uint64_t mode = sl_float_mode_enter();
    sl_code code = j->node.def->run(&k);
    sl_float_mode_leave(mode);
    return code;
}

static sl_code job_run(struct fake_work *work, struct sl_error *err) {
    struct job *j = (struct job *)work;
    for (uint32_t i = 0; i < j->node.n_in; i++)
        if (j->is_wrapped[i]) j->slots[i] = sl_value_of_tensor(j->slots[i].tensor);
    for (int s = 0; s < j->n_shadows; s++) {
        struct sl_tensor *t;
        SL_TRY(sl_tensor_copy(&t, j->shadows[s].before, err));
        sl_variable_write(j->shadows[s].copy, sl_value_of_tensor(t));
    }
    fake_count_kernel();
    sl_code code = run_on_cpu(j, err);
    for (uint32_t o = 0; o < j->node.n_out && code == SL_OK; o++) code = put_result(j, o, err);
    for (int s = 0; s < j->n_shadows && code == SL_OK; s++) {
        struct sl_view now = sl_value_view(&j->shadows[s].copy->value);
        memcpy(j->shadows[s].after, now.data, (size_t)now.count * sl_dtype_size(now.dtype));
    }
    if (code != SL_OK) sl_error_name_node(err, j->node.name);
    return code;
}

static struct job *job_new(struct sl_kernel_context *k) {
    const struct sl_kernel_node *n = k->node;
    struct job *j = calloc(1, sizeof *j);
    if (!j) return NULL;
    j->work = (struct fake_work){.step = k->env->step_id, .run = job_run, .clear = job_clear};
    j->kernel = k->state;
    j->env = (struct sl_step_env){.step_id = k->env->step_id, .device = k->env->device};
    j->node = j->kernel->cpu->node;
    j->node.name = n->name;
    j->node.outputs_used = n->outputs_used;
    j->slots = calloc(n->n_in + n->n_out + 1, sizeof *j->slots);
    j->is_wrapped = calloc(n->n_in + 1, sizeof *j->is_wrapped);
    j->outputs = calloc(n->n_out + 1, sizeof *j->outputs);
    return j->slots && j->is_wrapped && j->outputs ? j : NULL;
}

/* ---- inputs */

static bool is_variable(const struct sl_kernel_node *n, uint32_t i) {
    return sl_dtype_is_ref(n->in_types[i]) || n->in_types[i] == SL_RESOURCE;
}

/* The tensor as the device's thread sees it. */
static sl_code wrap(struct sl_tensor **out, const struct sl_tensor *t, struct sl_error *err) {
    void *data = fake_reach(sl_tensor_memory(t), t->data);
    return sl_tensor_wrap(out, t->dtype, sl_tensor_shape(t), data, t->bytes, NULL, NULL, err);
}

/* Finds or makes the shadow; with the lock held. */
static sl_code add_shadow(struct sl_value *slot, struct job *j, struct sl_variable *v, struct sl_kernel_context *k,
                          bool is_reference) {
    struct sl_memory *memory = k->node->device->memory;
    int s = 0;
    while (s < j->n_shadows && j->shadows[s].variable != v) s++;
    struct shadow *shadow = &j->shadows[s];
    if (s == j->n_shadows) {
        if (v->value.kind == SL_VALUE_NONE) return sl_variable_fail_unset(v, k->err);
        SL_TRY(sl_value_settle(&v->value, memory, k->env->step_id, k->err));
        const struct sl_variable_spec spec = {
            .type = v->object.type, .dtype = v->dtype, .shape = v->shape, .container = v->container, .name = v->name};
        j->n_shadows++;
        *shadow = (struct shadow){.variable = v, .old = sl_tensor_ref(v->value.tensor)};
        SL_TRY(sl_variable_new(&shadow->copy, &spec, k->err));
        SL_TRY(wrap(&shadow->before, shadow->old, k->err));
        SL_TRY(sl_tensor_new_in(&shadow->fresh, memory, v->dtype, sl_tensor_shape(shadow->old), k->err));
        shadow->after = fake_reach(memory, shadow->fresh->data);
    }
    sl_object_ref(&shadow->copy->object);
    *slot = (struct sl_value){.kind = is_reference ? SL_VALUE_REF : SL_VALUE_OBJECT,
                              .dtype = is_reference ? v->dtype : SL_RESOURCE,
                              .object = &shadow->copy->object};
    return SL_OK;
}

static sl_code bind_input(struct job *j, struct sl_kernel_context *k, uint32_t i) {
    const struct sl_value *v = sl_in_value(k, (int)i);
    struct sl_variable *variable;
    if (is_variable(k->node, i)) {
        SL_TRY(sl_in_variable(&variable, k, (int)i));
        return add_shadow(&j->slots[i], j, variable, k, v->kind == SL_VALUE_REF);
    }
    if (k->node->on_host[i]) {
        sl_in(k, (int)i); /* asserts that it is */
        j->slots[i] = sl_value_share(v);
        return SL_OK;
    }
    if (sl_value_memory(v) != k->node->device->memory)
        return sl_fail(k->err, SL_INTERNAL, "input %u of %.*s is not in the device's memory", i,
                       SL_STR_ARG(k->node->op->name));
    struct sl_tensor *t;
    SL_TRY(wrap(&t, v->tensor, k->err));
    j->slots[i] = (struct sl_value){.kind = SL_VALUE_TENSOR, .dtype = t->dtype, .tensor = t};
    j->is_wrapped[i] = true;
    return SL_OK;
}

/* ---- outputs */

struct asking {
    struct sl_kernel_context *k;
    struct sl_tensor **constants; /* by input, made when asked for */
};

static const struct sl_tensor *constant(struct sl_shape_ctx *c, int i) {
    struct asking *a = c->graph;
    if (!a->k->node->on_host[i] || is_variable(a->k->node, (uint32_t)i)) return NULL;
    if (!a->constants[i]) sl_in_tensor(&a->constants[i], a->k, i);
    return a->constants[i];
}

static void shapes_of_inputs(struct sl_shape *in, struct sl_handle_data *handles, struct sl_handle_item *items,
                             const struct job *j, const struct sl_kernel_context *k) {
    for (uint32_t i = 0; i < k->node->n_in; i++) {
        const struct sl_value *v = &k->slots[k->node->in[i]];
        struct sl_variable *variable = NULL;
        if (is_variable(k->node, i)) sl_in_variable(&variable, (struct sl_kernel_context *)(uintptr_t)k, (int)i);
        if (!variable) {
            in[i] = sl_view_shape(sl_value_view(v));
            continue;
        }
        struct sl_shape shape = sl_view_shape(sl_value_view(&variable->value));
        bool is_reference = v->kind == SL_VALUE_REF;
        in[i] = is_reference ? shape : SL_SHAPE_SCALAR;
        items[i] = (struct sl_handle_item){variable->dtype, shape};
        if (!is_reference) handles[i] = (struct sl_handle_data){1, &items[i]};
    }
    (void)j;
}

static sl_code infer(struct sl_shape *out, struct sl_arena *arena, const struct job *j, struct sl_kernel_context *k) {
    const struct sl_kernel_node *n = k->node;
    struct fake_kernel *s = k->state;
    size_t n_in = n->n_in + 1, n_out = n->n_out + 1;
    struct sl_shape *in = SL_ARENA_ARRAY(arena, struct sl_shape, n_in);
    struct sl_handle_data *handles = SL_ARENA_ARRAY(arena, struct sl_handle_data, n_in + n_out);
    struct sl_handle_item *items = SL_ARENA_ARRAY(arena, struct sl_handle_item, n_in);
    uint8_t *types = SL_ARENA_ARRAY(arena, uint8_t, n_in + n_out);
    struct asking asking = {k, SL_ARENA_ARRAY(arena, struct sl_tensor *, n_in)};
    if (!in || !handles || !items || !types || !asking.constants) return sl_fail_memory(k->err, n_in);
    shapes_of_inputs(in, handles, items, j, k);
    for (uint32_t i = 0; i < n->n_in; i++) types[i] = (uint8_t)sl_dtype_base(n->in_types[i]);
    for (uint32_t o = 0; o < n->n_out; o++) {
        types[n_in + o] = (uint8_t)sl_dtype_base(n->out_types[o]);
        out[o] = SL_SHAPE_UNKNOWN;
    }
    struct sl_shape_ctx c = {.op = n->op,
                             .attrs = &s->attrs,
                             .n_in = (int)n->n_in,
                             .n_out = (int)n->n_out,
                             .in_types = types,
                             .out_types = types + n_in,
                             .in = in,
                             .in_handles = handles,
                             .out = out,
                             .out_handles = handles + n_in,
                             .arena = arena,
                             .err = k->err,
                             .constant = constant,
                             .graph = &asking,
                             .graph_version = s->graph_version};
    sl_code code = n->op->shape(&c);
    for (uint32_t i = 0; i < n->n_in; i++) sl_tensor_unref(asking.constants[i]);
    return code;
}

static sl_code make_output(struct job *j, struct sl_kernel_context *k, uint32_t o, struct sl_shape shape) {
    struct sl_view view;
    if (sl_dtype_is_ref(k->node->out_types[o])) {
        sl_out_forward(k, (int)o, 0);
        return SL_OK;
    }
    if (!sl_shape_is_known(shape))
        return sl_fail(k->err, SL_INTERNAL, "%.*s does not tell its shape", SL_STR_ARG(k->node->op->name));
    if (o == 0) SL_TRY(sl_out_reuse(&view, k, 0, shape, 0, sl_in_count(k)));
    else SL_TRY(sl_out_new(&view, k, (int)o, shape));
    j->outputs[o] =
        (struct output){fake_reach(k->node->device->memory, view.data), (size_t)view.count * sl_dtype_size(view.dtype)};
    return SL_OK;
}

/* ---- running; with the variables locked */

static sl_code make_job(struct job *j, struct sl_kernel_context *k) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&arena, struct sl_shape, k->node->n_out + 1);
    sl_code code = shapes ? SL_OK : sl_fail_memory(k->err, sizeof *shapes);
    for (uint32_t i = 0; i < k->node->n_in && code == SL_OK; i++) code = bind_input(j, k, i);
    if (code == SL_OK) code = infer(shapes, &arena, j, k);
    for (uint32_t o = 0; o < k->node->n_out && code == SL_OK; o++) code = make_output(j, k, o, shapes[o]);
    sl_arena_clear(&arena);
    return code;
}

/* From here on the variables hold what the job will make. Gives what they held before, which may go once the job is
 * enqueued. */
static void replace_variables(struct sl_tensor *old[SL_VARIABLES_MAX], struct job *j) {
    for (int s = 0; s < j->n_shadows; s++) {
        struct shadow *shadow = &j->shadows[s];
        sl_tensor_unref(shadow->old); /* the variable's own reference is left */
        old[s] = shadow->variable->value.tensor;
        shadow->variable->value.tensor = shadow->fresh;
        shadow->old = shadow->fresh = NULL;
    }
}

static sl_code kernel_run(struct sl_kernel_context *k) {
    struct sl_variable *variables[SL_VARIABLES_MAX];
    struct sl_tensor *old[SL_VARIABLES_MAX];
    struct job *j = job_new(k);
    if (!j) return sl_fail_memory(k->err, sizeof *j);
    int n = 0;
    for (uint32_t i = 0; i < k->node->n_in; i++)
        if (is_variable(k->node, i) && n < SL_VARIABLES_MAX) SL_TRY(sl_in_variable(&variables[n++], k, (int)i));
    sl_variables_lock(variables, n);
    sl_code code = make_job(j, k);
    int n_old = code == SL_OK ? j->n_shadows : 0;
    if (code == SL_OK) {
        replace_variables(old, j);
        fake_enqueue(k->node->device, &j->work);
    } else {
        job_clear(&j->work);
    }
    sl_variables_unlock(variables, n);
    for (int i = 0; i < n_old; i++) sl_tensor_unref(old[i]);
    return code;
}

#define KERNEL(op_, rules, ...)                                                                                        \
    {.op = op_,                                                                                                        \
     .device = FAKE_DEVICE,                                                                                            \
     .types = {rules},                                                                                                 \
     .create = kernel_create,                                                                                          \
     .destroy = kernel_destroy,                                                                                        \
     .run = kernel_run,                                                                                                \
     __VA_ARGS__},
#define NUMBERS          (SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET(HALF) | SL_SET(INT64))
#define PLAIN            (NUMBERS | SL_SET(BOOL))
#define T(op)            KERNEL(op, RULE("T", PLAIN), .flags = 0)
#define REAL(op)         KERNEL(op, RULE("T", SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET(HALF)), .flags = 0)
#define T_HOST(op, list) KERNEL(op, RULE("T", PLAIN), .host = list)
/* clang-format off */
const struct sl_kernel_def fake_rows[] = {
    T("Add") T("AddV2") T("Sub") T("Mul") T("Div") REAL("RealDiv") T("Maximum") T("Minimum") T("Pow") T("FloorDiv") T("FloorMod")
    T("SquaredDifference") T("DivNoNan") T("Greater") T("GreaterEqual") T("Less") T("LessEqual") T("Equal") T("NotEqual")
    T("Neg") T("Abs") T("Sign") T("Square") T("Sqrt") T("Rsqrt") REAL("Reciprocal") T("Exp") T("Log") T("Sin") T("Cos") T("Tanh") T("Sigmoid")
    T("Floor") T("Ceil") T("Relu") T("Relu6") T("Elu") T("Softplus") T("IsFinite") T("ZerosLike") T("OnesLike") T("AddN") T("ClipByValue")
    T("ReluGrad") T("Relu6Grad") T("EluGrad") T("TanhGrad") T("SigmoidGrad") T("SqrtGrad") T("RsqrtGrad") T("ReciprocalGrad") T("SoftplusGrad")
    T("Select") T("SelectV2") T("MatMul") T("BatchMatMulV2") T("Softmax") T("LogSoftmax") T("BiasAdd") T("BiasAddGrad") T("L2Loss")
    T("Conv2D") T("MaxPool") T("MaxPoolGrad") T("AvgPool") T("SoftmaxCrossEntropyWithLogits") T("SparseSoftmaxCrossEntropyWithLogits")
    T("Pack") T("Unpack")
    KERNEL("LogicalAnd", NO_RULE, .flags = 0) KERNEL("LogicalOr", NO_RULE, .flags = 0) KERNEL("LogicalNot", NO_RULE, .flags = 0)
    KERNEL("Cast", RULE("SrcT", PLAIN | SL_SET(INT32)) RULE("DstT", PLAIN | SL_SET(INT32)), .flags = 0)
    T_HOST("Sum", "reduction_indices") T_HOST("Mean", "reduction_indices") T_HOST("Max", "reduction_indices")
    T_HOST("Min", "reduction_indices") T_HOST("Prod", "reduction_indices")
    KERNEL("All", NO_RULE, .host = "reduction_indices") KERNEL("Any", NO_RULE, .host = "reduction_indices")
    T_HOST("ArgMax", "dimension") T_HOST("Transpose", "perm") T_HOST("ConcatV2", "axis") T_HOST("Concat", "concat_dim")
    T_HOST("Slice", "begin, size") KERNEL("StridedSlice", RULE("T", PLAIN) RULE("Index", SL_SET(INT32) | SL_SET(INT64)), .host = "begin, end, strides")
    T_HOST("StridedSliceGrad", "shape, begin, end, strides")
    T_HOST("Pad", "paddings") T_HOST("Tile", "multiples") T_HOST("Fill", "dims") T_HOST("BroadcastTo", "shape") T_HOST("Split", "split_dim")
    T_HOST("UnsortedSegmentSum", "num_segments")
    T_HOST("Conv2DBackpropInput", "input_sizes") T_HOST("Conv2DBackpropFilter", "filter_sizes")
    KERNEL("Gather", RULE("Tparams", PLAIN), .flags = 0) KERNEL("GatherV2", RULE("Tparams", PLAIN), .host = "axis")
    KERNEL("RandomUniform", RULE("dtype", PLAIN), .host = "shape")
    KERNEL("AssignAddVariableOp", RULE("dtype", PLAIN), .flags = 0) KERNEL("AssignSubVariableOp", RULE("dtype", PLAIN), .flags = 0)
    KERNEL("ResourceGather", RULE("dtype", PLAIN), .flags = 0) KERNEL("ResourceScatterAdd", RULE("dtype", PLAIN), .flags = 0)
    T("ResourceApplyGradientDescent") T("ResourceApplyMomentum") T("ResourceApplyAdam")
    T("AssignAdd") T("AssignSub") T("ApplyGradientDescent")
    SL_ROWS_END
};
/* clang-format on */
