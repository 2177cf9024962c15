/* Values of attrs out of a C caller's arrays: what TF_SetAttr... and TFE_OpSetAttr... have in common. All copy what they
 * are given into `arena`, but for the elements of tensors, which are borrowed; NULL when memory is out. A number below
 * zero of items is none. Pure but for the arena; one owner. */
#ifndef SL_CAPI_ATTR_VALUES_H
#define SL_CAPI_ATTR_VALUES_H

#include "capi/handles.h"
#include "ops/attr.h"

typedef struct sl_pb_AttrValue sl_attr_value;

sl_attr_value *sl_value_of_string(struct sl_arena *arena, const void *value, size_t length);
sl_attr_value *sl_value_of_int(struct sl_arena *arena, int64_t value);
sl_attr_value *sl_value_of_float(struct sl_arena *arena, float value);
sl_attr_value *sl_value_of_bool(struct sl_arena *arena, bool value);
sl_attr_value *sl_value_of_type(struct sl_arena *arena, TF_DataType value);
sl_attr_value *sl_value_of_placeholder(struct sl_arena *arena, const char *name);
/* A function without attrs. */
sl_attr_value *sl_value_of_function(struct sl_arena *arena, const char *name, size_t length);
/* A rank below zero is unknown, and so is every negative size. */
sl_attr_value *sl_value_of_shape(struct sl_arena *arena, const int64_t *dims, int rank);

sl_attr_value *sl_value_of_strings(struct sl_arena *arena, const void *const *values, const size_t *lengths, int n);
sl_attr_value *sl_value_of_ints(struct sl_arena *arena, const int64_t *values, int n);
sl_attr_value *sl_value_of_floats(struct sl_arena *arena, const float *values, int n);
sl_attr_value *sl_value_of_bools(struct sl_arena *arena, const unsigned char *values, int n);
sl_attr_value *sl_value_of_types(struct sl_arena *arena, const TF_DataType *values, int n);
sl_attr_value *sl_value_of_shapes(struct sl_arena *arena, const int64_t *const *dims, const int *ranks, int n);

/* An AttrValue in bytes. INVALID_ARGUMENT "Unparseable AttrValue proto". */
sl_code sl_value_of_bytes(sl_attr_value **out, struct sl_arena *arena, const void *proto, size_t n,
                          struct sl_error *err);
/* Shapes as messages, checked. With `is_list` false there is one. */
sl_code sl_value_of_shape_bytes(sl_attr_value **out, struct sl_arena *arena, const void *const *protos,
                                const size_t *lengths, int n, bool is_list, struct sl_error *err);
/* Tensors, which must outlive the value. INVALID_ARGUMENT for NULL. */
sl_code sl_value_of_tensors(sl_attr_value **out, struct sl_arena *arena, TF_Tensor *const *values, int n, bool is_list,
                            struct sl_error *err);

#endif
