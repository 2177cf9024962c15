/* Wrappers of the lookup ops, made by tools/gen_ops.py from src/ops/lookup.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_LOOKUP_OPS_H
#define SLUICE_GEN_LOOKUP_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_anonymous_hash_table_attrs {
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
};
/* AnonymousHashTable: () -> table_handle: resource */
static inline TF_Output sl_anonymous_hash_table(struct sl_scope *scope, struct sl_anonymous_hash_table_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}};
    return sl_op_first(sl_op(scope, "AnonymousHashTable", NULL, 0, attrs_, 2));
}

struct sl_anonymous_mutable_dense_hash_table_attrs {
    TF_DataType value_dtype; /* must be given */
    struct sl_dims value_shape; /* { } */
    int64_t initial_num_buckets; /* 131072 */
    float max_load_factor; /* 0.8 */
};
/* AnonymousMutableDenseHashTable: empty_key: key_dtype, deleted_key: key_dtype -> table_handle: resource */
static inline TF_Output sl_anonymous_mutable_dense_hash_table(struct sl_scope *scope, TF_Output empty_key, TF_Output deleted_key, struct sl_anonymous_mutable_dense_hash_table_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&empty_key, -1}, {&deleted_key, -1}};
    const struct sl_attr_given attrs_[] = {{"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}, {"value_shape", SL_GIVEN_SHAPE, &attrs.value_shape}, {"initial_num_buckets", SL_GIVEN_INT, &attrs.initial_num_buckets}, {"max_load_factor", SL_GIVEN_FLOAT, &attrs.max_load_factor}};
    return sl_op_first(sl_op(scope, "AnonymousMutableDenseHashTable", inputs_, 2, attrs_, 4));
}

struct sl_anonymous_mutable_hash_table_attrs {
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
};
/* AnonymousMutableHashTable: () -> table_handle: resource */
static inline TF_Output sl_anonymous_mutable_hash_table(struct sl_scope *scope, struct sl_anonymous_mutable_hash_table_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}};
    return sl_op_first(sl_op(scope, "AnonymousMutableHashTable", NULL, 0, attrs_, 2));
}

struct sl_anonymous_mutable_hash_table_of_tensors_attrs {
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
    struct sl_dims value_shape; /* { } */
};
/* AnonymousMutableHashTableOfTensors: () -> table_handle: resource */
static inline TF_Output sl_anonymous_mutable_hash_table_of_tensors(struct sl_scope *scope, struct sl_anonymous_mutable_hash_table_of_tensors_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}, {"value_shape", SL_GIVEN_SHAPE, &attrs.value_shape}};
    return sl_op_first(sl_op(scope, "AnonymousMutableHashTableOfTensors", NULL, 0, attrs_, 3));
}

struct sl_hash_table_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    bool use_node_name_sharing; /* false */
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
};
/* HashTable: () -> table_handle: Ref(string) */
static inline TF_Output sl_hash_table(struct sl_scope *scope, struct sl_hash_table_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"use_node_name_sharing", SL_GIVEN_BOOL, &attrs.use_node_name_sharing}, {"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}};
    return sl_op_first(sl_op(scope, "HashTable", NULL, 0, attrs_, 5));
}

struct sl_hash_table_v2_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    bool use_node_name_sharing; /* false */
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
};
/* HashTableV2: () -> table_handle: resource */
static inline TF_Output sl_hash_table_v2(struct sl_scope *scope, struct sl_hash_table_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"use_node_name_sharing", SL_GIVEN_BOOL, &attrs.use_node_name_sharing}, {"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}};
    return sl_op_first(sl_op(scope, "HashTableV2", NULL, 0, attrs_, 5));
}

/* InitializeTable: table_handle: Ref(string), keys: Tkey, values: Tval -> () */
static inline TF_Operation *sl_initialize_table(struct sl_scope *scope, TF_Output table_handle, TF_Output keys, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}, {&values, -1}};
    return sl_op(scope, "InitializeTable", inputs_, 3, NULL, 0);
}

