/* Datasets as variants that may stand in files: for elements of saved states that are datasets, as windows are. Of
 * datasets without functions and without anything that is shared by handle. */
#ifndef SL_DATA_DATASET_MESSAGE_H
#define SL_DATA_DATASET_MESSAGE_H

#include "tensor/value.h"

/* The same value with messages for the datasets in it, and back. UNIMPLEMENTED for a dataset of another kind;
 * INVALID_ARGUMENT for a message that makes no sense. */
sl_code sl_dataset_value_to_messages(struct sl_value *out, const struct sl_value *value, struct sl_error *err);
sl_code sl_dataset_value_from_messages(struct sl_value *out, const struct sl_value *value, struct sl_error *err);

#endif
