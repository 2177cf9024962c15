/* The file `checkpoint` of a directory: which checkpoint is the latest, and which others are kept. Text, a
 * CheckpointState message. One owner. */
#ifndef SL_CKPT_CHECKPOINT_STATE_H
#define SL_CKPT_CHECKPOINT_STATE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

struct sl_kept_checkpoint {
    const char *prefix; /* beginning with the directory */
    double time;        /* seconds since 1970, 0: not known */
};

struct sl_checkpoint_state {
    struct sl_arena arena; /* of all text */
    const char *dir;
    SL_VEC(struct sl_kept_checkpoint) kept; /* oldest first; the last is the latest */
    double last_preserved;                  /* time of the last one that is kept for good */
};

/* What is kept, and for how long. */
struct sl_retention {
    int max_to_keep;           /* 0: all */
    double keep_every_seconds; /* one in so long is kept for good; 0: none is */
};

/* Empty, for a directory without such a file yet. RESOURCE_EXHAUSTED. */
sl_code sl_checkpoint_state_init(struct sl_checkpoint_state *s, const char *dir, struct sl_error *err);
/* From the file: NOT_FOUND when there is none. On failure there is nothing to clear. */
sl_code sl_checkpoint_state_read(struct sl_checkpoint_state *s, const char *dir, struct sl_error *err);
void sl_checkpoint_state_clear(struct sl_checkpoint_state *s);

/* Adds a checkpoint just saved, as the latest; one of the same prefix gives way. `*gone` (room for as many as there
 * were) receives the prefixes that are no longer kept, borrowed from `s`: delete them after the state has been
 * written. */
sl_code sl_checkpoint_state_add(const char **gone, size_t *n_gone, struct sl_checkpoint_state *s, const char *prefix,
                                double time, const struct sl_retention *retention, struct sl_error *err);
/* Replaces the file in one step. With `is_relative`, and always in a relative directory, paths are written without
 * the directory, so that it may be moved. */
sl_code sl_checkpoint_state_write(const struct sl_checkpoint_state *s, bool is_relative, struct sl_error *err);

/* The prefix of the latest checkpoint of `dir` that is there, in `arena`. NOT_FOUND when the file, or what it names,
 * is missing. */
sl_code sl_checkpoint_latest(const char **prefix, const char *dir, struct sl_arena *arena, struct sl_error *err);
/* Whether a checkpoint of either version has this prefix: OK or NOT_FOUND. */
sl_code sl_checkpoint_exists(const char *prefix, struct sl_error *err);
/* Removes the files of a checkpoint of either version, and its graph (PREFIX.meta). What is missing does not matter. */
sl_code sl_checkpoint_remove(const char *prefix, struct sl_error *err);

#endif