struct sl_initialize_table_from_text_file_attrs {
    int64_t key_index; /* must be given */
    int64_t value_index; /* must be given */
    int64_t vocab_size; /* -1 */
    const char *delimiter; /* '\t' */
    int64_t offset; /* 0 */
};
/* InitializeTableFromTextFile: table_handle: Ref(string), filename: string -> () */
static inline TF_Operation *sl_initialize_table_from_text_file(struct sl_scope *scope, TF_Output table_handle, TF_Output filename, struct sl_initialize_table_from_text_file_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&filename, -1}};
    const struct sl_attr_given attrs_[] = {{"key_index", SL_GIVEN_INT_NEEDED, &attrs.key_index}, {"value_index", SL_GIVEN_INT_NEEDED, &attrs.value_index}, {"vocab_size", SL_GIVEN_INT, &attrs.vocab_size}, {"delimiter", SL_GIVEN_STRING, &attrs.delimiter}, {"offset", SL_GIVEN_INT, &attrs.offset}};
    return sl_op(scope, "InitializeTableFromTextFile", inputs_, 2, attrs_, 5);
}

struct sl_initialize_table_from_text_file_v2_attrs {
    int64_t key_index; /* must be given */
    int64_t value_index; /* must be given */
    int64_t vocab_size; /* -1 */
    const char *delimiter; /* '\t' */
    int64_t offset; /* 0 */
};
/* InitializeTableFromTextFileV2: table_handle: resource, filename: string -> () */
static inline TF_Operation *sl_initialize_table_from_text_file_v2(struct sl_scope *scope, TF_Output table_handle, TF_Output filename, struct sl_initialize_table_from_text_file_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&filename, -1}};
    const struct sl_attr_given attrs_[] = {{"key_index", SL_GIVEN_INT_NEEDED, &attrs.key_index}, {"value_index", SL_GIVEN_INT_NEEDED, &attrs.value_index}, {"vocab_size", SL_GIVEN_INT, &attrs.vocab_size}, {"delimiter", SL_GIVEN_STRING, &attrs.delimiter}, {"offset", SL_GIVEN_INT, &attrs.offset}};
    return sl_op(scope, "InitializeTableFromTextFileV2", inputs_, 2, attrs_, 5);
}

/* InitializeTableV2: table_handle: resource, keys: Tkey, values: Tval -> () */
static inline TF_Operation *sl_initialize_table_v2(struct sl_scope *scope, TF_Output table_handle, TF_Output keys, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}, {&values, -1}};
    return sl_op(scope, "InitializeTableV2", inputs_, 3, NULL, 0);
}

struct sl_lookup_table_export_outputs {
    TF_Output keys, values;
};
struct sl_lookup_table_export_attrs {
    TF_DataType Tkeys; /* must be given */
    TF_DataType Tvalues; /* must be given */
};
/* LookupTableExport: table_handle: Ref(string) -> keys: Tkeys, values: Tvalues */
static inline struct sl_lookup_table_export_outputs sl_lookup_table_export(struct sl_scope *scope, TF_Output table_handle, struct sl_lookup_table_export_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}};
    const struct sl_attr_given attrs_[] = {{"Tkeys", SL_GIVEN_TYPE, &attrs.Tkeys}, {"Tvalues", SL_GIVEN_TYPE, &attrs.Tvalues}};
    TF_Operation *const op_ = sl_op(scope, "LookupTableExport", inputs_, 1, attrs_, 2);
    const struct sl_lookup_table_export_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_lookup_table_export_v2_outputs {
    TF_Output keys, values;
};
struct sl_lookup_table_export_v2_attrs {
    TF_DataType Tkeys; /* must be given */
    TF_DataType Tvalues; /* must be given */
};
/* LookupTableExportV2: table_handle: resource -> keys: Tkeys, values: Tvalues */
static inline struct sl_lookup_table_export_v2_outputs sl_lookup_table_export_v2(struct sl_scope *scope, TF_Output table_handle, struct sl_lookup_table_export_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}};
    const struct sl_attr_given attrs_[] = {{"Tkeys", SL_GIVEN_TYPE, &attrs.Tkeys}, {"Tvalues", SL_GIVEN_TYPE, &attrs.Tvalues}};
    TF_Operation *const op_ = sl_op(scope, "LookupTableExportV2", inputs_, 1, attrs_, 2);
    const struct sl_lookup_table_export_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* LookupTableFind: table_handle: Ref(string), keys: Tin, default_value: Tout -> values: Tout */
