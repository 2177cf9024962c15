/* A Summary message in the making, and the step from it to a kernel's output. One owner. */
#ifndef SL_BACKENDS_CPU_DEBUG_SUMMARY_MESSAGE_H
#define SL_BACKENDS_CPU_DEBUG_SUMMARY_MESSAGE_H

#include "kernel/kernel.h"
#include "proto/gen/messages.h"

struct sl_summary {
    struct sl_kernel_context *k;
    struct sl_arena arena; /* of the message's parts */
    struct sl_pb_Summary message;
};

/* A message of so many values, all zero. */
sl_code sl_summary_start(struct sl_summary *s, struct sl_kernel_context *k, size_t values);
/* Gives the message away as output 0 unless `code` says that it failed; frees all. */
sl_code sl_summary_finish(struct sl_summary *s, sl_code code);
/* The elements of `v` as double, in the arena; 16-bit floats go through float. */
sl_code sl_summary_doubles(double **out, struct sl_summary *s, struct sl_view v);

#endif
