/* Sequences of calls of the eager C API: ops that are built, reset, asked and executed, handles that are passed on and
 * deleted, executors, functions. A byte for each command, then one for each of its choices. Whatever comes back is
 * right; only a crash, a leak or a hang is not. */
#include "eager_calls.h"

#include "proto/wire.h"

enum { OPS = 3, HANDLES = 8, MOST_COMMANDS = 200, OUTPUTS = 16 };

struct session {
    TFE_Op *ops[OPS];
    const char *names[OPS];
    TFE_TensorHandle *handles[HANDLES];
    TF_Status *status;
    struct choices c;
};

static const char *const names[] = {"AddV2",
                                    "MatMul",
                                    "ConcatV2",
                                    "Identity",
                                    "IdentityN",
                                    "Pack",
                                    "Split",
                                    "Unpack",
                                    "VarHandleOp",
                                    "ReadVariableOp",
                                    "AssignVariableOp",
                                    "Cast",
                                    "Reshape",
                                    "StridedSlice",
                                    "PartitionedCall",
                                    "StatefulPartitionedCall",
                                    "If",
                                    "While",
                                    "twice",
                                    "wrong",
                                    "NoSuchOp",
                                    "",
                                    "Switch",
                                    "Merge",
                                    "AddN",
                                    "TensorListReserve",
                                    "TensorListStack",
                                    "Fill",
                                    "Where",
                                    "SymbolicGradient"};
enum { NAMES = sizeof names / sizeof *names };
static const char *const devices[] = {
    "", "/cpu:0", "/device:CPU:0", "/job:localhost/replica:0/task:0/device:CPU:0", "/cpu:7", "nonsense", "/gpu:0"};

static TFE_Op **op_slot(struct session *s) { return &s->ops[choose(&s->c, OPS)]; }
static TFE_TensorHandle **handle_slot(struct session *s) { return &s->handles[choose(&s->c, HANDLES)]; }

static void keep(struct session *s, TFE_TensorHandle *h) {
    TFE_TensorHandle **slot = handle_slot(s);
    if (!h) return;
    if (*slot) TFE_DeleteTensorHandle(*slot);
    *slot = h;
}

/* twice(x) = x + x, and one whose body is no body. */
static void add_function(const char *name, bool is_wrong, TF_Status *status) {
    struct sl_arena arena;
    struct sl_pb_FunctionDef def = {0};
    struct sl_pb_OpDef signature = {0};
    struct sl_pb_OpDef_ArgDef in = {.name = SL_STR("x"), .type = TF_FLOAT},
                              out = {.name = SL_STR("y"), .type = TF_FLOAT};
    struct sl_pb_NodeDef node = {.name = SL_STR("sum"), .op = SL_STR("AddV2")};
    struct sl_str inputs[] = {SL_STR("x"), is_wrong ? SL_STR("nobody:z:0") : SL_STR("x")}, bytes;
    struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type, .type = TF_FLOAT};
    __typeof__(*node.attr.items) attr = {.key = SL_STR("T"), .value = type};
    __typeof__(*def.ret.items) ret = {.key = SL_STR("y"), .value = SL_STR("sum:z:0")};
    sl_arena_init(&arena);
    signature.name = sl_str_of(name);
    signature.input_arg.items = &in;
    signature.output_arg.items = &out;
    signature.input_arg.n = signature.output_arg.n = 1;
    node.input.items = inputs;
    node.input.n = 2;
    node.attr.items = &attr;
    node.attr.n = 1;
    def.signature = &signature;
    def.node_def.items = &node;
    def.node_def.n = 1;
    def.ret.items = &ret;
    def.ret.n = 1;
    if (sl_pb_encode(&bytes, SL_PB_TYPE(FunctionDef), &def, 0, &arena, NULL) == SL_OK)
        TFE_ContextAddFunctionDef(context, bytes.p, bytes.n, status);
    sl_arena_clear(&arena);
}

/* ---- ops */

static void new_op(struct session *s) {
    TFE_Op **op = op_slot(s);
    const char *name = names[choose(&s->c, NAMES)];
    const char *device = devices[choose(&s->c, 7)];
    if (*op && choose(&s->c, 2)) {
        TFE_OpReset(*op, name, device, s->status);
    } else {
        if (*op) TFE_DeleteOp(*op);
        *op = TFE_NewOp(context, name, s->status);
        if (*op && choose(&s->c, 2)) TFE_OpSetDevice(*op, device, s->status);
    }
}

static void set_attr(struct session *s) {
    TFE_Op *op = *op_slot(s);
    const struct sl_op *row;
    if (!op) return;
    const char *name = TFE_OpGetName(op, s->status);
    if (choose(&s->c, 4) == 0) {
        static const char *const functions[] = {"twice", "wrong", "NoSuchFunction"};
        const char *function = functions[choose(&s->c, 3)];
        TFE_OpSetAttrFunctionName(op, choose(&s->c, 2) ? "f" : "body", function, strlen(function));
    } else if (name && sl_op_find(&row, op_registry, sl_str_of(name), NULL) == SL_OK && row->n_attrs) {
        choose_attr(&s->c, op, &row->attrs[choose(&s->c, row->n_attrs)], s->status);
    } else {
        TFE_OpSetAttrInt(op, "no_such_attr", 1);
    }
}

static void add_inputs(struct session *s) {
    TFE_Op *op = *op_slot(s);
    TFE_TensorHandle *list[4];
    int n = 0;
    if (!op) return;
    const size_t wanted = choose(&s->c, 5);
    for (size_t i = 0; i < wanted; i++) {
        TFE_TensorHandle *h = *handle_slot(s);
        if (h && n < 4) list[n++] = h;
    }
    if (choose(&s->c, 2)) TFE_OpAddInputList(op, list, n, s->status);
    else
        for (int i = 0; i < n; i++) TFE_OpAddInput(op, list[i], s->status);
}

