/* Paths as arguments of datasets. Pure; thread-safe. */
#ifndef SL_DATA_FILE_NAMES_H
#define SL_DATA_FILE_NAMES_H

#include "data/input_dataset.h"

struct sl_file_names {
    const char *const *paths; /* NUL-terminated, in the dataset's arena */
    int64_t n;
};
/* Argument i, a string or a vector of strings; INVALID_ARGUMENT naming `what`, or when one holds a NUL. */
sl_code sl_file_names_read(struct sl_file_names *out, struct sl_dataset *d, int i, const char *what,
                           struct sl_error *err);
/* A string as a path in `arena`; INVALID_ARGUMENT when it holds a NUL. */
sl_code sl_file_name_copy(const char **out, struct sl_str name, struct sl_arena *arena, struct sl_error *err);

#endif
