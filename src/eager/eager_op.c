/* Building eager ops: names, devices, inputs, and the attrs that follow from inputs. */
#include "eager/eager_op.h"

#include <string.h>

#include "base/alloc.h"

/* ---- names */

static sl_code find_op(struct sl_eager_op *op, struct sl_str name, struct sl_error *err) {
    struct sl_error why;
    if (name.n && sl_op_find(&op->op, op->context->runtime->registries->ops, name, &why) == SL_OK) return SL_OK;
    op->function = sl_eager_find_function(op->context, name);
    if (op->function) {
        op->op = &op->function->op;
        return SL_OK;
    }
    return sl_fail(err, SL_NOT_FOUND,
                   "'%.*s' is neither a type of a primitive operation nor a name of a function registered in binary "
                   "running on this host. Make sure the operation or function is registered in the binary running in "
                   "this process.",
                   SL_STR_ARG(name));
}

static void forget(struct sl_eager_op *op) {
    sl_eager_op_drop_inputs(op);
    sl_eager_attrs_clear(&op->attrs);
    if (op->function) sl_function_unref(op->function);
    op->function = NULL;
    op->op = NULL;
    op->cancellation = NULL;
    op->device = "";
    op->next_arg = 0;
}

static sl_code begin(struct sl_eager_op *op, struct sl_str name, struct sl_error *err) {
    SL_TRY(find_op(op, name, err));
    return sl_eager_attrs_init(&op->attrs, op->op, err);
}

sl_code sl_eager_op_new(struct sl_eager_op **out, struct sl_eager_context *context, struct sl_str name,
                        struct sl_error *err) {
    struct sl_eager_op *op = sl_malloc(sizeof *op);
    if (!op) return sl_fail_memory(err, sizeof *op);
    op->context = sl_eager_context_ref(context);
    op->op = NULL;
    op->function = NULL;
    memset(&op->attrs.others, 0, sizeof op->attrs.others);
    memset(&op->attrs.tensors, 0, sizeof op->attrs.tensors);
    sl_arena_init(&op->attrs.arena);
    op->inputs = op->few;
    op->n_inputs = 0;
    op->inputs_cap = SL_EAGER_FEW_INPUTS;
    op->next_arg = 0;
    op->cancellation = NULL;
    op->device = "";
    sl_code code = begin(op, name, err);
    if (code == SL_OK) *out = op;
    else sl_eager_op_free(op);
    return code;
}

void sl_eager_op_free(struct sl_eager_op *op) {
    if (!op) return;
    forget(op);
    if (op->inputs != op->few) sl_free(op->inputs);
    sl_eager_context_unref(op->context);
    sl_free(op);
}

sl_code sl_eager_op_reset(struct sl_eager_op *op, struct sl_str name, struct sl_str device, struct sl_error *err) {
    forget(op);
    SL_TRY(begin(op, name, err));
    return sl_eager_op_set_device(op, device, err);
}

sl_code sl_eager_op_set_device(struct sl_eager_op *op, struct sl_str device, struct sl_error *err) {
    struct sl_device_name parsed;
    if (!device.n) {
        op->device = "";
        return SL_OK;
    }
    if (device.p[0] != '/' || sl_device_parse(&parsed, device, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Malformed device specification '%.*s' in eager op: %.*s",
                       SL_STR_ARG(device), SL_STR_ARG(op->op->name));
    op->device = sl_device_print(op->device_text, &parsed);
    return SL_OK;
}

/* ---- inputs */

void sl_eager_op_drop_inputs(struct sl_eager_op *op) {
    for (int i = 0; i < op->n_inputs; i++) sl_eager_handle_unref(op->inputs[i]);
    op->n_inputs = 0;
    op->next_arg = 0;
}

static sl_code push(struct sl_eager_op *op, struct sl_eager_handle *input, struct sl_error *err) {
    if (op->n_inputs == op->inputs_cap) {
        const size_t cap = 2 * (size_t)op->inputs_cap;
        struct sl_eager_handle **wider = sl_malloc(cap * sizeof *wider);
        if (!wider) return sl_fail_memory(err, cap * sizeof *wider);
        memcpy(wider, op->inputs, (size_t)op->n_inputs * sizeof *wider);
        if (op->inputs != op->few) sl_free(op->inputs);
        op->inputs = wider;
        op->inputs_cap = (int)cap;
    }
    op->inputs[op->n_inputs++] = sl_eager_handle_ref(input);
    return SL_OK;
}

static sl_code too_many(const struct sl_eager_op *op, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s takes %d arguments, and an input beyond them was added",
                   SL_STR_ARG(op->op->name), op->op->n_inputs);
}

