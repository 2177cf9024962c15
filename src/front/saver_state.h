/* What a saver knows, for the files that save (saver.c) and restore (saver_restore.c). One owner. */
#ifndef SL_FRONT_SAVER_STATE_H
#define SL_FRONT_SAVER_STATE_H

#include "base/vec.h"
#include "capi/handles.h"
#include "ckpt/checkpoint_state.h"
#include "sluice/saver.h"

/* A variable and the operations around it. */
struct saved_variable {
    const char *name; /* the node's */
    TF_Operation *variable;
    TF_Output value;        /* what to fetch: the reference itself, or what ReadVariableOp gives */
    TF_Output new_value;    /* what to feed ... */
    TF_Operation *assigner; /* ... for this to assign */
};

struct sl_saver {
    TF_Graph *graph;
    struct sl_retention retention;
    TF_Output path, saved; /* of the Saver in the graph: feed the prefix, fetch; `path.oper` NULL: there is none */
    TF_Operation *restorer;
    char *like; /* owned; NULL: not given */
    SL_VEC(struct saved_variable) variables;
};

/* Writes a checkpoint `to` with the names of `like`: entry i of it has the value of matches[i].from, of `from`, or where
 * that is NULL its own. */
struct sl_object_checkpoint;
struct sl_object_match;
sl_code sl_saver_write_translated(const char *to, struct sl_object_checkpoint *from, struct sl_object_checkpoint *like,
                                  const struct sl_object_match *matches, struct sl_error *err);

static inline bool sl_is_ok(const TF_Status *status) { return TF_GetCode(status) == TF_OK; }

/* Lets the graph's Saver work: feeds the prefix, and saves or restores. */
void sl_saver_run(struct sl_saver *s, TF_Session *session, const char *prefix, bool saves, TF_Status *status);
/* Lists all variables, with operations that read and assign them; NOT_FOUND when there are none. Once is enough. */
void sl_saver_add_variables(struct sl_saver *s, TF_Status *status);

#endif
