/* TFE_Op: building, asking, executing. capi_eager_attr.c sets attrs. */
#include "capi/attr_reader.h"
#include "capi/eager/eager_handles.h"
#include "ops/op_signature.h"

/* ---- life */
TFE_Op *TFE_NewOp(TFE_Context *context, const char *op_or_function_name, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, op_or_function_name)) return NULL;
    struct sl_error err;
    struct sl_eager_op *op = NULL;
    sl_status_take(status, sl_eager_op_new(&op, sl_as_eager(context), sl_str_of(op_or_function_name), &err), &err);
    return (TFE_Op *)op;
}

void TFE_DeleteOp(TFE_Op *op) { sl_eager_op_free(sl_as_eager_op(op)); }

void TFE_OpReset(TFE_Op *op, const char *op_or_function_name, const char *raw_device_name, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, op_or_function_name)) return;
    struct sl_error err;
    sl_status_take(status,
                   sl_eager_op_reset(sl_as_eager_op(op), sl_str_of(op_or_function_name),
                                     sl_str_of(raw_device_name ? raw_device_name : ""), &err),
                   &err);
}

const char *TFE_OpGetName(const TFE_Op *op, TF_Status *status) {
    if (SL_LACKS(status, op)) return NULL;
    sl_status_set(status, SL_OK, NULL);
    const struct sl_op *o = sl_as_eager_op(op)->op;
    return o ? o->name.p : "";
}

TFE_Context *TFE_OpGetContext(const TFE_Op *op, TF_Status *status) {
    if (SL_LACKS(status, op)) return NULL;
    sl_status_set(status, SL_OK, NULL);
    return (TFE_Context *)sl_as_eager_op(op)->context;
}

void TFE_OpSetDevice(TFE_Op *op, const char *device_name, TF_Status *status) {
    if (SL_LACKS(status, op)) return;
    struct sl_error err;
    sl_status_take(status, sl_eager_op_set_device(sl_as_eager_op(op), sl_str_of(device_name ? device_name : ""), &err),
                   &err);
}

const char *TFE_OpGetDevice(const TFE_Op *op, TF_Status *status) {
    if (SL_LACKS(status, op)) return NULL;
    sl_status_set(status, SL_OK, NULL);
    return sl_as_eager_op(op)->device;
}

void TFE_OpSetCancellationManager(TFE_Op *op, TFE_CancellationManager *cancellation_manager, TF_Status *status) {
    if (SL_LACKS(status, op)) return;
    sl_as_eager_op(op)->cancellation = cancellation_manager ? cancellation_manager->cancellation : NULL;
    sl_status_set(status, SL_OK, NULL);
}

/* ---- inputs */
static sl_code no_name(struct sl_error *err) {
    return sl_fail(err, SL_FAILED_PRECONDITION, "the op has no name: resetting it failed");
}

static sl_code add_input(struct sl_eager_op *op, struct sl_eager_handle *h, struct sl_error *err) {
    if (!op->op) return no_name(err);
    if (!h) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid handle");
    return sl_eager_op_add(op, h, err);
}

void TFE_OpAddInput(TFE_Op *op, TFE_TensorHandle *input, TF_Status *status) {
    if (SL_LACKS(status, op)) return;
    struct sl_error err;
    sl_status_take(status, add_input(sl_as_eager_op(op), sl_as_eager_handle(input), &err), &err);
}

static sl_code add_list(struct sl_eager_op *op, TFE_TensorHandle **inputs, int n, struct sl_error *err) {
    if (!op->op) return no_name(err);
    for (int i = 0; i < n; i++)
        if (!inputs[i]) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid handle");
    return sl_eager_op_add_list(op, (struct sl_eager_handle *const *)inputs, n > 0 ? n : 0, err);
}

void TFE_OpAddInputList(TFE_Op *op, TFE_TensorHandle **inputs, int num_inputs, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS_ITEMS(status, inputs, num_inputs)) return;
    struct sl_error err;
    sl_status_take(status, add_list(sl_as_eager_op(op), inputs, num_inputs, &err), &err);
}

int TFE_OpGetFlatInputCount(const TFE_Op *op, TF_Status *status) {
    if (SL_LACKS(status, op)) return -1;
    sl_status_set(status, SL_OK, NULL);
    return sl_as_eager_op(op)->n_inputs;
}

TFE_TensorHandle *TFE_OpGetFlatInput(const TFE_Op *op, int index, TF_Status *status) {
    if (SL_LACKS(status, op)) return NULL;
    const struct sl_eager_op *o = sl_as_eager_op(op);
    const bool is_one = index >= 0 && index < o->n_inputs;
    sl_status_fail(status, is_one ? SL_OK : SL_INVALID_ARGUMENT, "there is no input %d: the op has %d", index,
                   o->n_inputs);
    return is_one ? (TFE_TensorHandle *)o->inputs[index] : NULL;
}

/* ---- what is known of the op */
static const TF_AttrType kinds[SL_ATTR_KINDS] = {
    [SL_ATTR_STRING] = TF_ATTR_STRING, [SL_ATTR_INT] = TF_ATTR_INT,   [SL_ATTR_FLOAT] = TF_ATTR_FLOAT,
    [SL_ATTR_BOOL] = TF_ATTR_BOOL,     [SL_ATTR_TYPE] = TF_ATTR_TYPE, [SL_ATTR_SHAPE] = TF_ATTR_SHAPE,
    [SL_ATTR_TENSOR] = TF_ATTR_TENSOR, [SL_ATTR_FUNC] = TF_ATTR_FUNC};

