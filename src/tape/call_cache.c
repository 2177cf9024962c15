/* A ring of the last calls: few functions are called again and again, so the one that was made longest ago goes. */
#include "tape/call_cache.h"

#include "base/alloc.h"
#include "base/hash.h"

/* Of one call; in one block with what it points to. */
struct sl_kept_call {
    uint64_t hash;
    struct sl_call_gradient *gradient; /* a reference */
    struct sl_arena arena;
    const struct sl_op *op;
    struct sl_attrs attrs;
    uint8_t *types;
    struct sl_shape *shapes;
    int n_inputs;
};

static uint64_t hash_of(const struct sl_call_spec *spec) {
    uint64_t hash = sl_hash_bytes(spec->types, (size_t)spec->n_inputs) ^ (uint64_t)(uintptr_t)spec->op;
    for (int i = 0; i < spec->attrs->n; i++) hash = sl_hash_mix(hash, sl_attr_hash(spec->attrs->items[i].value));
    for (int i = 0; i < spec->n_inputs; i++)
        for (int k = 0; k < spec->shapes[i].rank; k++) hash = sl_hash_mix(hash, (uint64_t)spec->shapes[i].dims[k]);
    return hash;
}

static bool same_attrs(const struct sl_attrs *a, const struct sl_attrs *b) {
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n; i++)
        if (!sl_str_eq(a->items[i].name, b->items[i].name) || !sl_attr_equal(a->items[i].value, b->items[i].value))
            return false;
    return true;
}

static bool is_of(const struct sl_kept_call *kept, uint64_t hash, const struct sl_call_spec *spec) {
    if (kept->hash != hash || kept->op != spec->op || kept->n_inputs != spec->n_inputs) return false;
    if (memcmp(kept->types, spec->types, (size_t)spec->n_inputs) != 0) return false;
    for (int i = 0; i < spec->n_inputs; i++)
        if (!sl_shape_equal(kept->shapes[i], spec->shapes[i])) return false;
    return same_attrs(&kept->attrs, spec->attrs);
}

struct sl_call_gradient *sl_call_cache_find(const struct sl_execute_env *env, const struct sl_call_spec *spec) {
    const uint64_t hash = hash_of(spec);
    for (size_t i = 0; i < SL_KEPT_CALLS; i++) {
        const struct sl_kept_call *kept = env->own_calls[i];
        if (kept && is_of(kept, hash, spec)) return sl_call_gradient_ref(kept->gradient);
    }
    return NULL;
}

static void kept_call_free(struct sl_kept_call *kept) {
    if (!kept) return;
    sl_call_gradient_unref(kept->gradient);
    sl_arena_clear(&kept->arena);
    sl_free(kept);
}

static sl_code copy_spec(struct sl_kept_call *kept, const struct sl_call_spec *spec) {
    const size_t n = (size_t)spec->n_inputs;
    SL_TRY(sl_attrs_copy(&kept->attrs, &kept->arena, spec->attrs, NULL));
    kept->types = SL_ARENA_ARRAY(&kept->arena, uint8_t, n + 1);
    kept->shapes = SL_ARENA_ARRAY(&kept->arena, struct sl_shape, n + 1);
    if (!kept->types || !kept->shapes) return SL_RESOURCE_EXHAUSTED;
    kept->op = spec->op;
    kept->n_inputs = spec->n_inputs;
    for (size_t i = 0; i < n; i++) {
        kept->types[i] = spec->types[i];
        kept->shapes[i] = sl_shape_copy(&kept->arena, spec->shapes[i]);
        if (kept->shapes[i].rank == -2) return SL_RESOURCE_EXHAUSTED;
    }
    return SL_OK;
}

void sl_call_cache_add(struct sl_execute_env *env, const struct sl_call_spec *spec, struct sl_call_gradient *made) {
    struct sl_kept_call *kept = sl_calloc(1, sizeof *kept), **place = &env->own_calls[env->own_next_call];
    if (!kept) return;
    sl_arena_init(&kept->arena);
    kept->hash = hash_of(spec);
    kept->gradient = sl_call_gradient_ref(made);
    if (copy_spec(kept, spec) != SL_OK) {
        kept_call_free(kept);
        return;
    }
    kept_call_free(*place);
    *place = kept;
    env->own_next_call = (env->own_next_call + 1) % SL_KEPT_CALLS;
}

void sl_call_cache_clear(struct sl_execute_env *env) {
    for (size_t i = 0; i < SL_KEPT_CALLS; i++) {
        kept_call_free(env->own_calls[i]);
        env->own_calls[i] = NULL;
    }
}
