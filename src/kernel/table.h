/* The kernel table: which row serves a node. Built by the composition root from constant arrays and what plug-ins register.
 * Threads: thread-safe. */
#ifndef SL_KERNEL_TABLE_H
#define SL_KERNEL_TABLE_H

#include "kernel/kernel.h"

/* One array of rows, of a family in a backend. */
struct sl_kernel_family {
    const struct sl_kernel_def *rows; /* up to the one without an op */
};

struct sl_kernel_table;
/* `families` is borrowed constant data; nothing is indexed before the first look-up. */
sl_code sl_kernel_table_new(struct sl_kernel_table **out, const struct sl_kernel_family *families, size_t n,
                            struct sl_error *err);
void sl_kernel_table_free(struct sl_kernel_table *t);
/* Adds one more row (of a plug-in); `def` is borrowed for ever. */
sl_code sl_kernel_table_add(struct sl_kernel_table *t, const struct sl_kernel_def *def, struct sl_error *err);
/* The best row for these attrs on a device type; NULL: none. For those who ask about a kernel; who wants to run one prepares an instance
 * (kernel/instance.h). */
const struct sl_kernel_def *sl_kernel_row(struct sl_kernel_table *t, struct sl_str op, const char *device_type,
                                          const struct sl_attrs *attrs);
/* The same, or INVALID_ARGUMENT with TensorFlow's text: "No OpKernel was registered to support Op 'OP' used by {{node NAME}} ..."
 * and the registered ones. */
sl_code sl_kernel_find(const struct sl_kernel_def **out, struct sl_kernel_table *t, struct sl_str op,
                       struct sl_str node_name, const char *device_type, const struct sl_attrs *attrs,
                       struct sl_error *err);
/* Rows of an op, one after the other, in order of registration: start with *at = 0; NULL at the end. */
const struct sl_kernel_def *sl_kernel_table_next(struct sl_kernel_table *t, struct sl_str op, size_t *at);
bool sl_kernel_table_has(struct sl_kernel_table *t, struct sl_str op);
/* Changes whenever a row is added: another row may be the best one from then on. */
unsigned sl_kernel_table_version(const struct sl_kernel_table *t);

#endif
