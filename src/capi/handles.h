/* What stands behind the opaque types of the C API, and the few conversions every file of this room uses.
 *
 * TF_Operation is a struct sl_node, TF_Output a struct sl_port under its public name; all other handles are structs of
 * their own. Threads: as the public headers say. A graph's mutex guards its nodes, its functions and `holds`. */
#ifndef SL_CAPI_HANDLES_H
#define SL_CAPI_HANDLES_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "os/mutex.h"
#include "session/session.h"
#include "tensor/tensor.h"
#include "tensorflow/c/c_api.h"

/* ---- status (capi_status.c) */
struct sl_payload {
    char *key, *value; /* owned */
};

struct TSL_Status {
    sl_code code;
    char *message; /* owned; NULL: "" */
    SL_VEC(struct sl_payload) payloads;
};

/* All: `status` may be NULL. `message` is copied. */
void sl_status_set(TF_Status *status, sl_code code, const char *message);
void sl_status_fail(TF_Status *status, sl_code code, const char *format, ...) SL_PRINTF(3, 4);
/* Gives `status` what a call came to; true when that is OK: `if (!sl_status_take(status, call(..., &err), &err))
 * return;` */
bool sl_status_take_slowly(TF_Status *status, sl_code code, const struct sl_error *err);
static inline bool sl_status_take(TF_Status *status, sl_code code, const struct sl_error *err) {
    if (code == SL_OK && status && status->code == SL_OK && !status->message && !status->payloads.n) return true;
    return sl_status_take_slowly(status, code, err);
}
/* The other way round: returns the status's code and copies its message to `err`. */
sl_code sl_status_give(const TF_Status *status, struct sl_error *err);

/* Whether an argument that must be there is NULL, which the status then tells: TensorFlow's functions crash there. */
static inline bool sl_lacks(TF_Status *status, const void *argument, const char *name) {
    if (!argument) sl_status_fail(status, SL_INVALID_ARGUMENT, "the argument %s is NULL", name);
    return !argument;
}
#define SL_LACKS(status, argument) sl_lacks(status, argument, #argument)
/* The same for an array of `n` items. */
static inline bool sl_lacks_items(TF_Status *status, const void *argument, int n, const char *name) {
    return n > 0 && sl_lacks(status, argument, name);
}
#define SL_LACKS_ITEMS(status, argument, n) sl_lacks_items(status, argument, n, #argument)

/* ---- buffers (capi_buffer.c) */
/* Hands `bytes`, from sl_malloc, to the buffer. */
void sl_buffer_own(TF_Buffer *buffer, struct sl_str bytes);
/* INVALID_ARGUMENT unless the buffer is there and empty, as an out-parameter must be. */
sl_code sl_buffer_check_empty(const TF_Buffer *buffer, struct sl_error *err);
/* Encodes a message into an empty buffer. */
sl_code sl_buffer_encode(TF_Buffer *buffer, const struct sl_pb_message *type, const void *message,
                         struct sl_error *err);
/* The same into a new buffer. */
sl_code sl_buffer_new_encoded(TF_Buffer **out, const struct sl_pb_message *type, const void *message,
                              struct sl_error *err);
/* Pointer and length as bytes; a NULL pointer is no bytes. */
static inline struct sl_str sl_bytes_of(const void *p, size_t n) { return (struct sl_str){p, p ? n : 0}; }

/* ---- tensors (capi_tensor.c) */
struct TF_Tensor {
    struct sl_tensor *tensor; /* one reference; never NULL */
    size_t room;              /* bytes of the buffer, of which the elements may fill a part */
};
/* A handle for a tensor, whose reference it takes over, also on failure: NULL when memory is out (or `tensor` is
 * NULL). */
TF_Tensor *sl_tensor_handle_new(struct sl_tensor *tensor);
sl_code sl_tensor_handle_try(TF_Tensor **out, struct sl_tensor *tensor, struct sl_error *err);
/* A tensor of this type and shape over at least `len` bytes; `rank` and `dims` are the caller's, unchecked. */
sl_code sl_tensor_of_room(struct sl_tensor **out, int dtype, const int64_t *dims, int rank, size_t len,
                          struct sl_error *err);

/* ---- options (capi_options.c) */
struct TF_SessionOptions {
    struct sl_arena arena;            /* of what `config` is decoded into; emptied by each TF_SetConfig */
    char *bytes;                      /* owned copy of what `config` points into */
    struct sl_pb_ConfigProto *config; /* NULL: none given */
    char *target;                     /* owned; NULL: "" */
    bool places_by_cost;
    size_t step_memory; /* 0: none given */
    unsigned watch;     /* enum sl_numerics; 0: none given */
};