static sl_code attr_kind(TF_AttrType *out, unsigned char *is_list, const struct sl_op *op, bool is_function,
                         const char *name, struct sl_error *err) {
    *is_list = 0;
    if (!op) return no_name(err);
    if (is_function) {
        if (!sl_str_is(sl_str_of(name), "executor_type") && !sl_str_is(sl_str_of(name), "config_proto"))
            return sl_fail(err, SL_INVALID_ARGUMENT, "Attribute '%s' does not exist for this operation", name);
        *out = TF_ATTR_STRING;
        return SL_OK;
    }
    const int at = sl_op_attr_index(op, sl_str_of(name));
    if (at < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Attribute '%s' does not exist for this operation", name);
    *is_list = op->attrs[at].is_list;
    *out = kinds[op->attrs[at].kind];
    return SL_OK;
}

TF_AttrType TFE_OpGetAttrType(TFE_Op *op, const char *attr_name, unsigned char *is_list, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, attr_name) || SL_LACKS(status, is_list)) return TF_ATTR_INT;
    struct sl_error err;
    TF_AttrType kind = TF_ATTR_INT;
    const struct sl_eager_op *o = sl_as_eager_op(op);
    sl_status_take(status, attr_kind(&kind, is_list, o->op, o->function, attr_name, &err), &err);
    return kind;
}

TF_AttrType TFE_OpNameGetAttrType(TFE_Context *context, const char *op_or_function_name, const char *attr_name,
                                  unsigned char *is_list, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, op_or_function_name) || SL_LACKS(status, attr_name) ||
        SL_LACKS(status, is_list))
        return TF_ATTR_INT;
    TFE_Op *op = TFE_NewOp(context, op_or_function_name, status);
    TF_AttrType kind = op ? TFE_OpGetAttrType(op, attr_name, is_list, status) : TF_ATTR_INT;
    TFE_DeleteOp(op);
    return kind;
}

/* Attrs by position, as they are known now, with those defaults that there are; unchecked. NOT_FOUND when the length of
 * this argument is not among them. */
static sl_code fill_lengths(struct sl_attrs *out, struct sl_arena *arena, const struct sl_eager_op *op,
                            const struct sl_op_arg *arg, struct sl_error *err) {
    struct sl_attrs given;
    const struct sl_op *o = op->op;
    struct sl_attr *items = SL_ARENA_ARRAY(arena, struct sl_attr, o->n_attrs + (size_t)1);
    static const struct sl_pb_AttrValue_ListValue empty;
    if (!items) return sl_fail_memory(err, sizeof *items);
    SL_TRY(sl_eager_attrs_given(&given, arena, &op->attrs, err));
    for (int a = 0; a < o->n_attrs; a++) {
        const struct sl_pb_AttrValue *v = sl_attr_find(&given, o->attrs[a].name);
        if (!v) v = o->attrs[a].default_value;
        if (!v && (a == arg->number_attr || a == arg->type_list_attr))
            return sl_fail(err, SL_NOT_FOUND, "No attr named '%.*s' in NodeDef:", SL_STR_ARG(o->attrs[a].name));
        if (!v) /* of another argument */
            v = o->attrs[a].is_list ? sl_attr_new_list(arena, o->attrs[a].name, &empty).value
                                    : sl_attr_new(arena, o->attrs[a].name, SL_ATTR_VALUE(i, 0)).value;
        if (!v) return sl_fail_memory(err, sizeof *v);
        items[a] = (struct sl_attr){o->attrs[a].name, v};
    }
    *out = (struct sl_attrs){items, o->n_attrs};
    return SL_OK;
}

/* Tensors of one argument, by the attrs that are known now. */
static sl_code length_of(int *out, const struct sl_eager_op *op, const char *name, bool is_output,
                         struct sl_error *err) {
    struct sl_arena arena;
    struct sl_attrs bound;
    const struct sl_op *o = op->op;
    if (!o) return no_name(err);
    const struct sl_op_arg *args = is_output ? o->outputs : o->inputs;
    int first, arg = 0, n = is_output ? o->n_outputs : o->n_inputs;
    if (op->function)
        return sl_fail(err, SL_NOT_FOUND, "Op type not registered '%.*s' in binary running on this host.",
                       SL_STR_ARG(o->name));
    while (arg < n && !sl_str_is(args[arg].name, name)) arg++;
    if (arg == n) return sl_fail(err, SL_INVALID_ARGUMENT, "%s '%s' not found", is_output ? "Output" : "Input", name);
    sl_arena_init(&arena);
    sl_code code = fill_lengths(&bound, &arena, op, &args[arg], err);
    if (code == SL_OK && is_output) sl_op_output_range(&first, out, o, arg, &bound);
    else if (code == SL_OK) sl_op_input_range(&first, out, o, arg, &bound);
    sl_arena_clear(&arena);
    return code;
}

int TFE_OpGetInputLength(TFE_Op *op, const char *input_name, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, input_name)) return -1;
    struct sl_error err;
    int n = -1;
    sl_status_take(status, length_of(&n, sl_as_eager_op(op), input_name, false, &err), &err);
    return n;
}

int TFE_OpGetOutputLength(TFE_Op *op, const char *output_name, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, output_name)) return -1;
    struct sl_error err;
    int n = -1;
    sl_status_take(status, length_of(&n, sl_as_eager_op(op), output_name, true, &err), &err);
    return n;
}

/* ---- executing */
void TFE_Execute(TFE_Op *op, TFE_TensorHandle **retvals, int *num_retvals, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, num_retvals) || SL_LACKS_ITEMS(status, retvals, *num_retvals)) return;
    struct sl_error err;
    sl_status_take(status, sl_eager_execute((struct sl_eager_handle **)retvals, num_retvals, sl_as_eager_op(op), &err),
                   &err);
}
