/* A device in a plug-in: "TOY:0" and "TOY:1". Its memory is the host's, under addresses that are none: a host thread
 * that follows one dies. A stream is a thread with a queue. */
#include "plugin/device_plugin.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

TF_EXPORT struct toy_control toy_control;

static const uintptr_t TAG = (uintptr_t)1 << 62;

void *toy_reach(const void *opaque) {
    if (!((uintptr_t)opaque & TAG)) toy_control.wrong_addresses++;
    return (void *)((uintptr_t)opaque & ~TAG);
}

static bool fails(const char *function, TF_Status *status) {
    const bool is_it = !strcmp(toy_control.fails, function);
    TF_SetStatus(status, is_it ? TF_INTERNAL : TF_OK, is_it ? "toy: it failed" : "");
    return is_it;
}

/* ---- streams */

struct work {
    struct work *next;
    void (*run)(void *arg);
    void *arg;
};

struct SP_Stream_st {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct work *first, **last;
    bool is_ending, is_busy;
};

/* Work that is in any stream. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t none;
    long n;
} pending = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void count_pending(long by) {
    pthread_mutex_lock(&pending.mutex);
    pending.n += by;
    if (!pending.n) pthread_cond_broadcast(&pending.none);
    pthread_mutex_unlock(&pending.mutex);
}

static void *work_off(void *arg) {
    struct SP_Stream_st *s = arg;
    pthread_mutex_lock(&s->mutex);
    for (;;) {
        while (!s->first && !s->is_ending) pthread_cond_wait(&s->changed, &s->mutex);
        struct work *w = s->first;
        if (!w) break;
        s->first = w->next;
        if (!s->first) s->last = &s->first;
        s->is_busy = true;
        pthread_mutex_unlock(&s->mutex);
        if (toy_control.is_slow) nanosleep(&(struct timespec){0, 200000}, NULL);
        w->run(w->arg);
        free(w->arg);
        free(w);
        count_pending(-1);
        pthread_mutex_lock(&s->mutex);
        s->is_busy = false;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

void toy_enqueue(SP_Stream s, void (*run)(void *arg), void *arg) {
    struct work *w = malloc(sizeof *w);
    *w = (struct work){NULL, run, arg};
    count_pending(1);
    pthread_mutex_lock(&s->mutex);
    *s->last = w;
    s->last = &w->next;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

static void create_stream(const SP_Device *device, SP_Stream *stream, TF_Status *status) {
    (void)device;
    if (fails("create_stream", status)) return;
    struct SP_Stream_st *s = calloc(1, sizeof *s);
    s->last = &s->first;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->changed, NULL);
    pthread_create(&s->thread, NULL, work_off, s);
    toy_control.streams++;
    *stream = s;
}

static void destroy_stream(const SP_Device *device, SP_Stream s) {
    (void)device;
    pthread_mutex_lock(&s->mutex);
    s->is_ending = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
    pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->mutex);
    toy_control.streams--;
    free(s);
}

static void get_stream_status(const SP_Device *device, SP_Stream stream, TF_Status *status) {
    (void)device, (void)stream;
    fails("get_stream_status", status);
}

static void block_host_until_done(const SP_Device *device, SP_Stream s, TF_Status *status) {
    (void)device;
    pthread_mutex_lock(&s->mutex);
    while (s->first || s->is_busy) pthread_cond_wait(&s->changed, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
    fails("block_host_until_done", status);
}

/* ---- events; they are counted, since work may still come to one that is destroyed */

struct SP_Event_st {
    pthread_mutex_t mutex;
    pthread_cond_t came;
    int refs, n_recorded, n_done;
};

static void drop_event(struct SP_Event_st *e) {
    pthread_mutex_lock(&e->mutex);
    const bool is_last = --e->refs == 0;
    pthread_mutex_unlock(&e->mutex);
    if (!is_last) return;
    pthread_cond_destroy(&e->came);
    pthread_mutex_destroy(&e->mutex);
    free(e);
}

static void create_event(const SP_Device *device, SP_Event *event, TF_Status *status) {
    (void)device;
    if (fails("create_event", status)) return;
    struct SP_Event_st *e = calloc(1, sizeof *e);
    pthread_mutex_init(&e->mutex, NULL);
    pthread_cond_init(&e->came, NULL);
    e->refs = 1;
    toy_control.events++;
    *event = e;
}

