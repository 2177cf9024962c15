/* ops.h, the definition: TF_OpDefinitionBuilder gathers texts, registering parses them. */
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "capi/handles.h"
#include "ops/op_spec.h"
#include "root/root.h"
#include "tensorflow/c/ops.h"

typedef void shape_callback(TF_ShapeInferenceContext *context, TF_Status *status);

struct TF_OpDefinitionBuilder {
    struct sl_arena arena; /* of the texts */
    struct sl_str name, explanation;
    SL_VEC(struct sl_str) inputs;
    SL_VEC(struct sl_str) outputs;
    SL_VEC(struct sl_str) attrs;
    unsigned flags;
    int deprecated;
    shape_callback *shape;
    bool is_out_of_memory;
};

static struct sl_str copy_text(TF_OpDefinitionBuilder *builder, const char *text) {
    struct sl_str copy = sl_arena_str(&builder->arena, sl_str_of(text ? text : ""));
    if (!copy.p) builder->is_out_of_memory = true;
    return copy;
}

TF_OpDefinitionBuilder *TF_NewOpDefinitionBuilder(const char *op_name) {
    TF_OpDefinitionBuilder *builder = sl_calloc(1, sizeof *builder);
    if (!builder) return NULL;
    sl_arena_init(&builder->arena);
    builder->name = copy_text(builder, op_name);
    return builder;
}

void TF_DeleteOpDefinitionBuilder(TF_OpDefinitionBuilder *builder) {
    if (!builder) return;
    sl_vec_free(&builder->inputs);
    sl_vec_free(&builder->outputs);
    sl_vec_free(&builder->attrs);
    sl_arena_clear(&builder->arena);
    sl_free(builder);
}

void TF_OpDefinitionBuilderAddAttr(TF_OpDefinitionBuilder *builder, const char *attr_spec) {
    struct sl_str text = copy_text(builder, attr_spec);
    if (sl_vec_push(&builder->attrs, text)) builder->is_out_of_memory = true;
}

void TF_OpDefinitionBuilderAddInput(TF_OpDefinitionBuilder *builder, const char *input_spec) {
    struct sl_str text = copy_text(builder, input_spec);
    if (sl_vec_push(&builder->inputs, text)) builder->is_out_of_memory = true;
}

void TF_OpDefinitionBuilderAddOutput(TF_OpDefinitionBuilder *builder, const char *output_spec) {
    struct sl_str text = copy_text(builder, output_spec);
    if (sl_vec_push(&builder->outputs, text)) builder->is_out_of_memory = true;
}

static void set_flag(TF_OpDefinitionBuilder *builder, unsigned flag, bool on) {
    builder->flags = on ? builder->flags | flag : builder->flags & ~flag;
}

void TF_OpDefinitionBuilderSetIsCommutative(TF_OpDefinitionBuilder *builder, bool is_commutative) {
    set_flag(builder, SL_OP_COMMUTATIVE, is_commutative);
}

void TF_OpDefinitionBuilderSetIsAggregate(TF_OpDefinitionBuilder *builder, bool is_aggregate) {
    set_flag(builder, SL_OP_AGGREGATE, is_aggregate);
}

void TF_OpDefinitionBuilderSetIsStateful(TF_OpDefinitionBuilder *builder, bool is_stateful) {
    set_flag(builder, SL_OP_STATEFUL, is_stateful);
}

void TF_OpDefinitionBuilderSetAllowsUninitializedInput(TF_OpDefinitionBuilder *builder,
                                                       bool allows_uninitialized_input) {
    set_flag(builder, SL_OP_ALLOWS_UNINITIALIZED, allows_uninitialized_input);
}

void TF_OpDefinitionBuilderDeprecated(TF_OpDefinitionBuilder *builder, int version, const char *explanation) {
    builder->deprecated = version;
    builder->explanation = copy_text(builder, explanation);
}

void TF_OpDefinitionBuilderSetShapeInferenceFunction(TF_OpDefinitionBuilder *builder,
                                                     shape_callback *shape_inference_func) {
    builder->shape = shape_inference_func;
}

/* The shape function of every op that has a callback: the context is passed on as it is. */
static sl_code call_back(struct sl_shape_ctx *c) {
    shape_callback *callback;
    TF_Status status = {.code = SL_OK};
    memcpy(&callback, &c->op->shape_arg, sizeof callback);
    callback((TF_ShapeInferenceContext *)c, &status);
    sl_code code = sl_status_give(&status, c->err);
    sl_status_set(&status, SL_OK, NULL);
    return code;
}

static sl_code register_op(const TF_OpDefinitionBuilder *builder, struct sl_arena *arena, struct sl_error *err) {
    const struct sl_registries *registries;
    struct sl_pb_OpDef def;
    void *shape_arg;
    struct sl_op_spec spec = {.name = builder->name,
                              .inputs = builder->inputs.items,
                              .outputs = builder->outputs.items,
                              .attrs = builder->attrs.items,
                              .n_inputs = builder->inputs.n,
                              .n_outputs = builder->outputs.n,
                              .n_attrs = builder->attrs.n,
                              .flags = builder->flags,
                              .deprecated = builder->deprecated,
                              .explanation = builder->explanation};
    if (builder->is_out_of_memory) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "out of memory");
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_op_spec_parse(&def, arena, &spec, err));
    memcpy(&shape_arg, &builder->shape, sizeof shape_arg);
    return sl_op_register(NULL, registries->ops, &def, builder->shape ? call_back : NULL, shape_arg, err);
}

void TF_RegisterOpDefinition(TF_OpDefinitionBuilder *builder, TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    if (!builder) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "The op definition builder is NULL");
        return;
    }
    sl_arena_init(&arena);
    sl_status_take(status, register_op(builder, &arena, &err), &err);
    sl_arena_clear(&arena);
    TF_DeleteOpDefinitionBuilder(builder);
}
