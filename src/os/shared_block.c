/* Blocks and their maps. */
#include "os/shared_block.h"

#include <stdio.h>
#include <string.h>
#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "base/alloc.h"
#include "base/memory_limit.h"
#include "os/mutex.h"

enum { HEAD = 4096, KEPT = 2 };

struct sl_shared_blocks {
    struct sl_mutex mutex;
    size_t most, held; /* bytes */
    struct sl_shared_block *kept;
    unsigned n_kept, refs;
};

struct shared_map {
    struct sl_shared_offer offer;
    char *head; /* NULL: no map */
    unsigned n_users;
    bool is_fresh; /* since the last trim */
    uint64_t used; /* the last time, counted */
};

struct sl_shared_maps {
    struct sl_mutex mutex;
    struct shared_map maps[SL_SHARED_MAPS];
    uint64_t n_used;
};

/* ---- the system */

#if defined(__linux__)
static const char memory_name[] = "sluice-values";

static bool make_memory(struct sl_shared_block *block) {
    struct sl_shared_offer *offer = &block->offer;
    const size_t size = HEAD + block->size;
    int fd = memfd_create(memory_name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return false;
    char *head = MAP_FAILED;
    if (getrandom(offer->number, sizeof offer->number, 0) == (ssize_t)sizeof offer->number && fchmod(fd, 0600) == 0 &&
        ftruncate(fd, (off_t)size) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        head = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (head == MAP_FAILED) {
        close(fd);
        return false;
    }
    memcpy(head, offer->number, sizeof offer->number);
    offer->process = (uint64_t)getpid();
    offer->descriptor = (uint64_t)fd;
    offer->size = block->size;
    block->data = head + HEAD;
    return true;
}

static void free_memory(struct sl_shared_block *block) {
    munmap((char *)block->data - HEAD, HEAD + block->size);
    close((int)block->offer.descriptor);
}

/* Whether it is what the offer says. */
static bool is_offered(int fd, const struct sl_shared_offer *offer) {
    struct stat about;
    uint64_t number[2];
    const int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && seals & F_SEAL_SHRINK && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
           (uint64_t)about.st_size == HEAD + offer->size &&
           pread(fd, number, sizeof number, 0) == (ssize_t)sizeof number &&
           memcmp(number, offer->number, sizeof number) == 0;
}

static char *map_offered(const struct sl_shared_offer *offer) {
    char path[64], target[64], wanted[64];
    char *head = MAP_FAILED;
    if (offer->process > INT32_MAX || offer->descriptor > INT32_MAX || offer->size > SIZE_MAX / 4) return NULL;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)offer->process, (int)offer->descriptor);
    (void)snprintf(wanted, sizeof wanted, "/memfd:%s (deleted)", memory_name);
    const ssize_t n = readlink(path, target, sizeof target - 1); /* before anything else is opened */
    if (n <= 0) return NULL;
    target[n] = '\0';
    int fd = strcmp(target, wanted) == 0 ? open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0) return NULL;
    if (is_offered(fd, offer))
        head = mmap(NULL, HEAD + (size_t)offer->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    close(fd);
    return head == MAP_FAILED ? NULL : head;
}

static void unmap(char *head, uint64_t size) { munmap(head, HEAD + (size_t)size); }
#else
static bool make_memory(struct sl_shared_block *block) {
    (void)block;
    return false;
}
static void free_memory(struct sl_shared_block *block) { (void)block; }
static char *map_offered(const struct sl_shared_offer *offer) {
    (void)offer;
    return NULL;
}
static void unmap(char *head, uint64_t size) {
    (void)head;
    (void)size;
}
#endif

/* ---- the owner's */

sl_code sl_shared_blocks_new(struct sl_shared_blocks **out, size_t most, struct sl_error *err) {
    struct sl_shared_blocks *all = sl_calloc(1, sizeof *all);
    if (!all) return sl_fail_memory(err, sizeof *all);
    sl_mutex_init(&all->mutex);
    all->most = most;
    all->refs = 1;
    *out = all;
    return SL_OK;
}

/* With the mutex, which is released; the last reference frees. */
static void release(struct sl_shared_blocks *all) {
    const bool is_last = --all->refs == 0;
    sl_mutex_unlock(&all->mutex);
    if (!is_last) return;
    sl_mutex_clear(&all->mutex);
    sl_free(all);
}

static void free_block(struct sl_shared_block *block) {
    free_memory(block);
    sl_memory_give(block->size);
    sl_free(block);
}

void sl_shared_blocks_unref(struct sl_shared_blocks *all) {
    if (!all) return;
    sl_mutex_lock(&all->mutex);
    struct sl_shared_block *kept = all->kept;
    all->kept = NULL;
    all->most = 0; /* what comes back is not kept */
    release(all);
    for (struct sl_shared_block *next; kept; kept = next) {
        next = kept->next;
        free_block(kept);
    }
}

static struct sl_shared_block *take_kept(struct sl_shared_blocks *all, size_t size) {
    for (struct sl_shared_block **at = &all->kept; *at; at = &(*at)->next) {
        struct sl_shared_block *block = *at;
        if (block->size < size || block->size / 2 > size) continue;
        *at = block->next;
        all->n_kept--;
        return block;
    }
    return NULL;
}

