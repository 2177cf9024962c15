/* Lookup tables: making them, filling, finding, exporting. What a table does with keys and values stands in table.h;
 * here types and shapes are checked, with the words that TensorFlow has for it. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>

#include "backends/any/kernel_signature.h"
#include "backends/any/lookup_kernels.h"
#include "backends/any/table_file.h"
#include "base/alloc.h"
#include "kernel/slices.h"

/* ---- making */

struct make_state {
    struct sl_session_maker maker;
    bool is_anonymous;
    struct sl_table_spec spec;
    int64_t value_dim;
    int64_t n_buckets; /* dense ones, and the next */
    float max_load_factor;
};

static void make_destroy(void *state) {
    struct make_state *s = state;
    if (!s->is_anonymous) sl_session_maker_clear(&s->maker);
    sl_free(s);
}

static sl_code read_value_shape(struct make_state *s, const struct sl_attrs *attrs, struct sl_error *err) {
    struct sl_arena scratch;
    struct sl_shape shape;
    char text[SL_SHAPE_TEXT];
    sl_arena_init(&scratch);
    sl_code code = sl_attr_shape(&shape, &scratch, attrs, "value_shape", err);
    if (code == SL_OK && shape.rank < 0) shape = SL_SHAPE_SCALAR;
    if (code == SL_OK && !sl_shape_is_known(shape))
        code = sl_fail(err, SL_INVALID_ARGUMENT, "Shape %s is not fully defined", sl_shape_text(text, shape));
    else if (code == SL_OK && shape.rank > 1)
        code = sl_fail(err, SL_INVALID_ARGUMENT, "%s value must be a %svector, got shape %s",
                       s->spec.kind == SL_TABLE_DENSE ? "Empty" : "Default",
                       s->spec.kind == SL_TABLE_DENSE ? "scalar or a " : "", sl_shape_text(text, shape));
    if (code == SL_OK && shape.rank == 1) {
        s->value_dim = shape.dims[0];
        s->spec.value_shape = (struct sl_shape){1, &s->value_dim};
    }
    sl_arena_clear(&scratch);
    return code;
}

static sl_code read_dense(struct make_state *s, const struct sl_attrs *attrs, struct sl_error *err) {
    SL_TRY(sl_attr_int(&s->n_buckets, attrs, "initial_num_buckets", err));
    SL_TRY(sl_attr_float(&s->max_load_factor, attrs, "max_load_factor", err));
    if (!(s->max_load_factor > 0 && s->max_load_factor < 1))
        return sl_fail(err, SL_INVALID_ARGUMENT, "max_load_factor must be between 0 and 1, got: %g",
                       (double)s->max_load_factor);
    if (s->n_buckets < 4 || (s->n_buckets & (s->n_buckets - 1)))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Number of buckets must be at least 4 and a power of 2, got: %" PRId64,
                       s->n_buckets);
    return SL_OK;
}

static sl_code read_spec(struct make_state *s, const struct sl_kernel_setup *setup) {
    struct sl_str op = setup->op->name;
    SL_TRY(sl_attr_type(&s->spec.key_dtype, setup->attrs, "key_dtype", setup->err));
    SL_TRY(sl_attr_type(&s->spec.value_dtype, setup->attrs, "value_dtype", setup->err));
    s->is_anonymous = sl_str_starts(op, SL_STR("Anonymous"));
    if (s->is_anonymous) op = (struct sl_str){op.p + strlen("Anonymous"), op.n - strlen("Anonymous")};
    s->spec.kind = sl_str_starts(op, SL_STR("MutableHashTableOfTensors")) ? SL_TABLE_TENSORS
                   : sl_str_starts(op, SL_STR("MutableHashTable"))        ? SL_TABLE_MUTABLE
                   : sl_str_starts(op, SL_STR("MutableDense"))            ? SL_TABLE_DENSE
                                                                          : SL_TABLE_STATIC;
    if (s->spec.kind == SL_TABLE_TENSORS || s->spec.kind == SL_TABLE_DENSE)
        SL_TRY(read_value_shape(s, setup->attrs, setup->err));
    return s->spec.kind == SL_TABLE_DENSE ? read_dense(s, setup->attrs, setup->err) : SL_OK;
}

