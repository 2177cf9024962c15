/* The registry. A built-in row is parsed when its op is first asked for, and found through a table of names that is
 * built at the first look-up of all. Look-ups of what is there take no lock: table and ops are published by atomic
 * stores, and nothing that was published is ever changed. */
#include <stdatomic.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "ops/op.h"
#include "ops/op_row.h"
#include "ops/op_spec.h"
#include "os/mutex.h"
#include "proto/wire.h"

enum { SLOTS = 4096, RECENT = 64 }; /* of the name table; a power of two, at least twice the rows */
_Static_assert(SL_ROW_COUNT * 2 <= SLOTS, "the table of names has become too full");

struct sl_op_registry {
    _Atomic(const struct sl_op *) rows[SL_ROW_COUNT]; /* NULL: not asked for yet */
    uint16_t slots[SLOTS];                            /* 1 + row; 0: free. Linear probing */
    atomic_bool has_slots;
    atomic_size_t n_added;
    _Atomic(const struct sl_op *) recent[RECENT]; /* that were asked for, by length and ends of the name */
    struct sl_mutex mutex;                        /* guards what follows, and the making of what is above */
    struct sl_arena arena;                        /* of all ops */
    SL_VEC(struct sl_op *) added;                 /* by sl_op_register */
    struct sl_str_map added_by_name;
};

sl_code sl_op_registry_new(struct sl_op_registry **out, struct sl_error *err) {
    struct sl_op_registry *registry = sl_calloc(1, sizeof *registry);
    if (!registry) return sl_fail_memory(err, sizeof *registry);
    sl_mutex_init(&registry->mutex);
    sl_arena_init(&registry->arena);
    *out = registry;
    return SL_OK;
}

void sl_op_registry_free(struct sl_op_registry *registry) {
    if (!registry) return;
    sl_mutex_clear(&registry->mutex);
    sl_arena_clear(&registry->arena);
    sl_vec_free(&registry->added);
    sl_str_map_free(&registry->added_by_name);
    sl_free(registry);
}

/* ---- built-in ops */
static void build_slots(struct sl_op_registry *registry) {
    sl_mutex_lock(&registry->mutex);
    if (!atomic_load_explicit(&registry->has_slots, memory_order_relaxed)) {
        for (uint32_t row = 0; row < SL_ROW_COUNT; row++) {
            struct sl_str name = sl_row_name(row);
            size_t i = sl_hash_bytes(name.p, name.n) % SLOTS;
            while (registry->slots[i]) i = (i + 1) % SLOTS;
            registry->slots[i] = (uint16_t)(row + 1);
        }
        atomic_store_explicit(&registry->has_slots, true, memory_order_release);
    }
    sl_mutex_unlock(&registry->mutex);
}

/* SL_ROW_COUNT when there is no row of that name. */
static uint32_t find_row(struct sl_op_registry *registry, struct sl_str name) {
    if (!atomic_load_explicit(&registry->has_slots, memory_order_acquire)) build_slots(registry);
    for (size_t i = sl_hash_bytes(name.p, name.n) % SLOTS; registry->slots[i]; i = (i + 1) % SLOTS) {
        uint32_t row = registry->slots[i] - 1u;
        if (sl_str_eq(sl_row_name(row), name)) return row;
    }
    return SL_ROW_COUNT;
}

static sl_code parse_row(struct sl_op **out, struct sl_arena *arena, uint32_t row, struct sl_error *err) {
    struct sl_row_text text = sl_row_text(row);
    struct sl_op_spec spec = {.name = text.name,
                              .flags = text.facts,
                              .deprecated = text.deprecated,
                              .explanation = sl_str_of(text.explanation),
                              .may_say_more = true};
    SL_TRY(sl_op_spec_split(&spec.inputs, &spec.n_inputs, arena, text.inputs, ',', err));
    SL_TRY(sl_op_spec_split(&spec.outputs, &spec.n_outputs, arena, text.outputs, ',', err));
    SL_TRY(sl_op_spec_split(&spec.attrs, &spec.n_attrs, arena, text.attrs, ';', err));
    struct sl_pb_OpDef *def = SL_ARENA_NEW(arena, struct sl_pb_OpDef);
    struct sl_op *op = SL_ARENA_NEW(arena, struct sl_op);
    if (!def || !op) return sl_fail_memory(err, sizeof *op);
    SL_TRY(sl_op_spec_parse(def, arena, &spec, err));
    SL_TRY(sl_op_from_def(op, arena, def, err));
    op->index = row;
    op->facts = text.facts;
    op->reads = text.reads;
    op->writes = text.writes;
    op->shape = text.shape;
    *out = op;
    return SL_OK;
}

static sl_code op_of_row(const struct sl_op **out, struct sl_op_registry *registry, uint32_t row,
                         struct sl_error *err) {
    *out = atomic_load_explicit(&registry->rows[row], memory_order_acquire);
    if (*out) return SL_OK;
    sl_code code = SL_OK;
    sl_mutex_lock(&registry->mutex);
    *out = atomic_load_explicit(&registry->rows[row], memory_order_relaxed);
    if (!*out) {
        struct sl_op *op = NULL;
        code = parse_row(&op, &registry->arena, row, err);
        if (code == SL_OK) {
            atomic_store_explicit(&registry->rows[row], op, memory_order_release);
            *out = op;
        }
    }
    sl_mutex_unlock(&registry->mutex);
    return code;
}

