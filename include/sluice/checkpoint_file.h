/* Checkpoints: what is in one, its tensors, writing and merging. */
#ifndef SLUICE_CHECKPOINT_FILE_H
#define SLUICE_CHECKPOINT_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading. A reader may be used by any number of threads. */
struct sl_checkpoint_reader;

/* Opens the checkpoint with this prefix, of version 2 (PREFIX.index) or 1; for a directory the latest one that its
 * file `checkpoint` names, or the variables of a SavedModel. NULL on failure: NOT_FOUND, DATA_LOSS. */
SL_API struct sl_checkpoint_reader *sl_checkpoint_reader_new(const char *path, TF_Status *status);
SL_API void sl_checkpoint_reader_delete(struct sl_checkpoint_reader *reader); /* NULL is fine */
/* The prefix, and the version of the format. The string is the reader's. */
SL_API const char *sl_checkpoint_reader_prefix(const struct sl_checkpoint_reader *reader);
SL_API int sl_checkpoint_reader_version(const struct sl_checkpoint_reader *reader);

/* One of its tensors. Everything is the reader's. */
struct sl_checkpoint_tensor {
    const char *name; /* NUL-terminated */
    TF_DataType type;
    int num_dims;
    const int64_t *dims;
    int num_slices; /* it is stored in; 0: in one piece */
};
/* How many there are, and one by its number, from 0, in the order of their names. False when there is no such
 * number. */
SL_API int sl_checkpoint_reader_count(const struct sl_checkpoint_reader *reader);
SL_API unsigned char sl_checkpoint_reader_tensor(struct sl_checkpoint_tensor *out,
                                                 const struct sl_checkpoint_reader *reader, int number);
/* The elements, checksums verified; the caller's. NULL on failure: NOT_FOUND, DATA_LOSS, UNIMPLEMENTED for variants. */
SL_API TF_Tensor *sl_checkpoint_reader_read(struct sl_checkpoint_reader *reader, const char *name, TF_Status *status);

/* ---- writing, in version 2. A writer has one owner. */
struct sl_checkpoint_writer;

/* PREFIX names nothing new before the end. */
SL_API struct sl_checkpoint_writer *sl_checkpoint_writer_new(const char *prefix, TF_Status *status);
/* INVALID_ARGUMENT when the name is there already. */
SL_API void sl_checkpoint_writer_add(struct sl_checkpoint_writer *writer, const char *name, const TF_Tensor *tensor,
                                     TF_Status *status);
/* Gives the checkpoint its name, in one step: whatever happens, there is the old one or the new one. Deletes the
 * writer. */
SL_API void sl_checkpoint_writer_finish(struct sl_checkpoint_writer *writer, TF_Status *status);
/* Drops what was written. NULL is fine. */
SL_API void sl_checkpoint_writer_delete(struct sl_checkpoint_writer *writer);

/* Makes one checkpoint of several of version 2, whose data files are renamed; the sources are gone afterwards. */
SL_API void sl_checkpoint_merge(const char *const *prefixes, int num_prefixes, const char *destination,
                                TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