static void destroy_event(const SP_Device *device, SP_Event event) {
    (void)device;
    toy_control.events--;
    drop_event(event);
}

static SE_EventStatus get_event_status(const SP_Device *device, SP_Event e) {
    (void)device;
    pthread_mutex_lock(&e->mutex);
    const bool is_done = e->n_done == e->n_recorded;
    pthread_mutex_unlock(&e->mutex);
    return is_done ? SE_EVENT_COMPLETE : SE_EVENT_PENDING;
}

static void arrive(void *arg) {
    struct SP_Event_st *e = *(struct SP_Event_st **)arg;
    pthread_mutex_lock(&e->mutex);
    e->n_done++;
    pthread_cond_broadcast(&e->came);
    pthread_mutex_unlock(&e->mutex);
    drop_event(e);
}

static void await(struct SP_Event_st *e) {
    pthread_mutex_lock(&e->mutex);
    while (e->n_done < e->n_recorded) pthread_cond_wait(&e->came, &e->mutex);
    pthread_mutex_unlock(&e->mutex);
}

static void await_and_drop(void *arg) {
    struct SP_Event_st *e = *(struct SP_Event_st **)arg;
    await(e);
    drop_event(e);
}

static void enqueue_event(SP_Stream stream, void (*run)(void *arg), struct SP_Event_st *e) {
    struct SP_Event_st **arg = malloc(sizeof *arg);
    *arg = e;
    toy_enqueue(stream, run, arg);
}

static void record_event(const SP_Device *device, SP_Stream stream, SP_Event e, TF_Status *status) {
    (void)device;
    if (fails("record_event", status)) return;
    pthread_mutex_lock(&e->mutex);
    e->refs++;
    e->n_recorded++;
    pthread_mutex_unlock(&e->mutex);
    enqueue_event(stream, arrive, e);
}

static void wait_for_event(const SP_Device *const device, SP_Stream stream, SP_Event e, TF_Status *const status) {
    (void)device;
    if (fails("wait_for_event", status)) return;
    pthread_mutex_lock(&e->mutex);
    e->refs++;
    pthread_mutex_unlock(&e->mutex);
    enqueue_event(stream, await_and_drop, e);
}

static void block_host_for_event(const SP_Device *device, SP_Event event, TF_Status *status) {
    (void)device;
    await(event);
    fails("block_host_for_event", status);
}

static void create_stream_dependency(const SP_Device *device, SP_Stream dependent, SP_Stream other, TF_Status *status) {
    SP_Event e;
    if (fails("create_stream_dependency", status)) return;
    create_event(device, &e, status);
    record_event(device, other, e, status);
    wait_for_event(device, dependent, e, status);
    destroy_event(device, e);
}

static void synchronize_all_activity(const SP_Device *device, TF_Status *status) {
    (void)device;
    pthread_mutex_lock(&pending.mutex);
    while (pending.n) pthread_cond_wait(&pending.none, &pending.mutex);
    pthread_mutex_unlock(&pending.mutex);
    fails("synchronize_all_activity", status);
}

/* ---- memory */

static void allocate(const SP_Device *device, uint64_t size, int64_t memory_space, SP_DeviceMemoryBase *mem) {
    (void)device, (void)memory_space;
    const int64_t now = atomic_fetch_add(&toy_control.bytes, (int64_t)size) + (int64_t)size;
    mem->struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE;
    mem->opaque = NULL;
    mem->size = size;
    if ((toy_control.limit && now > toy_control.limit) || !strcmp(toy_control.fails, "allocate")) {
        toy_control.bytes -= (int64_t)size;
        return;
    }
    if (now > toy_control.most) toy_control.most = now;
    char *block = aligned_alloc(64, (size + 127) & ~(uint64_t)63);
    mem->opaque = (void *)((uintptr_t)block | TAG);
}

static void deallocate(const SP_Device *device, SP_DeviceMemoryBase *memory) {
    (void)device;
    if (!memory->opaque) return;
    memset(toy_reach(memory->opaque), 0xd5, memory->size);
    toy_control.bytes -= (int64_t)memory->size;
    free(toy_reach(memory->opaque));
    memory->opaque = NULL;
}

static void *host_memory_allocate(const SP_Device *device, uint64_t size) {
    (void)device;
    if (!strcmp(toy_control.fails, "host_memory_allocate")) return NULL;
    toy_control.host_blocks++;
    return malloc(size);
}