/* ---- graphs (capi_graph.c) */
struct TF_Graph {
    struct sl_mutex mutex;
    int holds;                   /* the caller's until TF_DeleteGraph, and one for each session */
    struct sl_graph *graph;      /* never NULL */
    atomic_ulong version;        /* grows with every change; read without the mutex */
    struct TF_Session *sessions; /* linked by `next` */
    struct sl_while_parts *loop; /* of a cond or body graph of TF_NewWhile: what it is part of; else NULL */
};
/* A graph with one hold. */
sl_code sl_graph_handle_new(TF_Graph **out, struct sl_error *err);
/* Drops a hold; the last one frees. */
void sl_graph_handle_drop(TF_Graph *graph);
static inline void sl_graph_lock(TF_Graph *graph) { sl_mutex_lock(&graph->mutex); }
static inline void sl_graph_unlock(TF_Graph *graph) { sl_mutex_unlock(&graph->mutex); }
/* The output "node:index" or "node", which is output 0. INVALID_ARGUMENT for another form, NOT_FOUND. */
sl_code sl_graph_output(TF_Output *out, TF_Graph *graph, const char *name, struct sl_error *err);
/* Says that nodes or functions were added. The mutex is held. */
static inline void sl_graph_touch(TF_Graph *graph) {
    atomic_fetch_add_explicit(&graph->version, 1, memory_order_release);
}
/* Says that a node which sessions may have taken over was changed, in what way: logs a warning for those. The mutex is
 * held. */
void sl_graph_changed(TF_Graph *graph, const struct sl_node *node, const char *how);
/* Adds the graph of a SavedModel to an empty one (capi_saved_model.c). */
struct sl_saved_model;
struct sl_pb_MetaGraphDef;
sl_code sl_saved_model_import(TF_Graph *graph, const struct sl_saved_model *model,
                              const struct sl_pb_MetaGraphDef *meta, struct sl_error *err);
/* Whether `node` is a node of `graph` now. */
bool sl_graph_owns(const TF_Graph *graph, const struct sl_node *node);
/* OK when the output exists; INVALID_ARGUMENT with TensorFlow's text otherwise. */
sl_code sl_graph_check_output(const TF_Graph *graph, TF_Output output, struct sl_error *err);

static inline struct sl_node *sl_as_node(const TF_Operation *operation) { return (struct sl_node *)operation; }
static inline TF_Operation *sl_as_operation(const struct sl_node *node) { return (TF_Operation *)node; }
static inline struct sl_port sl_as_port(TF_Output output) {
    return (struct sl_port){sl_as_node(output.oper), output.index};
}
static inline TF_Output sl_as_output(struct sl_port port) {
    return (TF_Output){sl_as_operation(port.node), port.index};
}

/* ---- functions (capi_function.c) */
struct TF_Function {
    struct sl_function_def *def;   /* one reference */
    struct sl_function_def *first; /* one reference to what `def` was at first: TF_FunctionName gave its name away */
};
/* A handle for a function, whose reference it takes over, also on failure. */
sl_code sl_function_handle_new(TF_Function **out, struct sl_function_def *def, struct sl_error *err);

/* ---- sessions (capi_session.c) */
struct TF_Session {
    struct sl_session *session;
    TF_Graph *graph;                  /* one hold */
    TF_Session *next;                 /* of the graph's list; guarded by the graph's mutex */
    TF_Session *next_live, **at_live; /* of all sessions of the process; root/root.h */
    atomic_ulong seen;                /* the graph's version that the session knows */
    atomic_size_t seen_nodes;         /* nodes with smaller ids are the session's too */
    atomic_bool extends_itself;       /* each run takes over new nodes first; until TF_ExtendSession */
    struct sl_mutex mutex;            /* guards the members below */
    struct sl_partial *partials;      /* capi_prun.c */
    unsigned long partials_made;
};
/* Takes over what the graph has gained, if anything. */
sl_code sl_session_catch_up(TF_Session *session, struct sl_error *err);
/* Frees all partial runs (capi_prun.c). */
void sl_session_drop_partials(TF_Session *session);

/* ---- all sessions of the process, for TF_Reset (live_sessions.c) */
void sl_live_sessions_add(TF_Session *session);
void sl_live_sessions_remove(TF_Session *session);
/* Calls `visit` for each, with the list locked. */
void sl_live_sessions_each(void (*visit)(TF_Session *session, void *arg), void *arg);

#endif
