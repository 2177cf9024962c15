/* One version of a model, loaded: a session over a SavedModel's graph, and its signatures.
 *
 * Immutable after it was loaded, but for its count of references and its batches. Thread-safe. */
#ifndef SL_SERVING_SERVED_MODEL_H
#define SL_SERVING_SERVED_MODEL_H

#include <stdatomic.h>

#include "dist/service_call.h"
#include "os/mutex.h"
#include "proto/gen/messages.h"
#include "runtime/registries.h"
#include "session/session.h"

struct sl_call_batch;

/* An input or output of a signature. A sparse or composite one has no port, and calls that need it are UNIMPLEMENTED. */
struct sl_served_port {
    struct sl_str name;
    int dtype;
    struct sl_shape shape;
    struct sl_port port;
    struct sl_tensor *fallback; /* of an input: the value when a call gives none; NULL: it must */
};

struct sl_served_signature {
    struct sl_str name, method;
    int n_inputs, n_outputs;
    struct sl_served_port *inputs, *outputs; /* sorted by name */
    struct sl_port *fetches;                 /* of all outputs, for a run of all */
    /* batches (predict.c) */
    struct sl_mutex mutex;         /* guards the next */
    struct sl_call_batch *open;    /* that further calls may join; NULL */
    struct sl_condition ended;     /* a batch has ended */
    struct sl_lightness lightness; /* of what runs alone */
    atomic_bool is_unequal;        /* an output did not have a row for each row of the inputs: calls are run alone */
};

struct sl_served_model {
    atomic_uint refs;
    int64_t version;
    void (*unloaded)(void *arg, int64_t version); /* when the last reference has gone; may be NULL */
    void *arg;
    struct sl_arena arena; /* of all names */
    struct sl_graph *graph;
    struct sl_session *session;
    struct sl_evaluator evaluator;
    struct sl_str signature_map; /* an encoded SignatureDefMap, of the signatures as the SavedModel has them */
    int n_signatures;
    struct sl_served_signature *signatures; /* sorted by name */
};

/* Loads the graph with the tag "serve" of the SavedModel in `dir`, with its variables. One reference, the caller's.
 * Errors as sl_saved_model_read, sl_saved_model_choose and sl_saved_model_start. */
sl_code sl_served_model_load(struct sl_served_model **out, const struct sl_registries *registries, const char *dir,
                             int64_t version, struct sl_error *err);
struct sl_served_model *sl_served_model_ref(struct sl_served_model *model);
void sl_served_model_unref(struct sl_served_model *model); /* NULL is fine; may free it, on this thread */

/* By name; "" is "serving_default". NOT_FOUND names those that there are. */
sl_code sl_served_signature_find(struct sl_served_signature **out, const struct sl_served_model *model,
                                 struct sl_str name, struct sl_error *err);
/* The number of an input or output of that name; -1: there is none. */
int sl_served_port_find(const struct sl_served_port *ports, int n, struct sl_str name);

#endif
