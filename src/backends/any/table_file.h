/* Tables from text: a line is an entry, cut into columns by a character. Pure but for reading the file; thread-safe. */
#ifndef SL_BACKENDS_ANY_TABLE_FILE_H
#define SL_BACKENDS_ANY_TABLE_FILE_H

#include "base/str.h"
#include "tensor/value.h"

enum { SL_COLUMN_LINE_NUMBER = -1, SL_COLUMN_WHOLE_LINE = -2 };

struct sl_table_file {
    int64_t key_column, value_column; /* from 0, or one of the above */
    int64_t n_lines;                  /* so many lines are read; -1: all */
    int64_t offset;                   /* added to line numbers */
    char delimiter;
};

/* Vectors of keys and values of these types. */
sl_code sl_table_file_read(struct sl_value *keys, struct sl_value *values, const struct sl_table_file *f,
                           struct sl_str path, int key_dtype, int value_dtype, struct sl_error *err);

#endif