static inline TF_Output sl_lookup_table_find(struct sl_scope *scope, TF_Output table_handle, TF_Output keys, TF_Output default_value) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}, {&default_value, -1}};
    return sl_op_first(sl_op(scope, "LookupTableFind", inputs_, 3, NULL, 0));
}

/* LookupTableFindV2: table_handle: resource, keys: Tin, default_value: Tout -> values: Tout */
static inline TF_Output sl_lookup_table_find_v2(struct sl_scope *scope, TF_Output table_handle, TF_Output keys, TF_Output default_value) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}, {&default_value, -1}};
    return sl_op_first(sl_op(scope, "LookupTableFindV2", inputs_, 3, NULL, 0));
}

/* LookupTableImport: table_handle: Ref(string), keys: Tin, values: Tout -> () */
static inline TF_Operation *sl_lookup_table_import(struct sl_scope *scope, TF_Output table_handle, TF_Output keys, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}, {&values, -1}};
    return sl_op(scope, "LookupTableImport", inputs_, 3, NULL, 0);
}

/* LookupTableImportV2: table_handle: resource, keys: Tin, values: Tout -> () */
static inline TF_Operation *sl_lookup_table_import_v2(struct sl_scope *scope, TF_Output table_handle, TF_Output keys, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}, {&values, -1}};
    return sl_op(scope, "LookupTableImportV2", inputs_, 3, NULL, 0);
}

/* LookupTableInsert: table_handle: Ref(string), keys: Tin, values: Tout -> () */
static inline TF_Operation *sl_lookup_table_insert(struct sl_scope *scope, TF_Output table_handle, TF_Output keys, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}, {&values, -1}};
    return sl_op(scope, "LookupTableInsert", inputs_, 3, NULL, 0);
}

/* LookupTableInsertV2: table_handle: resource, keys: Tin, values: Tout -> () */
static inline TF_Operation *sl_lookup_table_insert_v2(struct sl_scope *scope, TF_Output table_handle, TF_Output keys, TF_Output values) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}, {&values, -1}};
    return sl_op(scope, "LookupTableInsertV2", inputs_, 3, NULL, 0);
}

/* LookupTableRemoveV2: table_handle: resource, keys: Tin -> () */
static inline TF_Operation *sl_lookup_table_remove_v2(struct sl_scope *scope, TF_Output table_handle, TF_Output keys) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}, {&keys, -1}};
    return sl_op(scope, "LookupTableRemoveV2", inputs_, 2, NULL, 0);
}

/* LookupTableSize: table_handle: Ref(string) -> size: int64 */
static inline TF_Output sl_lookup_table_size(struct sl_scope *scope, TF_Output table_handle) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}};
    return sl_op_first(sl_op(scope, "LookupTableSize", inputs_, 1, NULL, 0));
}

/* LookupTableSizeV2: table_handle: resource -> size: int64 */
static inline TF_Output sl_lookup_table_size_v2(struct sl_scope *scope, TF_Output table_handle) {
    const struct sl_op_input inputs_[] = {{&table_handle, -1}};
    return sl_op_first(sl_op(scope, "LookupTableSizeV2", inputs_, 1, NULL, 0));
}

struct sl_mutable_dense_hash_table_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    bool use_node_name_sharing; /* false */
    TF_DataType value_dtype; /* must be given */
    struct sl_dims value_shape; /* { } */
    int64_t initial_num_buckets; /* 131072 */
    float max_load_factor; /* 0.8 */
};
/* MutableDenseHashTable: empty_key: key_dtype -> table_handle: Ref(string) */
static inline TF_Output sl_mutable_dense_hash_table(struct sl_scope *scope, TF_Output empty_key, struct sl_mutable_dense_hash_table_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&empty_key, -1}};
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"use_node_name_sharing", SL_GIVEN_BOOL, &attrs.use_node_name_sharing}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}, {"value_shape", SL_GIVEN_SHAPE, &attrs.value_shape}, {"initial_num_buckets", SL_GIVEN_INT, &attrs.initial_num_buckets}, {"max_load_factor", SL_GIVEN_FLOAT, &attrs.max_load_factor}};
    return sl_op_first(sl_op(scope, "MutableDenseHashTable", inputs_, 1, attrs_, 7));
}

