/* Attrs of an op that is being built, as words where they fit. */
#include "eager/eager_attrs.h"

#include <string.h>

#include "base/hash.h"
#include "tensor/tensor.h"

sl_code sl_eager_attrs_init(struct sl_eager_attrs *attrs, const struct sl_op *op, struct sl_error *err) {
    attrs->op = op;
    attrs->items = attrs->few;
    if (op->n_attrs <= SL_EAGER_FEW_ATTRS) {
        memset(attrs->few, 0, op->n_attrs * sizeof *attrs->few);
        return SL_OK;
    }
    attrs->items = SL_ARENA_ARRAY(&attrs->arena, struct sl_eager_attr, op->n_attrs);
    return attrs->items ? SL_OK : sl_fail_memory(err, op->n_attrs * sizeof *attrs->items);
}

void sl_eager_attrs_clear(struct sl_eager_attrs *attrs) {
    for (size_t i = 0; i < attrs->tensors.n; i++) sl_tensor_unref(attrs->tensors.items[i]);
    sl_vec_free(&attrs->tensors);
    sl_vec_free(&attrs->others);
    sl_arena_clear(&attrs->arena);
    attrs->op = NULL;
}

/* ---- setting */

static bool is_word(const struct sl_pb_AttrValue *v) {
    return !v->unknown && (v->which == SL_PB_AttrValue_type || v->which == SL_PB_AttrValue_i ||
                           v->which == SL_PB_AttrValue_f || v->which == SL_PB_AttrValue_b);
}

static struct sl_eager_attr packed(const struct sl_pb_AttrValue *v) {
    struct sl_eager_attr a = {.which = v->which ? v->which : -1};
    switch (is_word(v) ? v->which : 0) {
    case SL_PB_AttrValue_type: a.word = (uint64_t)v->type; break;
    case SL_PB_AttrValue_i: a.word = (uint64_t)v->i; break;
    case SL_PB_AttrValue_f: memcpy(&a.word, &v->f, sizeof v->f); break;
    case SL_PB_AttrValue_b: a.word = v->b; break;
    default: a.word = sl_attr_hash(v), a.value = v;
    }
    return a;
}

static struct sl_pb_AttrValue unpacked(const struct sl_eager_attr *a) {
    if (a->value) return *a->value;
    struct sl_pb_AttrValue v = {.which = a->which};
    switch (a->which) {
    case SL_PB_AttrValue_type: v.type = (int32_t)a->word; break;
    case SL_PB_AttrValue_f: memcpy(&v.f, &a->word, sizeof v.f); break;
    case SL_PB_AttrValue_b: v.b = a->word != 0; break;
    default: v.i = (int64_t)a->word;
    }
    return v;
}

static sl_code put_other(struct sl_eager_attrs *attrs, struct sl_str name, const struct sl_pb_AttrValue *value,
                         struct sl_error *err) {
    for (size_t i = 0; i < attrs->others.n; i++)
        if (sl_str_eq(attrs->others.items[i].name, name)) return SL_OK;
    struct sl_attr attr = {sl_arena_str(&attrs->arena, name), value};
    if (!attr.name.p || sl_vec_push(&attrs->others, attr)) return sl_fail_memory(err, sizeof attr);
    return SL_OK;
}

sl_code sl_eager_attrs_put(struct sl_eager_attrs *attrs, struct sl_str name, const struct sl_pb_AttrValue *value,
                           struct sl_error *err) {
    int at = sl_op_attr_index(attrs->op, name);
    if (at < 0) return put_other(attrs, name, value, err);
    if (!attrs->items[at].which) attrs->items[at] = packed(value);
    return SL_OK;
}

/* ---- reading */

sl_code sl_eager_attrs_given(struct sl_attrs *out, struct sl_arena *arena, const struct sl_eager_attrs *attrs,
                             struct sl_error *err) {
    const size_t most = attrs->op->n_attrs + attrs->others.n;
    struct sl_attr *items = SL_ARENA_ARRAY(arena, struct sl_attr, most + 1);
    struct sl_pb_AttrValue *values = SL_ARENA_ARRAY(arena, struct sl_pb_AttrValue, most + 1);
    if (!items || !values) return sl_fail_memory(err, most * (sizeof *items + sizeof *values));
    int n = 0;
    for (int a = 0; a < attrs->op->n_attrs; a++) {
        if (!attrs->items[a].which) continue;
        values[n] = unpacked(&attrs->items[a]);
        items[n] = (struct sl_attr){attrs->op->attrs[a].name, &values[n]};
        n++;
    }
    for (size_t i = 0; i < attrs->others.n; i++) items[n++] = attrs->others.items[i];
    *out = (struct sl_attrs){items, n};
    return SL_OK;
}

/* Values are copied deeply: what they borrow from tensors, too. */
static sl_code copy_value(const struct sl_pb_AttrValue **out, struct sl_arena *arena, const struct sl_attr *from,
                          struct sl_error *err) {
    struct sl_attrs copy;
    SL_TRY(sl_attrs_copy(&copy, arena, &(struct sl_attrs){from, 1}, err));
    *out = copy.items[0].value;
    return SL_OK;
}

sl_code sl_eager_attrs_copy(struct sl_eager_attrs *to, const struct sl_eager_attrs *from, struct sl_error *err) {
    SL_TRY(sl_eager_attrs_init(to, from->op, err));
    for (int a = 0; a < from->op->n_attrs; a++) {
        to->items[a] = from->items[a];
        const struct sl_attr attr = {from->op->attrs[a].name, from->items[a].value};
        if (attr.value) SL_TRY(copy_value(&to->items[a].value, &to->arena, &attr, err));
    }
    for (size_t i = 0; i < from->others.n; i++) {
        const struct sl_pb_AttrValue *value;
        SL_TRY(copy_value(&value, &to->arena, &from->others.items[i], err));
        SL_TRY(put_other(to, from->others.items[i].name, value, err));
    }
    return SL_OK;
}

static bool equal_others(const struct sl_eager_attrs *a, const struct sl_eager_attrs *b) {
    if (a->others.n != b->others.n) return false;
    const struct sl_attrs with = {b->others.items, (int)b->others.n};
    for (size_t i = 0; i < a->others.n; i++) {
        const struct sl_pb_AttrValue *other = sl_attr_find(&with, a->others.items[i].name);
        if (!other || !sl_attr_equal(a->others.items[i].value, other)) return false;
    }
    return true;
}

bool sl_eager_attrs_equal(const struct sl_eager_attrs *a, const struct sl_eager_attrs *b) {
    for (int i = 0; i < a->op->n_attrs; i++) {
        const struct sl_eager_attr *x = &a->items[i], *y = &b->items[i];
        if (x->which != y->which || x->word != y->word) return false;
        if (x->value && !sl_attr_equal(x->value, y->value)) return false;
    }
    return equal_others(a, b);
}

uint64_t sl_eager_attrs_hash(const struct sl_eager_attrs *attrs) {
    uint64_t hash = 0, others = 0;
    for (int a = 0; a < attrs->op->n_attrs; a++)
        hash = sl_hash_mix(hash, attrs->items[a].word ^ (uint64_t)attrs->items[a].which << 56);
    for (size_t i = 0; i < attrs->others.n; i++)
        others += sl_hash_mix(sl_hash_name(attrs->others.items[i].name.p, attrs->others.items[i].name.n),
                              sl_attr_hash(attrs->others.items[i].value));
    return others ? sl_hash_mix(hash, others) : hash;
}