static void host_memory_deallocate(const SP_Device *device, void *mem) {
    (void)device;
    if (mem) toy_control.host_blocks--;
    free(mem);
}

static TF_Bool get_allocator_stats(const SP_Device *device, SP_AllocatorStats *stats) {
    (void)device;
    stats->struct_size = SP_ALLOCATORSTATS_STRUCT_SIZE;
    stats->bytes_in_use = toy_control.bytes;
    return 1;
}

static TF_Bool device_memory_usage(const SP_Device *device, int64_t *free_bytes, int64_t *total) {
    (void)device;
    *total = (int64_t)64 << 20;
    *free_bytes = *total - toy_control.bytes;
    return 1;
}

/* ---- copies */

struct copy {
    void *to;
    const void *from;
    size_t bytes;
};

static void copy_now(void *arg) {
    const struct copy *c = arg;
    memcpy(c->to, c->from, c->bytes);
}

static void enqueue_copy(SP_Stream stream, void *to, const void *from, uint64_t bytes) {
    struct copy *c = malloc(sizeof *c);
    *c = (struct copy){to, from, bytes};
    toy_enqueue(stream, copy_now, c);
}

static void memcpy_dtoh(const SP_Device *device, SP_Stream stream, void *host_dst,
                        const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status) {
    (void)device;
    if (fails("memcpy_dtoh", status)) return;
    toy_control.copies_out++;
    enqueue_copy(stream, host_dst, toy_reach(device_src->opaque), size);
}

static void memcpy_htod(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                        const void *host_src, uint64_t size, TF_Status *status) {
    (void)device;
    if (fails("memcpy_htod", status)) return;
    toy_control.copies_in++;
    enqueue_copy(stream, toy_reach(device_dst->opaque), host_src, size);
}

static void memcpy_dtod(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                        const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status) {
    (void)device;
    if (fails("memcpy_dtod", status)) return;
    toy_control.copies_within++;
    enqueue_copy(stream, toy_reach(device_dst->opaque), toy_reach(device_src->opaque), size);
}

static void sync_memcpy_dtoh(const SP_Device *device, void *host_dst, const SP_DeviceMemoryBase *device_src,
                             uint64_t size, TF_Status *status) {
    (void)device;
    if (!fails("sync_memcpy_dtoh", status)) memcpy(host_dst, toy_reach(device_src->opaque), size);
}

static void sync_memcpy_htod(const SP_Device *device, SP_DeviceMemoryBase *device_dst, const void *host_src,
                             uint64_t size, TF_Status *status) {
    (void)device;
    if (!fails("sync_memcpy_htod", status)) memcpy(toy_reach(device_dst->opaque), host_src, size);
}

static void sync_memcpy_dtod(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                             const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status) {
    (void)device;
    if (!fails("sync_memcpy_dtod", status)) memcpy(toy_reach(device_dst->opaque), toy_reach(device_src->opaque), size);
}

struct filling {
    void *to;
    size_t bytes;
    uint32_t pattern;
};

static void fill_now(void *arg) {
    const struct filling *f = arg;
    for (size_t i = 0; i < f->bytes; i++) ((uint8_t *)f->to)[i] = (uint8_t)(f->pattern >> 8 * (i % 4));
}

static void fill32(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location, uint32_t pattern,
                   uint64_t size, TF_Status *status) {
    struct filling *f = malloc(sizeof *f);
    (void)device;
    TF_SetStatus(status, TF_OK, "");
    *f = (struct filling){toy_reach(location->opaque), size, pattern};
    toy_enqueue(stream, fill_now, f);
}

static void fill8(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location, uint8_t pattern,
                  uint64_t size, TF_Status *status) {
    fill32(device, stream, location, pattern * 0x01010101u, size, status);
}

static void fill0(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location, uint64_t size,
                  TF_Status *status) {
    fill32(device, stream, location, 0, size, status);
}

struct callback {
    SE_StatusCallbackFn run;
    void *arg;
};

static void call_back(void *arg) {
    const struct callback *c = arg;
    TF_Status *status = TF_NewStatus();
    c->run(c->arg, status);
    TF_DeleteStatus(status);
}

static TF_Bool host_callback(const SP_Device *device, SP_Stream stream, SE_StatusCallbackFn callback_fn,
                             void *callback_arg) {
    struct callback *c = malloc(sizeof *c);
    (void)device;
    *c = (struct callback){callback_fn, callback_arg};
    toy_enqueue(stream, call_back, c);
    return 1;
}

