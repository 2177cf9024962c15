/* Wrappers of the matmul ops, made by tools/gen_ops.py from src/ops/matmul.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_MATMUL_OPS_H
#define SLUICE_GEN_MATMUL_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_batch_matmul_attrs {
    bool adj_x; /* false */
    bool adj_y; /* false */
    bool grad_x; /* false */
    bool grad_y; /* false */
};
/* BatchMatMul: x: T, y: T -> output: T */
static inline TF_Output sl_batch_matmul_with(struct sl_scope *scope, TF_Output x, TF_Output y, struct sl_batch_matmul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    const struct sl_attr_given attrs_[] = {{"adj_x", SL_GIVEN_BOOL, &attrs.adj_x}, {"adj_y", SL_GIVEN_BOOL, &attrs.adj_y}, {"grad_x", SL_GIVEN_BOOL, &attrs.grad_x}, {"grad_y", SL_GIVEN_BOOL, &attrs.grad_y}};
    return sl_op_first(sl_op(scope, "BatchMatMul", inputs_, 2, attrs_, 4));
}
static inline TF_Output sl_batch_matmul(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_batch_matmul_attrs attrs = SL_DEFAULTS;
    return sl_batch_matmul_with(scope, x, y, attrs);
}

struct sl_batch_matmul_v2_attrs {
    bool adj_x; /* false */
    bool adj_y; /* false */
    bool grad_x; /* false */
    bool grad_y; /* false */
};
/* BatchMatMulV2: x: T, y: T -> output: T */
static inline TF_Output sl_batch_matmul_v2_with(struct sl_scope *scope, TF_Output x, TF_Output y, struct sl_batch_matmul_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    const struct sl_attr_given attrs_[] = {{"adj_x", SL_GIVEN_BOOL, &attrs.adj_x}, {"adj_y", SL_GIVEN_BOOL, &attrs.adj_y}, {"grad_x", SL_GIVEN_BOOL, &attrs.grad_x}, {"grad_y", SL_GIVEN_BOOL, &attrs.grad_y}};
    return sl_op_first(sl_op(scope, "BatchMatMulV2", inputs_, 2, attrs_, 4));
}
static inline TF_Output sl_batch_matmul_v2(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_batch_matmul_v2_attrs attrs = SL_DEFAULTS;
    return sl_batch_matmul_v2_with(scope, x, y, attrs);
}

struct sl_batch_matmul_v3_attrs {
    TF_DataType Tout; /* must be given */
    bool adj_x; /* false */
    bool adj_y; /* false */
    bool grad_x; /* false */
    bool grad_y; /* false */
};
/* BatchMatMulV3: x: Ta, y: Tb -> output: Tout */
static inline TF_Output sl_batch_matmul_v3(struct sl_scope *scope, TF_Output x, TF_Output y, struct sl_batch_matmul_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}, {"adj_x", SL_GIVEN_BOOL, &attrs.adj_x}, {"adj_y", SL_GIVEN_BOOL, &attrs.adj_y}, {"grad_x", SL_GIVEN_BOOL, &attrs.grad_x}, {"grad_y", SL_GIVEN_BOOL, &attrs.grad_y}};
    return sl_op_first(sl_op(scope, "BatchMatMulV3", inputs_, 2, attrs_, 5));
}

struct sl_einsum_attrs {
    const char *equation; /* must be given */
};
/* Einsum: inputs: N * T -> output: T */
static inline TF_Output sl_einsum(struct sl_scope *scope, const TF_Output *inputs, int num_inputs, struct sl_einsum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{inputs, num_inputs}};
    const struct sl_attr_given attrs_[] = {{"equation", SL_GIVEN_STRING, &attrs.equation}};
    return sl_op_first(sl_op(scope, "Einsum", inputs_, 1, attrs_, 1));
}

struct sl_matmul_attrs {
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    bool grad_a; /* false */
    bool grad_b; /* false */
};
/* MatMul: a: T, b: T -> product: T */
static inline TF_Output sl_matmul_with(struct sl_scope *scope, TF_Output a, TF_Output b, struct sl_matmul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}};
    const struct sl_attr_given attrs_[] = {{"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"grad_a", SL_GIVEN_BOOL, &attrs.grad_a}, {"grad_b", SL_GIVEN_BOOL, &attrs.grad_b}};
    return sl_op_first(sl_op(scope, "MatMul", inputs_, 2, attrs_, 4));
}
static inline TF_Output sl_matmul(struct sl_scope *scope, TF_Output a, TF_Output b) {
    const struct sl_matmul_attrs attrs = SL_DEFAULTS;
    return sl_matmul_with(scope, a, b, attrs);
}

struct sl_sparse_matmul_attrs {
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    bool a_is_sparse; /* false */
    bool b_is_sparse; /* false */
};
/* SparseMatMul: a: Ta, b: Tb -> product: float */
static inline TF_Output sl_sparse_matmul_with(struct sl_scope *scope, TF_Output a, TF_Output b, struct sl_sparse_matmul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}};
    const struct sl_attr_given attrs_[] = {{"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"a_is_sparse", SL_GIVEN_BOOL, &attrs.a_is_sparse}, {"b_is_sparse", SL_GIVEN_BOOL, &attrs.b_is_sparse}};
    return sl_op_first(sl_op(scope, "SparseMatMul", inputs_, 2, attrs_, 4));
}
static inline TF_Output sl_sparse_matmul(struct sl_scope *scope, TF_Output a, TF_Output b) {
    const struct sl_sparse_matmul_attrs attrs = SL_DEFAULTS;
    return sl_sparse_matmul_with(scope, a, b, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
