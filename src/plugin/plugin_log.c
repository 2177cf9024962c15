/* The log's C functions. */
#include <stdlib.h>

#include "root/root.h"
#include "tensorflow/c/logging.h"

void TF_RegisterLogListener(void (*listener)(const char *)) {
    if (listener) sl_root_add_listener(listener, NULL);
}

void TF_Log(TF_LogLevel level, const char *format, ...) {
    va_list args;
    va_start(args, format);
    sl_root_log_v(level < TF_INFO    ? SL_LOG_INFO
                  : level > TF_FATAL ? SL_LOG_FATAL
                                     : (enum sl_log_level)level,
                  format, args);
    va_end(args);
    if (level == TF_FATAL) abort();
}

static int verbosity(void) {
    const char *text = getenv("TF_CPP_MAX_VLOG_LEVEL");
    return text ? atoi(text) : 0;
}

void TF_VLog(int level, const char *format, ...) {
    if (level > verbosity()) return;
    va_list args;
    va_start(args, format);
    sl_root_log_v(SL_LOG_INFO, format, args);
    va_end(args);
}

void TF_DVLog(int level, const char *format, ...) {
#ifdef NDEBUG
    (void)level, (void)format;
#else
    if (level > verbosity()) return;
    va_list args;
    va_start(args, format);
    sl_root_log_v(SL_LOG_INFO, format, args);
    va_end(args);
#endif
}
