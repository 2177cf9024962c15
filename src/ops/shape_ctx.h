/* Shape inference: what a shape function is given and what it may do.
 *
 * One call infers all outputs of one node. A shape function is `sl_code sl_shape_NAME(struct sl_shape_ctx *c)`,
 * named in the op's row; it reads inputs and attrs, sets every output and returns an error when the inputs can never
 * be right. Shapes and dims are plain values: dims live in the context's arena. An output not set is unknown. One
 * owner; not thread-safe.
 *
 *     sl_code sl_shape_matmul(struct sl_shape_ctx *c) {
 *         struct sl_shape a, b;
 *         bool ta, tb;
 *         int64_t inner;
 *         SL_TRY(sl_infer_bool(&ta, c, "transpose_a"));
 *         SL_TRY(sl_infer_bool(&tb, c, "transpose_b"));
 *         SL_TRY(sl_infer_with_rank(&a, c, sl_infer_in(c, 0), 2));
 *         SL_TRY(sl_infer_with_rank(&b, c, sl_infer_in(c, 1), 2));
 *         SL_TRY(sl_infer_merge_dim(&inner, c, a.dims[!ta], b.dims[tb]));
 *         return sl_infer_set_dims(c, 0, 2, (int64_t[]){a.dims[ta], b.dims[!tb]});
 *     } */
#ifndef SL_OPS_SHAPE_CTX_H
#define SL_OPS_SHAPE_CTX_H

#include "base/arena.h"
#include "base/error.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

struct sl_op;
struct sl_attrs;

/* What a resource or variant stands for: the types and shapes of what it holds (one entry for a variable or a list's
 * elements; empty when nothing is known). */
struct sl_handle_data {
    int n;
    const struct sl_handle_item {
        int dtype;
        struct sl_shape shape;
    } * items;
};

struct sl_shape_ctx {
    const struct sl_op *op;
    const struct sl_attrs *attrs; /* with the op's defaults filled in */
    int n_in, n_out;
    const uint8_t *in_types, *out_types; /* base types */
    const struct sl_shape *in;
    const struct sl_handle_data *in_handles;
    struct sl_shape *out;               /* start unknown */
    struct sl_handle_data *out_handles; /* start empty */
    struct sl_arena *arena;             /* of the graph: what is set must live there, the setters see to it */
    struct sl_error *err;

    /* The graph's answers; NULL when there is none. See sl_infer_constant, sl_infer_shape_of_tensor. */
    const struct sl_tensor *(*constant)(struct sl_shape_ctx *c, int i);
    sl_code (*tensor_as_shape)(struct sl_shape *out, struct sl_shape_ctx *c, int i);
    void *graph;
    int graph_version; /* GraphDef producer */
};

/* ---- inputs and attrs */
struct sl_shape sl_infer_in(const struct sl_shape_ctx *c, int i); /* unknown when i is out of range */
sl_code sl_infer_int(int64_t *out, struct sl_shape_ctx *c, const char *attr);
sl_code sl_infer_bool(bool *out, struct sl_shape_ctx *c, const char *attr);
sl_code sl_infer_float(float *out, struct sl_shape_ctx *c, const char *attr);
sl_code sl_infer_type(int *out, struct sl_shape_ctx *c, const char *attr);
sl_code sl_infer_string(struct sl_str *out, struct sl_shape_ctx *c, const char *attr);
sl_code sl_infer_shape_attr(struct sl_shape *out, struct sl_shape_ctx *c, const char *attr);
sl_code sl_infer_int_list(const int64_t **out, int *n, struct sl_shape_ctx *c, const char *attr);
sl_code sl_infer_shape_list(const struct sl_shape **out, int *n, struct sl_shape_ctx *c, const char *attr);
/* First input and number of inputs of the named input argument (lists have more than one); false when there is none. */
bool sl_infer_arg(int *first, int *n, struct sl_shape_ctx *c, const char *arg);
/* The value of input i when the graph knows it (Const, folded shapes ...), else NULL. Borrowed. */
const struct sl_tensor *sl_infer_constant(struct sl_shape_ctx *c, int i);
/* Elements of an int32/int64 constant as int64: true when the input is known. `*values` lives in the arena. */
bool sl_infer_constant_ints(const int64_t **values, int64_t *n, struct sl_shape_ctx *c, int i);
/* Input i (1-D int32/int64, or scalar -1 = unknown) read as a shape, as far as the graph knows it: TensorFlow's
 * partial evaluation through Shape, Pack, Concat, StridedSlice, Cast. */
