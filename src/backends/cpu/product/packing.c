/* Who comes first packs; who comes meanwhile packs for itself, so that nobody waits for anybody else's work. */
#include "backends/cpu/product/packing.h"

#include "kernel/kernel.h"

/* Of larger ones there shall not be two. */
static const size_t MOST_BYTES = (size_t)64 << 20;

void sl_packing_init(struct sl_packing *p) {
    *p = (struct sl_packing){.data = NULL};
    sl_mutex_init(&p->mutex);
}
void sl_packing_clear(struct sl_packing *p) {
    sl_scratch_free(p->data, p->bytes);
    sl_mutex_clear(&p->mutex);
}

bool sl_packing_keeps(const struct sl_packing *p, size_t bytes) { return p && bytes <= MOST_BYTES; }

void *sl_packing_get(struct sl_packing *p, enum sl_packing_use use, size_t bytes) {
    if (!p) return NULL;
    sl_mutex_lock(&p->mutex);
    void *data = p->use == use && p->bytes == bytes ? p->data : NULL;
    sl_mutex_unlock(&p->mutex);
    return data;
}

void sl_packing_put(struct sl_packing *p, const struct sl_kernel_context *k, enum sl_packing_use use, void *data,
                    size_t bytes) {
    bool is_kept = false;
    if (sl_packing_keeps(p, bytes) && !(k && atomic_load(&k->is_cut))) {
        sl_mutex_lock(&p->mutex);
        is_kept = !p->data;
        if (is_kept) {
            p->use = use;
            p->data = data;
            p->bytes = bytes;
        }
        sl_mutex_unlock(&p->mutex);
    }
    if (!is_kept) sl_scratch_free(data, bytes);
}
