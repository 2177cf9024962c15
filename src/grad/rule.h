/* How gradient rules are written, and what an application of one stands on.
 *
 *     GRAD(Tanh) { WRT(0) = emit("TanhGrad", y(0), dy(0)); }
 *     GRAD(Mul) {
 *         WRT(0) = like(x(0), mul(dy(0), conj(x(1))));
 *         WRT(1) = like(x(1), mul(dy(0), conj(x(0))));
 *     }
 *
 * x(i), y(i): inputs and outputs of the node; dy(i): the gradient of output i (zeros when that output has none and
 * another has); WRT(i) = ...: the gradient of input i, computed only when somebody wants it. What a rule leaves alone
 * has no gradient. A failure is kept in `g` and makes all that follows do nothing, so rules do not look at it. Complex
 * gradients are those of the conjugate, as TensorFlow's: d(f) = dy * conj(f').
 *
 * The words are those of words.h. Rules stand at the end of their file as rows; rules.def lists the files. */
#ifndef SL_GRAD_RULE_H
#define SL_GRAD_RULE_H

#include "base/alloc.h"
#include "ops/emit.h"
#include "ops/op_row.h"

/* A gradient as rules see it: dense (`indices` is no term), or IndexedSlices. */
struct sl_term_gradient {
    struct sl_term values, indices, dense_shape;
};

struct sl_rule;
/* What only those can answer who apply rules: the walk over a graph (grad/graph), the tape (src/tape). */
struct sl_rule_home {
    /* The emitter of the scope in which a term was computed, when that is another one than the rule's: its shape is
     * taken there, so that no more than the shape has to come over. NULL: it is here. */
    struct sl_emitter *(*emitter_of)(struct sl_rule *g, struct sl_term t);
    /* sl_rule_derive. */
    sl_code (*derive)(struct sl_rule *g, struct sl_term *dxs, const struct sl_term *xs, int n_xs,
                      const struct sl_term *ys, const struct sl_term *dys, int n_ys);
    /* Adds to an error's text what the rule is applied to: "'node' (op type: Op)". */
    void (*name)(const struct sl_rule *g, struct sl_error *err);
};

/* One application of a rule. */
struct sl_rule {
    struct sl_emitter *emitter; /* where its ops are added */
    const struct sl_rule_home *home;
    bool comes_from_far;    /* forward values have to be brought to where the rule is: better their shapes than they */
    struct sl_str scope;    /* of this gradient: what belongs to it carries this name */
    struct sl_arena *arena; /* until the gradients are done */
    const struct sl_op *op;
    const struct sl_attrs *attrs;
    int n_x, n_y;
    const struct sl_term *x, *y;
    struct sl_term_gradient *dy, *dx;
    const bool *wanted; /* of each input */
    sl_code code;
    struct sl_error *err;
};

typedef void sl_rule_function(struct sl_rule *g);

/* Of which inputs and outputs a rule reads elements, of those below 15. Of the others it asks no more than types and
 * shapes; scalars are there anyway. */
#define SL_READS_NO_OTHERS UINT32_C(0x80000000)
#define SL_READS_X(i)      (UINT32_C(1) << (i))
#define SL_READS_Y(o)      (UINT32_C(1) << (15 + (o)))

struct sl_rule_row {
    uint32_t op;            /* enum sl_row */
    sl_rule_function *rule; /* NULL: not differentiable by design */
    uint32_t reads;         /* 0: nothing is said, so all */
};
/* Of an op whose gradient nobody has defined: as if it had no row, but said. */
sl_rule_function sl_grad_undefined;

/* ---- emission (emission.c) */
struct sl_term sl_rule_emit(struct sl_rule *g, const char *op, const struct sl_term *inputs, int n,
                            const struct sl_attr *attrs, int n_attrs);
struct sl_term sl_rule_dy(struct sl_rule *g, int i);
bool sl_rule_wants(const struct sl_rule *g, int i);
/* Fails the application: INVALID_ARGUMENT, UNIMPLEMENTED ... naming the op. */
void sl_rule_fail(struct sl_rule *g, sl_code code, const char *format, ...) SL_PRINTF(3, 4);

/* ---- what is known of a term */
int sl_rule_dtype(struct sl_rule *g, struct sl_term t);
struct sl_shape sl_rule_shape(struct sl_rule *g, struct sl_term t);
/* The elements of an integer constant of rank 0 or 1, in the rule's arena; false when they are not known. */
bool sl_rule_ints(const int64_t **out, int *n, struct sl_rule *g, struct sl_term t);

/* Attrs of the node; 0, false, "" when it has none of that name. */
int64_t sl_rule_int(const struct sl_rule *g, const char *name);
bool sl_rule_bool(const struct sl_rule *g, const char *name);
struct sl_str sl_rule_string(const struct sl_rule *g, const char *name);
int sl_rule_type(const struct sl_rule *g, const char *name);
float sl_rule_float(const struct sl_rule *g, const char *name);

/* ---- constants (emission.c) */
struct sl_term sl_rule_number(struct sl_rule *g, int type, double value);            /* a scalar */
struct sl_term sl_rule_vector(struct sl_rule *g, int type, const int64_t *v, int n); /* of any integers */
struct sl_term sl_rule_iota(struct sl_rule *g, int64_t first, int64_t n);            /* int32: first, first + 1 ... */

/* ---- words (emission.c); words.h says what they mean */
struct sl_term sl_rule_shape_of(struct sl_rule *g, struct sl_term t, int type);
struct sl_term sl_rule_cast(struct sl_rule *g, struct sl_term t, int type);
struct sl_term sl_rule_conj(struct sl_rule *g, struct sl_term t);
struct sl_term sl_rule_zeros(struct sl_rule *g, struct sl_term t);
struct sl_term sl_rule_like(struct sl_rule *g, struct sl_term t, struct sl_term d);
struct sl_term sl_rule_kept(struct sl_rule *g, struct sl_term t, struct sl_term axes, struct sl_term d);
struct sl_term sl_rule_swapped(struct sl_rule *g, struct sl_term t);

/* The tensor that IndexedSlices stand for: values of the same row are summed. Of a dense gradient: its values. */
struct sl_term sl_rule_dense(struct sl_rule *g, const struct sl_term_gradient *gradient);

/* ---- the gradient of what the rule itself has emitted: of ys with gradients dys by xs, which ys are made of; no term
 * where there is none. */
void sl_rule_derive(struct sl_rule *g, struct sl_term *dxs, const struct sl_term *xs, int n_xs,
                    const struct sl_term *ys, const struct sl_term *dys, int n_ys);

#endif
