/* One op, run by itself on inputs that nobody would give it: empty, of rank 0 to 8, of every type for indices, of the
 * wrong length, with attrs at their bounds. Whatever comes back is right; only a crash, a leak or a hang is not.
 *
 *     the op's name up to a newline; then a byte for each choice */
#include "eager_calls.h"

/* ---- handles of what lies behind resources and variants */

static TFE_TensorHandle *run_simple(const char *name, TFE_TensorHandle **inputs, int n_inputs,
                                    void (*set)(TFE_Op *op, TF_Status *status), TF_Status *status) {
    TFE_TensorHandle *out[2] = {NULL};
    int n = 2;
    TFE_Op *op = TFE_NewOp(context, name, status);
    if (!op) return NULL;
    if (set) set(op, status);
    for (int i = 0; i < n_inputs; i++)
        if (inputs[i]) TFE_OpAddInput(op, inputs[i], status);
    TF_SetStatus(status, TF_OK, "");
    execute_watched(op, out, &n, status);
    TFE_DeleteOp(op);
    if (out[1]) TFE_DeleteTensorHandle(out[1]);
    return out[0];
}

static void set_variable(TFE_Op *op, TF_Status *status) {
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_OpSetAttrShape(op, "shape", NULL, -1, status);
}
static void set_table(TFE_Op *op, TF_Status *status) {
    (void)status;
    TFE_OpSetAttrType(op, "key_dtype", TF_INT64);
    TFE_OpSetAttrType(op, "value_dtype", TF_FLOAT);
}
static void set_queue(TFE_Op *op, TF_Status *status) {
    (void)status;
    TFE_OpSetAttrTypeList(op, "component_types", (const TF_DataType[]){TF_FLOAT}, 1);
    TFE_OpSetAttrInt(op, "capacity", 4);
}
static void set_array(TFE_Op *op, TF_Status *status) {
    (void)status;
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_OpSetAttrBool(op, "dynamic_size", 1);
}
static void set_list(TFE_Op *op, TF_Status *status) {
    (void)status;
    TFE_OpSetAttrType(op, "element_dtype", TF_FLOAT);
}

static TFE_TensorHandle *choose_resource(struct choices *c, TF_Status *status) {
    int32_t three = 3;
    TF_Tensor *size = TF_AllocateTensor(TF_INT32, NULL, 0, sizeof three);
    memcpy(TF_TensorData(size), &three, sizeof three);
    TFE_TensorHandle *handle = NULL, *value = handle_of(choose_tensor(c, TF_FLOAT), status),
                     *n = handle_of(size, status);
    switch (choose(c, 6)) {
    case 0:
    case 1:
        handle = run_simple("VarHandleOp", NULL, 0, set_variable, status);
        if (handle) run_simple("AssignVariableOp", (TFE_TensorHandle *[]){handle, value}, 2, NULL, status);
        break;
    case 2: handle = run_simple("MutableHashTableV2", NULL, 0, set_table, status); break;
    case 3: handle = run_simple("FIFOQueueV2", NULL, 0, set_queue, status); break;
    case 4: handle = run_simple("TensorArrayV3", &n, 1, set_array, status); break;
    default: handle = run_simple("VarHandleOp", NULL, 0, set_variable, status); break; /* without a value */
    }
    if (value) TFE_DeleteTensorHandle(value);
    TFE_DeleteTensorHandle(n);
    return handle;
}

static TFE_TensorHandle *choose_variant(struct choices *c, TF_Status *status) {
    int32_t most = (int32_t)choose(c, 4) - 1, any = -1;
    TF_Tensor *a = TF_AllocateTensor(TF_INT32, NULL, 0, sizeof any),
              *b = TF_AllocateTensor(TF_INT32, NULL, 0, sizeof most);
    memcpy(TF_TensorData(a), &any, sizeof any);
    memcpy(TF_TensorData(b), &most, sizeof most);
    TFE_TensorHandle *in[2] = {handle_of(a, status), handle_of(b, status)}, *handle, *more;
    if (choose(c, 2)) handle = run_simple("EmptyTensorList", in, 2, set_list, status);
    else handle = run_simple("TensorListReserve", in, 2, set_list, status);
    for (size_t n = choose(c, 3); n && handle; n--) {
        TFE_TensorHandle *pair[2] = {handle, handle_of(choose_tensor(c, TF_FLOAT), status)};
        if ((more = run_simple("TensorListPushBack", pair, 2, set_list, status))) {
            TFE_DeleteTensorHandle(handle);
            handle = more;
        }
        if (pair[1]) TFE_DeleteTensorHandle(pair[1]);
    }
    for (int i = 0; i < 2; i++) TFE_DeleteTensorHandle(in[i]);
    return handle;
}

/* ---- the op */

static int choose_type(struct choices *c, const struct sl_op_attr *attr) {
    static const TF_DataType usual[] = {TF_FLOAT, TF_INT32, TF_INT64, TF_STRING, TF_DOUBLE, TF_BOOL, TF_HALF, TF_UINT8};
    const struct sl_pb_AttrValue_ListValue *allowed = attr->allowed ? attr->allowed->list : NULL;
    if (allowed && allowed->type.n) return (int)allowed->type.items[choose(c, allowed->type.n)];
    return usual[choose(c, 8)];
}

