/* Training: gradients, clipping, and optimisers that update variables.
 *
 *     const struct sl_optimizer adam = SL_OPTIONS(sl_optimizer, .kind = SL_ADAM, .rate = .001);
 *     TF_Operation *train = sl_minimize(s, &adam, loss, NULL);
 *
 * or in two calls, sl_compute_gradients and sl_apply_gradients, with changes to the gradients between them. Running
 * the operation once is one training step. Errors, threads and ownership: see sluice/scope.h. */
#ifndef SLUICE_TRAIN_H
#define SLUICE_TRAIN_H

#include "sluice/gradient.h"
#include "sluice/variables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* w: variable, g: gradient, a: accumulator of the same shape. */
enum sl_optimizer_kind {
    SL_SGD,      /* w -= rate g */
    SL_MOMENTUM, /* a = momentum a + g; w -= rate a; Nesterov: w -= rate (g + momentum a) */
    SL_ADAGRAD,  /* a += g^2; w -= rate g / sqrt(a); Duchi et al. 2011 */
    SL_ADADELTA, /* Zeiler 2012 */
    /* a = decay a + (1 - decay) g^2; w -= rate g / sqrt(a + epsilon). When `centered`, the square of the mean of g is
     * subtracted from a under the root. */
    SL_RMSPROP,
    SL_ADAM,  /* Kingma and Ba 2015; AMSGrad: Reddi et al. 2018 */
    SL_FTRL,  /* McMahan et al. 2013 */
    SL_ADAMW, /* SL_ADAM with decay of the weights; Loshchilov and Hutter 2019 */
    SL_LION   /* w -= rate sign(beta1 m + (1 - beta1) g); m = beta2 m + (1 - beta2) g; Chen et al. 2023 */
};
/* A member that is 0 or NULL has its default. Behind a member stand the kinds that use it and, in brackets, the
 * default. */
struct sl_optimizer {
    size_t size; /* see SL_OPTIONS (sluice/sluice.h) */
    enum sl_optimizer_kind kind;
    double rate;            /* above 0; needed, unless there is a rate_of_step */
    TF_Output rate_of_step; /* a float scalar to be used instead of `rate`, as schedules give it */
    double momentum;        /* SL_MOMENTUM (0.9), SL_RMSPROP (0) */
    bool nesterov;          /* SL_MOMENTUM, SL_ADAM, SL_ADAMW */
    bool centered;          /* SL_RMSPROP */
    bool amsgrad;           /* SL_ADAM, SL_ADAMW: divides by the largest second moment so far; ignores `nesterov` */
    double decay;           /* SL_RMSPROP (0.9), SL_ADADELTA (0.95) */
    double beta1, beta2;    /* SL_ADAM, SL_ADAMW (0.9, 0.999), SL_LION (0.9, 0.99) */
    double epsilon;         /* SL_RMSPROP (1e-10), SL_ADAM, SL_ADAMW, SL_ADADELTA (1e-8) */
    double initial;         /* of the accumulator: SL_ADAGRAD, SL_FTRL (0.1) */
    double l1, l2, l2_shrinkage, power; /* SL_FTRL (0, 0, 0, -0.5) */
    /* Before a step, w -= rate weight_decay w: all kinds (0), SL_ADAMW (0.004). */
    double weight_decay;
    bool decay_matrices; /* weight_decay is only for variables of rank 2 or more, so not for biases */
    const char *name;    /* prefix of the operations that are added; NULL: the kind, as "adam" */
};

/* dxs[i], of the shape of xs[i], is the gradient of the sum of all elements of all ys with respect to xs[i]; {NULL, 0}
 * when no y depends on it. `dxs` has room for nx. Within the body of a loop it is the gradient within one iteration;
 * xs may be values of the body or from outside. */
SL_API void sl_gradients(struct sl_scope *scope, TF_Output *dxs, const TF_Output *ys, int ny, const TF_Output *xs,
                         int nx);
/* gradients[i] is the gradient of `loss` with respect to variables[i], all NULL when the loss does not depend on it.
 * `variables` NULL: all trainable variables of the scope, in the order of sl_variables_trainable. `gradients` has room
 * for one each. The gradient of a variable that is gathered from is IndexedSlices (struct sl_slices). The body of a
 * loop that changes variables must read them by sl_read: `value` was read before the loop. */
SL_API void sl_compute_gradients(struct sl_scope *scope, TF_Output loss, const struct sl_var *variables, int n,
                                 struct sl_slices *gradients);
