/* Trace files. Events are formatted into the stream's buffer under one lock; a trace is for looking, not for
 * measuring nanoseconds. The array is closed at the end; readers of the format also take a file that was cut. */
#include "exec/trace.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "kernel/kernel.h"
#include "os/clock.h"
#include "os/mutex.h"

/* A row of the picture: a thread on a device. */
struct row {
    int device;
    long thread;
};

struct trace_file {
    struct sl_trace base;
    struct sl_mutex mutex;
    FILE *out;
    int64_t origin_ns;
    bool has_events;
    uint64_t waits;         /* so far */
    SL_VEC(char *) devices; /* full names; number d is process d + 1 of the file */
    SL_VEC(long) threads;   /* ids of the system */
    SL_VEC(struct row) rows;
};

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

void sl_trace_take_turn(struct sl_step_env *env, const struct sl_step_env *outer, uint64_t turn) {
    const uint64_t every = outer->trace ? outer->trace->every : 0;
    const bool is_seen = turn < every || !every || turn % every == 0;
    env->trace_weight = turn < every || !every ? outer->trace_weight : outer->trace_weight * every;
    env->trace = is_seen ? outer->trace : NULL;
}

/* Bytes of the elements of `n` values. */
static int64_t bytes_of(const struct sl_value *values, uint32_t n) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (values[i].kind != SL_VALUE_SCALAR && values[i].kind != SL_VALUE_TENSOR) continue;
        struct sl_view v = sl_value_view(&values[i]);
        bytes += v.count * (int64_t)sl_dtype_size(v.dtype);
    }
    return bytes;
}

/* ---- devices and threads, named when they are met first; without memory they stay unnamed */

static void begin_event(struct trace_file *t) {
    fputs(t->has_events ? ",\n" : "\n", t->out);
    t->has_events = true;
}

/* "CPU:0" of ".../device:CPU:0". */
static const char *short_name(const char *device) {
    const char *mark = strstr(device, "device:");
    return mark ? mark + strlen("device:") : device;
}

static int number_of_device(struct trace_file *t, const char *device) {
    for (size_t d = 0; d < t->devices.n; d++)
        if (!strcmp(t->devices.items[d], device)) return (int)d;
    size_t size = strlen(device) + 1;
    char *copy = sl_malloc(size);
    if (copy) memcpy(copy, device, size);
    if (!copy || sl_vec_push(&t->devices, copy)) {
        sl_free(copy);
        return 0;
    }
    int number = (int)t->devices.n - 1;
    begin_event(t);
    fprintf(t->out, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":", number + 1);
    put_text(t->out, sl_str_of(short_name(device)));
    fprintf(t->out, "}},\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"sort_index\":%d}}",
            number + 1, number);
    return number;
}

static size_t number_of_thread(struct trace_file *t, long thread) {
    size_t i = 0;
    while (i < t->threads.n && t->threads.items[i] != thread) i++;
    if (i == t->threads.n && sl_vec_push(&t->threads, thread)) return 0;
    return i;
}

/* The row of this thread on the device. */
static struct row find_row(struct trace_file *t, const char *device) {
    struct row row = {number_of_device(t, device), syscall(SYS_gettid)};
    for (size_t i = 0; i < t->rows.n; i++)
        if (t->rows.items[i].device == row.device && t->rows.items[i].thread == row.thread) return row;
    if (sl_vec_push(&t->rows, row)) return row;
    begin_event(t);
    fprintf(t->out, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%ld,\"args\":{\"name\":\"thread %zu\"}}",
            row.device + 1, row.thread, number_of_thread(t, row.thread));
    return row;
}

/* ---- events */

static double microseconds(const struct trace_file *t, int64_t ns) { return (double)(ns - t->origin_ns) / 1e3; }

/* What all events begin with, up to the time. */
static void put_head(struct trace_file *t, const struct sl_trace_subject *s, char phase, int64_t at_ns) {
    struct row row = find_row(t, s->device ? s->device : "");
    begin_event(t);
    fputs("{\"name\":", t->out);
    put_text(t->out, s->name);
    fputs(",\"cat\":", t->out);
    put_text(t->out, s->kind);
    fprintf(t->out, ",\"ph\":\"%c\",\"pid\":%d,\"tid\":%ld,\"ts\":%.3f", phase, row.device + 1, row.thread,
            microseconds(t, at_ns));
}

static void file_event(struct sl_trace *base, const struct sl_trace_subject *s, struct sl_trace_span span) {
    struct trace_file *t = (struct trace_file *)base;
    sl_mutex_lock(&t->mutex);
    put_head(t, s, 'X', span.start_ns);
    fprintf(t->out, ",\"dur\":%.3f,\"args\":{\"step\":%" PRIu64 ",\"bytes\":%" PRId64,
            (double)(span.end_ns - span.start_ns) / 1e3, s->step, bytes_of(span.outputs, span.n));
    if (s->weight > 1) fprintf(t->out, ",\"times\":%" PRIu64, s->weight);
    fputs("}}", t->out);
    sl_mutex_unlock(&t->mutex);
}

static void file_wait(struct sl_trace *base, const struct sl_trace_subject *s, struct sl_trace_span span) {
    struct trace_file *t = (struct trace_file *)base;
    sl_mutex_lock(&t->mutex);
    uint64_t id = ++t->waits;
    put_head(t, s, 'b', span.start_ns);
    fprintf(t->out, ",\"id\":%" PRIu64 ",\"args\":{\"step\":%" PRIu64 "}}", id, s->step);
    put_head(t, s, 'e', span.end_ns);
    fprintf(t->out, ",\"id\":%" PRIu64 "}", id);
    sl_mutex_unlock(&t->mutex);
}

static void file_arrow(struct sl_trace *base, const struct sl_trace_subject *s, uint64_t id, int64_t at_ns,
                       bool is_head) {
    struct trace_file *t = (struct trace_file *)base;
    const struct sl_trace_subject arrow = {SL_STR("transfer"), SL_STR("transfer"), s->device, s->step, 0, false};
    sl_mutex_lock(&t->mutex);
    put_head(t, &arrow, is_head ? 'f' : 's', at_ns);
    fprintf(t->out, ",\"id\":\"%" PRIx64 "\"%s}", id, is_head ? ",\"bp\":\"e\"" : "");
    sl_mutex_unlock(&t->mutex);
}

/* ---- life */

static void file_close(struct sl_trace *base) {
    struct trace_file *t = (struct trace_file *)base;
    fputs("\n]\n", t->out);
    fclose(t->out);
    for (size_t d = 0; d < t->devices.n; d++) sl_free(t->devices.items[d]);
    sl_vec_free(&t->devices);
    sl_vec_free(&t->threads);
    sl_vec_free(&t->rows);
    sl_mutex_clear(&t->mutex);
    sl_free(t);
}

sl_code sl_trace_open(struct sl_trace **out, const char *path, uint64_t every, struct sl_error *err) {
    char name[4096];
    struct trace_file *t = sl_calloc(1, sizeof *t);
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
    t->base = (struct sl_trace){file_event, file_wait, file_arrow, file_close, every};
    sl_mutex_init(&t->mutex);
    t->origin_ns = sl_clock_ns();
    fputs("[", t->out);
    *out = &t->base;
    return SL_OK;
}
