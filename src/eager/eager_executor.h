/* Executors: who runs eager ops. A synchronous one runs them on the caller's thread, at once. An asynchronous one is a
 * thread with a queue; ops keep their order.
 *
 *     caller    execute ── pending handles ──►   execute ...            wait ── reads
 *                  │                                │                    ▲
 *     thread       └──► queue ──► run: handles are settled ──► run ...───┘
 *
 * When an op fails on that thread its outputs are poisoned, and so is all that is queued behind it; ops that come later
 * are refused with the same error, until somebody clears it. Threads: thread-safe; counted references. */
#ifndef SL_EAGER_EAGER_EXECUTOR_H
#define SL_EAGER_EAGER_EXECUTOR_H

#include "eager/eager_op.h"

/* An op with its inputs, ready to run. */
struct sl_eager_call {
    struct sl_eager_context *context;
    struct sl_eager_kernel *kernel;
    struct sl_eager_handle *const *inputs;
    int n_inputs;
    struct sl_cancellation *cancellation; /* NULL: nobody's */
};
/* Runs it: `outputs` has room for all of the kernel's. The inputs' references go, also on failure; then there are no
 * outputs. Waits for inputs that are pending. */
sl_code sl_eager_call_run(struct sl_value *outputs, const struct sl_eager_call *call, struct sl_error *err);

struct sl_eager_executor;
/* `most` queued ops and more make execute wait; 0: any number. */
sl_code sl_eager_executor_new(struct sl_eager_executor **out, bool is_async, int most, struct sl_error *err);
struct sl_eager_executor *sl_eager_executor_ref(struct sl_eager_executor *e);
/* The last one waits for what is queued, and ends the thread. NULL is fine. */
void sl_eager_executor_unref(struct sl_eager_executor *e);
bool sl_eager_executor_is_async(const struct sl_eager_executor *e);
/* Whether the calling thread's executor is the context's, and a synchronous one: what most calls find, without a count. */
bool sl_eager_runs_at_once(const struct sl_eager_context *c);
/* No thread gets any more ops to it: those that have it run theirs by the context's executor from here on. */
void sl_eager_executor_end(struct sl_eager_executor *e);

/* Queues a call: takes over the references to inputs and kernel; `outputs` are pending handles, of which the executor
 * keeps references of its own. The error of an earlier op when there is one. */
sl_code sl_eager_executor_add(struct sl_eager_executor *e, const struct sl_eager_call *call,
                              struct sl_eager_handle *const *outputs, struct sl_error *err);
/* Waits for all that is queued now: OK, or the error that stays. */
sl_code sl_eager_executor_wait(struct sl_eager_executor *e, struct sl_error *err);
/* Where the memory of an output is, after it was run. */
int sl_eager_backing(const struct sl_eager_kernel *k, int output);
void sl_eager_executor_clear_error(struct sl_eager_executor *e);

/* ---- of threads. The executor of the calling thread: its own, else the context's; a new reference. */
struct sl_eager_executor *sl_eager_executor_of_thread(struct sl_eager_context *c);
/* NULL: the context's. */
sl_code sl_eager_set_executor_of_thread(struct sl_eager_context *c, struct sl_eager_executor *e, struct sl_error *err);
/* Waits for the executors of the context and of its threads: the first error, which is cleared in all. */
sl_code sl_eager_context_wait(struct sl_eager_context *c, struct sl_error *err);
/* The policy that holds in the calling thread. */
enum sl_eager_policy sl_eager_policy_of_thread(struct sl_eager_context *c);
sl_code sl_eager_set_policy_of_thread(struct sl_eager_context *c, enum sl_eager_policy policy, struct sl_error *err);

#endif
