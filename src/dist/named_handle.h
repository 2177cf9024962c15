/* Handles of resources for other processes: where a resource is, by name, as an encoded ResourceHandleProto. Messages have
 * these; the process that has the resource turns them into it, and elsewhere they can only be passed on.
 * Thread-safe, each as its arguments are. */
#ifndef SL_DIST_NAMED_HANDLE_H
#define SL_DIST_NAMED_HANDLE_H

#include "proto/wire.h"
#include "tensor/value.h"

struct sl_resources;
struct sl_handle_home {
    const char *device; /* in full */
    struct sl_resources *resources;
};

/* A tensor of the same shape with a handle for each resource; those that are handles already stay. */
sl_code sl_handles_of(struct sl_tensor **out, const struct sl_tensor *resources, const struct sl_handle_home *home,
                      struct sl_error *err);
/* Where the value has handles of resources that are at home, it has these instead. */
sl_code sl_handles_open(struct sl_value *value, const struct sl_handle_home *home, struct sl_error *err);

/* The encoded message; no bytes (`.p` NULL) for what is no handle. Borrowed. */
struct sl_str sl_handle_bytes(const struct sl_object *o);
/* A tensor of handles from their bytes, as strings or as messages. */
sl_code sl_handles_of_strings(struct sl_tensor **out, const struct sl_tensor *strings, struct sl_error *err);
sl_code sl_handles_of_proto(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_shape shape,
                            struct sl_error *err);

#endif
