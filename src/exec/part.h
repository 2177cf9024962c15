/* Parts of a step: how run_parts.c starts one in run_tokens.c. Internal to the room. */
#ifndef SL_EXEC_PART_H
#define SL_EXEC_PART_H

#include "exec/crew.h"
#include "exec/step.h"

/* Begins a part without running any of it: it stands on the crew's list afterwards, or is done. As sl_step_start else, but a failure to begin
 * is returned, and then `done` is not called. The crew must live until `done`. */
sl_code sl_part_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err, struct sl_crew *crew, void (*done)(void *arg, sl_code code),
                      void *arg_of_done);

/* Programs in parts (run_parts.c); as sl_step_run and sl_step_start. */
sl_code sl_parts_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err);
void sl_parts_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done);

#endif
