/* Profilers of plug-ins: with SLUICE_TRACE each runs from when it is loaded until the process ends. */
#ifndef SL_PLUGIN_PLUGIN_PROFILER_H
#define SL_PLUGIN_PLUGIN_PROFILER_H

#include "base/error.h"

/* Calls a library's TF_InitProfiler. FAILED_PRECONDITION for a description that lacks something, what the plug-in says.
 * Nothing when this library's is there. One library at a time. */
sl_code sl_plugin_init_profiler(void *function, struct sl_error *err);

#endif
