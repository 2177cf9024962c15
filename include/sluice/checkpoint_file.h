/* Checkpoint files: listing and reading the tensors of one, writing one, merging several. */
#ifndef SLUICE_CHECKPOINT_FILE_H
#define SLUICE_CHECKPOINT_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading. A reader may be used by any number of threads. */
struct sl_checkpoint_reader;

/* `path` is the prefix of a checkpoint of version 2 (PREFIX.index) or 1, or a directory: then it opens the latest
 * checkpoint, which the file `checkpoint` there names, or the variables of a SavedModel. NULL on failure: NOT_FOUND, or
 * DATA_LOSS when it is damaged. */
SL_API struct sl_checkpoint_reader *sl_checkpoint_reader_new(const char *path, TF_Status *status);
SL_API void sl_checkpoint_reader_delete(struct sl_checkpoint_reader *reader); /* NULL is fine */
/* The prefix, a string of the reader's, and the version of the format, 1 or 2. */
SL_API const char *sl_checkpoint_reader_prefix(const struct sl_checkpoint_reader *reader);
SL_API int sl_checkpoint_reader_version(const struct sl_checkpoint_reader *reader);

/* A tensor of a checkpoint. The strings and arrays are the reader's. */
struct sl_checkpoint_tensor {
    const char *name; /* NUL-terminated */
    TF_DataType type;
    int num_dims;
    const int64_t *dims;
    int num_slices; /* how many slices it is stored in; 0: it is stored whole */
};
/* How many tensors there are, and the tensor with the number `number`, from 0, sorted by name. False when there is no
 * such number. */
SL_API int sl_checkpoint_reader_count(const struct sl_checkpoint_reader *reader);
SL_API unsigned char sl_checkpoint_reader_tensor(struct sl_checkpoint_tensor *out,
                                                 const struct sl_checkpoint_reader *reader, int number);
/* Reads a tensor and verifies its checksum; the caller deletes it. NULL on failure: NOT_FOUND, DATA_LOSS when it is
 * damaged, UNIMPLEMENTED for variants. */
SL_API TF_Tensor *sl_checkpoint_reader_read(struct sl_checkpoint_reader *reader, const char *name, TF_Status *status);

/* ---- writing, in version 2. One thread at a time may use a writer. */
struct sl_checkpoint_writer;

/* Begins a checkpoint. Nothing is visible under PREFIX before sl_checkpoint_writer_finish. NULL on failure. */
SL_API struct sl_checkpoint_writer *sl_checkpoint_writer_new(const char *prefix, TF_Status *status);
/* Writes a tensor, which is borrowed for the call. INVALID_ARGUMENT when the name was added before. */
SL_API void sl_checkpoint_writer_add(struct sl_checkpoint_writer *writer, const char *name, const TF_Tensor *tensor,
                                     TF_Status *status);
/* Makes the checkpoint visible under PREFIX, in one step: if the process is killed meanwhile, the old one or the
 * new one is there. Deletes the writer, also on failure. */
SL_API void sl_checkpoint_writer_finish(struct sl_checkpoint_writer *writer, TF_Status *status);
/* Gives up: removes what was written. NULL is fine. */
SL_API void sl_checkpoint_writer_delete(struct sl_checkpoint_writer *writer);

/* Makes one checkpoint, `destination`, of several of version 2. Their data files are renamed, not copied, so the
 * sources are gone afterwards. */
SL_API void sl_checkpoint_merge(const char *const *prefixes, int num_prefixes, const char *destination,
                                TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
