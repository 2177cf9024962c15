/* Parts of a step: how run_parts.c starts one in run_tokens.c. Internal to the room. */
#ifndef SL_EXEC_PART_H
#define SL_EXEC_PART_H

#include "exec/run_queue.h"
#include "exec/step.h"

/* What a part calls in the step that it belongs to. The run queue must live until `done`. */
struct sl_part_owner {
    struct sl_run_queue *queue;
    void (*done)(void *arg, sl_code code);
    /* Called when the part may have nothing to do but wait; before `done`, from any thread, with no lock held. May be
     * NULL. */
    void (*when_idle)(void *arg);
    void *arg;
};
struct sl_token_step;
/* Begins a part and runs none of it: it is in the run queue afterwards, or done. The rest as sl_step_start, but a
 * failure to begin is returned, and then `done` is not called. `*part` is the caller's until sl_part_release. */
sl_code sl_part_start(struct sl_token_step **part, struct sl_program *program, struct sl_step_env *env,
                      struct sl_value *args, struct sl_value *rets, const struct sl_part_owner *owner,
                      struct sl_error *err);
void sl_part_release(struct sl_token_step *part); /* NULL is fine */
/* Stops the part until sl_part_unlock. Returns how many of its nodes are ready, run or wait. To lock several
 * parts, lock them in the order of the program. */
size_t sl_part_lock(struct sl_token_step *part);
void sl_part_unlock(struct sl_token_step *part);
/* What sl_part_lock returns when a worker is in the part: more than any number of nodes. */
#define SL_PART_AT_WORK ((size_t)1 << 32)
/* What the part waits for, when it is locked and nobody works on it: up to `most` entries; returns how many there
 * are. */
size_t sl_part_waits(struct sl_wait *out, size_t most, const struct sl_token_step *part);

/* Programs in parts (run_parts.c); as sl_step_run and sl_step_start. */
sl_code sl_parts_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err);
void sl_parts_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done);

#endif
