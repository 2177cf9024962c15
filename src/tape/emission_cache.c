/* A table with one place for each hash: what was kept there before goes. */
#include "tape/emission_cache.h"

#include "base/alloc.h"
#include "base/hash.h"

enum { PLACES = 256 };

struct sl_emitted {
    struct sl_str name;
    struct sl_kernel_instance *instance; /* a reference; NULL: nothing is kept here */
    int n_inputs;
    uint8_t types[SL_EMITTED_INPUTS];
    struct sl_attrs attrs;
    struct sl_arena arena;
    unsigned version; /* of the table of kernels */
};

static unsigned version_of(const struct sl_execute_env *env) {
    return sl_kernel_table_version(sl_kernel_cache_table(env->kernels));
}

/* Rules have their names as literals, so where a name stands tells most apart. */
static size_t place_of(const struct sl_emission *what, const uint8_t *types) {
    uint64_t hash = ((uint64_t)(uintptr_t)what->op.p * UINT64_C(0x9e3779b97f4a7c15) >> 32) + (uint64_t)what->n_inputs;
    for (int i = 0; i < what->n_inputs; i++) hash = hash * 31 + types[i];
    for (int i = 0; i < what->n_attrs; i++) hash = hash * 31 + sl_attr_hash(what->attrs[i].value);
    return (size_t)(hash ^ hash >> 32) % PLACES;
}

static bool is_small(const struct sl_emission *what) {
    return what->n_inputs <= SL_EMITTED_INPUTS && what->n_attrs <= SL_EMITTED_ATTRS;
}

static bool is_for(const struct sl_emitted *kept, const struct sl_emission *what, const uint8_t *types) {
    if (!kept->instance || kept->n_inputs != what->n_inputs || kept->attrs.n != what->n_attrs) return false;
    for (int i = 0; i < what->n_inputs; i++)
        if (kept->types[i] != types[i]) return false;
    if (!sl_str_eq(kept->name, what->op)) return false;
    for (int i = 0; i < what->n_attrs; i++)
        if (!sl_str_eq(kept->attrs.items[i].name, what->attrs[i].name) ||
            !sl_attr_equal(kept->attrs.items[i].value, what->attrs[i].value))
            return false;
    return true;
}

struct sl_kernel_instance *sl_emission_cache_find(const struct sl_execute_env *env, const struct sl_emission *what,
                                                  const uint8_t *types) {
    if (!env->own_emitted || !is_small(what)) return NULL;
    const struct sl_emitted *kept = &env->own_emitted[place_of(what, types)];
    return is_for(kept, what, types) && kept->version == version_of(env) ? kept->instance : NULL;
}

static void drop(struct sl_emitted *kept) {
    sl_kernel_instance_unref(kept->instance);
    sl_arena_clear(&kept->arena);
    kept->instance = NULL;
}

void sl_emission_cache_add(struct sl_execute_env *env, const struct sl_emission *what, const uint8_t *types,
                           struct sl_kernel_instance *instance) {
    if (!is_small(what) || !instance->request.attrs) return;
    if (!env->own_emitted) env->own_emitted = sl_calloc(PLACES, sizeof *env->own_emitted);
    if (!env->own_emitted) return;
    struct sl_emitted *kept = &env->own_emitted[place_of(what, types)];
    const struct sl_attrs given = {what->attrs, what->n_attrs};
    drop(kept);
    kept->name = sl_arena_str(&kept->arena, what->op);
    if (!kept->name.p || sl_attrs_copy(&kept->attrs, &kept->arena, &given, NULL) != SL_OK) return;
    kept->n_inputs = what->n_inputs;
    memcpy(kept->types, types, (size_t)what->n_inputs);
    kept->version = version_of(env);
    kept->instance = sl_kernel_instance_ref(instance);
}

void sl_emission_cache_clear(struct sl_execute_env *env) {
    for (size_t i = 0; env->own_emitted && i < PLACES; i++) drop(&env->own_emitted[i]);
    sl_free(env->own_emitted);
    env->own_emitted = NULL;
}
