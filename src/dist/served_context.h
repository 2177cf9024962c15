/* An eager context that a program of another process uses: an eager context of this process (eager/eager_context.h), the
 * values that the program knows by numbers, and a way for values to other tasks.
 *
 *     program                                       served context
 *     Enqueue: operation 7, inputs (5, 0), (6, 0)   handles: (op, output) -> value
 *              send_tensor 8, decref (5, 0)
 *     RecvTensor <context id>, key          ◄────── exchange: what ops _Send have put there
 *     RunComponentFunction, step id                 a step of the worker (worker.h): its part of a function over tasks
 *
 * Variables, tables and queues are the worker's, as those of sessions are; functions are the context's own. Threads:
 * thread-safe; counted references. What runs for it holds one, so that the last goes when nothing runs any more. */
#ifndef SL_DIST_SERVED_CONTEXT_H
#define SL_DIST_SERVED_CONTEXT_H

#include "base/vec.h"
#include "dist/worker.h"
#include "eager/eager_op.h"

enum { SL_SERVED_HANDLES_MAX = 1 << 22 }; /* of one context */

struct sl_served_component;
struct sl_spread;

struct sl_served_context {
    atomic_uint references;
    struct sl_served_context *next; /* of the service; guarded by its mutex, as are the next two */
    uint64_t view_id;
    int64_t keep_alive_ns, used_ns; /* on the net's clock; 0: it needs no signs of life */
    uint64_t id;
    struct sl_worker *worker;
    struct sl_eager_context *eager;
    bool is_borrowed;                    /* the eager context is somebody's who outlives this */
    struct sl_step_rendezvous *exchange; /* the worker's, of the step with the context's id */
    struct sl_cancellation *end;         /* of all that it runs */
    struct sl_mutex mutex;               /* guards the rest */
    struct sl_worker_session *session;   /* over the eager context's runtime: for steps; knows the cluster */
    struct sl_spread *spread;            /* spread_function.h; NULL: there is one task */
    bool is_closed;
    struct sl_str_map handles;    /* of struct served_handle, by op and output */
    struct sl_str_map components; /* of struct sl_served_component, by name */
    SL_VEC(uint64_t) steps;       /* of components, that nobody has cleaned up after */
};

struct sl_served_spec {
    uint64_t id, view_id;
    int64_t keep_alive_secs;
    struct sl_eager_context
        *eager; /* of this process, borrowed: its functions have parts at other tasks; NULL: a new one */
    const struct sl_pb_ServerDef *server;        /* the cluster as the program calls it; NULL: as this server does */
    struct sl_pb_array_DeviceAttributes devices; /* of all its tasks */
};
/* One reference. */
sl_code sl_served_context_new(struct sl_served_context **out, struct sl_worker *worker,
                              const struct sl_served_spec *spec, struct sl_error *err);
static inline struct sl_served_context *sl_served_context_ref(struct sl_served_context *c) {
    atomic_fetch_add(&c->references, 1);
    return c;
}
void sl_served_context_unref(struct sl_served_context *c); /* NULL is fine */
/* Cancels what runs, and forgets values. */
void sl_served_context_close(struct sl_served_context *c);

/* The cluster has other tasks, addresses and devices from here on, and no step is under way. INVALID_ARGUMENT when this
 * task has another name. */
sl_code sl_served_set_cluster(struct sl_served_context *c, const struct sl_pb_ServerDef *server,
                              const struct sl_pb_array_DeviceAttributes *devices, struct sl_error *err);
/* The session as it is now, a new reference. */
struct sl_worker_session *sl_served_session(struct sl_served_context *c);
struct sl_spread *sl_served_spread(struct sl_served_context *c); /* likewise; may be NULL */

/* ---- values
 * Takes the handle over, also on failure; one that has these numbers already goes. RESOURCE_EXHAUSTED. */
sl_code sl_served_put(struct sl_served_context *c, int64_t op, int32_t output, struct sl_eager_handle *h,
                      struct sl_error *err);
/* A new reference. INVALID_ARGUMENT "Unable to find the relevant tensor remote_handle: ...". */
sl_code sl_served_get(struct sl_eager_handle **out, struct sl_served_context *c,
                      const struct sl_pb_eager_RemoteTensorHandle *which, struct sl_error *err);
sl_code sl_served_drop(struct sl_served_context *c, const struct sl_pb_eager_RemoteTensorHandle *which,
                       struct sl_error *err);
