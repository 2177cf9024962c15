/* Objects that live as long as the session and have a container and a name: queues, barriers, tables, accumulators,
 * staging areas. The kernel that makes one keeps it; other kernels come to it by a handle, which is a resource or a
 * reference to a pair of strings, or by the same attrs. Thread-safe. */
#ifndef SL_BACKENDS_ANY_SESSION_OBJECT_H
#define SL_BACKENDS_ANY_SESSION_OBJECT_H

#include "backends/any/any_handle.h"
#include "os/mutex.h"

/* The first member of every such object. The names are for messages and handles; NUL-terminated, owned, "" when it has
 * none. */
struct sl_session_object {
    struct sl_object object;
    char *container, *name;
};
/* Frees the names; for the type's `free`. */
void sl_session_object_clear(struct sl_session_object *o);

enum sl_session_naming {
    SL_NAMED_PRIVATELY, /* without shared_name: "_0_node", another of each node */
    SL_NAMED_BY_NODE,   /* without shared_name: the node's name */
    SL_NAMED_BY_ATTR    /* attr use_node_name_sharing says which of the two */
};

/* The state of a kernel that finds or makes one. */
struct sl_session_maker {
    struct sl_mutex mutex; /* guards what follows */
    struct sl_session_object *object;
    struct sl_variable *reference; /* what a reference output points at */
    char *container, *name;
    bool is_private;
};
/* Reads the attrs container and shared_name. */
sl_code sl_session_maker_init(struct sl_session_maker *m, struct sl_kernel_setup *setup, enum sl_session_naming naming);
void sl_session_maker_clear(struct sl_session_maker *m);
/* The object, borrowed from the maker: found by its name, or made by `make` (which leaves the names alone) when
 * nobody has. `check` (may be NULL) says whether one that was found is what this node describes. */
sl_code sl_session_object_get(struct sl_session_object **out, struct sl_kernel_context *k, struct sl_session_maker *m,
                              const struct sl_object_type *type,
                              sl_code (*make)(struct sl_session_object **out, const void *arg, struct sl_error *err),
                              sl_code (*check)(struct sl_session_object *o, const void *arg, struct sl_error *err),
                              const void *arg);
/* Makes output 0 a handle of the maker's object, in the form that the output's type asks for. */
sl_code sl_session_object_give(struct sl_kernel_context *k, struct sl_session_maker *m);
/* A reference output's variable for the object. */
sl_code sl_session_reference_new(struct sl_variable **out, const struct sl_session_object *o, struct sl_error *err);

/* The object that input 0 stands for; to be released when the kernel is done. */
sl_code sl_session_object_hold(struct sl_held *out, struct sl_kernel_context *k, const struct sl_object_type *type);

#endif
