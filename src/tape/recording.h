/* Tapes: records of what ran, and gradients by them.
 *
 * A tape follows the values that it watches and all that is computed of them. It keeps, of each op on the way, what its
 * rule may read of its inputs and outputs (READS in grad/words.h; else all of them); what nobody watches costs a
 * look-up. The gradient goes through the records backwards: rules (src/grad) run through an executing emitter, so an
 * outer tape that listens to it records the gradient as it records anything else.
 *
 *     SL_TRY(sl_recording_new(&tape, &env, false, err));
 *     SL_TRY(sl_recording_watch(tape, &x, err));
 *     ... ops run through an emitter with the tape among its tapes, or are given to sl_recording_add ...
 *     SL_TRY(sl_recording_gradient(&dx, tape, &e, &spec, err));
 *     sl_recording_free(tape);
 *
 * Ops that call functions (PartitionedCall, If, While ...) are recorded with the functions of their gradient
 * (grad/graph/call_gradient.h), one pair for each tape: the innermost tape has the gradient of the op, the next one
 * that of what the innermost made of it. So gradients are taken of the innermost tape first.
 *
 * Threads: one owner, that of its environment. */
#ifndef SL_TAPE_RECORDING_H
#define SL_TAPE_RECORDING_H

#include "grad/rule.h"
#include "tape/execute_emitter.h"

struct sl_recording;

/* A persistent tape gives gradients any number of times; another one lets go of each record as the gradient passes it.
 * `env` is borrowed. */
sl_code sl_recording_new(struct sl_recording **out, struct sl_execute_env *env, bool is_persistent,
                         struct sl_error *err);
void sl_recording_free(struct sl_recording *tape); /* NULL is fine; before its environment goes */

/* Between these a tape gives gradients any number of times; afterwards one that is not persistent has given its own.
 * FAILED_PRECONDITION as from sl_recording_gradient. */
sl_code sl_recording_begin_many(struct sl_recording *tape, struct sl_error *err);
void sl_recording_end_many(struct sl_recording *tape);
bool sl_recording_is_persistent(const struct sl_recording *tape);
/* sl_execute_env_clear's part. */
void sl_recording_free_spare(struct sl_execute_env *env);

/* Follows a value from here on. Nothing happens when it does already, or when values of that type have no gradients. */
sl_code sl_recording_watch(struct sl_recording *tape, const struct sl_traced *value, struct sl_error *err);
bool sl_recording_follows(const struct sl_recording *tape, const struct sl_traced *value);

/* A gradient that the caller computes, in the place of a rule: the words of rules are there. Counted; one thread. */
struct sl_custom_rule {
    unsigned refs;
    void (*rule)(struct sl_rule *g, void *arg);
    void *arg;
    void (*free_arg)(void *arg); /* NULL: nothing is to be done */
};
struct sl_custom_rule *sl_custom_rule_ref(struct sl_custom_rule *custom);
void sl_custom_rule_unref(struct sl_custom_rule *custom); /* NULL is fine */

/* An op that ran. Values are shared. */
struct sl_ran {
    const struct sl_op *op;
    struct sl_kernel_instance *instance; /* NULL with a `custom` rule */
    const struct sl_attrs *attrs;        /* bound; not read when the instance remembers what it was made for */
    const struct sl_traced *const *inputs, *outputs;
    int n_inputs, n_outputs;
    struct sl_call_gradient *call;  /* of ops that call functions: what they were run as; else NULL */
    const struct sl_error *refusal; /* of ops that call functions and have no gradient: why; else NULL */
    struct sl_custom_rule *custom;  /* whatever the op: this is its gradient; else NULL */
};
/* Records it when the tape follows one of its inputs and gradients flow through the op. A tape that has given its
 * gradients, and is not persistent, records no more. */
sl_code sl_recording_add(struct sl_recording *tape, const struct sl_ran *ran, struct sl_error *err);

/* The same in two calls, around the op: inputs may be gone when it has run. `ran->outputs` is not read. `*out` is NULL
 * when there is nothing to record; else it is finished once, which takes it, or let go. */
struct sl_recorded_op;
sl_code sl_recording_begin(struct sl_recorded_op **out, struct sl_recording *tape, const struct sl_ran *ran,
                           struct sl_error *err);
sl_code sl_recording_finish(struct sl_recording *tape, struct sl_recorded_op *record, const struct sl_traced *outputs,
                            struct sl_error *err);
/* Drops what a record holds. */
void sl_record_let_go(struct sl_recorded_op *record);

struct sl_recording_spec {
    const struct sl_term *ys, *dys, *xs; /* terms of the emitter; `dys` NULL, or one that is no term: ones */
    int n_ys, n_xs;
    bool gives_zeros;   /* for an x without a gradient; else its gradient has no term */
    bool keeps_slices;  /* gradients that are IndexedSlices are given as such */
    bool sums_in_pairs; /* gradients that meet are added two by two */
};
/* FAILED_PRECONDITION when it has given its gradients, and is not persistent. */
sl_code sl_recording_check(const struct sl_recording *tape, struct sl_error *err);
/* The gradient of the sum of all ys by each x, as terms of the emitter that live as long as it. NOT_FOUND "No gradient
 * defined for op: X ..." for an op on the way without a rule; FAILED_PRECONDITION from a tape that has given its
 * gradients. */
sl_code sl_recording_gradient(struct sl_term_gradient *dxs, struct sl_recording *tape, struct sl_execute_emitter *e,
                              const struct sl_recording_spec *spec, struct sl_error *err);

#endif
