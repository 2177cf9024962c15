/* An open device of a plug-in: one stream, in which marks are the plug-in's events; copies through its functions.
 *
 * What the plug-in says at once belongs to the step that has asked. What goes wrong later it says to whoever waits. */
#include "plugin/plugin_device.h"

#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "device/callbacks.h"

/* A mark that has not been seen to come. */
struct sl_stream_mark {
    struct sl_stream_mark *next;
    uint64_t number;
    SP_Event event;
    int n_waiting; /* they have it in hand */
};

static sl_code open_device(struct sl_device *device, struct sl_error *err);

struct sl_plugin_device *sl_plugin_device_of(const struct sl_device *device) {
    return device && device->type->open == open_device ? device->state : NULL;
}

SP_DeviceMemoryBase sl_plugin_block(const void *opaque, size_t bytes) {
    return (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE,
                                 .opaque = (void *)(uintptr_t)opaque,
                                 .size = bytes};
}

/* ---- marks; with the lock held */

/* An event to record; NULL: there is none to be had. */
static struct sl_stream_mark *new_mark(struct sl_plugin_device *d) {
    TF_Status status = {.code = SL_OK};
    struct sl_stream_mark *m = d->spare_marks;
    if (m) {
        d->spare_marks = m->next;
        return m;
    }
    m = sl_calloc(1, sizeof *m);
    if (!m) return NULL;
    d->platform->executor.create_event(d->device, &m->event, &status);
    if (sl_plugin_said(&status, NULL) == SL_OK) return m;
    sl_free(m);
    return NULL;
}

static void put_aside(struct sl_plugin_device *d, struct sl_stream_mark *m) {
    m->next = d->spare_marks;
    d->spare_marks = m;
}

/* All up to here have come: events may be recorded again. */
static void pass(struct sl_plugin_device *d, uint64_t number) {
    if (number > d->done) d->done = number;
    while (d->first_mark && d->first_mark->number <= d->done && !d->first_mark->n_waiting) {
        struct sl_stream_mark *m = d->first_mark;
        d->first_mark = m->next;
        if (!m->next) d->end_of_marks = &d->first_mark;
        put_aside(d, m);
    }
}

/* The number counts also without an event: then whoever waits for it waits for a later one, or for all. */
static void add_mark(struct sl_plugin_device *d) {
    TF_Status status = {.code = SL_OK};
    struct sl_stream_mark *m = new_mark(d);
    d->last++;
    if (!m) return;
    d->platform->executor.record_event(d->device, d->stream, m->event, &status);
    if (sl_plugin_said(&status, NULL) != SL_OK) {
        put_aside(d, m);
        return;
    }
    *m = (struct sl_stream_mark){.number = d->last, .event = m->event};
    *d->end_of_marks = m;
    d->end_of_marks = &m->next;
}

/* ---- the stream */

static uint64_t record(struct sl_device *device) {
    struct sl_plugin_device *d = device->state;
    sl_mutex_lock(&d->mutex);
    add_mark(d);
    uint64_t mark = d->last;
    sl_mutex_unlock(&d->mutex);
    return mark;
}

/* Whether what was done there is well. */
static sl_code ask(struct sl_plugin_device *d, struct sl_error *err) {
    TF_Status status = {.code = SL_OK};
    d->platform->executor.get_stream_status(d->device, d->stream, &status);
    return sl_plugin_said(&status, err);
}

static sl_code block_for(struct sl_plugin_device *d, SP_Event event, struct sl_error *err) {
    TF_Status status = {.code = SL_OK};
    d->platform->executor.block_host_for_event(d->device, event, &status);
    return sl_plugin_said(&status, err);
}

/* All that is enqueued: by the function for that, by an event, by the device as a whole. */
static sl_code block_for_all(struct sl_plugin_device *d, struct sl_error *err) {
    const SP_StreamExecutor *e = &d->platform->executor;
    TF_Status status = {.code = SL_OK};
    if (e->block_host_until_done) {
        e->block_host_until_done(d->device, d->stream, &status);
        return sl_plugin_said(&status, err);
    }
    SP_Event event;
    e->create_event(d->device, &event, &status);
    if (sl_plugin_said(&status, NULL) == SL_OK) {
        e->record_event(d->device, d->stream, event, &status);
        sl_code code = sl_plugin_said(&status, NULL);
        if (code == SL_OK) code = block_for(d, event, err);
        e->destroy_event(d->device, event);
        if (code == SL_OK) return SL_OK;
    }
    e->synchronize_all_activity(d->device, &status);
    return sl_plugin_said(&status, err);
}

sl_code sl_plugin_device_drain(struct sl_plugin_device *d, struct sl_error *err) {
    sl_mutex_lock(&d->mutex);
    uint64_t mark = ++d->last;
    sl_mutex_unlock(&d->mutex);
    sl_code code = block_for_all(d, err);
    sl_mutex_lock(&d->mutex);
    pass(d, mark);
    sl_mutex_unlock(&d->mutex);
    sl_plugin_memory_release(d, mark);
    return code == SL_OK ? ask(d, err) : code;
}

