/* Reading attrs into a C caller's arrays: what TF_OperationGetAttr... and TF_OpKernelConstruction_GetAttr... have in
 * common. Where fewer than a list's elements fit, the rest is left out. Pure but for what is stored; thread-safe. */
#ifndef SL_CAPI_ATTR_READER_H
#define SL_CAPI_ATTR_READER_H

#include "capi/handles.h"

/* An attr by name, and how to say that it is missing. */
struct sl_attr_source {
    const struct sl_attrs *attrs;
    const struct sl_op *op;
    struct sl_str node;
};
/* INVALID_ARGUMENT "Operation 'NODE' has no attr named 'NAME'." */
sl_code sl_read_attr(const struct sl_pb_AttrValue **out, const struct sl_attr_source *from, const char *name,
                     struct sl_error *err);
/* Kind, sizes; INVALID_ARGUMENT when there is none. */
sl_code sl_read_attr_metadata(TF_AttrMetadata *out, const struct sl_attr_source *from, const char *name,
                              struct sl_error *err);

sl_code sl_read_attr_string(void *value, size_t max_length, const struct sl_attr_source *from, const char *name,
                            struct sl_error *err);
sl_code sl_read_attr_int(int64_t *value, const struct sl_attr_source *from, const char *name, struct sl_error *err);
sl_code sl_read_attr_float(float *value, const struct sl_attr_source *from, const char *name, struct sl_error *err);
sl_code sl_read_attr_bool(unsigned char *value, const struct sl_attr_source *from, const char *name,
                          struct sl_error *err);
sl_code sl_read_attr_type(TF_DataType *value, const struct sl_attr_source *from, const char *name,
                          struct sl_error *err);
/* Sizes of a shape, at most `max` of them. */
sl_code sl_read_attr_shape(int64_t *dims, int max, const struct sl_attr_source *from, const char *name,
                           struct sl_error *err);
sl_code sl_read_attr_tensor(TF_Tensor **value, const struct sl_attr_source *from, const char *name,
                            struct sl_error *err);

/* Copies the strings to `storage` and points `values` there; INVALID_ARGUMENT when they do not fit. */
sl_code sl_read_attr_strings(void **values, size_t *lengths, int max, void *storage, size_t storage_size,
                             const struct sl_attr_source *from, const char *name, struct sl_error *err);
sl_code sl_read_attr_ints(int64_t *values, int max, const struct sl_attr_source *from, const char *name,
                          struct sl_error *err);
sl_code sl_read_attr_floats(float *values, int max, const struct sl_attr_source *from, const char *name,
                            struct sl_error *err);
sl_code sl_read_attr_bools(unsigned char *values, int max, const struct sl_attr_source *from, const char *name,
                           struct sl_error *err);
sl_code sl_read_attr_types(TF_DataType *values, int max, const struct sl_attr_source *from, const char *name,
                           struct sl_error *err);
/* New tensors; on failure none is left. */
sl_code sl_read_attr_tensors(TF_Tensor **values, int max, const struct sl_attr_source *from, const char *name,
                             struct sl_error *err);

#endif
