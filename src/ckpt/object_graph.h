/* Which tensors of one checkpoint are the values of another one's, as far as names and objects tell.
 *
 * tf.train.Checkpoint keeps its objects beside the tensors, as a TrackableObjectGraph under a key of its own: who has
 * whom under what name, and by what key an object's values are stored. The key is the way to the object from where
 * the saving began, so the same variable is `w/...` in the checkpoint of a model and `model/w/...` in that of a
 * training with the model in it. Other checkpoints know variables by their full names alone. */
#ifndef SL_CKPT_OBJECT_GRAPH_H
#define SL_CKPT_OBJECT_GRAPH_H

#include "base/str_map.h"
#include "ckpt/checkpoint.h"
#include "proto/gen/messages.h"

/* The key of the object graph. */
extern const struct sl_str sl_object_graph_key;

/* A checkpoint, its tensors, and its objects if it has any. One owner. */
struct sl_object_checkpoint {
    struct sl_arena arena;
    struct sl_checkpoint *checkpoint;
    struct sl_bundle_entry *entries; /* by key; the object graph's own is not among them */
    size_t n;
    struct sl_str_map by_key;  /* of entries */
    struct sl_str_map by_name; /* full name -> entry; one without a key: several objects are called that */
    bool has_objects;
    struct sl_pb_TrackableObjectGraph graph; /* checked: numbers of nodes are within it */
    struct sl_tensor *bytes;                 /* of `graph`; NULL: there is none */
};

/* NOT_FOUND, DATA_LOSS. On failure there is nothing to close. */
sl_code sl_object_checkpoint_open(struct sl_object_checkpoint *out, const char *prefix, struct sl_error *err);
void sl_object_checkpoint_close(struct sl_object_checkpoint *c);

/* The tensor of the variable with this full name; also of that key. NULL when there is none, or more than one. */
const struct sl_bundle_entry *sl_object_checkpoint_find(const struct sl_object_checkpoint *c, struct sl_str name);

/* An ExportArchive of Keras saves each variable of a model twice, with the same value: as variables/N, which functions
 * use after Python has loaded the model, and as _all_variables/M, which functions of the graph use. out[i] is the first
 * of the two where entry i is the second, NULL for all others; the array is in `arena`. Pairs are known by their full
 * names, checksums, types and shapes; a name that several have is left out. */
sl_code sl_object_checkpoint_twins(const struct sl_bundle_entry ***out, const struct sl_object_checkpoint *c,
                                   struct sl_arena *arena, struct sl_error *err);

/* Of entry i of `model`: the tensor that is its value in another checkpoint, NULL when that has none; and whether
 * there is one, but of another type or shape. */
struct sl_object_match {
    const struct sl_bundle_entry *from;
    bool is_misfit;
};
/* Finds those of all entries; in `arena`. Objects are compared where the two graphs have most in common, one of
 * them from its root on; what is not found that way is found by its full name. */
sl_code sl_object_checkpoint_match(struct sl_object_match **out, struct sl_object_checkpoint *from,
                                   struct sl_object_checkpoint *model, struct sl_arena *arena, struct sl_error *err);

#endif