/* An operation that changes the variables by the gradients of sl_compute_gradients, and then adds 1 to `step` (which
 * may be NULL). Variables without a gradient stay; INVALID_ARGUMENT when none has one, and when there is no rate. It
 * also moves the averages of sl_layer_batch_norm_when, with the scales of those layers. `optimizer` is borrowed for the
 * call; its accumulators are untrained variables of the scope. */
SL_API TF_Operation *sl_apply_gradients(struct sl_scope *scope, const struct sl_optimizer *optimizer,
                                        const struct sl_var *variables, int n, const struct sl_slices *gradients,
                                        const struct sl_var *step);
/* sl_compute_gradients and sl_apply_gradients, for all trainable variables. */
SL_API TF_Operation *sl_minimize(struct sl_scope *scope, const struct sl_optimizer *optimizer, TF_Output loss,
                                 const struct sl_var *step);
/* A counter of steps: an untrained scalar int64 variable whose initial value is 0. */
SL_API struct sl_var sl_step_counter(struct sl_scope *scope);

/* ---- clipping, between sl_compute_gradients and sl_apply_gradients; each of the n `gradients` is replaced by the
 * clipped one, those without a gradient stay */
/* Each element to [-largest, largest]. */
SL_API void sl_clip_gradients_by_value(struct sl_scope *scope, struct sl_slices *gradients, int n, double largest);
/* Each gradient is scaled so that the root of the sum of its squares is at most `largest`. IndexedSlices count by
 * their `values`, here and below. */
SL_API void sl_clip_gradients_by_norm(struct sl_scope *scope, struct sl_slices *gradients, int n, double largest);
/* All are scaled by one factor so that their global norm is at most `largest`. Returns the norm before, a scalar. */
SL_API TF_Output sl_clip_gradients_by_global_norm(struct sl_scope *scope, struct sl_slices *gradients, int n,
                                                  double largest);
/* The root of the sum of the squares of all elements of all gradients: a scalar. */
SL_API TF_Output sl_global_norm(struct sl_scope *scope, const struct sl_slices *gradients, int n);

/* ---- schedules: rates for `rate_of_step`, float scalars that depend on `step`, the value of a counter */
/* rate * decay^(step / steps); `in_stairs`: step / steps is rounded down to a whole number, here and below. */
SL_API TF_Output sl_exponential_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double decay,
                                      bool in_stairs);
/* rate / (1 + decay step / steps) */
SL_API TF_Output sl_inverse_time_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double decay,
                                       bool in_stairs);
/* end + (rate - end) * (1 - step / steps)^power; `end` from step `steps` on. */
SL_API TF_Output sl_polynomial_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double end,
                                     double power);
/* From `rate` at step 0 to rate * end at step `steps` and later, along half a period of a cosine. */
SL_API TF_Output sl_cosine_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double end);
/* The rate goes from `start` to `rate` along a line in `warm_steps` steps, and then, in so many further `steps`, to rate
 * * end as sl_cosine_decay says. */
SL_API TF_Output sl_cosine_decay_warm(struct sl_scope *scope, TF_Output step, double start, double warm_steps,
                                      double rate, double steps, double end);
/* Again and again from the full rate to rate * end along half a wave of a cosine (Loshchilov and Hutter 2017). The
 * first time takes `steps` steps; each further time takes `longer` times as many as the one before, and begins at
 * `lower` times its rate. */
SL_API TF_Output sl_cosine_restarts(struct sl_scope *scope, TF_Output step, double rate, double steps, double longer,
                                    double lower, double end);
/* rates[0] while step <= boundaries[0], rates[1] while step <= boundaries[1] ..., rates[n] after that: n boundaries,
 * n + 1 rates. */
SL_API TF_Output sl_piecewise_constant(struct sl_scope *scope, TF_Output step, const int64_t *boundaries,
                                       const double *rates, int n);

/* ---- moving averages */
/* Makes averages[i], an untrained variable with the same initial value, for each of n variables of this scope, and
 * returns an operation that updates them all: average -= (1 - decay) (average - variable). With a `step` (it may be
 * NULL) the decay is at most (1 + step) / (10 + step). `averages` has room for n. */
SL_API TF_Operation *sl_moving_averages(struct sl_scope *scope, struct sl_var *averages, const struct sl_var *variables,
                                        int n, double decay, const struct sl_var *step);

#ifdef __cplusplus
}
#endif

#endif
