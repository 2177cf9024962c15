/* Trace files. Events are formatted into the stream's buffer under one lock; a trace is for looking, not for measuring nanoseconds. The array is
 * closed at the end; readers of the format also take a file that was cut. */
#include "exec/trace.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/mutex.h"

struct sl_trace {
    struct sl_mutex mutex;
    FILE *out;
    int64_t origin_ns;
    bool has_events;
};

sl_code sl_trace_open(struct sl_trace **out, const char *path, struct sl_error *err) {
    char name[4096];
    struct sl_trace *t = sl_calloc(1, sizeof *t);
    if (!t) return sl_fail_memory(err, sizeof *t);
    for (int i = 1; i < 1000 && !t->out; i++) {
        if (i == 1) snprintf(name, sizeof name, "%s", path);
        else snprintf(name, sizeof name, "%s.%d", path, i);
        t->out = fopen(name, "wx");
    }
    if (!t->out) {
        sl_free(t);
        return sl_fail(err, SL_PERMISSION_DENIED, "SLUICE_TRACE: cannot create %s", path);
    }
    sl_mutex_init(&t->mutex);
    t->origin_ns = sl_clock_ns();
    fputs("[", t->out);
    *out = t;
    return SL_OK;
}

static void put_text(FILE *out, struct sl_str s) {
    putc('"', out);
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
        else if (c < 0x20) fprintf(out, "\\u%04x", c);
        else putc(c, out);
    }
    putc('"', out);
}

int64_t sl_trace_bytes(const struct sl_value *values, uint32_t n) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (values[i].kind != SL_VALUE_SCALAR && values[i].kind != SL_VALUE_TENSOR) continue;
        struct sl_view v = sl_value_view(&values[i]);
        bytes += v.count * (int64_t)sl_dtype_size(v.dtype);
    }
    return bytes;
}

void sl_trace_event(struct sl_trace *t, struct sl_str name, struct sl_str kind, uint64_t step, int64_t start_ns,
                    int64_t bytes) {
    int64_t end_ns = sl_clock_ns();
    sl_mutex_lock(&t->mutex);
    fputs(t->has_events ? ",\n{\"name\":" : "\n{\"name\":", t->out);
    t->has_events = true;
    put_text(t->out, name);
    fputs(",\"cat\":", t->out);
    put_text(t->out, kind);
    fprintf(t->out,
            ",\"ph\":\"X\",\"pid\":%ld,\"tid\":%ld,\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"step\":%" PRIu64
            ",\"bytes\":%" PRId64 "}}",
            (long)getpid(), (long)syscall(SYS_gettid), (double)(start_ns - t->origin_ns) / 1e3,
            (double)(end_ns - start_ns) / 1e3, step, bytes);
    sl_mutex_unlock(&t->mutex);
}

void sl_trace_close(struct sl_trace *t) {
    if (!t) return;
    fputs("\n]\n", t->out);
    fclose(t->out);
    sl_mutex_clear(&t->mutex);
    sl_free(t);
}
