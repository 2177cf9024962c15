/* Functions over several tasks, for who calls them: the function is cut by task, each part becomes a component at its
 * task (served_context.h), and a call runs all parts as one step.
 *
 *     call ──► plan (by function, device, places of arguments) ──► RunComponentFunction at each task with a part
 *              made once: placed, cut, registered                  own part: a step of the own worker
 *
 * Threads: thread-safe. */
#ifndef SL_DIST_SPREAD_FUNCTION_H
#define SL_DIST_SPREAD_FUNCTION_H

#include "dist/served_context.h"

struct sl_spread_plan;

/* What a context knows of all tasks of its cluster. */
struct sl_spread {
    atomic_uint references;
    struct sl_runtime *front; /* has the devices of all tasks; places and cuts, runs nothing */
    struct sl_device *devices;
    struct sl_mutex making;  /* held by who makes a plan */
    struct sl_mutex mutex;   /* guards the next */
    struct sl_str_map plans; /* of struct sl_spread_plan, by key */
};
/* `devices`: of all tasks, by full names; those of types that this process does not have are passed over. */
sl_code sl_spread_new(struct sl_spread **out, struct sl_served_context *c,
                      const struct sl_pb_array_DeviceAttributes *devices, struct sl_error *err);
static inline struct sl_spread *sl_spread_ref(struct sl_spread *spread) {
    atomic_fetch_add(&spread->references, 1);
    return spread;
}
void sl_spread_unref(struct sl_spread *spread); /* NULL is fine */
/* Plans of a function that is no more. */
void sl_spread_forget(struct sl_spread *spread, struct sl_str function);

/* An argument: a value here, or one that another task has by these numbers. */
struct sl_spread_arg {
    struct sl_eager_handle *here; /* borrowed; NULL: elsewhere */
    int64_t op;
    int32_t output;
    struct sl_str device; /* in full; of one that is here may be "" */
    int32_t dtype;
};
/* A result: a value here, or one that the task of `device` has by the call's `op_id` and the result's number. */
struct sl_spread_ret {
    struct sl_eager_handle *here;
    const char *device;  /* of the spread */
    struct sl_str shape; /* of one elsewhere: an encoded TensorShapeProto, owned */
};
void sl_spread_ret_clear(struct sl_spread_ret *ret);

struct sl_spread_request {
    struct sl_str name, device;                     /* where nodes go that ask for nothing; "": the first device here */
    const struct sl_pb_map_string_AttrValue *attrs; /* of the call; may be NULL */
    const struct sl_spread_arg *args;
    size_t n_args;
    int64_t op_id;
    struct sl_cancellation *cancellation;
};
/* Whether the function has to be called by `sl_spread_call`: an argument is elsewhere, or a node asks for a device of
 * another task. */
bool sl_spread_is_needed(struct sl_spread *spread, struct sl_served_context *c, struct sl_str name,
                         const struct sl_spread_arg *args, size_t n_args);
/* `*rets`: an array of the caller's (sl_free), each to be cleared. */
sl_code sl_spread_call(struct sl_spread_ret **rets, int *n_rets, struct sl_spread *spread, struct sl_served_context *c,
                       const struct sl_spread_request *request, struct sl_error *err);

#endif