struct call {
    TFE_Op *op;
    const struct sl_op *row;
    int types[64]; /* by attr; 0: not chosen */
    TF_Status *status;
};

static int type_of(struct call *call, struct choices *c, const struct sl_op_arg *arg) {
    if (arg->type_attr < 0 || arg->type_attr >= 64) return arg->type ? arg->type : TF_FLOAT;
    int *type = &call->types[arg->type_attr];
    if (!*type) *type = choose_type(c, &call->row->attrs[arg->type_attr]);
    return choose(c, 32) ? *type : (int)(1 + choose(c, 23)); /* now and then one that does not fit */
}

static TFE_TensorHandle *choose_input(struct call *call, struct choices *c, int type) {
    if (type == TF_RESOURCE) return choose_resource(c, call->status);
    if (type == TF_VARIANT) return choose_variant(c, call->status);
    return handle_of(choose_tensor(c, type), call->status);
}

static void add_input(struct call *call, struct choices *c, const struct sl_op_arg *arg) {
    TFE_TensorHandle *handles[4];
    int n = 0;
    const bool is_list = sl_op_arg_is_list(arg);
    const size_t wanted = is_list ? choose(c, 4) : 1;
    for (size_t i = 0; i < wanted; i++) {
        const int type = arg->type_list_attr >= 0 ? (int)(1 + choose(c, 10)) : type_of(call, c, arg);
        TFE_TensorHandle *h = choose_input(call, c, type);
        if (h) handles[n++] = h;
    }
    if (is_list) TFE_OpAddInputList(call->op, handles, n, call->status);
    else if (n) TFE_OpAddInput(call->op, handles[0], call->status);
    for (int i = 0; i < n; i++) TFE_DeleteTensorHandle(handles[i]);
}

static void run_op(const struct sl_op *row, struct choices *c) {
    enum { MOST_OUTPUTS = 512 };
    static TFE_TensorHandle *outputs[MOST_OUTPUTS];
    struct call call = {.row = row, .status = TF_NewStatus()};
    int n = MOST_OUTPUTS;
    call.op = TFE_NewOp(context, row->name.p, call.status);
    for (int a = 0; call.op && a < row->n_attrs; a++) {
        const bool is_needed = !row->attrs[a].default_value && row->attrs[a].kind != SL_ATTR_TYPE;
        if (is_needed || choose(c, 8) == 0) choose_attr(c, call.op, &row->attrs[a], call.status);
    }
    for (int i = 0; call.op && i < row->n_inputs; i++) add_input(&call, c, &row->inputs[i]);
    if (call.op) {
        TF_SetStatus(call.status, TF_OK, "");
        execute_watched(call.op, outputs, &n, call.status);
        if (TF_GetCode(call.status) != TF_OK) n = 0;
        for (int o = 0; o < n; o++) {
            TF_Tensor *t = TFE_TensorHandleResolve(outputs[o], call.status);
            if (t) TF_DeleteTensor(t);
            TFE_DeleteTensorHandle(outputs[o]);
        }
        TFE_DeleteOp(call.op);
    }
    TF_DeleteStatus(call.status);
}

/* Names that no op has stand for one all the same. */
static const struct sl_op *find_op(struct sl_str name) {
    const struct sl_registries *registries;
    const struct sl_op *op;
    if (sl_root_registries(&registries, NULL)) abort();
    if (sl_op_find(&op, op_registry, name, NULL) == SL_OK) return op;
    size_t hash = 0;
    for (size_t i = 0; i < name.n; i++) hash = hash * 31 + (unsigned char)name.p[i];
    for (size_t tries = 0; tries < 64; tries++)
        if (sl_op_at(&op, op_registry, (hash + tries) % sl_op_count(op_registry), NULL) == SL_OK &&
            sl_kernel_table_has(registries->kernels, op->name))
            return op;
    return op;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *newline = memchr(data, '\n', size);
    start_context();
    if (!newline) return 0;
    const struct sl_op *op = find_op((struct sl_str){(const char *)data, (size_t)(newline - data)});
    struct choices c = {newline + 1, data + size};
    if (is_harmless(op->name)) run_op(op, &c);
    TFE_ContextClearCaches(context);
    return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Another op, or other choices. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    uint8_t choices[1024];
    const struct sl_op *op;
    start_context();
    const uint8_t *newline = memchr(data, '\n', size);
    size_t head = newline ? (size_t)(newline - data) + 1 : 0, n = size - head;
    if (n > sizeof choices) n = sizeof choices;
    memcpy(choices, data + head, n);
    if (!head || seed % 4 == 0) {
        const struct sl_registries *registries;
        if (sl_root_registries(&registries, NULL)) abort();
        do {
            seed = seed * 1664525 + 1013904223;
            if (sl_op_at(&op, op_registry, (seed >> 8) % sl_op_count(op_registry), NULL)) abort();
        } while (!is_harmless(op->name) || !sl_kernel_table_has(registries->kernels, op->name));
        if (op->name.n + 1 + 64 > most) return size;
        memcpy(data, op->name.p, op->name.n);
        data[op->name.n] = '\n';
        head = op->name.n + 1;
    }
    if (head >= most) return size;
    const size_t room = most - head < sizeof choices ? most - head : sizeof choices;
    n = LLVMFuzzerMutate(choices, n < room ? n : room, room);
    memcpy(data + head, choices, n);
    return head + n;
}
