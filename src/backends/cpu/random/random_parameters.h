/* Parameters of random laws: inputs that broadcast to each other, read number by number as double; and numbers of
 * any type made from double. Read-only after sl_parameters_read; thread-safe then. */
#ifndef SL_BACKENDS_CPU_RANDOM_RANDOM_PARAMETERS_H
#define SL_BACKENDS_CPU_RANDOM_RANDOM_PARAMETERS_H

#include "kernel/kernel.h"

enum { SL_PARAMETERS_MAX = 4 };

struct sl_parameters {
    struct sl_view in[SL_PARAMETERS_MAX];
    int n;
    int64_t count; /* of sets of parameters */
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
};

/* Inputs `first` .. `first + n - 1`; borrowed. INVALID_ARGUMENT when their shapes do not fit. */
sl_code sl_parameters_read(struct sl_parameters *out, struct sl_kernel_context *k, int first, int n);
/* Parameter `which` of set `at` (row-major in `shape`). */
double sl_parameter(const struct sl_parameters *p, int which, int64_t at);

/* Makes output 0 with the shape in input `shape_at`, which must end with the parameters' shape. */
sl_code sl_parameters_output(struct sl_view *out, struct sl_kernel_context *k, const struct sl_parameters *p,
                             int shape_at);

/* Element i of v = x. For integers: x is whole; what does not fit, or is no number, becomes 0. */
void sl_number_set(struct sl_view v, int64_t i, double x);
double sl_number_get(struct sl_view v, int64_t i);

#endif
