/* Running one step of a program. Called by the runtime and its drivers; never sees a graph.
 *
 * Values: `args` are taken over (left NONE, also on failure); `rets` are filled with values that the caller owns,
 * and are all NONE after a failure. Errors name the node: "... [[{{node NAME}}]]". Threads: any number of steps of
 * one program at once. */
#ifndef SL_EXEC_STEP_H
#define SL_EXEC_STEP_H

#include "kernel/kernel.h"
#include "kernel/rendezvous.h"
#include "program/program.h"

/* The parts of a program meet in env->rendezvous, which serves this step alone (kernel/step_rendezvous.h makes one
 * for a step that has peers), or when it is NULL in one of the step's own.
 *
 * Runs to the end on the calling thread (and others that help). */
sl_code sl_step_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err);

/* Begins; `done(arg, code)` is called exactly once, from any thread, maybe before this returns; everything passed in
 * stays valid until then. The text of a failure is in `err`. */
void sl_step_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                   struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done);

/* The two engines (run_linear.c, run_tokens.c). */
sl_code sl_linear_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err);
sl_code sl_tokens_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err);
void sl_tokens_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done);

/* ---- steps in parts that are begun, watched and ended by somebody else. The program has parts, and the step a
 * cancellation. Thread-safe. */
struct sl_step_parts;
struct sl_part_listener {
    /* A part is through; once for each that was begun, from any thread, with no lock held. `err` is the step's own
     * text for failures of this part. NULL is fine. */
    void (*part_done)(void *arg, int part, sl_code code, const struct sl_error *err);
    void *arg;
};
/* Prepares a step, of which no part runs yet. What is passed in, `listener` (may be NULL) aside, stays valid until
 * the step has ended. On failure `args` are left NONE. */
sl_code sl_step_parts_new(struct sl_step_parts **out, struct sl_program *program, struct sl_step_env *env,
                          struct sl_value *args, struct sl_value *rets, const struct sl_part_listener *listener,
                          struct sl_error *err);
/* Begins parts `first` .. `first + n - 1` of program->parts, each once, in any order and by any thread; and works on
 * the step as long as something is ready. */
void sl_step_parts_begin(struct sl_step_parts *s, int first, int n);
/* Fails the step with this error unless it has failed: ends all that waits. Not after it has ended. */
void sl_step_parts_cancel(struct sl_step_parts *s, sl_code code, const char *message);
/* Either of these ends it, once: no further part is begun (of those that never were, transfers stay away), and when
 * those that were are through, the step is over and freed. join works on it, waits and returns the step's code.
 * close returns at once; `done(arg, code)` may be called before. */
sl_code sl_step_parts_join(struct sl_step_parts *s);
void sl_step_parts_close(struct sl_step_parts *s, void (*done)(void *arg, sl_code code), void *arg);

/* Something that a running step waits for. What it points to is the program's. */
struct sl_wait {
    struct sl_str node, op;
    const char *device;
    uint64_t frame, iteration;
    const struct sl_rendezvous_pair *pair; /* of a _Recv: what it waits for; NULL: another kernel, a queue's say */
    bool is_remote;                        /* a peer sends that */
};
/* Up to `most` of the nodes that wait, in parts on which nobody works at this moment; returns how many there are in
 * all. */
size_t sl_step_parts_waits(struct sl_wait *out, size_t most, struct sl_step_parts *s);
/* "node 'x' (_Recv) on DEVICE waits for KEY"; snprintf's rules and result. */
int sl_wait_print(char *text, size_t size, const struct sl_wait *wait);

/* ---- steps whose arguments come bit by bit (partial runs); the program has the token form. Threads: one caller at
 * a time. */
struct sl_open_step;
/* Starts what needs no argument. `env` stays valid until the step is closed. */
sl_code sl_step_open(struct sl_open_step **out, struct sl_program *program, struct sl_step_env *env,
                     struct sl_error *err);
/* Gives argument `index`, once; takes the value over. */
sl_code sl_step_feed(struct sl_open_step *step, int index, struct sl_value value, struct sl_error *err);
/* Waits for result `index` and moves it to `out`, once. The step's error when it failed; INVALID_ARGUMENT when it
 * cannot be computed from what has been fed so far. */
sl_code sl_step_fetch(struct sl_value *out, struct sl_open_step *step, int index, struct sl_error *err);
/* Waits for what is running and frees. NULL is fine. */
void sl_step_close(struct sl_open_step *step);

#endif