/* Counted before it is made. */
static struct sl_shared_block *make_block(struct sl_shared_blocks *all, size_t size) {
    struct sl_shared_block *block = sl_calloc(1, sizeof *block);
    if (block) *block = (struct sl_shared_block){.size = size, .all = all};
    const bool is_taken = block && sl_memory_take(size);
    if (is_taken && make_memory(block)) return block;
    if (is_taken) sl_memory_give(size);
    sl_free(block);
    return NULL;
}

struct sl_shared_block *sl_shared_block_take(struct sl_shared_blocks *all, size_t size) {
    struct sl_shared_block *old = NULL;
    size = (size + HEAD - 1) / HEAD * HEAD;
    sl_mutex_lock(&all->mutex);
    struct sl_shared_block *block = take_kept(all, size);
    bool is_counted = false;
    if (!block && all->kept && all->held + size > all->most) { /* the kept ones stand in the way */
        old = all->kept;
        all->kept = old->next;
        all->n_kept--;
        all->held -= old->size;
    }
    if (!block && size <= all->most && all->held <= all->most - size) {
        is_counted = true;
        all->held += size;
    }
    all->refs += block || is_counted;
    sl_mutex_unlock(&all->mutex);
    if (old) free_block(old);
    if (block || !is_counted) return block;
    block = make_block(all, size);
    if (block) return block;
    sl_mutex_lock(&all->mutex);
    all->held -= size;
    release(all);
    return NULL;
}

static void give(struct sl_shared_block *block, bool is_kept) {
    struct sl_shared_blocks *all = block->all;
    sl_mutex_lock(&all->mutex);
    is_kept = is_kept && all->n_kept < KEPT && block->size <= all->most / 2;
    if (is_kept) {
        block->next = all->kept;
        all->kept = block;
        all->n_kept++;
    } else {
        all->held -= block->size;
    }
    release(all);
    if (!is_kept) free_block(block);
}

void sl_shared_block_give(struct sl_shared_block *block) { give(block, true); }
void sl_shared_block_drop(struct sl_shared_block *block) { give(block, false); }

/* ---- the other process's */

sl_code sl_shared_maps_new(struct sl_shared_maps **out, struct sl_error *err) {
    struct sl_shared_maps *maps = sl_calloc(1, sizeof *maps);
    if (!maps) return sl_fail_memory(err, sizeof *maps);
    sl_mutex_init(&maps->mutex);
    *out = maps;
    return SL_OK;
}

void sl_shared_maps_free(struct sl_shared_maps *maps) {
    if (!maps) return;
    for (int i = 0; i < SL_SHARED_MAPS; i++)
        if (maps->maps[i].head) unmap(maps->maps[i].head, maps->maps[i].offer.size);
    sl_mutex_clear(&maps->mutex);
    sl_free(maps);
}

/* With the mutex: its map, in use; NULL: there is none. */
static struct shared_map *find(struct sl_shared_maps *maps, const struct sl_shared_offer *offer) {
    for (struct shared_map *m = maps->maps; m < maps->maps + SL_SHARED_MAPS; m++) {
        if (!m->head || memcmp(&m->offer, offer, sizeof *offer) != 0) continue;
        m->n_users++;
        return m;
    }
    return NULL;
}

/* With the mutex: takes the map of whoever was used the longest time ago. False: all are in use. */
static bool keep(char **old_head, uint64_t *old_size, struct sl_shared_maps *maps, const struct sl_shared_offer *offer,
                 char *head) {
    struct shared_map *oldest = NULL;
    for (struct shared_map *m = maps->maps; m < maps->maps + SL_SHARED_MAPS; m++)
        if (!m->n_users && (!oldest || (oldest->head && (!m->head || m->used < oldest->used)))) oldest = m;
    if (!oldest) return false;
    *old_head = oldest->head;
    *old_size = oldest->offer.size;
    *oldest = (struct shared_map){.offer = *offer, .head = head, .is_fresh = true, .used = ++maps->n_used};
    return true;
}

bool sl_shared_maps_write(struct sl_shared_maps *maps, const struct sl_shared_offer *offer, const void *data,
                          size_t n) {
    if (n > offer->size) return false;
    sl_mutex_lock(&maps->mutex);
    struct shared_map *map = find(maps, offer);
    sl_mutex_unlock(&maps->mutex);
    char *head = map ? map->head : map_offered(offer), *old = NULL;
    uint64_t old_size = 0;
    if (!head) return false;
    memcpy(head + HEAD, data, n);
    sl_mutex_lock(&maps->mutex);
    if (map) {
        map->n_users--;
        map->is_fresh = true;
        map->used = ++maps->n_used;
    } else if (!keep(&old, &old_size, maps, offer, head)) {
        old = head;
        old_size = offer->size;
    }
    sl_mutex_unlock(&maps->mutex);
    if (old) unmap(old, old_size);
    return true;
}

bool sl_shared_maps_trim(struct sl_shared_maps *maps) {
    struct shared_map gone[SL_SHARED_MAPS];
    int n_gone = 0, n_left = 0;
    sl_mutex_lock(&maps->mutex);
    for (struct shared_map *m = maps->maps; m < maps->maps + SL_SHARED_MAPS; m++) {
        if (!m->head) continue;
        if (m->n_users || m->is_fresh) {
            n_left++;
        } else {
            gone[n_gone++] = *m;
            m->head = NULL;
        }
        m->is_fresh = false;
    }
    sl_mutex_unlock(&maps->mutex);
    for (int i = 0; i < n_gone; i++) unmap(gone[i].head, gone[i].offer.size);
    return n_left > 0;
}
