/* Options of datasets: the messages that OptionsDataset carries, merged along a pipeline. Pure functions. */
#ifndef SL_BACKENDS_ANY_DATASET_OPTIONS_H
#define SL_BACKENDS_ANY_DATASET_OPTIONS_H

#include "data/input_dataset.h"

/* The options of the dataset and of all that it reads as one message (dataset_options.proto), in `arena`: of its inputs
 * in order, then its own; what comes later wins. INVALID_ARGUMENT when one is malformed. */
sl_code sl_dataset_options(struct sl_str *out, const struct sl_dataset *d, struct sl_arena *arena,
                           struct sl_error *err);
/* `*policy`, unless these options say what is done about functions with effects or a memory. */
sl_code sl_dataset_external_state_policy(int64_t *policy, const struct sl_dataset *d, struct sl_error *err);

#endif
