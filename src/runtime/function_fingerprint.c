/* Functions are numbered in the order in which a walk meets them, and calls are hashed by that number. Attrs and results
 * have no order in the message and none in the hash. */
#include "runtime/function_fingerprint.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "proto/wire.h"

struct fingerprint {
    const struct sl_graph *library;
    struct sl_arena arena;
    struct sl_str_map numbers; /* name -> a function's place in `met`, plus one */
    SL_VEC(const struct sl_function_def *) met;
    sl_code code; /* the first failure */
    struct sl_error *err;
};

static void note(struct fingerprint *x, sl_code code) {
    if (x->code == SL_OK) x->code = code;
}

static uint64_t text_hash(struct sl_str s, uint64_t h) { return sl_hash64(s.p, s.n, sl_hash64_combine(s.n, h)); }

/* A function's number, which it gets now if it is new; other names as they are. */
static uint64_t callee_hash(struct fingerprint *x, struct sl_str name, uint64_t h) {
    const struct sl_function_def *f = sl_graph_function(x->library, name);
    if (!f) return text_hash(name, h);
    uintptr_t number = (uintptr_t)sl_str_map_get(&x->numbers, name);
    if (!number) {
        number = x->met.n + 1;
        if (sl_vec_push(&x->met, f) || sl_str_map_put(&x->numbers, f->name, (void *)number))
            note(x, sl_fail_memory(x->err, sizeof f));
    }
    return sl_hash64_combine(number, h);
}

static uint64_t attrs_hash(struct fingerprint *x, const struct sl_pb_map_string_AttrValue *attrs, uint64_t h);

static uint64_t named_hash(struct fingerprint *x, const struct sl_pb_NameAttrList *named, uint64_t h) {
    return attrs_hash(x, &named->attr, callee_hash(x, named->name, h));
}

static uint64_t attr_hash(struct fingerprint *x, const struct sl_pb_AttrValue *v, uint64_t h) {
    struct sl_str bytes = {NULL, 0};
    if (v->which == SL_PB_AttrValue_func && v->func) return named_hash(x, v->func, h);
    if (v->which == SL_PB_AttrValue_list && v->list && v->list->func.n) {
        for (size_t i = 0; i < v->list->func.n; i++) h = named_hash(x, &v->list->func.items[i], h);
        return h;
    }
    note(x, sl_pb_encode(&bytes, SL_PB_TYPE(AttrValue), v, SL_PB_SORT_MAPS, &x->arena, x->err));
    return text_hash(bytes, h);
}

/* Functions get their numbers in the order of the message, which is that in which the attrs were set. */
static uint64_t attrs_hash(struct fingerprint *x, const struct sl_pb_map_string_AttrValue *attrs, uint64_t h) {
    uint64_t sum = 0;
    for (size_t i = 0; i < attrs->n; i++) {
        const struct sl_str key = attrs->items[i].key;
        if (key.n && key.p[0] == '_') continue; /* hints */
        sum += attr_hash(x, &attrs->items[i].value, text_hash(key, SL_HASH64_SEED));
    }
    return sl_hash64_combine(sum, h);
}

static uint64_t node_hash(struct fingerprint *x, const struct sl_pb_NodeDef *n, uint64_t h) {
    h = text_hash(n->device, text_hash(n->name, callee_hash(x, n->op, h)));
    for (size_t i = 0; i < n->input.n; i++) h = text_hash(n->input.items[i], h);
    return attrs_hash(x, &n->attr, h);
}

static uint64_t args_hash(const struct sl_pb_array_OpDef_ArgDef *args, uint64_t h) {
    for (size_t i = 0; i < args->n; i++)
        h = sl_hash64_combine((uint64_t)args->items[i].type, text_hash(args->items[i].name, h));
    return sl_hash64_combine(args->n, h);
}

static uint64_t body_hash(struct fingerprint *x, const struct sl_pb_FunctionDef *def, uint64_t h) {
    uint64_t results = 0;
    h = args_hash(&def->signature->input_arg, args_hash(&def->signature->output_arg, h));
    for (size_t i = 0; i < def->node_def.n; i++) h = node_hash(x, &def->node_def.items[i], h);
    for (size_t i = 0; i < def->ret.n; i++)
        results += text_hash(def->ret.items[i].value, text_hash(def->ret.items[i].key, SL_HASH64_SEED));
    return sl_hash64_combine(results, h);
}

sl_code sl_function_fingerprint(uint64_t *out, struct sl_runtime *r, struct sl_str function, struct sl_error *err) {
    sl_mutex_lock(&r->library_mutex);
    struct fingerprint x = {.library = r->library, .err = err};
    sl_arena_init(&x.arena);
    *out = callee_hash(&x, function, SL_HASH64_SEED);
    if (x.code == SL_OK && !x.met.n)
        note(&x, sl_fail(err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(function)));
    for (size_t i = 0; i < x.met.n && x.code == SL_OK; i++) *out = body_hash(&x, x.met.items[i]->def, *out);
    sl_mutex_unlock(&r->library_mutex);
    sl_vec_free(&x.met);
    sl_str_map_free(&x.numbers);
    sl_arena_clear(&x.arena);
    return x.code;
}
