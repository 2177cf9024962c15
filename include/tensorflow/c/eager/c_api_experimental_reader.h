/* Reading counters of the monitoring API by name, without a promise of stability.
 *
 * A reader lives as long as the process; one name has one. Threads: thread-safe. */
#ifndef TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_READER_H_
#define TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_READER_H_

#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TFE_MonitoringCounterReader TFE_MonitoringCounterReader;

/* The reader of the counter that is called `name`, now or later. NULL when memory is out. */
TF_CAPI_EXPORT TFE_MonitoringCounterReader *TFE_MonitoringNewCounterReader(const char *name);
/* The value of a counter without labels, or of a cell of one with one; 0 when there is none. Of several counters of one
 * name the eldest is read. */
TF_CAPI_EXPORT int64_t TFE_MonitoringReadCounter0(TFE_MonitoringCounterReader *reader);
TF_CAPI_EXPORT int64_t TFE_MonitoringReadCounter1(TFE_MonitoringCounterReader *reader, const char *label1);

#ifdef __cplusplus
}
#endif

#endif