/* ---- added ops */
static const struct sl_op *find_added(struct sl_op_registry *registry, struct sl_str name) {
    if (!atomic_load_explicit(&registry->n_added, memory_order_acquire)) return NULL;
    sl_mutex_lock(&registry->mutex);
    const struct sl_op *op = sl_str_map_get(&registry->added_by_name, name);
    sl_mutex_unlock(&registry->mutex);
    return op;
}

static sl_code add(const struct sl_op **out, struct sl_op_registry *registry, const struct sl_pb_OpDef *def,
                   sl_shape_function *shape, void *shape_arg, struct sl_error *err) {
    if (sl_str_map_get(&registry->added_by_name, def->name))
        return sl_fail(err, SL_ALREADY_EXISTS, "Op with name %.*s", SL_STR_ARG(def->name));
    struct sl_arena *arena = &registry->arena;
    struct sl_pb_OpDef *copy = SL_ARENA_NEW(arena, struct sl_pb_OpDef);
    struct sl_op *op = SL_ARENA_NEW(arena, struct sl_op);
    if (!copy || !op) return sl_fail_memory(err, sizeof *op);
    struct sl_str bytes;
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(OpDef), def, 0, arena, err));
    SL_TRY(sl_pb_decode(copy, SL_PB_TYPE(OpDef), bytes, arena, err));
    SL_TRY(sl_op_from_def(op, arena, copy, err));
    op->shape = shape;
    op->shape_arg = shape_arg;
    if (sl_vec_reserve(&registry->added, 1) || sl_str_map_put(&registry->added_by_name, op->name, op))
        return sl_fail_memory(err, sizeof op);
    registry->added.items[registry->added.n++] = op;
    atomic_store_explicit(&registry->n_added, registry->added.n, memory_order_release);
    if (out) *out = op;
    return SL_OK;
}

sl_code sl_op_register(const struct sl_op **out, struct sl_op_registry *registry, const struct sl_pb_OpDef *def,
                       sl_shape_function *shape, void *shape_arg, struct sl_error *err) {
    SL_TRY(sl_op_def_check(def, err));
    if (find_row(registry, def->name) < SL_ROW_COUNT)
        return sl_fail(err, SL_ALREADY_EXISTS, "Op with name %.*s", SL_STR_ARG(def->name));
    sl_mutex_lock(&registry->mutex);
    sl_code code = add(out, registry, def, shape, shape_arg, err);
    sl_mutex_unlock(&registry->mutex);
    return code;
}

/* ---- look-up */
static _Atomic(const struct sl_op *) *recent_of(struct sl_op_registry *registry, struct sl_str name) {
    const size_t n = name.n, ends = n ? (unsigned char)name.p[0] + 3u * (unsigned char)name.p[n - 1] : 0;
    return &registry->recent[(5 * n + ends) % RECENT];
}

/* Whoever calls ops one by one calls few of them again and again. */
sl_code sl_op_find(const struct sl_op **out, struct sl_op_registry *registry, struct sl_str name,
                   struct sl_error *err) {
    _Atomic(const struct sl_op *) *recent = recent_of(registry, name);
    *out = atomic_load_explicit(recent, memory_order_acquire);
    if (*out && sl_str_eq((*out)->name, name)) return SL_OK;
    uint32_t row = find_row(registry, name);
    if (row < SL_ROW_COUNT) {
        SL_TRY(op_of_row(out, registry, row, err));
        atomic_store_explicit(recent, *out, memory_order_release);
        return SL_OK;
    }
    *out = find_added(registry, name);
    if (*out) return SL_OK;
    char host[256] = "";
    if (gethostname(host, sizeof host - 1)) host[0] = 0;
    return sl_fail(
        err, SL_NOT_FOUND,
        "Op type not registered '%.*s' in binary running on %s. Make sure the Op and Kernel are registered in "
        "the binary running in this process.",
        SL_STR_ARG(name), host);
}

size_t sl_op_count(struct sl_op_registry *registry) {
    return SL_ROW_COUNT + atomic_load_explicit(&registry->n_added, memory_order_acquire);
}

sl_code sl_op_at(const struct sl_op **out, struct sl_op_registry *registry, size_t i, struct sl_error *err) {
    if (i < SL_ROW_COUNT) return op_of_row(out, registry, (uint32_t)i, err);
    sl_mutex_lock(&registry->mutex);
    i -= SL_ROW_COUNT;
    *out = i < registry->added.n ? registry->added.items[i] : NULL;
    sl_mutex_unlock(&registry->mutex);
    return *out ? SL_OK : sl_fail(err, SL_OUT_OF_RANGE, "There is no op number %zu", i + SL_ROW_COUNT);
}
