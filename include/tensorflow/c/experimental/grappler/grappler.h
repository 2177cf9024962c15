/* Graph optimisers in plug-ins, without a promise of stability.
 *
 * TF_LoadPluggableDeviceLibrary loads a library and calls its TF_InitGraph, which fills in what it is given. From then
 * on the optimiser gets the graph of each run, and the body of each function that is called by itself, pruned and with
 * calls inlined, before it is placed, where the run has a device of the optimiser's type:
 *
 *     create_func ──► optimize_func(graph, item) ──► another graph, or an error: then the graph stays ──► destroy_func
 *
 * Nodes to preserve, among them all `_Arg` and `_Retval` nodes, must be in the other graph too. Sizes of structs tell
 * versions apart. Threads: the functions of an optimiser may be called from any, for several graphs at once. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_GRAPPLER_GRAPPLER_H_
#define TENSORFLOW_C_EXPERIMENTAL_GRAPPLER_GRAPPLER_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_status.h"

#define GO_MAJOR 0
#define GO_MINOR 0
#define GO_PATCH 1

#ifdef __cplusplus
extern "C" {
#endif

/* ---- registering ---- */

/* What the library's own optimising is to do; only "off" changes anything. */
typedef enum TF_TriState { TF_TriState_Default = 0, TF_TriState_Off, TF_TriState_On } TF_TriState;

typedef struct TF_GrapplerItem TF_GrapplerItem;

typedef struct TP_OptimizerConfigs {
    size_t struct_size;
    void *ext;
    TF_TriState disable_model_pruning;
    TF_TriState implementation_selector;
    TF_TriState function_optimization;
    TF_TriState common_subgraph_elimination;
    TF_TriState arithmetic_optimization;
    TF_TriState debug_stripper;
    TF_TriState constant_folding;
    TF_TriState shape_optimization;
    TF_TriState auto_mixed_precision;
    TF_TriState auto_mixed_precision_onednn_bfloat16;
    TF_TriState auto_mixed_precision_mkl;
    TF_TriState pin_to_host_optimization;
    TF_TriState layout_optimizer;
    TF_TriState remapping;
    TF_TriState loop_optimization;
    TF_TriState dependency_optimization;
    TF_TriState auto_parallel;
    TF_TriState memory_optimization;
    TF_TriState scoped_allocator_optimization;
} TP_OptimizerConfigs;
#define TP_OPTIMIZER_CONFIGS_STRUCT_SIZE TF_OFFSET_OF_END(TP_OptimizerConfigs, scoped_allocator_optimization)

/* The optimiser's functions; all have to be there. */
typedef struct TP_Optimizer {
    size_t struct_size;
    void *ext;
    void *(*create_func)(void);
    /* `graph_buf` is a GraphDef, borrowed; the new one goes into `optimized_graph_buf`. */
    void (*optimize_func)(void *optimizer, const TF_Buffer *graph_buf, const TF_GrapplerItem *item,
                          TF_Buffer *optimized_graph_buf, TF_Status *status);
    void (*destroy_func)(void *optimizer);
} TP_Optimizer;
#define TP_OPTIMIZER_STRUCT_SIZE TF_OFFSET_OF_END(TP_Optimizer, destroy_func)

typedef struct TP_OptimizerRegistrationParams {
    size_t struct_size;
    void *ext;
    int32_t major_version;
    int32_t minor_version;
    int32_t patch_version;
    const char *device_type;                /* out: "CPU" */
    TP_OptimizerConfigs *optimizer_configs; /* filled in */
    TP_Optimizer *optimizer;                /* filled in */
} TP_OptimizerRegistrationParams;
#define TP_OPTIMIZER_REGISTRATION_PARAMS_STRUCT_SIZE TF_OFFSET_OF_END(TP_OptimizerRegistrationParams, optimizer)

/* The plug-in defines it. */
void TF_InitGraph(TP_OptimizerRegistrationParams *params, TF_Status *status);

/* ---- what an optimiser may ask of its item ---- */

/* Numbers of names, and of bytes for all of them. */
TF_CAPI_EXPORT void TF_GetNodesToPreserveListSize(const TF_GrapplerItem *item, int *num_values, size_t *storage_size,
                                                  TF_Status *status);
/* Names, not terminated, in `storage`: INVALID_ARGUMENT when that is too small. At most `num_values` of them. */
TF_CAPI_EXPORT void TF_GetNodesToPreserveList(const TF_GrapplerItem *item, char **values, size_t *lengths,
                                              int num_values, void *storage, size_t storage_size, TF_Status *status);
TF_CAPI_EXPORT void TF_GetFetchNodesListSize(const TF_GrapplerItem *item, int *num_values, size_t *storage_size,
                                             TF_Status *status);
TF_CAPI_EXPORT void TF_GetFetchNodesList(const TF_GrapplerItem *item, char **values, size_t *lengths, int num_values,
                                         void *storage, size_t storage_size, TF_Status *status);

/* ---- shapes ---- */

typedef struct TF_GraphProperties TF_GraphProperties;

/* NULL when memory is out, or the item's graph cannot be read. */
TF_CAPI_EXPORT TF_GraphProperties *TF_NewGraphProperties(const TF_GrapplerItem *item);
TF_CAPI_EXPORT void TF_DeleteGraphProperties(TF_GraphProperties *graph_properties);
/* Infers all shapes; without it there are no properties. The first two switches change nothing here. */
TF_CAPI_EXPORT void TF_InferStatically(TF_GraphProperties *graph_properties, TF_Bool assume_valid_feeds,
                                       TF_Bool aggressive_shape_inference, TF_Bool include_input_tensor_values,
                                       TF_Bool include_output_tensor_values, TF_Status *status);
/* 0 for a node that is not there. */
TF_CAPI_EXPORT void TF_GetInputPropertiesListSize(TF_GraphProperties *graph_properties, const char *name,
                                                  int *num_values, TF_Status *status);
TF_CAPI_EXPORT void TF_GetOutputPropertiesListSize(TF_GraphProperties *graph_properties, const char *name,
                                                   int *num_values, TF_Status *status);
/* An OpInfo.TensorProperties into each of the first `num_values` buffers: type, shape, and the value when it is known
 * and was asked for. */
TF_CAPI_EXPORT void TF_GetInputPropertiesList(TF_GraphProperties *graph_properties, const char *name,
                                              TF_Buffer **properties, int num_values, TF_Status *status);
TF_CAPI_EXPORT void TF_GetOutputPropertiesList(TF_GraphProperties *graph_properties, const char *name,
                                               TF_Buffer **properties, int num_values, TF_Status *status);

/* ---- functions ---- */

typedef struct TF_FunctionLibraryDefinition TF_FunctionLibraryDefinition;

/* The functions of a GraphDef, and all ops. */
TF_CAPI_EXPORT TF_FunctionLibraryDefinition *TF_NewFunctionLibraryDefinition(const TF_Buffer *graph_buf,
                                                                             TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteFunctionLibraryDefinition(TF_FunctionLibraryDefinition *library);
/* The OpDef of an op, or the signature of a function. NOT_FOUND. */
TF_CAPI_EXPORT void TF_LookUpOpDef(TF_FunctionLibraryDefinition *library, const char *name, TF_Buffer *buffer,
                                   TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