/* A list argument of which single tensors are added: how many there will be is not known, so nothing follows from
 * inputs any more, and the kernel's signature says what fits. */
sl_code sl_eager_op_add(struct sl_eager_op *op, struct sl_eager_handle *input, struct sl_error *err) {
    const struct sl_op *o = op->op;
    if (op->next_arg >= o->n_inputs && !op->function) return too_many(op, err);
    SL_TRY(push(op, input, err));
    if (op->next_arg < 0 || op->function) return SL_OK;
    const struct sl_op_arg *arg = &o->inputs[op->next_arg++];
    if (sl_op_arg_is_list(arg)) op->next_arg = -1;
    else if (arg->type_attr >= 0)
        sl_eager_attrs_put_word(&op->attrs, arg->type_attr, SL_PB_AttrValue_type, input->dtype);
    return SL_OK;
}

static sl_code put_types(struct sl_eager_op *op, int at, struct sl_eager_handle *const *inputs, int n,
                         struct sl_error *err) {
    struct sl_arena *arena = &op->attrs.arena;
    struct sl_pb_AttrValue *value = SL_ARENA_NEW(arena, struct sl_pb_AttrValue);
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(arena, struct sl_pb_AttrValue_ListValue);
    int32_t *types = SL_ARENA_ARRAY(arena, int32_t, (size_t)n + 1);
    if (!value || !list || !types) return sl_fail_memory(err, sizeof *value);
    for (int i = 0; i < n; i++) types[i] = inputs[i]->dtype;
    list->type.items = types;
    list->type.n = (size_t)n;
    value->which = SL_PB_AttrValue_list;
    value->list = list;
    return sl_eager_attrs_put(&op->attrs, op->op->attrs[at].name, value, err);
}

sl_code sl_eager_op_add_list(struct sl_eager_op *op, struct sl_eager_handle *const *inputs, int n,
                             struct sl_error *err) {
    const struct sl_op *o = op->op;
    if (op->next_arg >= o->n_inputs && !op->function) return too_many(op, err);
    for (int i = 0; i < n; i++) SL_TRY(push(op, inputs[i], err));
    if (op->next_arg < 0 || op->function) return SL_OK;
    const struct sl_op_arg *arg = &o->inputs[op->next_arg++];
    if (!sl_op_arg_is_list(arg)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid input list definition");
    if (arg->type_list_attr >= 0) return put_types(op, arg->type_list_attr, inputs, n, err);
    sl_eager_attrs_put_word(&op->attrs, arg->number_attr, SL_PB_AttrValue_i, (uint64_t)n);
    if (arg->type_attr >= 0 && n)
        sl_eager_attrs_put_word(&op->attrs, arg->type_attr, SL_PB_AttrValue_type, inputs[0]->dtype);
    return SL_OK;
}

sl_code sl_eager_op_bind(struct sl_attrs *out, struct sl_arena *arena, const struct sl_eager_op *op,
                         struct sl_error *err) {
    struct sl_attrs given;
    SL_TRY(sl_eager_attrs_given(&given, arena, &op->attrs, err));
    return sl_attrs_bind(out, arena, op->op, &given, op->op->name, err);
}
