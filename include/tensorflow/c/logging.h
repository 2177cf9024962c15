/* Writing to the library's log from plug-ins and programs. Thread-safe. */
#ifndef TENSORFLOW_C_LOGGING_H_
#define TENSORFLOW_C_LOGGING_H_

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TF_LogLevel {
    TF_INFO = 0,
    TF_WARNING = 1,
    TF_ERROR = 2,
    TF_FATAL = 3, /* ends the process after the line is written */
} TF_LogLevel;

/* Formats are printf's. */
TF_CAPI_EXPORT void TF_Log(TF_LogLevel level, const char *format, ...);
/* Written when the verbosity (TF_CPP_MAX_VLOG_LEVEL) is at least `level`. */
TF_CAPI_EXPORT void TF_VLog(int level, const char *format, ...);
/* TF_VLog in debug builds, nothing otherwise. */
TF_CAPI_EXPORT void TF_DVLog(int level, const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
