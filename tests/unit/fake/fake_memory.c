/* Memory without access for the host: one file of memory, mapped twice. Blocks come from lists by powers of two. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/mutex.h"
#include "unit/fake/fake_device.h"

enum { SMALLEST_LOG2 = 6, CLASSES = 23 };
static const size_t TOTAL = (size_t)256 << 20;

struct hole {
    struct hole *next;
    size_t offset;
};

struct fake_memory {
    struct sl_memory base;
    char *closed, *open; /* the two mappings */
    struct sl_mutex mutex;
    struct hole *holes[CLASSES];
    size_t used; /* from the beginning */
    long live;
};

static int class_of(size_t bytes) {
    int c = 0;
    while (((size_t)1 << (SMALLEST_LOG2 + c)) < bytes) c++;
    return c;
}

static void *allocate(struct sl_memory *base, size_t bytes) {
    struct fake_memory *m = (struct fake_memory *)base;
    int c = class_of(bytes);
    if (c >= CLASSES) return NULL;
    sl_mutex_lock(&m->mutex);
    struct hole *hole = m->holes[c];
    size_t offset = m->used, size = (size_t)1 << (SMALLEST_LOG2 + c);
    if (hole) {
        m->holes[c] = hole->next;
        offset = hole->offset;
        free(hole);
    } else if (size <= TOTAL - m->used) {
        m->used += size;
    } else {
        sl_mutex_unlock(&m->mutex);
        return NULL;
    }
    m->live++;
    sl_mutex_unlock(&m->mutex);
    return m->closed + offset;
}

/* What a later piece of work must not see. */
struct wiping {
    struct fake_work work;
    void *at;
    size_t bytes;
};

static sl_code wipe(struct fake_work *work, struct sl_error *err) {
    struct wiping *w = (struct wiping *)work;
    (void)err;
    memset(w->at, 0xd5, w->bytes);
    return SL_OK;
}

static void wiped(struct fake_work *work) { free(work); }

static void give_back(struct sl_memory *base, void *block, size_t bytes) {
    struct fake_memory *m = (struct fake_memory *)base;
    struct wiping *w = calloc(1, sizeof *w);
    struct hole *hole = malloc(sizeof *hole);
    if (!w || !hole) abort();
    *w = (struct wiping){{.run = wipe, .clear = wiped}, fake_reach(base, block), bytes};
    fake_enqueue(m->base.owner, &w->work); /* before others can have it */
    int c = class_of(bytes);
    sl_mutex_lock(&m->mutex);
    *hole = (struct hole){m->holes[c], (size_t)((char *)block - m->closed)};
    m->holes[c] = hole;
    m->live--;
    sl_mutex_unlock(&m->mutex);
}

struct copying {
    struct fake_work work;
    void *to;
    const void *from;
    size_t bytes;
};

static sl_code copy_now(struct fake_work *work, struct sl_error *err) {
    struct copying *c = (struct copying *)work;
    (void)err;
    memcpy(c->to, c->from, c->bytes);
    return SL_OK;
}

static sl_code copy(struct sl_memory *base, void *to, const void *from, size_t bytes, struct sl_error *err) {
    struct copying *c = calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    *c = (struct copying){{.run = copy_now, .clear = wiped}, fake_reach(base, to), fake_reach(base, from), bytes};
    fake_enqueue(base->owner, &c->work);
    return SL_OK;
}

sl_code fake_memory_new(struct fake_memory **out, struct sl_device *device, struct sl_error *err) {
    struct fake_memory *m = calloc(1, sizeof *m);
    int file = memfd_create("fake device", MFD_CLOEXEC);
    if (!m || file < 0 || ftruncate(file, (off_t)TOTAL)) return sl_fail_memory(err, TOTAL);
    m->closed = mmap(NULL, TOTAL, PROT_NONE, MAP_SHARED, file, 0);
    m->open = mmap(NULL, TOTAL, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    close(file);
    if (m->closed == MAP_FAILED || m->open == MAP_FAILED) return sl_fail_memory(err, TOTAL);
    m->base = (struct sl_memory){device->name, allocate, give_back, copy, device};
    sl_mutex_init(&m->mutex);
    *out = m;
    return SL_OK;
}

void fake_memory_free(struct fake_memory *m) {
    if (m->live) abort(); /* a tensor outlives its device */
    for (int c = 0; c < CLASSES; c++)
        for (struct hole *h = m->holes[c], *next; h; h = next) {
            next = h->next;
            free(h);
        }
    munmap(m->closed, TOTAL);
    munmap(m->open, TOTAL);
    sl_mutex_clear(&m->mutex);
    free(m);
}

struct sl_memory *fake_memory_base(struct fake_memory *m) {
    return &m->base;
}

void *fake_reach(const struct sl_memory *memory, const void *pointer) {
    const struct fake_memory *m = (const struct fake_memory *)memory;
    return m->open + ((const char *)pointer - m->closed);
}