/* ---- timers */

struct SP_Timer_st {
    struct timespec began, ended;
};

static uint64_t nanoseconds(SP_Timer t) {
    return (uint64_t)((t->ended.tv_sec - t->began.tv_sec) * 1000000000 + t->ended.tv_nsec - t->began.tv_nsec);
}

static void create_timer(const SP_Device *device, SP_Timer *timer, TF_Status *status) {
    (void)device;
    if (fails("create_timer", status)) return;
    toy_control.timers++;
    *timer = calloc(1, sizeof **timer);
}

static void destroy_timer(const SP_Device *device, SP_Timer timer) {
    (void)device;
    toy_control.timers--;
    free(timer);
}

static void start_timer(const SP_Device *device, SP_Stream stream, SP_Timer timer, TF_Status *status) {
    (void)device, (void)stream;
    clock_gettime(CLOCK_MONOTONIC, &timer->began);
    TF_SetStatus(status, TF_OK, "");
}

static void stop_timer(const SP_Device *device, SP_Stream stream, SP_Timer timer, TF_Status *status) {
    (void)device, (void)stream;
    clock_gettime(CLOCK_MONOTONIC, &timer->ended);
    TF_SetStatus(status, TF_OK, "");
}

/* ---- the platform */

/* TOY_PLAIN in the environment: memory is not kept by the library, and what may be missing is. */
static bool is_plain(void) { return getenv("TOY_PLAIN") != NULL; }

static bool lacks(const char *function) {
    static const char *const optional[] = {"create_timer",          "destroy_timer",
                                           "start_timer",           "stop_timer",
                                           "memcpy_dtod",           "sync_memcpy_dtod",
                                           "block_host_until_done", "create_timer_fns"};
    for (size_t i = 0; is_plain() && i < sizeof optional / sizeof *optional; i++)
        if (!strcmp(optional[i], function)) return true;
    return !strcmp(toy_control.lacks, function);
}
#define GIVE(to, function) (to)->function = lacks(#function) ? NULL : function

static void create_stream_executor(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                                   TF_Status *status) {
    SP_StreamExecutor *e = params->stream_executor;
    (void)platform;
    if (fails("create_stream_executor", status)) return;
    e->struct_size = lacks("executor.struct_size") ? 0 : SP_STREAMEXECUTOR_STRUCT_SIZE;
    GIVE(e, allocate), GIVE(e, deallocate), GIVE(e, host_memory_allocate), GIVE(e, host_memory_deallocate);
    GIVE(e, get_allocator_stats), GIVE(e, device_memory_usage);
    GIVE(e, create_stream), GIVE(e, destroy_stream), GIVE(e, create_stream_dependency), GIVE(e, get_stream_status);
    GIVE(e, create_event), GIVE(e, destroy_event), GIVE(e, get_event_status), GIVE(e, record_event);
    GIVE(e, wait_for_event), GIVE(e, create_timer), GIVE(e, destroy_timer), GIVE(e, start_timer), GIVE(e, stop_timer);
    GIVE(e, memcpy_dtoh), GIVE(e, memcpy_htod), GIVE(e, memcpy_dtod);
    GIVE(e, sync_memcpy_dtoh), GIVE(e, sync_memcpy_htod), GIVE(e, sync_memcpy_dtod);
    GIVE(e, block_host_for_event), GIVE(e, block_host_until_done), GIVE(e, synchronize_all_activity);
    GIVE(e, host_callback);
    e->mem_zero = lacks("mem_zero") ? NULL : fill0;
    e->memset = lacks("memset") ? NULL : fill8;
    e->memset32 = lacks("memset32") ? NULL : fill32;
}

static void destroy_stream_executor(const SP_Platform *platform, SP_StreamExecutor *executor) {
    (void)platform, (void)executor;
}

static void get_device_count(const SP_Platform *platform, int *device_count, TF_Status *status) {
    (void)platform;
    if (!fails("get_device_count", status)) *device_count = TOY_DEVICES;
}

static void create_device(const SP_Platform *platform, SE_CreateDeviceParams *params, TF_Status *status) {
    (void)platform;
    if (fails("create_device", status)) return;
    params->device->struct_size = SP_DEVICE_STRUCT_SIZE;
    params->device->hardware_name = "toy";
    params->device->device_vendor = "nobody";
}

