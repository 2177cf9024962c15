/* TFE_InferShapes: the shape function of an op, on shapes that the caller gives; the op's own inputs are not looked
 * at. */
#include <string.h>

#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "ops/shape_ctx.h"

/* What the caller knows of the inputs. */
struct known {
    TF_Tensor **tensors;            /* NULL, or NULLs: values that are not known */
    TF_ShapeAndTypeList *as_shapes; /* what inputs say that are shapes; NULL: nothing */
};

static const struct sl_tensor *constant_of(struct sl_shape_ctx *c, int i) {
    const struct known *known = c->graph;
    return known->tensors && known->tensors[i] ? known->tensors[i]->tensor : NULL;
}

static sl_code shape_of_tensor(struct sl_shape *out, struct sl_shape_ctx *c, int i) {
    const struct known *known = c->graph;
    *out = SL_SHAPE_UNKNOWN;
    if (constant_of(c, i)) { /* a value says more: read as if nobody read tensors as shapes */
        c->tensor_as_shape = NULL;
        sl_code code = sl_infer_shape_of_tensor(out, c, i);
        c->tensor_as_shape = shape_of_tensor;
        return code;
    }
    if (i >= known->as_shapes->num_items) return SL_OK;
    const TF_ShapeAndType *item = &known->as_shapes->items[i];
    *out = (struct sl_shape){item->num_dims, item->dims};
    return SL_OK;
}

/* How many outputs there are, as far as attrs say: a list whose length is not known is one. */
static int count_outputs(const struct sl_op *op, const struct sl_attrs *attrs) {
    int n = 0;
    for (int i = 0; i < op->n_outputs; i++) {
        const struct sl_op_arg *arg = &op->outputs[i];
        const int at = arg->number_attr >= 0 ? arg->number_attr : arg->type_list_attr;
        const struct sl_pb_AttrValue *v = at >= 0 ? sl_attr_find(attrs, op->attrs[at].name) : NULL;
        if (at < 0) n++;
        else if (v && v->which == SL_PB_AttrValue_i) n += v->i > 0 && v->i < 1 << 16 ? (int)v->i : 0;
        else if (v && v->which == SL_PB_AttrValue_list && v->list) n += (int)v->list->type.n;
    }
    return n;
}

/* Attrs that are set, and the defaults of the others. */
static sl_code fill_attrs(struct sl_attrs *out, struct sl_arena *arena, const struct sl_eager_op *op,
                          struct sl_error *err) {
    struct sl_attrs given;
    SL_TRY(sl_eager_attrs_given(&given, arena, &op->attrs, err));
    struct sl_attr *items = SL_ARENA_ARRAY(arena, struct sl_attr, (size_t)given.n + op->op->n_attrs + 1);
    if (!items) return sl_fail_memory(err, sizeof *items);
    int n = given.n;
    if (n) memcpy(items, given.items, (size_t)n * sizeof *items);
    for (int a = 0; a < op->op->n_attrs; a++)
        if (op->op->attrs[a].default_value && !sl_attr_find(&given, op->op->attrs[a].name))
            items[n++] = (struct sl_attr){op->op->attrs[a].name, op->op->attrs[a].default_value};
    *out = (struct sl_attrs){items, n};
    return SL_OK;
}

static sl_code check_lengths(const struct sl_eager_op *op, const struct sl_attrs *attrs, struct sl_error *err) {
    const struct sl_op *o = op->op;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < (side ? o->n_outputs : o->n_inputs); i++) {
            const struct sl_op_arg *arg = side ? &o->outputs[i] : &o->inputs[i];
            const int at = arg->number_attr >= 0 ? arg->number_attr : arg->type_list_attr;
            if (at >= 0 && !sl_attr_find(attrs, o->attrs[at].name))
                return sl_fail(err, SL_NOT_FOUND, "No attr named '%.*s' in NodeDef:", SL_STR_ARG(o->attrs[at].name));
        }
    return SL_OK;
}

static sl_code write_out(TF_ShapeAndTypeList **out, const struct sl_shape *shapes, int n, struct sl_error *err) {
    TF_ShapeAndTypeList *list = TF_NewShapeAndTypeList(n);
    if (!list) return sl_fail_memory(err, sizeof *list);
    for (int o = 0; o < n; o++)
        if (shapes[o].rank >= 0) TF_ShapeAndTypeListSetShape(list, o, shapes[o].dims, shapes[o].rank);
    *out = list;
    return SL_OK;
}

