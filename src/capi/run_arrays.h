/* One run's arguments between the C API's form and the session's: checked, converted, and given back as handles. */
#ifndef SL_CAPI_RUN_ARRAYS_H
#define SL_CAPI_RUN_ARRAYS_H

#include "capi/handles.h"

/* The arrays as TF_SessionRun gets them; borrowed. `input_values` is NULL where feeds are only announced. */
struct sl_run_request {
    const TF_Output *inputs;
    TF_Tensor *const *input_values;
    int n_inputs;
    const TF_Output *outputs;
    int n_outputs;
    const TF_Operation *const *targets;
    int n_targets;
};

enum { SL_RUN_FEW = 16 }; /* runs of up to so many feeds and fetches need no heap */

struct sl_run_arrays {
    struct sl_run run; /* options and metadata are the caller's to set */
    struct sl_port ports[2 * SL_RUN_FEW];
    struct sl_tensor *tensors[2 * SL_RUN_FEW];
    void *heap;
};

/* Fills `run` from a request: every output has to exist in the session's graph, and in what the session knows of it;
 * every value has to be there. Clear it also on failure. */
sl_code sl_run_arrays_fill(struct sl_run_arrays *a, const TF_Session *session, const struct sl_run_request *request,
                           struct sl_error *err);
/* Makes handles of the fetched tensors, whose references it takes over; on failure none is left. */
sl_code sl_run_arrays_deliver(TF_Tensor **output_values, struct sl_run_arrays *a, struct sl_error *err);
void sl_run_arrays_clear(struct sl_run_arrays *a);

#endif
