/* The words that gradient rules and their rows are written with: macros over rule.h with the rule `g` left out.
 * Included last, by <family>_grad.c alone. Macros with short names catch calls only: `x(0)` is an input, `x` is
 * whatever the rule calls so. */
#ifndef SL_GRAD_WORDS_H
#define SL_GRAD_WORDS_H

#include "grad/rule.h"

/* The rows of an op with a rule, of one with another op's rule, of one without a gradient by design (gradients end
 * there), of one without a gradient that is known (asked for, an error); and the end. */
#define RULE(name)           {SL_ROW_##name, grad_##name, 0},
#define RULE_OF(name, other) {SL_ROW_##name, grad_##other, 0},
#define NO_GRAD(name)        {SL_ROW_##name, NULL, 0},
#define UNDEFINED(name)      {SL_ROW_##name, sl_grad_undefined, 0},
#define RULES(family)        const struct sl_rule_row sl_##family##_rules[]
#define RULES_END                                                                                                      \
    { SL_ROW_COUNT, NULL, 0 }
/* As RULE_OF, where it is said of which inputs and outputs the rule reads elements: READS(Relu, Relu, Y(0)). */
#define READS(name, other, which) {SL_ROW_##name, grad_##other, SL_READS_NO_OTHERS | (which)},
#define X(i)                      SL_READS_X(i)
#define Y(o)                      SL_READS_Y(o)
#define NOTHING                   0
#define GRAD(name)                static void grad_##name(struct sl_rule *g)

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define TERMS(...)      ((const struct sl_term[]){__VA_ARGS__})
#define ATTRS(...)      ((const struct sl_attr[]){__VA_ARGS__})

/* ---- the node and its gradients */
#define x(i)      (g->x[i])
#define y(i)      (g->y[i])
#define dy(i)     sl_rule_dy(g, i)
#define has_dy(i) (sl_term_is(g->dy[i].values))
#define wants(i)  sl_rule_wants(g, i)
#define WRT(i)                                                                                                         \
    if (wants(i)) g->dx[i].values

/* ---- emission: emit(op, input...); emit_with(ATTRS(...), op, input...); emit_list(op, inputs, n) */
#define emit(op, ...) sl_rule_emit(g, op, TERMS(__VA_ARGS__), COUNT_OF(TERMS(__VA_ARGS__)), NULL, 0)
#define emit_with(given, op, ...)                                                                                      \
    sl_rule_emit(g, op, TERMS(__VA_ARGS__), COUNT_OF(TERMS(__VA_ARGS__)), given, COUNT_OF(given))
#define emit_list(op, inputs, n) sl_rule_emit(g, op, inputs, n, NULL, 0)
static inline struct sl_term at(struct sl_term t, int output) { return (struct sl_term){t.of, t.index + output}; }

/* Attrs. SAME takes the node's own, AS takes it under another name. */
#define INT(name, v)                                                                                                   \
    { SL_STR(name), SL_ATTR_VALUE(i, v) }
#define FLOAT(name, v)                                                                                                 \
    { SL_STR(name), SL_ATTR_VALUE(f, v) }
#define BOOL(name, v)                                                                                                  \
    { SL_STR(name), SL_ATTR_VALUE(b, v) }
#define TYPE(name, v)                                                                                                  \
    { SL_STR(name), SL_ATTR_VALUE(type, v) }
#define STRING(name, v)                                                                                                \
    { SL_STR(name), SL_ATTR_VALUE(s, SL_STR(v)) }
#define SAME(name)                                                                                                     \
    { SL_STR(name), sl_attr_find(g->attrs, SL_STR(name)) }
#define AS(name, own)                                                                                                  \
    { SL_STR(name), sl_attr_find(g->attrs, SL_STR(own)) }

/* ---- what is known */
#define dtype(t)          sl_rule_dtype(g, t)
#define known_shape(t)    sl_rule_shape(g, t)
#define rank_of(t)        (known_shape(t).rank)
#define attr_int(name)    sl_rule_int(g, name)
#define attr_bool(name)   sl_rule_bool(g, name)
#define attr_string(name) sl_rule_string(g, name)
#define attr_type(name)   sl_rule_type(g, name)
#define attr_float(name)  sl_rule_float(g, name)
static inline bool is_complex(int type) { return type == SL_COMPLEX64 || type == SL_COMPLEX128; }

/* ---- constants */
#define num(t, value) sl_rule_number(g, dtype(t), value) /* a scalar of the type of t */
#define i32(value)    sl_rule_number(g, SL_INT32, (double)(value))
#define ints(...)                                                                                                      \
    sl_rule_vector(g, SL_INT32, (const int64_t[]){__VA_ARGS__}, COUNT_OF(((const int64_t[]){__VA_ARGS__})))
#define iota(first, n) sl_rule_iota(g, first, n) /* int32: first, first + 1 ... */

/* ---- mathematics */
#define add(a, b)         emit("AddV2", a, b)
#define sub(a, b)         emit("Sub", a, b)
#define mul(a, b)         emit("Mul", a, b)
#define quo(a, b)         emit("RealDiv", a, b)
#define neg(a)            emit("Neg", a)
#define inv(a)            emit("Reciprocal", a)
#define sqr(a)            emit("Square", a)
#define root(a)           emit("Sqrt", a)
#define scale(t, c)       mul(t, num(t, c)) /* c: a C number */
#define shift(t, c)       add(t, num(t, c))
#define conj(t)           sl_rule_conj(g, t) /* t itself unless it is complex */
#define less(a, b)        emit("Less", a, b)
#define equal(a, b)       emit("Equal", a, b)
#define select(c, a, b)   emit("SelectV2", c, a, b)
#define cast(t, type)     sl_rule_cast(g, t, type)
#define sum(a, axes)      emit("Sum", a, axes)
#define sum_kept(a, axes) emit_with(ATTRS(BOOL("keep_dims", true)), "Sum", a, axes)

/* ---- matrices: the last two axes */
#define bmm(a, b, adjoint_a, adjoint_b)                                                                                \
    emit_with(ATTRS(BOOL("adj_x", adjoint_a), BOOL("adj_y", adjoint_b)), "BatchMatMulV2", a, b)
#define adjoint(t)      conj(swapped(t))
#define band(t, lo, hi) emit("MatrixBandPart", t, sl_rule_number(g, SL_INT64, lo), sl_rule_number(g, SL_INT64, hi))

/* ---- shapes */
#define shape(t)         sl_rule_shape_of(g, t, SL_INT32) /* constant when it is known */
#define shape64(t)       sl_rule_shape_of(g, t, SL_INT64)
#define reshape(a, s)    emit("Reshape", a, s)
#define as(t, d)         reshape(d, shape(t)) /* d in the shape of t */
#define transpose(a, p)  emit("Transpose", a, p)
#define swapped(t)       sl_rule_swapped(g, t)       /* the last two axes changed */
#define zeros(t)         sl_rule_zeros(g, t)         /* type and shape of t */
#define like(t, d)       sl_rule_like(g, t, d)       /* d summed to the shape of t, which was broadcast to that of d */
#define kept(t, axes, d) sl_rule_kept(g, t, axes, d) /* d, a reduction of t, with the reduced axes as 1 */

#endif