static void destroy_device(const SP_Platform *platform, SP_Device *device) { (void)platform, (void)device; }

static int32_t get_numa_node(const SP_Device *device) {
    (void)device;
    return -1;
}

static void create_device_fns(const SP_Platform *platform, SE_CreateDeviceFnsParams *params, TF_Status *status) {
    (void)platform;
    if (fails("create_device_fns", status)) return;
    params->device_fns->struct_size = SP_DEVICE_FNS_STRUCT_SIZE;
    params->device_fns->get_numa_node = get_numa_node;
}

static void destroy_device_fns(const SP_Platform *platform, SP_DeviceFns *fns) { (void)platform, (void)fns; }

static void create_timer_fns(const SP_Platform *platform, SP_TimerFns *timer, TF_Status *status) {
    (void)platform;
    if (fails("create_timer_fns", status)) return;
    timer->struct_size = SP_TIMER_FNS_STRUCT_SIZE;
    GIVE(timer, nanoseconds);
}

static void destroy_timer_fns(const SP_Platform *platform, SP_TimerFns *fns) { (void)platform, (void)fns; }

/* ---- a profile: how many kernels ran between start and stop */

static int64_t kernels_before;
static char profile[32];

static void profiler_start(const TP_Profiler *profiler, TF_Status *status) {
    (void)profiler;
    if (!fails("profiler_start", status)) kernels_before = toy_control.kernels;
}

static void profiler_stop(const TP_Profiler *profiler, TF_Status *status) {
    (void)profiler;
    snprintf(profile, sizeof profile, "%d kernels", (int)(toy_control.kernels - kernels_before));
    TF_SetStatus(status, TF_OK, "");
}

static void collect_data_xspace(const TP_Profiler *profiler, uint8_t *buffer, size_t *size_in_bytes,
                                TF_Status *status) {
    (void)profiler;
    *size_in_bytes = strlen(profile);
    if (buffer) memcpy(buffer, profile, *size_in_bytes);
    TF_SetStatus(status, TF_OK, "");
}

static void destroy_profiler(TP_Profiler *profiler) { (void)profiler; }
static void destroy_profiler_fns(TP_ProfilerFns *fns) { (void)fns; }

TF_EXPORT void TF_InitProfiler(TF_ProfilerRegistrationParams *params, TF_Status *status) {
    if (fails("TF_InitProfiler", status)) return;
    params->profiler->device_type = lacks("device_type") ? NULL : TOY_DEVICE;
    params->profiler_fns->start = lacks("start") ? NULL : profiler_start;
    params->profiler_fns->stop = lacks("stop") ? NULL : profiler_stop;
    params->profiler_fns->collect_data_xspace = lacks("collect_data_xspace") ? NULL : collect_data_xspace;
    params->destroy_profiler = lacks("destroy_profiler") ? NULL : destroy_profiler;
    params->destroy_profiler_fns = destroy_profiler_fns;
}

static void destroy_platform(SP_Platform *platform) { (void)platform; }
static void destroy_platform_fns(SP_PlatformFns *fns) { (void)fns; }

TF_EXPORT void SE_InitPlugin(SE_PlatformRegistrationParams *params, TF_Status *status) {
    SP_Platform *p = params->platform;
    SP_PlatformFns *fns = params->platform_fns;
    if (fails("SE_InitPlugin", status)) return;
    p->struct_size = lacks("platform.struct_size") ? 0 : SP_PLATFORM_STRUCT_SIZE;
    p->name = lacks("name") ? NULL : "TOY_PLATFORM";
    p->type = lacks("type") ? NULL : *toy_control.type ? toy_control.type : TOY_DEVICE;
    p->use_bfc_allocator = !is_plain();
    p->supports_unified_memory = lacks("unified_memory_allocate");
    fns->struct_size = SP_PLATFORM_FNS_STRUCT_SIZE;
    GIVE(fns, get_device_count), GIVE(fns, create_device), GIVE(fns, destroy_device);
    GIVE(fns, create_device_fns), GIVE(fns, destroy_device_fns);
    GIVE(fns, create_stream_executor), GIVE(fns, destroy_stream_executor);
    GIVE(fns, create_timer_fns), GIVE(fns, destroy_timer_fns);
    GIVE(params, destroy_platform), GIVE(params, destroy_platform_fns);
}