static sl_code make_create(void **state, struct sl_kernel_setup *setup) {
    struct make_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = read_spec(s, setup);
    if (code == SL_OK && !s->is_anonymous) code = sl_session_maker_init(&s->maker, setup, SL_NAMED_BY_ATTR);
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

static sl_code make_dense(struct sl_table **out, struct sl_kernel_context *k, const struct make_state *s) {
    if (sl_in_count(k) < 2) return sl_invalid(k, "Unknown input name: deleted_key");
    struct sl_view empty = sl_in(k, 0), deleted = sl_in(k, 1);
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (empty.rank > 1 || !empty.count)
        return sl_invalid(k, "Empty key must be a scalar or a vector, got shape %s",
                          sl_shape_text(a, sl_view_shape(empty)));
    if (!sl_shape_equal(sl_view_shape(empty), sl_view_shape(deleted)))
        return sl_invalid(k, "Empty and deleted keys must have same shape, got shapes: %s and %s",
                          sl_shape_text(a, sl_view_shape(empty)), sl_shape_text(b, sl_view_shape(deleted)));
    struct sl_table_spec spec = s->spec;
    spec.key_shape = sl_view_shape(empty);
    struct sl_table *t;
    SL_TRY(sl_table_new(&t, &spec, k->err));
    sl_code code = sl_dense_init(t, sl_in_value(k, 0), sl_in_value(k, 1), s->n_buckets, s->max_load_factor, k->err);
    if (code == SL_OK) *out = t;
    else sl_object_unref(&t->base.object);
    return code;
}

static sl_code make_table(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    struct sl_kernel_context *k = *(struct sl_kernel_context *const *)arg;
    const struct make_state *s = k->state;
    struct sl_table *t = NULL;
    if (s->spec.kind == SL_TABLE_TENSORS && s->spec.value_shape.rank == 0)
        return sl_invalid(k, "Default value must be a vector, got shape []");
    SL_TRY(s->spec.kind == SL_TABLE_DENSE ? make_dense(&t, k, s) : sl_table_new(&t, &s->spec, err));
    *out = &t->base;
    return SL_OK;
}

static sl_code check_table(struct sl_session_object *o, const void *arg, struct sl_error *err) {
    const struct make_state *s = (*(struct sl_kernel_context *const *)arg)->state;
    const struct sl_table *t = (const struct sl_table *)o;
    if (t->key_dtype == s->spec.key_dtype && t->value_dtype == s->spec.value_dtype) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Conflicting key/value dtypes %s->%s with %s-%s for table %s",
                   sl_dtype_name(s->spec.key_dtype), sl_dtype_name(s->spec.value_dtype), sl_dtype_name(t->key_dtype),
                   sl_dtype_name(t->value_dtype), o->name);
}

static sl_code make_run(struct sl_kernel_context *k) {
    struct make_state *s = k->state;
    struct sl_session_object *o;
    if (s->is_anonymous) {
        SL_TRY(make_table(&o, &k, k->err));
        sl_out_object(k, 0, &o->object);
        return SL_OK;
    }
    SL_TRY(sl_session_object_get(&o, k, &s->maker, &sl_table_type, make_table, check_table, &k));
    return sl_session_object_give(k, &s->maker);
}

/* ---- shapes */

sl_code sl_with_table(struct sl_kernel_context *k, sl_table_work work) {
    struct sl_held held;
    SL_TRY(sl_session_object_hold(&held, k, &sl_table_type));
    sl_code code = work(k, (struct sl_table *)held.object);
    sl_held_release(held);
    return code;
}

/* The shape of the values of keys of shape `keys`: its dims but those of a key, then those of a value. Input 1 has
 * the keys. */
