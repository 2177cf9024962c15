/* Running one step of a program. Called by the runtime and its drivers; never sees a graph.
 *
 * Values: `args` are taken over (left NONE, also on failure); `rets` are filled with values that the caller owns, and are all NONE
 * after a failure. Errors name the node: "... [[{{node NAME}}]]". Threads: any number of steps of one program at once. */
#ifndef SL_EXEC_STEP_H
#define SL_EXEC_STEP_H

#include "kernel/kernel.h"
#include "program/program.h"

/* Runs to the end on the calling thread (and others that help). */
sl_code sl_step_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err);

/* Begins; `done(arg, code)` is called exactly once, from any thread, maybe before this returns; everything passed in stays valid
 * until then. The text of a failure is in `err`. */
void sl_step_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                   struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done);

/* The two engines (run_linear.c, run_tokens.c). */
sl_code sl_linear_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err);
sl_code sl_tokens_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err);
void sl_tokens_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done);

/* ---- steps whose arguments come bit by bit (partial runs); the program has the token form. Threads: one caller at a time. */
struct sl_open_step;
/* Starts what needs no argument. `env` stays valid until the step is closed. */
sl_code sl_step_open(struct sl_open_step **out, struct sl_program *program, struct sl_step_env *env,
                     struct sl_error *err);
/* Gives argument `index`, once; takes the value over. */
sl_code sl_step_feed(struct sl_open_step *step, int index, struct sl_value value, struct sl_error *err);
/* Waits for result `index` and moves it to `out`, once. The step's error when it failed; INVALID_ARGUMENT when it cannot be computed from what
 * has been fed so far. */
sl_code sl_step_fetch(struct sl_value *out, struct sl_open_step *step, int index, struct sl_error *err);
/* Waits for what is running and frees. NULL is fine. */
void sl_step_close(struct sl_open_step *step);

#endif
