/* Derivatives that are more than one gradient: products with a Jacobian, and Jacobians.
 *
 * A tape gives, for v of the shape of y, the product v J with the Jacobian J of y by x: reverse mode. J t, forward mode,
 * is the transposition of that: v J is linear in v, so its gradient with respect to v, weighed with t, is J t. The rows
 * of J are the products with the unit vectors, which the tape computes all at once (execute_batch.h). */
#ifndef SL_TAPE_DERIVATIVES_H
#define SL_TAPE_DERIVATIVES_H

#include "tape/recording.h"

/* Terms are those of the emitter; a tape that is not persistent gives this once, as it gives gradients.
 * tys[i], of the shape of ys[i]: how it changes when each xs[k] changes by txs[k] (no term: not at all); no term where
 * it does not depend on the xs. */
struct sl_jvp_spec {
    const struct sl_term *ys, *xs, *txs;
    int n_ys, n_xs;
};
sl_code sl_recording_jvp(struct sl_term *tys, struct sl_recording *tape, struct sl_execute_emitter *e,
                         const struct sl_jvp_spec *spec, struct sl_error *err);

/* dxs[k], of shape [y..., xs[k]...]: the gradient of each element of y by xs[k]; no term where y does not depend on it.
 * `by_example`: y and all xs have a first dimension, of examples that do not depend on each other: [examples, the rest
 * of y, the rest of x]. INVALID_ARGUMENT where they do not. */
struct sl_jacobian_spec {
    struct sl_term y;
    const struct sl_term *xs;
    int n_xs;
    bool by_example;
};
sl_code sl_recording_jacobian(struct sl_term *dxs, struct sl_recording *tape, struct sl_execute_emitter *e,
                              const struct sl_jacobian_spec *spec, struct sl_error *err);

#endif