static sl_code values_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k,
                            const struct sl_table *t) {
    struct sl_view keys = sl_in(k, 1);
    int outer = keys.rank - t->key_shape.rank;
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (outer < 0 || (t->key_shape.rank && keys.dims[outer] != t->key_dim))
        return sl_invalid(k, "Input key shape %s must end with the table's key shape %s",
                          sl_shape_text(a, sl_view_shape(keys)), sl_shape_text(b, t->key_shape));
    if (outer + t->value_shape.rank > SL_MAX_RANK) return sl_invalid(k, "keys have too many dimensions");
    if (outer) memcpy(dims, keys.dims, (size_t)outer * sizeof *dims);
    if (t->value_shape.rank) dims[outer] = t->value_dim;
    *out = (struct sl_shape){outer + t->value_shape.rank, dims};
    return SL_OK;
}

/* Dense tables take the keys one by one along the first dimension. */
static sl_code check_dense_keys(struct sl_kernel_context *k, const struct sl_table *t) {
    struct sl_view keys = sl_in(k, 1);
    if (t->kind != SL_TABLE_DENSE) return SL_OK;
    int64_t n = keys.rank ? keys.dims[0] : 1, dims[2] = {n, t->key_dim};
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (keys.count % t->key_count == 0 && keys.count / t->key_count == n) return SL_OK;
    return sl_invalid(k, "Expected key shape %s got %s",
                      sl_shape_text(a, (struct sl_shape){1 + t->key_shape.rank, dims}),
                      sl_shape_text(b, sl_view_shape(keys)));
}

static sl_code check_values(struct sl_kernel_context *k, const struct sl_table *t) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape wanted, got = sl_view_shape(sl_in(k, 2));
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    SL_TRY(values_shape(&wanted, dims, k, t));
    if (!sl_shape_equal(wanted, got))
        return sl_invalid(k, "Expected shape %s for value, got %s", sl_shape_text(a, wanted), sl_shape_text(b, got));
    return check_dense_keys(k, t);
}

static sl_code check_types(struct sl_kernel_context *k, const struct sl_table *t, int n_in, int n_out) {
    const uint8_t types[] = {t->key_dtype, t->value_dtype};
    return sl_kernel_signature_check(k, types, n_in, n_out == 2 ? types : types + 1, n_out);
}

/* ---- what tables do */

static sl_code find(struct sl_kernel_context *k, struct sl_table *t) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    struct sl_view out, defaults = sl_in(k, 2);
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT], c[SL_SHAPE_TEXT];
    SL_TRY(check_types(k, t, 2, 1));
    SL_TRY(values_shape(&shape, dims, k, t));
    struct sl_shape given = sl_view_shape(defaults);
    bool is_one = sl_shape_equal(given, t->value_shape);
    if (!is_one && !sl_shape_equal(given, shape))
        return sl_invalid(k, "Expected shape %s or %s for default value, got %s", sl_shape_text(a, t->value_shape),
                          sl_shape_text(b, shape), sl_shape_text(c, given));
    SL_TRY(check_dense_keys(k, t));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    if (!sl_dtype_is_plain(out.dtype) || out.count)
        return sl_table_find(out, t, sl_in_value(k, 1), defaults, !is_one, k->err);
    return SL_OK;
}

static sl_code size(struct sl_kernel_context *k, struct sl_table *t) { return sl_out_int(k, 0, sl_table_size(t)); }

static sl_code insert(struct sl_kernel_context *k, struct sl_table *t) {
    SL_TRY(check_types(k, t, 2, 0));
    SL_TRY(check_values(k, t));
    if (t->kind == SL_TABLE_STATIC)
        return sl_fail(k->err, SL_UNIMPLEMENTED, "Insert not supported by InitializableLookupTable implementations");
    return sl_table_insert(t, sl_in_value(k, 1), sl_in_value(k, 2), false, k->err);
}