/* What an input says: a value that is here, or comes with it. `body` is the message's, NULL: it is copied. */
sl_code sl_served_input(struct sl_eager_handle **out, struct sl_served_context *c,
                        const struct sl_pb_eager_Operation_Input *input, struct sl_rpc_body *body,
                        struct sl_error *err);
/* A new handle of a value, taken over also on failure, on a device of the context by its name ("": the first).
 * INVALID_ARGUMENT "... unknown device." */
sl_code sl_served_place(struct sl_eager_handle **out, struct sl_served_context *c, struct sl_value value,
                        struct sl_str device, struct sl_error *err);
sl_code sl_served_take_tensor(struct sl_eager_handle **out, struct sl_served_context *c,
                              const struct sl_pb_TensorProto *proto, struct sl_str device, struct sl_rpc_body *body,
                              struct sl_error *err);

/* Drops what a step of components has left here. */
void sl_served_cleanup(struct sl_served_context *c, uint64_t step_id);
/* A step that has to be cleaned up after, at the context's end at the latest. */
sl_code sl_served_note_step(struct sl_served_context *c, uint64_t step_id, struct sl_error *err);

/* ---- served_queue.c: an item of a queue, run on this thread. Adds its QueueResponse, as field 1, to `answer`. */
sl_code sl_served_run_item(struct sl_rpc_message *answer, struct sl_served_context *c,
                           const struct sl_pb_eager_QueueItem *item, struct sl_rpc_body *body,
                           struct sl_cancellation *cancellation, struct sl_error *err);
/* Adds field 1 of a message, a shape. */
sl_code sl_served_add_shape(struct sl_rpc_message *m, struct sl_eager_handle *h, struct sl_error *err);

/* ---- served_transfer.c: ops _Send and _Recv, which have their place in a queue. `_Recv` waits. */
sl_code sl_served_send(struct sl_served_context *c, const struct sl_pb_eager_Operation *op, struct sl_rpc_body *body,
                       struct sl_error *err);
sl_code sl_served_receive(struct sl_eager_handle **out, struct sl_served_context *c,
                          const struct sl_pb_eager_Operation *op, struct sl_cancellation *cancellation,
                          struct sl_error *err);

/* ---- served_component.c: parts of functions over several tasks */
sl_code sl_served_add_component(struct sl_served_context *c, const struct sl_pb_FunctionDef *def, struct sl_error *err);
/* False: there is none of this name. */
bool sl_served_remove_component(struct sl_served_context *c, struct sl_str name);
void sl_served_free_components(struct sl_served_context *c);
/* They are compiled anew by their next calls. */
void sl_served_forget_programs(struct sl_served_context *c);

/* A call of a component: a step. Zeroed, then init, which may fail; start; `done`, once, on any thread; clear, in any
 * case. */
struct sl_component_call {
    void (*done)(struct sl_component_call *call, sl_code code, const struct sl_error *err);
    void *arg; /* these two are the caller's, set before init */
    struct sl_served_context *context;
    struct sl_served_component *component;
    struct sl_worker_step step;
    struct sl_value *args, *rets;
    int n_args, n_rets; /* values that it has */
    bool has_step;
};
struct sl_component_request {
    struct sl_str name, device;
    uint64_t step_id;
    struct sl_eager_handle *const *args; /* borrowed */
    size_t n_args;
};
sl_code sl_component_call_init(struct sl_component_call *call, struct sl_served_context *c,
                               const struct sl_component_request *request, struct sl_error *err);
/* Runs what is ready on this thread. */
static inline void sl_component_call_start(struct sl_component_call *call) { sl_worker_step_start(&call->step); }
/* Between a start and clear. */
static inline void sl_component_call_cancel(struct sl_component_call *call, const char *text) {
    sl_worker_step_cancel(&call->step, SL_CANCELLED, text);
}
/* After it has ended well: a result as a new handle, once each. */
sl_code sl_component_call_ret(struct sl_eager_handle **out, struct sl_component_call *call, int i,
                              struct sl_error *err);
void sl_component_call_clear(struct sl_component_call *call);

/* Runs it, and answers the call. The request lies in `arena`, which is taken over. */
void sl_served_run_component(struct sl_served_context *c, const struct sl_pb_eager_RunComponentFunctionRequest *request,
                             struct sl_arena *arena, struct sl_rpc_call *call);

#endif
