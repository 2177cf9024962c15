/* Chooses the version of a checkpoint by what is on the disk. */
#include "ckpt/checkpoint.h"

#include "base/alloc.h"
#include "ckpt/checkpoint_v1.h"
#include "os/file.h"

struct sl_checkpoint {
    struct sl_bundle *bundle; /* one of the two */
    struct sl_v1_reader *v1;
};

sl_code sl_checkpoint_open(struct sl_checkpoint **out, const char *prefix, struct sl_pool *pool, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_checkpoint *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    sl_arena_init(&arena);
    char *index = sl_bundle_index_path(&arena, prefix);
    sl_code code = index ? SL_OK : sl_fail_memory(err, strlen(prefix));
    if (code == SL_OK && sl_file_exists(index, NULL) == SL_OK) code = sl_bundle_open(&c->bundle, prefix, pool, err);
    else if (code == SL_OK) code = sl_v1_open(&c->v1, prefix, err);
    sl_arena_clear(&arena);
    if (code == SL_OK) *out = c;
    else sl_free(c);
    return code;
}

void sl_checkpoint_close(struct sl_checkpoint *c) {
    if (!c) return;
    sl_bundle_close(c->bundle);
    sl_v1_close(c->v1);
    sl_free(c);
}

int sl_checkpoint_version(const struct sl_checkpoint *c) { return c->bundle ? 2 : 1; }

sl_code sl_checkpoint_find(struct sl_bundle_entry *out, struct sl_checkpoint *c, struct sl_str name,
                           struct sl_arena *arena, struct sl_error *err) {
    return c->bundle ? sl_bundle_find(out, c->bundle, name, arena, err) : sl_v1_find(out, c->v1, name, err);
}

sl_code sl_checkpoint_list(struct sl_bundle_entry **out, size_t *n, struct sl_checkpoint *c, struct sl_arena *arena,
                           struct sl_error *err) {
    if (!c->bundle) return sl_v1_list(out, n, c->v1, arena, err);
    size_t all, kept = 0;
    SL_TRY(sl_bundle_list(out, &all, c->bundle, arena, err));
    for (size_t i = 0; i < all; i++)
        if (!(*out)[i].is_slice) (*out)[kept++] = (*out)[i];
    *n = kept;
    return SL_OK;
}

sl_code sl_checkpoint_read(struct sl_tensor **out, struct sl_checkpoint *c, struct sl_str name,
                           const struct sl_tensor_slice *slice, struct sl_error *err) {
    return c->bundle ? sl_bundle_read(out, c->bundle, name, slice, err) : sl_v1_read(out, c->v1, name, slice, err);
}