/* Keys and values are the buckets themselves, as they were exported. */
static sl_code import_dense(struct sl_kernel_context *k, struct sl_table *t) {
    struct sl_view keys = sl_in(k, 1), values = sl_in(k, 2);
    int64_t dims[2] = {keys.rank == 2 ? keys.dims[0] : 1, t->value_dim};
    struct sl_shape wanted = keys.rank == 2 ? (struct sl_shape){2, dims} : (struct sl_shape){1, &dims[1]};
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (!sl_shape_equal(wanted, sl_view_shape(values)))
        return sl_invalid(k, "Expected shape %s for value, got %s", sl_shape_text(a, wanted),
                          sl_shape_text(b, sl_view_shape(values)));
    if (keys.rank != 2 || keys.dims[0] < 1 || keys.dims[1] != t->key_dim)
        return sl_invalid(k, "Expected key shape [?,%" PRId64 "] got %s", t->key_dim,
                          sl_shape_text(a, sl_view_shape(keys)));
    return sl_table_insert(t, sl_in_value(k, 1), sl_in_value(k, 2), true, k->err);
}

static sl_code import(struct sl_kernel_context *k, struct sl_table *t) {
    SL_TRY(check_types(k, t, 2, 0));
    if (t->kind == SL_TABLE_DENSE) return import_dense(k, t);
    SL_TRY(check_values(k, t));
    if (t->kind == SL_TABLE_STATIC) return sl_table_initialize(t, sl_in_value(k, 1), sl_in_value(k, 2), k->err);
    return sl_table_insert(t, sl_in_value(k, 1), sl_in_value(k, 2), true, k->err);
}

static sl_code remove_keys(struct sl_kernel_context *k, struct sl_table *t) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    SL_TRY(check_types(k, t, 1, 0));
    SL_TRY(values_shape(&shape, dims, k, t));
    SL_TRY(check_dense_keys(k, t));
    if (t->kind == SL_TABLE_STATIC)
        return sl_fail(k->err, SL_UNIMPLEMENTED, "Remove not supported by InitializableLookupTable implementations");
    return sl_table_remove(t, sl_in_value(k, 1), k->err);
}

static sl_code export(struct sl_kernel_context *k, struct sl_table *t) {
    SL_TRY(check_types(k, t, 0, 2));
    return sl_table_export(sl_out_value(k, 0), sl_out_value(k, 1), t, k->err);
}

sl_code sl_table_check_initializable(struct sl_kernel_context *k, const struct sl_table *t) {
    if (t->kind == SL_TABLE_STATIC) return SL_OK;
    return sl_invalid(k, "Table %s %s is not initializable", t->base.container ? t->base.container : "",
                      t->base.name ? t->base.name : "");
}

static sl_code initialize(struct sl_kernel_context *k, struct sl_table *t) {
    char text[SL_SHAPE_TEXT];
    struct sl_view keys = sl_in(k, 1), values = sl_in(k, 2);
    SL_TRY(sl_table_check_initializable(k, t));
    SL_TRY(check_types(k, t, 2, 0));
    if (keys.rank != 1)
        return sl_invalid(k, "Keys must be a vector, but received shape%s", sl_shape_text(text, sl_view_shape(keys)));
    if (keys.count != values.count)
        return sl_invalid(k, "Keys and values must have the same size %" PRId64 " vs %" PRId64, keys.count,
                          values.count);
    if (!keys.count) return sl_invalid(k, "keys and values cannot be empty tensors.");
    return sl_table_initialize(t, sl_in_value(k, 1), sl_in_value(k, 2), k->err);
}

static sl_code find_run(struct sl_kernel_context *k) { return sl_with_table(k, find); }
static sl_code size_run(struct sl_kernel_context *k) { return sl_with_table(k, size); }
static sl_code insert_run(struct sl_kernel_context *k) { return sl_with_table(k, insert); }
static sl_code import_run(struct sl_kernel_context *k) { return sl_with_table(k, import); }
static sl_code remove_run(struct sl_kernel_context *k) { return sl_with_table(k, remove_keys); }
static sl_code export_run(struct sl_kernel_context *k) { return sl_with_table(k, export); }
static sl_code initialize_run(struct sl_kernel_context *k) { return sl_with_table(k, initialize); }

/* ---- from a file */

