/* For kernels of plug-ins, without a promise of stability: variables, ref inputs, variants.
 *
 * `copy_func` copies a tensor's elements on the plug-in's device; NULL: the library copies. The functions that are
 * passed in own the tensors that they are given, and delete them. The rest as in kernels.h. */
#ifndef TENSORFLOW_C_KERNELS_EXPERIMENTAL_H_
#define TENSORFLOW_C_KERNELS_EXPERIMENTAL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_VariableInputLockHolder TF_VariableInputLockHolder;
typedef struct TF_CoordinationServiceAgent TF_CoordinationServiceAgent;

/* ---- variables ---- */

/* Assigns input `value_index` to the resource variable in input `input_index`. */
TF_CAPI_EXPORT void TF_AssignVariable(
    TF_OpKernelContext *context, int input_index, int value_index, bool validate_shape,
    void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest), TF_Status *status);
/* Assigns to the ref variable in `input_ref_index`, which becomes output `output_ref_index`. */
TF_CAPI_EXPORT void TF_AssignRefVariable(TF_OpKernelContext *context, int input_ref_index, int output_ref_index,
                                         int value_index, bool use_locking, bool validate_shape,
                                         void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source,
                                                           TF_Tensor *dest),
                                         TF_Status *status);
/* Updates the resource variable in `input_index` in place by input `value_index`, of the same type and shape:
 * `update_func` gets both and `operation`, which is 0 to add and 1 to subtract. */
TF_CAPI_EXPORT void TF_AssignUpdateVariable(
    TF_OpKernelContext *context, int input_index, int value_index, int operation, int is_variant,
    void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest),
    void (*update_func)(TF_OpKernelContext *context, TF_Tensor *tensor, TF_Tensor *value, int operation),
    TF_Status *status);
/* Makes a temporary variable, which becomes output 0, a reference. `plugin_allocator` (may be NULL: zeros) fills the
 * tensor, which stays the library's, or gives it another buffer. The other drops the one in input `index`, whose value
 * becomes output 0. */
TF_CAPI_EXPORT void TF_TemporaryVariable(TF_OpKernelContext *context, TF_DataType dtype, const int64_t *dims,
                                         int num_dims, TF_StringView *var_name,
                                         void (*plugin_allocator)(TF_OpKernelContext *, TF_Tensor *, TF_DataType,
                                                                  const int64_t *, int, TF_Status *),
                                         TF_Status *status);
TF_CAPI_EXPORT void TF_DestroyTemporaryVariable(TF_OpKernelContext *context, int index, TF_StringView *var_name,
                                                TF_Status *status);
/* Locks the variables in `inputs`, in an order that cannot deadlock, until the holder is released; without `do_lock`
 * the holder holds nothing. `sparse`: the kernel will write to parts of them, so readers get copies from now on. */
TF_CAPI_EXPORT void TF_MaybeLockVariableInputMutexesInOrder(
    TF_OpKernelContext *context, bool do_lock, bool sparse, const int *inputs, size_t len,
    void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest),
    TF_VariableInputLockHolder **lock_holder, TF_Status *status);
TF_CAPI_EXPORT void TF_ReleaseVariableInputLockHolder(TF_VariableInputLockHolder *lock_holder);
/* New handle of the value of the variable in `input`, which the kernel may write to: who read it before keeps what it
 * read. `lock_held`: the caller has locked it. */
TF_CAPI_EXPORT void TF_GetInputTensorFromVariable(TF_OpKernelContext *context, int input, bool lock_held,
                                                  bool is_variant, bool sparse,
                                                  void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source,
                                                                    TF_Tensor *dest),
                                                  TF_Tensor **out, TF_Status *status);

/* ---- refs, names, attributes ---- */

/* The reference in an input becomes an output; the kernel fails when either is no reference. */
TF_CAPI_EXPORT void TF_OpKernelContext_ForwardRefInputToRefOutput(TF_OpKernelContext *context, int32_t input_index,
                                                                  int32_t output_index);
TF_CAPI_EXPORT bool TF_IsRefInput(TF_OpKernelContext *context, int i, TF_Status *status);
/* The single input of that name. */
TF_CAPI_EXPORT void TF_GetInputByName(TF_OpKernelContext *context, const char *input_name, TF_Tensor **tensor,
                                      TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrTensorShape(TF_OpKernelConstruction *context, const char *attr_name,
                                                               int64_t *dims, size_t num_dims, TF_Status *status);

/* ---- variants ---- */

/* Output 0: the sum of all variant inputs, by `binary_add_func` on the tensors within. */
TF_CAPI_EXPORT void TF_AddNVariant(TF_OpKernelContext *context,
                                   void (*binary_add_func)(TF_OpKernelContext *context, TF_Tensor *a, TF_Tensor *b,
                                                           TF_Tensor *out),
                                   TF_Status *status);
/* Output 0: zeros shaped as the variant input, by `zeros_like_func`. */
TF_CAPI_EXPORT void TF_ZerosLikeVariant(TF_OpKernelContext *context,
                                        void (*zeros_like_func)(TF_OpKernelContext *context, TF_Tensor *input,
                                                                TF_Tensor *out),
                                        TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