static sl_code wait_for(struct sl_device *device, uint64_t mark, uint64_t step, struct sl_error *err) {
    struct sl_plugin_device *d = device->state;
    (void)step;
    sl_mutex_lock(&d->mutex);
    const bool has_come = d->done >= mark;
    struct sl_stream_mark *m = d->first_mark;
    while (m && m->number < mark) m = m->next;
    if (m && !has_come) m->n_waiting++;
    sl_mutex_unlock(&d->mutex);
    if (has_come) return ask(d, err);
    if (!m) return sl_plugin_device_drain(d, err);
    sl_code code = block_for(d, m->event, err);
    sl_mutex_lock(&d->mutex);
    m->n_waiting--;
    uint64_t number = m->number;
    pass(d, number);
    sl_mutex_unlock(&d->mutex);
    sl_plugin_memory_release(d, number);
    return code == SL_OK ? ask(d, err) : code;
}

/* A thread of the callbacks waits in place of whoever asked. */
struct proxy {
    struct sl_device_waiter base;
    struct sl_device *device;
    uint64_t mark, step;
    struct sl_device_waiter *waiter;
};

static void proxy_wait(struct sl_device_waiter *base, sl_code code, const struct sl_error *ignored) {
    struct proxy *p = (struct proxy *)base;
    struct sl_error err = {0};
    (void)code, (void)ignored;
    sl_code came = wait_for(p->device, p->mark, p->step, &err);
    struct sl_device_waiter *waiter = p->waiter;
    sl_free(p);
    waiter->done(waiter, came, &err);
}

static void when_done(struct sl_device *device, uint64_t mark, uint64_t step, struct sl_device_waiter *waiter) {
    struct sl_plugin_device *d = device->state;
    struct proxy *p = sl_malloc(sizeof *p);
    if (!p) { /* better here than never */
        struct sl_error err = {0};
        sl_code code = wait_for(device, mark, step, &err);
        waiter->done(waiter, code, &err);
        return;
    }
    *p = (struct proxy){{.done = proxy_wait}, device, mark, step, waiter};
    sl_callbacks_post(d->callbacks, &p->base, SL_OK, NULL);
}

static sl_code end_step(struct sl_device *device, uint64_t step, struct sl_error *err) {
    (void)step;
    return sl_plugin_device_drain(device->state, err);
}

/* ---- copies */

static sl_code copy_in(struct sl_device *device, void *to, const void *from, size_t bytes, uint64_t step,
                       struct sl_error *err) {
    struct sl_plugin_device *d = device->state;
    TF_Status status = {.code = SL_OK};
    SP_DeviceMemoryBase target = sl_plugin_block(to, bytes);
    (void)step;
    if (!bytes) return SL_OK;
    void *staged = sl_plugin_memory_stage(d, bytes);
    if (!staged)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%s has no host memory for a copy of %zu bytes", device->name,
                       bytes);
    memcpy(staged, from, bytes);
    d->platform->executor.memcpy_htod(d->device, d->stream, &target, staged, bytes, &status);
    sl_plugin_memory_unstage(d, staged, bytes);
    return sl_plugin_said(&status, err);
}

static sl_code copy_out(struct sl_device *device, void *to, const void *from, size_t bytes, uint64_t step,
                        struct sl_error *err) {
    struct sl_plugin_device *d = device->state;
    TF_Status status = {.code = SL_OK};
    const SP_DeviceMemoryBase source = sl_plugin_block(from, bytes);
    (void)step;
    if (!bytes) return SL_OK;
    d->platform->executor.memcpy_dtoh(d->device, d->stream, to, &source, bytes, &status);
    return sl_plugin_said(&status, err);
}

/* ---- opening */

static void close_device(struct sl_device *device) {
    struct sl_plugin_device *d = device->state;
    const SP_StreamExecutor *e = &d->platform->executor;
    sl_callbacks_free(d->callbacks);
    sl_plugin_device_drain(d, NULL);
    pass(d, d->last);
    sl_plugin_memory_clear(d);
    for (struct sl_stream_mark *m = d->spare_marks, *next; m; m = next) {
        next = m->next;
        e->destroy_event(d->device, m->event);
        sl_free(m);
    }
    e->destroy_stream(d->device, d->stream);
    sl_mutex_clear(&d->mutex);
    sl_free(d);
}

static sl_code begin(struct sl_plugin_device *d, struct sl_device *device, struct sl_error *err) {
    TF_Status status = {.code = SL_OK};
    int64_t unused, total;
    d->platform = (struct sl_plugin_platform *)(uintptr_t)device->type;
    SL_TRY(sl_plugin_platform_device(&d->device, d->platform, device->parsed.id, err));
    SL_TRY(sl_callbacks_new(&d->callbacks, device->type->name, err));
    d->platform->executor.create_stream(d->device, &d->stream, &status);
    SL_TRY(sl_plugin_said(&status, err));
    if (d->platform->executor.device_memory_usage(d->device, &unused, &total)) device->memory_bytes = total;
    return SL_OK;
}

static sl_code open_device(struct sl_device *device, struct sl_error *err) {
    struct sl_plugin_device *d = sl_calloc(1, sizeof *d);
    if (!d) return sl_fail_memory(err, sizeof *d);
    sl_mutex_init(&d->mutex);
    d->end_of_marks = &d->first_mark;
    sl_code code = begin(d, device, err);
    if (code == SL_OK) {
        sl_plugin_memory_init(d, device);
        device->state = d;
        device->memory = &d->memory;
        return SL_OK;
    }
    sl_callbacks_free(d->callbacks);
    sl_mutex_clear(&d->mutex);
    sl_free(d);
    return code;
}

void sl_plugin_device_fill(struct sl_device_type *type) {
    type->open = open_device;
    type->close = close_device;
    type->copy_in = copy_in;
    type->copy_out = copy_out;
    type->record = record;
    type->wait = wait_for;
    type->when_done = when_done;
    type->end_step = end_step;
}
