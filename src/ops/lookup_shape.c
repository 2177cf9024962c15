/* Shape functions of lookup tables. A table is a scalar resource; the handle data of one that can change are type and
 * shape of a key and of a value. */
#include "ops/shape_functions.h"

static sl_code set_table(struct sl_shape_ctx *c, struct sl_shape key, struct sl_shape value) {
    int key_type, value_type;
    SL_TRY(sl_infer_type(&key_type, c, "key_dtype"));
    SL_TRY(sl_infer_type(&value_type, c, "value_dtype"));
    struct sl_handle_item *items = SL_ARENA_ARRAY(c->arena, struct sl_handle_item, 2);
    struct sl_shape kept_key = sl_shape_copy(c->arena, key), kept_value = sl_shape_copy(c->arena, value);
    if (!items || kept_key.rank == -2 || kept_value.rank == -2) return sl_fail_memory(c->err, 2 * sizeof *items);
    items[0] = (struct sl_handle_item){key_type, kept_key};
    items[1] = (struct sl_handle_item){value_type, kept_value};
    SL_TRY(sl_infer_set(c, 0, SL_SHAPE_SCALAR));
    c->out_handles[0] = (struct sl_handle_data){2, items};
    return SL_OK;
}

sl_code sl_shape_table(struct sl_shape_ctx *c) { return set_table(c, SL_SHAPE_SCALAR, SL_SHAPE_SCALAR); }

sl_code sl_shape_table_of_tensors(struct sl_shape_ctx *c) {
    struct sl_shape value;
    SL_TRY(sl_infer_shape_attr(&value, c, "value_shape"));
    return set_table(c, SL_SHAPE_SCALAR, value);
}

/* A dense table's keys are like the empty one. */
sl_code sl_shape_table_dense(struct sl_shape_ctx *c) {
    struct sl_shape key, value;
    SL_TRY(sl_infer_with_rank_at_most(&key, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_shape_attr(&value, c, "value_shape"));
    return set_table(c, key, value);
}

/* The values of keys: [keys..., value...], where a key may have dims of its own at the end. */
static sl_code values_of(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape keys, const char *key_attr,
                         const char *value_attr) {
    *out = SL_SHAPE_UNKNOWN;
    if (!c->in_handles || c->in_handles[0].n != 2) return SL_OK;
    const struct sl_handle_item *key = &c->in_handles[0].items[0], *value = key + 1;
    int types[2];
    SL_TRY(sl_infer_type(&types[0], c, key_attr));
    SL_TRY(sl_infer_type(&types[1], c, value_attr));
    for (int k = 0; k < 2; k++)
        if (types[k] != key[k].dtype)
            return sl_infer_fail(c, "Trying to read value with wrong dtype. Expected %s got %s",
                                 sl_dtype_name(key[k].dtype), sl_dtype_name(types[k]));
    if (keys.rank < 0 || key->shape.rank < 0) return SL_OK;
    struct sl_shape suffix, prefix;
    if (keys.rank < key->shape.rank) {
        char text[2][SL_SHAPE_TEXT];
        return sl_infer_fail(c, "Expected keys to have suffix %s but saw shape: %s", sl_shape_text(text[0], key->shape),
                             sl_shape_text(text[1], keys));
    }
    SL_TRY(sl_infer_subshape(&prefix, c, keys, 0, keys.rank - key->shape.rank));
    SL_TRY(sl_infer_subshape(&suffix, c, keys, keys.rank - key->shape.rank, INT64_MAX));
    SL_TRY(sl_infer_merge(&suffix, c, suffix, key->shape));
    return sl_infer_concat(out, c, prefix, value->shape);
}

sl_code sl_shape_table_find(struct sl_shape_ctx *c) {
    struct sl_shape values;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(values_of(&values, c, sl_infer_in(c, 1), "Tin", "Tout"));
    return sl_infer_set(c, 0, values);
}

sl_code sl_shape_table_handle(struct sl_shape_ctx *c) { return sl_infer_check_scalars(c, 0, 1); }
SL_SHAPE_RULE(table_export, "[] -> * *")
SL_SHAPE_RULE(table_import, "[] [n] [n,s...] ->")
SL_SHAPE_RULE(table_size, "[] -> []")
SL_SHAPE_RULE(table_initialize, "[] [n] [n] ->")
SL_SHAPE_RULE(table_initialize_file, "[] [] ->")
SL_SHAPE_RULE(table_remove, "[] [s...,n] ->")
