/* Meters: how much memory the tensors of one step hold, and which node made them, for steps whose memory has a limit.
 *
 *   sl_meter_new(&meter, limit, err);            once for the step
 *   scope = {.meter = meter, .node = name, ...};
 *   outer = sl_meter_enter(&scope);              around each node: tensors that this thread makes are charged to it
 *   ...
 *   sl_meter_leave(&scope, outer);
 *   sl_meter_explain(meter, name, err);          when the node has failed: who held what, if it met the limit
 *   sl_meter_close(meter);                       what lives on is charged to nobody
 *
 * Charged are the blocks of tensors on the host, the bytes of their strings, and scratch memory from SL_BLOCK_LARGE
 * bytes. Not charged: what was there before the step (feeds, variables, constants) and what kernels keep in structures
 * of their own.
 *
 * A process without a meter pays for them with one load and a branch for each tensor.
 *
 * Threads: thread-safe. A scope belongs to one thread; others may work for it with sl_meter_enter. */
#ifndef SL_TENSOR_METER_H
#define SL_TENSOR_METER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

struct sl_meter;
struct sl_charge;

/* A node that runs. Its strings live as long as the meter is open. */
struct sl_meter_scope {
    struct sl_meter *meter;
    struct sl_str node, op;
    atomic_size_t strings; /* bytes of strings that were set in it, which no tensor is charged with yet */
};

sl_code sl_meter_new(struct sl_meter **out, size_t limit, struct sl_error *err);
/* NULL is fine. */
void sl_meter_close(struct sl_meter *m);
size_t sl_meter_used(struct sl_meter *m);

/* How many meters are open in the process. */
extern atomic_uint sl_meters_open;
/* The innermost scope of this thread; NULL: none. */
struct sl_meter_scope *sl_meter_of_thread(void);
static inline struct sl_meter_scope *sl_meter_current(void) {
    return __builtin_expect(atomic_load_explicit(&sl_meters_open, memory_order_relaxed) != 0, 0) ? sl_meter_of_thread()
                                                                                                 : NULL;
}
/* Makes `scope` (may be NULL) the innermost; returns the one before. */
struct sl_meter_scope *sl_meter_enter(struct sl_meter_scope *scope);
/* Back to `outer`. Strings of this scope are counted with their tensors from now on, or not at all. */
void sl_meter_leave(struct sl_meter_scope *scope, struct sl_meter_scope *outer);

/* Charges the thread's scope; `*out` NULL: there is none. RESOURCE_EXHAUSTED beyond the limit, or when memory is out. */
sl_code sl_meter_charge(struct sl_charge **out, size_t bytes, struct sl_error *err);
/* The holder is gone. NULL is fine. */
void sl_charge_drop(struct sl_charge *charge);
/* What a tensor's strings hold now. Beyond the limit only the next charge fails. */
void sl_charge_set_strings(struct sl_charge *charge, size_t bytes);
/* A string of so many bytes is about to be set on this thread, which has a scope. False: beyond the limit. */
bool sl_meter_note_string(struct sl_meter_scope *scope, size_t bytes);

/* Replaces the text of RESOURCE_EXHAUSTED when `node` has met the limit: how much it asked for, and who held what. */
void sl_meter_explain(struct sl_meter *m, struct sl_str node, struct sl_error *err);

#endif
