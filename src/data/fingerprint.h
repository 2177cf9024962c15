/* Datasets as one number: by kinds, arguments and what functions compute. The same for datasets that are made alike, in
 * every process. */
#ifndef SL_DATA_FINGERPRINT_H
#define SL_DATA_FINGERPRINT_H

#include "data/input_dataset.h"

/* `functions` have fingerprints; they are those that the dataset calls. */
sl_code sl_dataset_fingerprint(uint64_t *out, const struct sl_dataset *d, const struct sl_functions *functions,
                               struct sl_error *err);

#endif