static void execute(struct session *s) {
    TFE_Op *op = *op_slot(s);
    TFE_TensorHandle *outputs[OUTPUTS] = {NULL};
    int n = (int)choose(&s->c, OUTPUTS + 1);
    if (!op) return;
    TF_SetStatus(s->status, TF_OK, "");
    TFE_Execute(op, outputs, &n, s->status);
    for (int i = 0; TF_GetCode(s->status) == TF_OK && i < n; i++) keep(s, outputs[i]);
}

static void ask_op(struct session *s) {
    TFE_Op *op = *op_slot(s);
    unsigned char is_list;
    if (!op) return;
    const int n = TFE_OpGetFlatInputCount(op, s->status);
    for (int i = 0; i < n; i++) TFE_OpGetFlatInput(op, i, s->status);
    (void)TFE_OpGetDevice(op, s->status);
    (void)TFE_OpGetContext(op, s->status);
    (void)TFE_OpGetInputLength(op, "values", s->status);
    (void)TFE_OpGetOutputLength(op, "output", s->status);
    (void)TFE_OpGetAttrType(op, "T", &is_list, s->status);
    (void)TFE_OpNameGetAttrType(context, names[choose(&s->c, NAMES)], "T", &is_list, s->status);
}

/* ---- handles */

static void new_handle(struct session *s) {
    static const TF_DataType types[] = {TF_FLOAT, TF_FLOAT, TF_INT32, TF_INT64, TF_BOOL, TF_STRING, TF_DOUBLE, TF_HALF};
    keep(s, handle_of(choose_tensor(&s->c, types[choose(&s->c, 8)]), s->status));
}

static void ask_handle(struct session *s) {
    TFE_TensorHandle *h = *handle_slot(s);
    if (!h) return;
    (void)TFE_TensorHandleDataType(h);
    const int rank = TFE_TensorHandleNumDims(h, s->status);
    for (int d = -1; d <= rank; d++) (void)TFE_TensorHandleDim(h, d, s->status);
    (void)TFE_TensorHandleNumElements(h, s->status);
    (void)TFE_TensorHandleDeviceName(h, s->status);
    (void)TFE_TensorHandleBackingDeviceName(h, s->status);
    TF_SetStatus(s->status, TF_OK, "");
    TF_Tensor *t = TFE_TensorHandleResolve(h, s->status);
    if (t) TF_DeleteTensor(t);
    TFE_TensorDebugInfo *info = TFE_TensorHandleTensorDebugInfo(h, s->status);
    if (info) TFE_DeleteTensorDebugInfo(info);
}

static void copy_handle(struct session *s) {
    TFE_TensorHandle *h = *handle_slot(s);
    if (!h) return;
    TF_SetStatus(s->status, TF_OK, "");
    if (choose(&s->c, 2)) keep(s, TFE_TensorHandleCopySharingTensor(h, s->status));
    else keep(s, TFE_TensorHandleCopyToDevice(h, context, devices[choose(&s->c, 7)], s->status));
}

static void drop_handle(struct session *s) {
    TFE_TensorHandle **h = handle_slot(s);
    if (*h) TFE_DeleteTensorHandle(*h);
    *h = NULL;
}

/* ---- the context */

static void use_executor(bool is_async) {
    TFE_Executor *executor = TFE_NewExecutor(is_async, false, 0);
    TFE_ContextSetExecutorForThread(context, executor);
    TFE_DeleteExecutor(executor);
}

static void wait_for_all(TF_Status *status) {
    TFE_Executor *executor = TFE_ContextGetExecutorForThread(context);
    TF_SetStatus(status, TF_OK, "");
    TFE_ExecutorWaitForAllPendingNodes(executor, status);
    TFE_ExecutorClearError(executor);
    TFE_DeleteExecutor(executor);
}

static void change_context(struct session *s) {
    switch (choose(&s->c, 6)) {
    case 0: use_executor(true); break;
    case 1: use_executor(false); break;
    case 2: wait_for_all(s->status); break;
    case 3: TFE_ContextClearCaches(context); break;
    case 4:
        if (TFE_ContextHasFunction(context, "twice")) TFE_ContextRemoveFunction(context, "twice", s->status);
        else add_function("twice", false, s->status);
        break;
    default:
        if (TFE_ContextHasFunction(context, "wrong")) TFE_ContextRemoveFunction(context, "wrong", s->status);
        else add_function("wrong", true, s->status);
        break;
    }
}

static void (*const commands[])(struct session *s) = {new_op,     set_attr,    add_inputs,  add_inputs,
                                                      execute,    execute,     ask_op,      new_handle,
                                                      ask_handle, copy_handle, drop_handle, change_context};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct session s = {.status = TF_NewStatus(), .c = {data, data + size}};
    start_context();
    for (int i = 0; i < MOST_COMMANDS && s.c.at < s.c.end; i++)
        commands[choose(&s.c, sizeof commands / sizeof *commands)](&s);
    wait_for_all(s.status);
    use_executor(false);
    for (int i = 0; i < OPS; i++)
        if (s.ops[i]) TFE_DeleteOp(s.ops[i]);
    for (int i = 0; i < HANDLES; i++)
        if (s.handles[i]) TFE_DeleteTensorHandle(s.handles[i]);
    if (TFE_ContextHasFunction(context, "twice")) TFE_ContextRemoveFunction(context, "twice", s.status);
    if (TFE_ContextHasFunction(context, "wrong")) TFE_ContextRemoveFunction(context, "wrong", s.status);
    TFE_ContextClearCaches(context);
    TF_DeleteStatus(s.status);
    return 0;
}
