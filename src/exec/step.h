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

/* Runs a step to its end, on the calling thread and on others of env->pool that help. The parts of a program meet
 * in env->rendezvous, which serves this step only (kernel/step_rendezvous.h makes one for a step that has peers).
 * When that is NULL, they meet in one that this makes. */
sl_code sl_step_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err);

/* The same without waiting: `done(arg, code)` is called exactly once, from any thread, maybe before this returns.
 * Everything passed in stays valid until then. The text of a failure is in `err`. */
void sl_step_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                   struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done);

/* The two engines (run_linear.c, run_tokens.c). */
sl_code sl_linear_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err);
sl_code sl_tokens_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err);
void sl_tokens_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done);

/* ---- steps whose parts a driver begins, watches and ends one by one. The program must have parts, and `env` a
 * cancellation. Thread-safe. */
struct sl_step_parts;
struct sl_part_listener {
    /* Called once for each part that was begun, when it has ended; from any thread, with no lock held. `err` has
     * the text of a failure. May be NULL. */
    void (*part_done)(void *arg, int part, sl_code code, const struct sl_error *err);
    void *arg;
};
/* Prepares a step, of which no part runs yet. What is passed in, `listener` (may be NULL) aside, stays valid until
 * the step has ended. On failure `args` are left NONE. */
sl_code sl_step_parts_new(struct sl_step_parts **out, struct sl_program *program, struct sl_step_env *env,
                          struct sl_value *args, struct sl_value *rets, const struct sl_part_listener *listener,
                          struct sl_error *err);
/* Begins parts `first` .. `first + n - 1` of program->parts, then works on the step as long as something is ready. Each
 * part may be begun once, in any order and by any thread. */
void sl_step_parts_begin(struct sl_step_parts *s, int first, int n);
/* Fails the step with this error, unless it has failed, and ends all its waits. Not after join or close. */
void sl_step_parts_cancel(struct sl_step_parts *s, sl_code code, const char *message);
/* Call one of these, once. No part may be begun afterwards; what parts that never began would have sent does not come.
 * When the others have ended, the step is freed. join works on the step, waits and returns its code. close returns at
 * once; `done(arg, code)` is called at the end, maybe before close returns. */
sl_code sl_step_parts_join(struct sl_step_parts *s);
void sl_step_parts_close(struct sl_step_parts *s, void (*done)(void *arg, sl_code code), void *arg);

/* A node of a running step that waits. Strings and the pair are the program's. */
struct sl_wait {
    struct sl_str node, op;
    const char *device;
    uint64_t frame, iteration;
    const struct sl_rendezvous_pair *pair; /* of a _Recv: what it waits for; NULL: another kernel, such as a queue's */
    bool is_remote;                        /* a peer has to send it */
};
/* Fills in up to `most` of the nodes that wait, in parts that have no worker at this moment. Returns how many there
 * are. */
size_t sl_step_parts_waits(struct sl_wait *out, size_t most, struct sl_step_parts *s);
/* "node 'x' (_Recv) on DEVICE waits for KEY"; snprintf's rules and result. */
int sl_wait_print(char *text, size_t size, const struct sl_wait *wait);

/* ---- steps whose arguments come one by one (partial runs); the program must have the token form. Threads: one caller
 * at a time. */
struct sl_open_step;
/* Begins a step: nodes that need no argument may run. `env` stays valid until the step is closed. */
sl_code sl_step_open(struct sl_open_step **out, struct sl_program *program, struct sl_step_env *env,
                     struct sl_error *err);
/* Gives argument `index`, once; takes the value over. */
sl_code sl_step_feed(struct sl_open_step *step, int index, struct sl_value value, struct sl_error *err);
/* Waits for result `index` and moves it to `out`, once; SL_VALUE_DEAD when it is on a branch that was not taken. The
 * step's error when it failed; INVALID_ARGUMENT when it cannot be computed from what has been fed so far. */
sl_code sl_step_fetch(struct sl_value *out, struct sl_open_step *step, int index, struct sl_error *err);
/* Waits for what is running and frees. NULL is fine. */
void sl_step_close(struct sl_open_step *step);

#endif
