/* The kernel table: which row serves a node. Built by the composition root from constant arrays and what plug-ins
 * register.
 * Threads: thread-safe. */
#ifndef SL_KERNEL_TABLE_H
#define SL_KERNEL_TABLE_H

#include "device/device.h"
#include "kernel/kernel.h"

/* One array of rows, of a family in a backend. */
struct sl_kernel_family {
    const struct sl_kernel_def *rows; /* up to the one without an op */
};

/* Sources of more rows (companions). A source is loaded when an op is first looked up that has rows there, and the
 * table has none of its own that serves. An op has rows in one source at most. Both functions are thread-safe. */
struct sl_kernel_sources {
    int (*source_of)(struct sl_str op); /* which one has its rows: 0 to 63; -1: none */
    /* Its families, borrowed for ever; the same at each call. */
    sl_code (*load)(const struct sl_kernel_family **families, size_t *n, int source, struct sl_error *err);
};

/* What a backend offers to the composition root. */
struct sl_backend {
    const struct sl_kernel_family *(*families)(size_t *n); /* constant data */
    const struct sl_device_type *device;                   /* NULL: its rows serve devices of other backends */
};

struct sl_kernel_table;
/* `families` and `sources` (NULL: none) are borrowed constant data; nothing is indexed before the first look-up. */
sl_code sl_kernel_table_new(struct sl_kernel_table **out, const struct sl_kernel_family *families, size_t n,
                            const struct sl_kernel_sources *sources, struct sl_error *err);
void sl_kernel_table_free(struct sl_kernel_table *t);
/* Adds one more row (of a plug-in); `def` is borrowed for ever. */
sl_code sl_kernel_table_add(struct sl_kernel_table *t, const struct sl_kernel_def *def, struct sl_error *err);
/* The best row for these attrs on a device type; NULL: none. To ask whether there is a kernel or what it costs; to run
 * one, prepare an instance (kernel/instance.h). */
const struct sl_kernel_def *sl_kernel_row(struct sl_kernel_table *t, struct sl_str op, const char *device_type,
                                          const struct sl_attrs *attrs);
/* The same, or INVALID_ARGUMENT with TensorFlow's text: "No OpKernel was registered to support Op 'OP' used by
 * {{node NAME}} ..." and the registered ones, and why the op's source could not be loaded. */
sl_code sl_kernel_find(const struct sl_kernel_def **out, struct sl_kernel_table *t, struct sl_str op,
                       struct sl_str node_name, const char *device_type, const struct sl_attrs *attrs,
                       struct sl_error *err);
/* Readies the rows of an op: without it memory that is out looks like rows that are not there. */
sl_code sl_kernel_table_index(struct sl_kernel_table *t, struct sl_str op, struct sl_error *err);
/* Rows of an op, one at each call, in the order in which they were added: start with *at = 0; NULL at the end. A source
 * that cannot be loaded has none. */
const struct sl_kernel_def *sl_kernel_table_next(struct sl_kernel_table *t, struct sl_str op, size_t *at);
bool sl_kernel_table_has(struct sl_kernel_table *t, struct sl_str op);
/* Changes whenever a row is added that may be the best one where another one was. */
unsigned sl_kernel_table_version(const struct sl_kernel_table *t);

#endif
