/* Lookup tables: keys are int32, int64 or string scalars (dense tables: also vectors), values scalars or vectors.
 *
 * Tables are of four kinds. Static ones are filled once; mutable ones and those of tensors change all the time; all
 * three are a chain map. Dense ones are open addressing over two tensors, which is what they export and import as it
 * stands.
 * Threads: thread-safe. */
#ifndef SL_BACKENDS_ANY_LOOKUP_TABLE_H
#define SL_BACKENDS_ANY_LOOKUP_TABLE_H

#include "backends/any/chain_map.h"
#include "backends/any/session_object.h"

enum sl_table_kind { SL_TABLE_STATIC, SL_TABLE_MUTABLE, SL_TABLE_TENSORS, SL_TABLE_DENSE };

struct sl_table {
    struct sl_session_object base;
    struct sl_rwlock lock;
    enum sl_table_kind kind;
    uint8_t key_dtype, value_dtype;
    int64_t key_dim, value_dim;             /* of vectors */
    struct sl_shape key_shape, value_shape; /* rank 0, or 1 with the dims above */
    int64_t key_count, value_count;         /* elements of one */
    bool is_initialized;                    /* static ones */
    struct sl_chain_map map;                /* all but dense ones */
    /* Dense ones: [n_buckets, key_count] and [n_buckets, value_count]. */
    struct sl_tensor *keys, *values;
    struct sl_tensor *empty_key, *deleted_key;
    int64_t n_buckets, n_used;
    float max_load_factor;
};

extern const struct sl_object_type sl_table_type;

struct sl_table_spec {
    enum sl_table_kind kind;
    int key_dtype, value_dtype;
    struct sl_shape key_shape, value_shape; /* rank 0 or 1 */
};
/* An empty one without names; a dense one also needs sl_dense_init. */
sl_code sl_table_new(struct sl_table **out, const struct sl_table_spec *spec, struct sl_error *err);

int64_t sl_table_size(struct sl_table *t);
/* ---- values are as the kernels get them; types and shapes have been checked, but for what the keys of dense tables
 * must not be */
/* Fills `out` (initialised) with the value of each key, or the default: one for all, or a row for each with
 * `has_defaults`. */
sl_code sl_table_find(struct sl_view out, struct sl_table *t, const struct sl_value *keys, struct sl_view defaults,
                      bool has_defaults, struct sl_error *err);
/* `replaces`: everything else goes first. */
sl_code sl_table_insert(struct sl_table *t, const struct sl_value *keys, const struct sl_value *values, bool replaces,
                        struct sl_error *err);
/* Fills a static table with a key for each value. A second time is fine with as many entries, and changes nothing. */
sl_code sl_table_initialize(struct sl_table *t, const struct sl_value *keys, const struct sl_value *values,
                            struct sl_error *err);
sl_code sl_table_remove(struct sl_table *t, const struct sl_value *keys, struct sl_error *err);
/* Fresh values of all keys and values, in the same order. */
sl_code sl_table_export(struct sl_value *keys, struct sl_value *values, struct sl_table *t, struct sl_error *err);

/* ---- dense_table.c; called by lookup_table.c, with the lock held, and by the kernel that makes one */
sl_code sl_dense_init(struct sl_table *t, const struct sl_value *empty_key, const struct sl_value *deleted_key,
                      int64_t n_buckets, float max_load_factor, struct sl_error *err);
sl_code sl_dense_find(struct sl_view out, const struct sl_table *t, const struct sl_value *keys,
                      struct sl_view defaults, struct sl_error *err);
sl_code sl_dense_insert(struct sl_table *t, const struct sl_value *keys, const struct sl_value *values,
                        struct sl_error *err);
sl_code sl_dense_remove(struct sl_table *t, const struct sl_value *keys, struct sl_error *err);
/* Takes both as the new buckets: keys [n, key_count], values [n, value_count]. */
sl_code sl_dense_import(struct sl_table *t, const struct sl_value *keys, const struct sl_value *values,
                        struct sl_error *err);
sl_code sl_dense_export(struct sl_value *keys, struct sl_value *values, const struct sl_table *t, struct sl_error *err);

#endif
