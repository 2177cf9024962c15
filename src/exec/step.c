/* Choosing the engine; what both share. */
#include "exec/step.h"

#include <string.h>

#include "exec/part.h"
#include "os/float_mode.h"

/* The other engine minds the float mode itself: its nodes run on many threads. */
static sl_code run_linear(struct sl_program *program, struct sl_step_env *env, struct sl_value *args,
                          struct sl_value *rets, struct sl_error *err) {
    uint64_t mode = sl_float_mode_enter();
    sl_code code = sl_linear_run(program, env, args, rets, err);
    sl_float_mode_leave(mode);
    return code;
}

sl_code sl_step_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err) {
    if (program->is_linear) return run_linear(program, env, args, rets, err);
    return program->n_parts ? sl_parts_run(program, env, args, rets, err)
                            : sl_tokens_run(program, env, args, rets, err);
}

void sl_step_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                   struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done) {
    if (program->is_linear) done(arg_of_done, run_linear(program, env, args, rets, err));
    else if (program->n_parts) sl_parts_start(program, env, args, rets, err, done, arg_of_done);
    else sl_tokens_start(program, env, args, rets, err, done, arg_of_done);
}
