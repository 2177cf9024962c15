/* Named resources of a session or of a step: variables, queues, tables, TensorArrays. Threads: thread-safe. */
#ifndef SL_KERNEL_RESOURCES_H
#define SL_KERNEL_RESOURCES_H

#include "base/error.h"
#include "base/str.h"
#include "tensor/object.h"

struct sl_resources;
sl_code sl_resources_new(struct sl_resources **out, struct sl_error *err);
void sl_resources_free(struct sl_resources *r);
/* NOT_FOUND "Resource CONTAINER/NAME/TYPE does not exist.", with the type as a C++ symbol: "N10tensorflow5StackE". */
sl_code sl_resources_fail_missing(struct sl_str container, struct sl_str name, const struct sl_object_type *type,
                                  struct sl_error *err);
/* Looks up by container, type and name: a new reference, or NOT_FOUND as above. */
sl_code sl_resources_find(struct sl_object **out, struct sl_resources *r, struct sl_str container,
                          const struct sl_object_type *type, struct sl_str name, struct sl_error *err);
/* Stores (takes over the reference also on failure); ALREADY_EXISTS when there is one. */
sl_code sl_resources_add(struct sl_resources *r, struct sl_str container, struct sl_str name, struct sl_object *object,
                         struct sl_error *err);
/* Finds, or makes by `make` and stores; a new reference. One `make` only, however many threads ask. */
sl_code sl_resources_find_or_make(struct sl_object **out, struct sl_resources *r, struct sl_str container,
                                  const struct sl_object_type *type, struct sl_str name,
                                  sl_code (*make)(struct sl_object **out, void *arg, struct sl_error *err), void *arg,
                                  struct sl_error *err);
sl_code sl_resources_remove(struct sl_resources *r, struct sl_str container, const struct sl_object_type *type,
                            struct sl_str name, struct sl_error *err);
/* Drops the resource that is this object, whatever its name; NOT_FOUND when there is none. */
sl_code sl_resources_remove_object(struct sl_resources *r, const struct sl_object *object, struct sl_error *err);
/* Container and name of the resource that is this object, in `arena`; both empty when there is none. */
struct sl_arena;
sl_code sl_resources_name_of(struct sl_str *container, struct sl_str *name, struct sl_resources *r,
                             const struct sl_object *object, struct sl_arena *arena, struct sl_error *err);
/* A type as the C++ symbol that stands for it in messages and handles: "N10tensorflow5StackE". */
enum { SL_RESOURCE_SYMBOL = 128 };
const char *sl_resource_symbol(char text[SL_RESOURCE_SYMBOL], const struct sl_object_type *type);
/* A resource of the type with this symbol: a new reference, NULL when there is none. */
struct sl_object *sl_resources_find_symbol(struct sl_resources *r, struct sl_str container, struct sl_str symbol,
                                           struct sl_str name);
/* 0, 1, 2 ...: a number for the name of a resource whose node gives none. */
uint64_t sl_resources_number(struct sl_resources *r);
/* Drops everything in a container ("" is "localhost", the default one), or everything with container.p NULL. */
void sl_resources_clear(struct sl_resources *r, struct sl_str container);
bool sl_resources_is_empty(const struct sl_resources *r); /* for who alone has them: takes no lock */

/* Where ops that run by themselves meet, whatever device and step they have: all of an eager context's resources name the
 * same. Borrowed; set before anybody uses them. NULL: ops meet within their step, in these resources. */
void sl_resources_set_meeting(struct sl_resources *r, struct sl_resources *meeting);
struct sl_resources *sl_resources_meeting(const struct sl_resources *r);

/* Where a node keeps its resource: its attrs container and shared_name, else its own name. Borrowed from the setup.
 * INVALID_ARGUMENT for a container with other than letters, digits and "_.-/", and for a shared name that starts
 * with "_". */
struct sl_kernel_setup;
struct sl_resource_name {
    struct sl_str container, name;
};
sl_code sl_resource_name_read(struct sl_resource_name *out, const struct sl_kernel_setup *setup);

#endif