/* Types of the inputs: as the caller says, those of known values, those that attrs say; 0 where nothing does. */
static void fill_types(uint8_t *types, const struct sl_op *op, const struct sl_attrs *attrs,
                       const TF_ShapeAndTypeList *in, const struct known *known) {
    int at = 0, n = in->num_items;
    for (int i = 0; i < op->n_inputs; i++) {
        const struct sl_op_arg *arg = &op->inputs[i];
        const int which = arg->type_attr >= 0 ? arg->type_attr : arg->type_list_attr;
        const struct sl_pb_AttrValue *type = which >= 0 ? sl_attr_find(attrs, op->attrs[which].name) : NULL;
        const struct sl_pb_AttrValue *number =
            arg->number_attr >= 0 ? sl_attr_find(attrs, op->attrs[arg->number_attr].name) : NULL;
        const bool is_list = type && type->which == SL_PB_AttrValue_list && type->list;
        int64_t count = number && number->which == SL_PB_AttrValue_i ? number->i : 1;
        if (is_list) count = (int64_t)type->list->type.n;
        for (int64_t k = 0; k < count && at < n; k++, at++)
            types[at] = (uint8_t)(is_list                                       ? type->list->type.items[k]
                                  : type && type->which == SL_PB_AttrValue_type ? type->type
                                                                                : arg->type);
    }
    for (int i = 0; i < n; i++) {
        if (known->tensors && known->tensors[i]) types[i] = known->tensors[i]->tensor->dtype;
        if (in->items[i].dtype) types[i] = (uint8_t)in->items[i].dtype;
    }
}

/* Shape functions ask for attrs in an order of their own: of those that are missing the first is named. */
static sl_code name_missing(const struct sl_op *op, const struct sl_attrs *attrs, sl_code code, struct sl_error *err) {
    for (int a = 0; code == SL_NOT_FOUND && a < op->n_attrs; a++)
        if (op->attrs[a].kind != SL_ATTR_TYPE && !sl_attr_find(attrs, op->attrs[a].name))
            return sl_fail(err, code, "No attr named '%.*s' in NodeDef:", SL_STR_ARG(op->attrs[a].name));
    return code;
}

static sl_code infer(TF_ShapeAndTypeList **out, const struct sl_eager_op *op, const TF_ShapeAndTypeList *in,
                     struct known *known, struct sl_arena *arena, struct sl_error *err) {
    struct sl_attrs attrs;
    if (!op->op || op->function) return sl_fail(err, SL_UNIMPLEMENTED, "TFE_InferShapes of a function");
    SL_TRY(fill_attrs(&attrs, arena, op, err));
    SL_TRY(check_lengths(op, &attrs, err));
    const int n_in = in->num_items, n_out = count_outputs(op->op, &attrs);
    const size_t n_items = (size_t)n_in + 1;
    struct sl_shape *shapes = SL_ARENA_ARRAY(arena, struct sl_shape, n_items);
    struct sl_shape *results = SL_ARENA_ARRAY(arena, struct sl_shape, (size_t)n_out + 1);
    struct sl_handle_data *handles = SL_ARENA_ARRAY(arena, struct sl_handle_data, n_items + (size_t)n_out);
    uint8_t *types = sl_arena_zalloc(arena, n_items + (size_t)n_out);
    if (!shapes || !results || !handles || !types) return sl_fail_memory(err, n_items * sizeof *shapes);
    for (int i = 0; i < n_in; i++) shapes[i] = (struct sl_shape){in->items[i].num_dims, in->items[i].dims};
    fill_types(types, op->op, &attrs, in, known);
    for (int o = 0; o < n_out; o++) results[o] = SL_SHAPE_UNKNOWN;
    struct sl_shape_ctx c = {.op = op->op,
                             .attrs = &attrs,
                             .n_in = n_in,
                             .n_out = n_out,
                             .in_types = types,
                             .out_types = types + n_items,
                             .in = shapes,
                             .in_handles = handles,
                             .out = results,
                             .out_handles = handles + n_items,
                             .arena = arena,
                             .err = err,
                             .constant = constant_of,
                             .tensor_as_shape = known->as_shapes ? shape_of_tensor : NULL,
                             .graph = known,
                             .graph_version = SL_GRAPH_DEF_VERSION};
    if (op->op->shape) SL_TRY(name_missing(op->op, &attrs, op->op->shape(&c), err));
    return write_out(out, results, n_out, err);
}

void TFE_InferShapes(TFE_Op *op, TF_ShapeAndTypeList *input_shapes, TF_Tensor **input_tensors,
                     TF_ShapeAndTypeList *input_tensor_as_shapes, TF_ShapeAndTypeList **input_resource_shapes_and_types,
                     TF_ShapeAndTypeList **output_shapes, TF_ShapeAndTypeList ***output_resource_shapes_and_types,
                     TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, input_shapes) || SL_LACKS(status, output_shapes)) return;
    struct sl_error err;
    struct sl_arena arena;
    struct known known = {input_tensors, input_tensor_as_shapes};
    if (input_resource_shapes_and_types || output_resource_shapes_and_types) {
        sl_status_fail(status, SL_UNIMPLEMENTED, "TFE_InferShapes of what resources hold");
        return;
    }
    sl_arena_init(&arena);
    sl_status_take(status, infer(output_shapes, sl_as_eager_op(op), input_shapes, &known, &arena, &err), &err);
    sl_arena_clear(&arena);
}
