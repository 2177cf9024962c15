/* States of stateful kernels. A node has one state per runtime, however many programs run it: a random generator goes on where the last run left
 * it, whatever was fetched. Keyed by node name. */
#include "base/alloc.h"
#include "runtime/runtime.h"

struct kept_state {
    const struct sl_kernel_def *def;
    void *state;
    char name[];
};

static sl_code find_or_create(void **state, struct sl_kernel_states *self, struct sl_kernel_setup *setup) {
    struct sl_state_store *store = (struct sl_state_store *)self;
    sl_code code = SL_OK;
    sl_mutex_lock(&store->mutex);
    struct kept_state *k = sl_str_map_get(&store->by_name, setup->name);
    if (k && k->def == setup->def) {
        *state = k->state;
    } else {
        k = sl_calloc(1, sizeof *k + setup->name.n + 1);
        code = k ? setup->def->create(&k->state, setup) : sl_fail_memory(setup->err, sizeof *k);
        if (code == SL_OK) {
            k->def = setup->def;
            memcpy(k->name, setup->name.p, setup->name.n);
            if (sl_str_map_put(&store->by_name, (struct sl_str){k->name, setup->name.n}, k)) {
                if (k->def->destroy) k->def->destroy(k->state);
                code = sl_fail_memory(setup->err, sizeof *k);
            }
        }
        if (code == SL_OK) *state = k->state;
        else sl_free(k);
    }
    sl_mutex_unlock(&store->mutex);
    return code;
}

void sl_state_store_init(struct sl_state_store *store) {
    *store = (struct sl_state_store){.base = {find_or_create}};
    sl_mutex_init(&store->mutex);
}

void sl_state_store_clear(struct sl_state_store *store) {
    for (struct sl_str_map_entry *e = sl_str_map_first(&store->by_name); e; e = sl_str_map_next(&store->by_name, e)) {
        struct kept_state *k = e->value;
        if (k->def->destroy) k->def->destroy(k->state);
        sl_free(k);
    }
    sl_str_map_free(&store->by_name);
    sl_mutex_clear(&store->mutex);
}
