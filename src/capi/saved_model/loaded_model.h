/* A SavedModel whose functions run eagerly: what TF_SavedModel and all that belongs to it are.
 *
 *     saved_model.pb ──► functions, into the context          loaded_functions.c
 *                    ──► objects ──► a handle each:           loaded_objects.c
 *                          constant, file       its tensor
 *                          variable             VarHandleOp, then its value out of the checkpoint
 *                          table and the like   what its creating function gives, then its initialising function
 *                    ──► signatures                           loaded_signatures.c
 *
 * A function is called with its inputs and then the handles of the objects that it has captured. Immutable after it is
 * loaded; everything is in the model's arena or counted. */
#ifndef SL_CAPI_SAVED_MODEL_LOADED_MODEL_H
#define SL_CAPI_SAVED_MODEL_LOADED_MODEL_H

#include "base/str_map.h"
#include "capi/eager/eager_handles.h"
#include "session/saved_model.h"
#include "tensorflow/c/eager/c_api_unified_experimental.h" /* what a TF_Shape is */
#include "tensorflow/c/experimental/saved_model/public/c_saved_model_api.h"

struct TF_FunctionMetadata {
    char nothing;
};

struct TF_ConcreteFunction {
    TF_SavedModel *model;
    const char *name; /* in the context */
    const struct sl_pb_SavedConcreteFunction *saved;
    int n_in; /* without what it has captured */
    TF_FunctionMetadata metadata;
};

struct TF_ConcreteFunctionList {
    TF_ConcreteFunction **items;
    int n;
};

struct TF_TensorSpec {
    TF_DataType dtype;
    TF_Shape shape;
};

struct TF_SignatureDefParam {
    const char *name;
    TF_TensorSpec spec;
};

struct TF_SignatureDefParamList {
    TF_SignatureDefParam *items;
    size_t n, cap;
};

struct TF_SignatureDefFunctionMetadata {
    TF_SignatureDefParamList args, returns;
};

struct TF_SignatureDefFunction {
    struct sl_str key;
    TF_ConcreteFunction *function;
    TF_SignatureDefFunctionMetadata metadata;
};

typedef struct sl_pb_SavedObject sl_saved_object;

struct sl_loaded_object {
    TFE_TensorHandle *handle; /* owned; NULL: not made, or it has none */
    bool is_being_made;
};

struct TF_SavedModel {
    struct sl_eager_context *context; /* a reference */
    struct sl_saved_model file;
    const struct sl_pb_MetaGraphDef *meta;
    const struct sl_pb_SavedObjectGraph *saved;
    struct sl_str *added; /* names of the functions that the context has of it */
    size_t n_added;
    TF_ConcreteFunction *functions;   /* one for each of saved->concrete_functions */
    struct sl_loaded_object *objects; /* one for each of saved->nodes */
    struct sl_str_map constants;      /* name -> node of the graph; made when first needed */
    TF_SignatureDefFunction *signatures;
    size_t n_signatures;
};

/* The child of object `of` with this name; -1: none. */
int sl_loaded_child(const TF_SavedModel *model, int of, struct sl_str name);
/* The function that an object is. NOT_FOUND when it is none, FAILED_PRECONDITION when it is several. */
sl_code sl_loaded_function(TF_ConcreteFunction **out, TF_SavedModel *model, int object, struct sl_error *err);
/* A new op that calls it. */
sl_code sl_loaded_call_op(TFE_Op **out, const TF_ConcreteFunction *function, TFE_TensorHandle **inputs, int n,
                          struct sl_error *err);

/* ---- the parts of loading */
sl_code sl_loaded_add_functions(TF_SavedModel *model, struct sl_error *err);
void sl_loaded_remove_functions(TF_SavedModel *model);
/* Makes all objects, gives variables their values, and initialises what has to be. */
sl_code sl_loaded_make_objects(TF_SavedModel *model, struct sl_error *err);
/* Destroys what was created, and drops the handles. */
void sl_loaded_drop_objects(TF_SavedModel *model);
sl_code sl_loaded_find_signatures(TF_SavedModel *model, struct sl_error *err);

#endif