static sl_code file_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_table_file *f = sl_calloc(1, sizeof *f);
    if (!f) return sl_fail_memory(setup->err, sizeof *f);
    struct sl_str delimiter = {NULL, 0};
    const struct sl_attrs *attrs = setup->attrs;
    sl_code code = sl_attr_int(&f->key_column, attrs, "key_index", setup->err);
    if (code == SL_OK) code = sl_attr_int(&f->value_column, attrs, "value_index", setup->err);
    if (code == SL_OK) code = sl_attr_int(&f->n_lines, attrs, "vocab_size", setup->err);
    if (code == SL_OK) code = sl_attr_int(&f->offset, attrs, "offset", setup->err);
    if (code == SL_OK) code = sl_attr_string(&delimiter, attrs, "delimiter", setup->err);
    if (code == SL_OK && delimiter.n != 1)
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "delimiter should be only 1 char");
    if (code == SL_OK) {
        f->delimiter = delimiter.p[0];
        *state = f;
    } else {
        sl_free(f);
    }
    return code;
}

static sl_code initialize_from_file(struct sl_kernel_context *k, struct sl_table *t) {
    struct sl_view name = sl_in(k, 1);
    char text[SL_SHAPE_TEXT];
    SL_TRY(sl_table_check_initializable(k, t));
    if (name.dtype != SL_STRING || name.count != 1)
        return sl_invalid(k, "filename should be a single string, but got %s",
                          sl_shape_text(text, sl_view_shape(name)));
    struct sl_str path = sl_string_get(name.data);
    if (!path.n) return sl_invalid(k, "filename cannot be empty.");
    struct sl_value keys, values;
    SL_TRY(sl_table_file_read(&keys, &values, k->state, path, t->key_dtype, t->value_dtype, k->err));
    sl_code code = sl_table_initialize(t, &keys, &values, k->err);
    sl_value_clear(&keys);
    sl_value_clear(&values);
    return code;
}

static sl_code file_run(struct sl_kernel_context *k) { return sl_with_table(k, initialize_from_file); }

/* clang-format off */
#define KEYS RULE("key_dtype", SL_SET(INT32) | SL_SET(INT64) | SL_SET(STRING))
#define SCALARS (SL_SET(BOOL) | SL_SET(DOUBLE) | SL_SET(FLOAT) | SL_SET(INT32) | SL_SET(INT64) | SL_SET(STRING))
#define MAKE(op, values) KERNEL(op, KEYS RULE("value_dtype", values), .run = make_run, .create = make_create, .destroy = make_destroy)
#define DENSE_VALUES ((SCALARS & ~SL_SET(STRING)) | SL_SET(RESOURCE) | SL_SET(VARIANT))
#define BOTH(op, run_) KERNEL(op, NO_RULE, .run = run_) KERNEL(op "V2", NO_RULE, .run = run_)
#define FROM_FILE(op) KERNEL(op, NO_RULE, .run = file_run, .create = file_create, .destroy = sl_free)
const struct sl_kernel_def sl_any_lookup_rows[] = {
    MAKE("HashTable", SCALARS)
    MAKE("HashTableV2", SCALARS)
    MAKE("AnonymousHashTable", SCALARS)
    MAKE("MutableHashTable", SCALARS | SL_SET(VARIANT))
    MAKE("MutableHashTableV2", SCALARS | SL_SET(VARIANT))
    MAKE("AnonymousMutableHashTable", SCALARS | SL_SET(VARIANT))
    MAKE("MutableHashTableOfTensors", SCALARS)
    MAKE("MutableHashTableOfTensorsV2", SCALARS)
    MAKE("AnonymousMutableHashTableOfTensors", SCALARS)
    MAKE("MutableDenseHashTable", DENSE_VALUES)
    MAKE("MutableDenseHashTableV2", DENSE_VALUES)
    MAKE("AnonymousMutableDenseHashTable", DENSE_VALUES)
    BOTH("LookupTableFind", find_run)
    BOTH("LookupTableSize", size_run)
    BOTH("LookupTableInsert", insert_run)
    BOTH("LookupTableImport", import_run)
    BOTH("LookupTableExport", export_run)
    KERNEL("LookupTableRemoveV2", NO_RULE, .run = remove_run)
    BOTH("InitializeTable", initialize_run)
    FROM_FILE("InitializeTableFromTextFile")
    FROM_FILE("InitializeTableFromTextFileV2")
    SL_ROWS_END
};
/* clang-format on */
