/* Defining ops in C: a builder describes the op, and a callback infers the shapes of its outputs.
 *
 * Threads: a builder has one owner; registering is thread-safe. Shape functions may be called from any thread. */
#ifndef TENSORFLOW_C_OPS_H_
#define TENSORFLOW_C_OPS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_DimensionHandle TF_DimensionHandle;
typedef struct TF_OpDefinitionBuilder TF_OpDefinitionBuilder;
typedef struct TF_ShapeHandle TF_ShapeHandle;
typedef struct TF_ShapeInferenceContext TF_ShapeInferenceContext;

/* ---- the definition ---- */

/* New builder of an op in CamelCase. TF_RegisterOpDefinition frees it, or TF_DeleteOpDefinitionBuilder. */
TF_CAPI_EXPORT TF_OpDefinitionBuilder *TF_NewOpDefinitionBuilder(const char *op_name);
/* Registers the op and frees the builder, also on failure. Mistakes in the specifications are reported here. */
TF_CAPI_EXPORT void TF_RegisterOpDefinition(TF_OpDefinitionBuilder *builder, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteOpDefinitionBuilder(TF_OpDefinitionBuilder *builder);

/* "name: type", with limits and a default where wanted: "T: {float, int32} = DT_FLOAT", "N: int >= 1", "s: string". */
TF_CAPI_EXPORT void TF_OpDefinitionBuilderAddAttr(TF_OpDefinitionBuilder *builder, const char *attr_spec);
/* "name: type", where the type is fixed or an attribute: "x: float", "x: T", "xs: N * T", "h: Ref(T)". */
TF_CAPI_EXPORT void TF_OpDefinitionBuilderAddInput(TF_OpDefinitionBuilder *builder, const char *input_spec);
TF_CAPI_EXPORT void TF_OpDefinitionBuilderAddOutput(TF_OpDefinitionBuilder *builder, const char *output_spec);

/* op(a, b) is op(b, a). */
TF_CAPI_EXPORT void TF_OpDefinitionBuilderSetIsCommutative(TF_OpDefinitionBuilder *builder, bool is_commutative);
/* Takes any number of inputs of one type, as a sum does. */
TF_CAPI_EXPORT void TF_OpDefinitionBuilderSetIsAggregate(TF_OpDefinitionBuilder *builder, bool is_aggregate);
/* Keeps state, so that two equal calls cannot be made one. */
TF_CAPI_EXPORT void TF_OpDefinitionBuilderSetIsStateful(TF_OpDefinitionBuilder *builder, bool is_stateful);
/* A Ref input may be uninitialised. */
TF_CAPI_EXPORT void TF_OpDefinitionBuilderSetAllowsUninitializedInput(TF_OpDefinitionBuilder *builder,
                                                                      bool allows_uninitialized_input);
/* Graphs of this GraphDef version or later may not use the op. */
TF_CAPI_EXPORT void TF_OpDefinitionBuilderDeprecated(TF_OpDefinitionBuilder *builder, int version,
                                                     const char *explanation);
/* Without one, all outputs are of unknown shape. */
TF_CAPI_EXPORT void TF_OpDefinitionBuilderSetShapeInferenceFunction(
    TF_OpDefinitionBuilder *builder,
    void (*shape_inference_func)(TF_ShapeInferenceContext *context, TF_Status *status));

/* ---- inside a shape function ----
 *
 * Shapes and dimensions are values; a handle holds one. New handles are the callback's to delete. `result` may be the
 * handle that was read. */

TF_CAPI_EXPORT TF_ShapeHandle *TF_NewShapeHandle(void);
TF_CAPI_EXPORT void TF_DeleteShapeHandle(TF_ShapeHandle *handle);
TF_CAPI_EXPORT TF_DimensionHandle *TF_NewDimensionHandle(void);
TF_CAPI_EXPORT void TF_DeleteDimensionHandle(TF_DimensionHandle *handle);

TF_CAPI_EXPORT int64_t TF_ShapeInferenceContextNumInputs(TF_ShapeInferenceContext *context);
/* Stores the shape of input `i` in `handle`. */
TF_CAPI_EXPORT void TF_ShapeInferenceContextGetInput(TF_ShapeInferenceContext *context, int i, TF_ShapeHandle *handle,
                                                     TF_Status *status);
TF_CAPI_EXPORT void TF_ShapeInferenceContextSetOutput(TF_ShapeInferenceContext *context, int i, TF_ShapeHandle *handle,
                                                      TF_Status *status);
/* Gives every output an unknown shape. */
TF_CAPI_EXPORT void TF_ShapeInferenceContextSetUnknownShape(TF_ShapeInferenceContext *context, TF_Status *status);
TF_CAPI_EXPORT void TF_ShapeInferenceContext_GetAttrType(TF_ShapeInferenceContext *context, const char *attr_name,
                                                         TF_DataType *value, TF_Status *status);

/* New handles. */
TF_CAPI_EXPORT TF_ShapeHandle *TF_ShapeInferenceContextScalar(TF_ShapeInferenceContext *context);
TF_CAPI_EXPORT TF_ShapeHandle *TF_ShapeInferenceContextVectorFromSize(TF_ShapeInferenceContext *context, size_t size);

/* -1 when the rank is not known. */
TF_CAPI_EXPORT int64_t TF_ShapeInferenceContextRank(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle);
TF_CAPI_EXPORT int TF_ShapeInferenceContextRankKnown(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle);
/* Stores the shape, narrowed to the rank if that was unknown; INVALID_ARGUMENT when it cannot have such a rank. */
TF_CAPI_EXPORT void TF_ShapeInferenceContextWithRank(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle,
                                                     int64_t rank, TF_ShapeHandle *result, TF_Status *status);
TF_CAPI_EXPORT void TF_ShapeInferenceContextWithRankAtLeast(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle,
                                                            int64_t rank, TF_ShapeHandle *result, TF_Status *status);
TF_CAPI_EXPORT void TF_ShapeInferenceContextWithRankAtMost(TF_ShapeInferenceContext *context, TF_ShapeHandle *handle,
                                                           int64_t rank, TF_ShapeHandle *result, TF_Status *status);

/* Stores one dimension; negative numbers count from the end. */
TF_CAPI_EXPORT void TF_ShapeInferenceContextDim(TF_ShapeInferenceContext *context, TF_ShapeHandle *shape_handle,
                                                int64_t i, TF_DimensionHandle *result);
/* Stores dimensions [start, end); negative numbers count from the end. */
TF_CAPI_EXPORT void TF_ShapeInferenceContextSubshape(TF_ShapeInferenceContext *context, TF_ShapeHandle *shape_handle,
                                                     int64_t start, int64_t end, TF_ShapeHandle *result,
                                                     TF_Status *status);
TF_CAPI_EXPORT void TF_ShapeInferenceContextConcatenateShapes(TF_ShapeInferenceContext *context, TF_ShapeHandle *first,
                                                              TF_ShapeHandle *second, TF_ShapeHandle *result,
                                                              TF_Status *status);

TF_CAPI_EXPORT int TF_DimensionHandleValueKnown(TF_DimensionHandle *dim_handle);
/* -1 when it is not known. */
TF_CAPI_EXPORT int64_t TF_DimensionHandleValue(TF_DimensionHandle *dim_handle);

#ifdef __cplusplus
}
#endif

#endif
