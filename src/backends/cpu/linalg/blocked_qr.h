/* A = Q R of large matrices of float and double: by reflections as sl_dense's qr, but some columns at a time, so that
 * most of the work is products. Pure functions. */
#ifndef SL_BACKENDS_CPU_LINALG_BLOCKED_QR_H
#define SL_BACKENDS_CPU_LINALG_BLOCKED_QR_H

#include "backends/cpu/linalg/dense.h"

bool sl_blocked_qr_pays(int dtype, int64_t m, int64_t n);
/* Elements of room. */
int64_t sl_blocked_qr_room(int64_t m, int64_t n, int64_t columns);
/* As sl_dense's qr, whose table is `dense`. False when memory is out. */
bool sl_blocked_qr(const struct sl_dense *dense, bool is_double, void *a, void *q, int64_t m, int64_t n,
                   int64_t columns, void *room);

#endif
