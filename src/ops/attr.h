/* Attributes: the named values of a node.
 *
 * A set of attrs is an array of names with pointers to values; names and values are borrowed from messages, ops or
 * arenas. There are two forms: *given* attrs, in any order and as somebody wrote them, and *bound* ones, which
 * sl_attrs_bind has made of them for an op: item i is attr i of the op, checked, defaults filled in; what else was
 * given follows. Most readers find attrs by name and do not mind the form; of a name that stands twice the last
 * counts, as in a message. Pure functions on immutable data; thread-safe. */
#ifndef SL_OPS_ATTR_H
#define SL_OPS_ATTR_H

#include "ops/op.h"
#include "tensor/shape.h"

struct sl_attr {
    struct sl_str name;
    const struct sl_pb_AttrValue *value;
};

struct sl_attrs {
    const struct sl_attr *items;
    int n;
};

/* ---- reading
 * All: NOT_FOUND "No attr named 'NAME' in NodeDef:" when there is none, INVALID_ARGUMENT when it is of another kind
 * (an unbound placeholder value included). What they give is borrowed. */
sl_code sl_attr_string(struct sl_str *out, const struct sl_attrs *attrs, const char *name, struct sl_error *err);
sl_code sl_attr_int(int64_t *out, const struct sl_attrs *attrs, const char *name, struct sl_error *err);
/* As sl_attr_int, for values that must fit 32 bits: "Attr NAME has value V out of range for an int32". */
sl_code sl_attr_int32(int *out, const struct sl_attrs *attrs, const char *name, struct sl_error *err);
sl_code sl_attr_float(float *out, const struct sl_attrs *attrs, const char *name, struct sl_error *err);
sl_code sl_attr_bool(bool *out, const struct sl_attrs *attrs, const char *name, struct sl_error *err);
sl_code sl_attr_type(int *out, const struct sl_attrs *attrs, const char *name,
                     struct sl_error *err); /* enum sl_dtype */
/* Checked: rank, dims >= -1. Dims are in `arena`. */
sl_code sl_attr_shape(struct sl_shape *out, struct sl_arena *arena, const struct sl_attrs *attrs, const char *name,
                      struct sl_error *err);
sl_code sl_attr_tensor(const struct sl_pb_TensorProto **out, const struct sl_attrs *attrs, const char *name,
                       struct sl_error *err);
sl_code sl_attr_func(const struct sl_pb_NameAttrList **out, const struct sl_attrs *attrs, const char *name,
                     struct sl_error *err);

sl_code sl_attr_string_list(const struct sl_str **out, int *n, const struct sl_attrs *attrs, const char *name,
                            struct sl_error *err);
sl_code sl_attr_int_list(const int64_t **out, int *n, const struct sl_attrs *attrs, const char *name,
                         struct sl_error *err);
sl_code sl_attr_float_list(const float **out, int *n, const struct sl_attrs *attrs, const char *name,
                           struct sl_error *err);
sl_code sl_attr_bool_list(const bool **out, int *n, const struct sl_attrs *attrs, const char *name,
                          struct sl_error *err);
sl_code sl_attr_type_list(const int32_t **out, int *n, const struct sl_attrs *attrs, const char *name,
                          struct sl_error *err);
sl_code sl_attr_shape_list(const struct sl_shape **out, int *n, struct sl_arena *arena, const struct sl_attrs *attrs,
                           const char *name, struct sl_error *err);
sl_code sl_attr_tensor_list(const struct sl_pb_TensorProto **out, int *n, const struct sl_attrs *attrs,
                            const char *name, struct sl_error *err);
sl_code sl_attr_func_list(const struct sl_pb_NameAttrList **out, int *n, const struct sl_attrs *attrs, const char *name,
                          struct sl_error *err);

/* The value as it stands, or NULL. */
const struct sl_pb_AttrValue *sl_attr_find(const struct sl_attrs *attrs, struct sl_str name);
/* The checked shape of a message. Dims are in `arena`. */
sl_code sl_shape_from_proto(struct sl_shape *out, const struct sl_pb_TensorShapeProto *proto, struct sl_arena *arena,
                            struct sl_error *err);

/* ---- making A value as messages have it: SL_ATTR_VALUE(i, 3), SL_ATTR_VALUE(type, SL_FLOAT). Lives as long as the
 * block around it. */
#define SL_ATTR_VALUE(kind, v) (&(const struct sl_pb_AttrValue){.which = SL_PB_AttrValue_##kind, .kind = (v)})
/* An attr with a copy of the value in `arena`; what the value points to and the name are borrowed. When memory is
 * out its value is NULL: sl_attrs_bind says so, so whoever makes a node of it need not look. */
struct sl_attr sl_attr_new(struct sl_arena *arena, struct sl_str name, const struct sl_pb_AttrValue *value);
struct sl_attr sl_attr_new_type(struct sl_arena *arena, struct sl_str name,
                                int dtype); /* of a reference: what it refers to */
/* The list is copied, its items are borrowed. */
struct sl_attr sl_attr_new_list(struct sl_arena *arena, struct sl_str name,
                                const struct sl_pb_AttrValue_ListValue *list);
/* The entries of a message's map, as given attrs: the array is in `arena`, names and values stay in the map. */
sl_code sl_attrs_of_map(struct sl_attrs *out, struct sl_arena *arena, const struct sl_pb_map_string_AttrValue *map,
                        struct sl_error *err);
/* Deep copy of all names and values into `arena`. */
sl_code sl_attrs_copy(struct sl_attrs *out, struct sl_arena *arena, const struct sl_attrs *attrs, struct sl_error *err);
/* `attrs` with one set or replaced; the array is in `arena`, name and value are borrowed. A bound set stays bound
 * when the name was there. */
sl_code sl_attrs_with(struct sl_attrs *out, struct sl_arena *arena, const struct sl_attrs *attrs, struct sl_str name,
                      const struct sl_pb_AttrValue *value, struct sl_error *err);

/* Checks `given` against the op and completes it: kinds, allowed values, minimums, defaults. Attrs the op does not
 * declare are kept behind the others: those with a leading underscore are everybody's, and others come from newer
 * producers, whose graphs go on to work. An unbound placeholder value fits everything. `*out`'s array is in `arena`,
 * its values are those of `given` and of the op. `node` is for the message. INVALID_ARGUMENT; RESOURCE_EXHAUSTED
 * when one of `given` has no value, see sl_attr_new. */
sl_code sl_attrs_bind(struct sl_attrs *out, struct sl_arena *arena, const struct sl_op *op,
                      const struct sl_attrs *given, struct sl_str node, struct sl_error *err);
/* Drops from `given` what a newer producer's op declares, ours does not, and stands at the producer's default: such
 * an attr changes nothing. `*out`'s array is in `arena`. */
sl_code sl_attrs_drop_new_defaults(struct sl_attrs *out, struct sl_arena *arena, const struct sl_attrs *given,
                                   const struct sl_op *op, const struct sl_pb_OpDef *producer_op, struct sl_error *err);

/* ---- values */
/* Whether a value fits the declaration; the message lacks node and op, which the caller adds. */
sl_code sl_attr_check(const struct sl_op_attr *attr, const struct sl_pb_AttrValue *value, struct sl_error *err);
/* Same kind and same contents; tensors bit for bit as stored, floats by bits, maps of functions in any order. */
bool sl_attr_equal(const struct sl_pb_AttrValue *a, const struct sl_pb_AttrValue *b);
/* Equal values have equal hashes; the same in every process. */
uint64_t sl_attr_hash(const struct sl_pb_AttrValue *value);

#endif
