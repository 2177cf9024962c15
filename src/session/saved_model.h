/* SavedModels: a folder with saved_model.pb (or .pbtxt), variables/ and assets/. Reading it, choosing one of its
 * graphs, and bringing a session with that graph into the state that was saved.
 *
 * Threads: a model is immutable after it is read. */
#ifndef SL_SESSION_SAVED_MODEL_H
#define SL_SESSION_SAVED_MODEL_H

#include "graph/graph.h"
#include "proto/gen/messages.h"
#include "session/session.h"

struct sl_saved_model {
    struct sl_arena arena;
    char *bytes; /* what strings of `message` point into */
    size_t n_bytes;
    bool is_text;
    const char *dir;
    struct sl_pb_SavedModel message;
};

/* NOT_FOUND when `dir` has no SavedModel, DATA_LOSS or INVALID_ARGUMENT when it cannot be read, UNIMPLEMENTED for
 * one in pieces (saved_model.cpb). On failure there is nothing to clear. */
sl_code sl_saved_model_read(struct sl_saved_model *out, const char *dir, struct sl_error *err);
void sl_saved_model_clear(struct sl_saved_model *model);

/* The graph with exactly these tags, in any order; borrowed. NOT_FOUND names the tags that there are;
 * FAILED_PRECONDITION and DATA_LOSS tell of a graph that cannot be meant. */
sl_code sl_saved_model_choose(const struct sl_pb_MetaGraphDef **out, const struct sl_saved_model *model,
                              const struct sl_str *tags, int n_tags, struct sl_error *err);

/* The GraphDef of `meta`, one of the model's, as it stands in the model's bytes; false for a model that came as
 * text, or unusual bytes. */
bool sl_saved_model_graph(struct sl_str *out, const struct sl_saved_model *model,
                          const struct sl_pb_MetaGraphDef *meta);

/* With the graph of `meta` in `graph` and taken over by `session`: restores the variables and runs the
 * initialisation, both with the assets fed. `options` may be NULL. */
sl_code sl_saved_model_start(struct sl_session *session, const struct sl_graph *graph,
                             const struct sl_saved_model *model, const struct sl_pb_MetaGraphDef *meta,
                             const struct sl_pb_RunOptions *options, struct sl_error *err);

/* The output of `graph` that "node:1" or "node" names; INVALID_ARGUMENT when there is none. */
sl_code sl_saved_model_port(struct sl_port *out, const struct sl_graph *graph, struct sl_str name,
                            struct sl_error *err);

#endif