struct sl_mutable_dense_hash_table_v2_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    bool use_node_name_sharing; /* false */
    TF_DataType value_dtype; /* must be given */
    struct sl_dims value_shape; /* { } */
    int64_t initial_num_buckets; /* 131072 */
    float max_load_factor; /* 0.8 */
};
/* MutableDenseHashTableV2: empty_key: key_dtype, deleted_key: key_dtype -> table_handle: resource */
static inline TF_Output sl_mutable_dense_hash_table_v2(struct sl_scope *scope, TF_Output empty_key, TF_Output deleted_key, struct sl_mutable_dense_hash_table_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&empty_key, -1}, {&deleted_key, -1}};
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"use_node_name_sharing", SL_GIVEN_BOOL, &attrs.use_node_name_sharing}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}, {"value_shape", SL_GIVEN_SHAPE, &attrs.value_shape}, {"initial_num_buckets", SL_GIVEN_INT, &attrs.initial_num_buckets}, {"max_load_factor", SL_GIVEN_FLOAT, &attrs.max_load_factor}};
    return sl_op_first(sl_op(scope, "MutableDenseHashTableV2", inputs_, 2, attrs_, 7));
}

struct sl_mutable_hash_table_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    bool use_node_name_sharing; /* false */
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
};
/* MutableHashTable: () -> table_handle: Ref(string) */
static inline TF_Output sl_mutable_hash_table(struct sl_scope *scope, struct sl_mutable_hash_table_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"use_node_name_sharing", SL_GIVEN_BOOL, &attrs.use_node_name_sharing}, {"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}};
    return sl_op_first(sl_op(scope, "MutableHashTable", NULL, 0, attrs_, 5));
}

struct sl_mutable_hash_table_of_tensors_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    bool use_node_name_sharing; /* false */
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
    struct sl_dims value_shape; /* { } */
};
/* MutableHashTableOfTensors: () -> table_handle: Ref(string) */
static inline TF_Output sl_mutable_hash_table_of_tensors(struct sl_scope *scope, struct sl_mutable_hash_table_of_tensors_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"use_node_name_sharing", SL_GIVEN_BOOL, &attrs.use_node_name_sharing}, {"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}, {"value_shape", SL_GIVEN_SHAPE, &attrs.value_shape}};
    return sl_op_first(sl_op(scope, "MutableHashTableOfTensors", NULL, 0, attrs_, 6));
}

struct sl_mutable_hash_table_of_tensors_v2_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    bool use_node_name_sharing; /* false */
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
    struct sl_dims value_shape; /* { } */
};
/* MutableHashTableOfTensorsV2: () -> table_handle: resource */
static inline TF_Output sl_mutable_hash_table_of_tensors_v2(struct sl_scope *scope, struct sl_mutable_hash_table_of_tensors_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"use_node_name_sharing", SL_GIVEN_BOOL, &attrs.use_node_name_sharing}, {"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}, {"value_shape", SL_GIVEN_SHAPE, &attrs.value_shape}};
    return sl_op_first(sl_op(scope, "MutableHashTableOfTensorsV2", NULL, 0, attrs_, 6));
}

struct sl_mutable_hash_table_v2_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    bool use_node_name_sharing; /* false */
    TF_DataType key_dtype; /* must be given */
    TF_DataType value_dtype; /* must be given */
};
/* MutableHashTableV2: () -> table_handle: resource */
static inline TF_Output sl_mutable_hash_table_v2(struct sl_scope *scope, struct sl_mutable_hash_table_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"use_node_name_sharing", SL_GIVEN_BOOL, &attrs.use_node_name_sharing}, {"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}, {"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}};
    return sl_op_first(sl_op(scope, "MutableHashTableV2", NULL, 0, attrs_, 5));
}

#ifdef __cplusplus
}
#endif

#endif
