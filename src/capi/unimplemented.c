/* The functions of exports.def that are not implemented: rows TF_ABSENT. Each answers UNIMPLEMENTED, with its name,
 * through its status, and returns NULL or 0, so that a program which binds by name finds every name.
 *
 * A row's parameter list may hold a `status`. Where it does not, the name means the NULL below. */
#include "capi/handles.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/eager/dlpack.h"
#include "tensorflow/c/env.h"
#include "tensorflow/c/experimental/filesystem/filesystem_interface.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/kernels_experimental.h"
#include "tensorflow/c/logging.h"
#include "tensorflow/c/ops.h"
#include "tensorflow/c/tf_shape.h"

#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"

static TF_Status *const status = NULL;

static void answer(TF_Status *told, const char *name) {
    sl_status_fail(told, SL_UNIMPLEMENTED, "%s is not implemented by this library", name);
}

/* Some rows have no declaration in a header. */
#define TF_API(group, type, name, parameters)
#define TF_ABSENT(group, type, name, parameters) TF_CAPI_EXPORT type name parameters;
#include "capi/exports.def"
#undef TF_ABSENT
#define TF_ABSENT(group, type, name, parameters)                                                                       \
    type name parameters {                                                                                             \
        answer(status, #name);                                                                                         \
        return (type)0;                                                                                                \
    }
#include "capi/exports.def"