sl_code sl_infer_shape_of_tensor(struct sl_shape *out, struct sl_shape_ctx *c, int i);

/* ---- making and checking shapes; texts are TensorFlow's */
/* "Shape must be rank R but is rank N"; an unknown rank becomes R unknown dims. */
sl_code sl_infer_with_rank(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int rank);
sl_code sl_infer_with_rank_at_least(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int rank);
sl_code sl_infer_with_rank_at_most(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int rank);
/* Both shapes at once: "Shapes must be equal rank ..." / "Dimension 0 in both shapes must be equal ...". */
sl_code sl_infer_merge(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b);
/* "Dimensions must be equal, but are A and B". */
sl_code sl_infer_merge_dim(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b);
/* NumPy broadcast of two shapes. */
sl_code sl_infer_broadcast(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b);
/* What two values of either branch have in common: differing dims become unknown. */
struct sl_shape sl_infer_common(struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b);
struct sl_shape sl_infer_vector(struct sl_shape_ctx *c, int64_t n);
struct sl_shape sl_infer_unknown_of_rank(struct sl_shape_ctx *c, int rank);
/* A writable copy of the dims, to change before setting; NULL when memory is out (or rank <= 0). */
int64_t *sl_infer_dims(struct sl_shape_ctx *c, struct sl_shape s);
/* s[start:end] with Python's negative indices (end INT64_MAX: to the end). */
sl_code sl_infer_subshape(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int64_t start, int64_t end);
sl_code sl_infer_concat(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b);
/* Arithmetic on dims where -1 is unknown; errors on overflow, negative results, uneven division. */
sl_code sl_infer_add(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b);
sl_code sl_infer_subtract(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b);
sl_code sl_infer_multiply(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b);
sl_code sl_infer_divide(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b, bool evenly);
/* Product of the dims, -1 when one is unknown. */
int64_t sl_infer_count(struct sl_shape s);
sl_code sl_infer_fail(struct sl_shape_ctx *c, const char *format, ...) SL_PRINTF(2, 3); /* INVALID_ARGUMENT */

/* ---- outputs */
sl_code sl_infer_set(struct sl_shape_ctx *c, int o, struct sl_shape s); /* dims are copied to the arena */
sl_code sl_infer_set_dims(struct sl_shape_ctx *c, int o, int rank, const int64_t *dims);
sl_code sl_infer_set_handle(struct sl_shape_ctx *c, int o, int dtype, struct sl_shape s);
sl_code sl_infer_copy_handle(struct sl_shape_ctx *c, int o, int i);

/* ---- stock shape functions (ops/shape_stock.c), named in many rows */
sl_code sl_shape_unknown_shape(struct sl_shape_ctx *c);
sl_code sl_shape_unchanged_shape(struct sl_shape_ctx *c); /* output 0 as input 0 */
sl_code sl_shape_scalar_shape(struct sl_shape_ctx *c);    /* every output a scalar */
sl_code sl_shape_no_outputs(struct sl_shape_ctx *c);
sl_code sl_shape_broadcast_binary_shape(struct sl_shape_ctx *c); /* NumPy broadcast of inputs 0 and 1 */
sl_code sl_shape_merge_binary_shape(struct sl_shape_ctx *c);     /* inputs 0 and 1 alike */
sl_code sl_shape_reduction_shape(struct sl_shape_ctx *c);        /* input, axes; attr keep_dims */

#endif
