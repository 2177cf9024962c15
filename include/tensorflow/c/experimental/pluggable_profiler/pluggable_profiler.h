/* Profilers in plug-ins: what a device did, as an XSpace message.
 *
 * TF_LoadPluggableDeviceLibrary loads a library and calls its TF_InitProfiler, which fills in what it is given. Where
 * the environment has SLUICE_TRACE=file.json, the profiler runs from then until the program ends:
 *
 *     start ──► the work ──► stop ──► collect_data_xspace(NULL: the size) ──► collect_data_xspace(the bytes)
 *
 * and the bytes are the file "file.json.TYPE.xspace.pb". Nothing else calls it: the C API has no profiles.
 *
 * `struct_size` is set by both sides, and tells versions apart. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_PLUGGABLE_PROFILER_PLUGGABLE_PROFILER_H_
#define TENSORFLOW_C_EXPERIMENTAL_PLUGGABLE_PROFILER_PLUGGABLE_PROFILER_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_status.h"

#define TP_MAJOR 0
#define TP_MINOR 0
#define TP_PATCH 1

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TP_Profiler {
    size_t struct_size;
    void *ext; /* the plug-in's */
    const char *device_type;
} TP_Profiler;
#define TP_PROFILER_STRUCT_SIZE TF_OFFSET_OF_END(TP_Profiler, device_type)

/* All have to be there. */
typedef struct TP_ProfilerFns {
    size_t struct_size;
    void *ext;
    void (*start)(const TP_Profiler *profiler, TF_Status *status);
    void (*stop)(const TP_Profiler *profiler, TF_Status *status);
    /* Without a buffer: how many bytes there are. With one of that size: the bytes, once for each start and stop. */
    void (*collect_data_xspace)(const TP_Profiler *profiler, uint8_t *buffer, size_t *size_in_bytes, TF_Status *status);
} TP_ProfilerFns;
#define TP_PROFILER_FNS_STRUCT_SIZE TF_OFFSET_OF_END(TP_ProfilerFns, collect_data_xspace)

typedef struct TF_ProfilerRegistrationParams {
    size_t struct_size;
    void *ext;
    int32_t major_version;
    int32_t minor_version;
    int32_t patch_version;
    TP_Profiler *profiler;                                      /* filled in */
    TP_ProfilerFns *profiler_fns;                               /* filled in */
    void (*destroy_profiler)(TP_Profiler *profiler);            /* out */
    void (*destroy_profiler_fns)(TP_ProfilerFns *profiler_fns); /* out */
} TF_ProfilerRegistrationParams;
#define TF_PROFILER_REGISTRATION_PARAMS_STRUCT_SIZE                                                                    \
    TF_OFFSET_OF_END(TF_ProfilerRegistrationParams, destroy_profiler_fns)

/* The plug-in defines it. */
void TF_InitProfiler(TF_ProfilerRegistrationParams *params, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
