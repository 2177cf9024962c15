/* The place of an error (base/error_place.h) in a status: a payload, so that the message stays TensorFlow's. */
#ifndef SL_CAPI_STATUS_PLACE_H
#define SL_CAPI_STATUS_PLACE_H

#include "tensorflow/c/tf_status.h"

#define SL_PLACE_PAYLOAD "sluice.place"

/* "": none is known. `status` may be NULL. */
const char *sl_status_place(const TF_Status *status);

#endif
