/* Bundles and checkpoints of version 1: round trips, TensorFlow's own files, slices, merging, damage, and what is
 * left when a save ends at any system call. */
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "ckpt/bundle_entry.h"
#include "ckpt/checkpoint.h"
#include "ckpt/checkpoint_v1.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"
#include "os/fault.h"
#include "os/file.h"
#include "tensor/variant_data.h"
#include "tensor/variant_int.h"
#include "unit/os/scratch.h"

#define DATA SL_TEST_DATA "/ckpt/"

/* A tensor whose bytes count up from `first`. */
static struct sl_tensor *counting(int dtype, int rank, const int64_t *dims, int first) {
    struct sl_error err;
    struct sl_tensor *t;
    assert_ok(err, sl_tensor_new(&t, dtype, (struct sl_shape){rank, dims}, &err));
    for (size_t i = 0; sl_dtype_is_plain(dtype) && i < t->bytes; i++)
        ((unsigned char *)t->data)[i] = (unsigned char)(dtype == SL_BOOL ? i % 2 : i + (size_t)first);
    for (int64_t i = 0; dtype == SL_STRING && i < t->count; i++) {
        char text[300] = {0};
        int n = (int)((i * 37 + first) % 300);
        memset(text, 'a' + (int)(i % 26), (size_t)n);
        assert_ok(err, sl_string_set((TF_TString *)t->data + i, (struct sl_str){text, (size_t)n}, &err));
    }
    return t;
}

static void assert_same(const struct sl_tensor *a, const struct sl_tensor *b) {
    assert_int_equal(a->dtype, b->dtype);
    assert_true(sl_shape_equal(sl_tensor_shape(a), sl_tensor_shape(b)));
    if (a->dtype != SL_STRING) assert_memory_equal(a->data, b->data, a->bytes);
    for (int64_t i = 0; a->dtype == SL_STRING && i < a->count; i++)
        assert_true(sl_str_eq(sl_string_get((TF_TString *)a->data + i), sl_string_get((TF_TString *)b->data + i)));
}

static bool is_storable(int dtype) { return dtype != SL_RESOURCE && dtype != SL_VARIANT; }

/* ---- both ways */

static void every_type_comes_back(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_v1_writer *v;
    struct sl_checkpoint *c[2];
    const int64_t dims[] = {3, 5};
    assert_ok(err,
              sl_bundle_writer_open(&w, "new/dir/types", &(struct sl_bundle_writer_options){.alignment = 16}, &err));
    assert_ok(err, sl_v1_writer_open(&v, "new/types.v1", &err));
    for (int dtype = 1; dtype < SL_DTYPE_COUNT; dtype++) {
        if (!is_storable(dtype)) continue;
        struct sl_tensor *t = counting(dtype, dtype % 3, dims, dtype);
        assert_ok(err, sl_bundle_writer_add(w, sl_str_of(sl_dtype_name(dtype)), t, &err));
        assert_ok(err, sl_v1_writer_add(v, sl_str_of(sl_dtype_name(dtype)), sl_tensor_shape(t), NULL, t, &err));
        sl_tensor_unref(t);
    }
    assert_ok(err, sl_bundle_writer_finish(w, &err));
    assert_ok(err, sl_v1_writer_finish(v, &err));
    assert_ok(err, sl_checkpoint_open(&c[0], "new/dir/types", sl_pool_shared(), &err));
    assert_ok(err, sl_checkpoint_open(&c[1], "new/types.v1", NULL, &err));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sl_checkpoint_version(c[i]), 2 - i);
        for (int dtype = 1; dtype < SL_DTYPE_COUNT; dtype++) {
            if (!is_storable(dtype)) continue;
            struct sl_tensor *t = counting(dtype, dtype % 3, dims, dtype), *back;
            assert_ok(err, sl_checkpoint_read(&back, c[i], sl_str_of(sl_dtype_name(dtype)), NULL, &err));
            assert_same(t, back);
            sl_tensor_unref(t);
            sl_tensor_unref(back);
        }
        struct sl_tensor *none;
        assert_fails(err, SL_NOT_FOUND, "not found in checkpoint",
                     sl_checkpoint_read(&none, c[i], SL_STR("nobody"), NULL, &err));
        sl_checkpoint_close(c[i]);
    }
    assert_string_equal(scratch_names("new/dir"), "types.data-00000-of-00001 types.index ");
}

/* Any byte may stand in a file where a bool is. */
static void bools_are_0_or_1(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_checkpoint *c;
    struct sl_tensor *t = counting(SL_BOOL, 1, (int64_t[]){3}, 0), *back;
    memcpy(t->data, "\0\2\xff", 3);
    assert_ok(err, sl_bundle_writer_open(&w, "bools", NULL, &err));
    assert_ok(err, sl_bundle_writer_add(w, SL_STR("b"), t, &err));
    assert_ok(err, sl_bundle_writer_finish(w, &err));
    assert_ok(err, sl_checkpoint_open(&c, "bools", NULL, &err));
    assert_ok(err, sl_checkpoint_read(&back, c, SL_STR("b"), NULL, &err));
    assert_memory_equal(back->data, "\0\1\1", 3);
    sl_checkpoint_close(c);
    sl_tensor_unref(back);
    sl_tensor_unref(t);
}

/* An empty one, and one with a tensor in it. */
static void variants_stand_as_messages(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_checkpoint *c;
    struct sl_tensor *t = counting(SL_VARIANT, 1, (int64_t[]){2}, 0), *inner = counting(SL_INT64, 1, (int64_t[]){2}, 5),
                     *back;
    struct sl_object **objects = t->data;
    assert_ok(err, sl_variant_data_new(&objects[1], SL_STR(SL_VARIANT_ITERATOR_STATE), SL_STR("path@@key"), &inner, 1,
                                       &err));
    assert_ok(err, sl_bundle_writer_open(&w, "variants", NULL, &err));
    assert_ok(err, sl_bundle_writer_add(w, SL_STR("v"), t, &err));
    assert_ok(err, sl_bundle_writer_finish(w, &err));
    assert_ok(err, sl_checkpoint_open(&c, "variants", NULL, &err));
    assert_ok(err, sl_checkpoint_read(&back, c, SL_STR("v"), NULL, &err));
    objects = back->data;
    const struct sl_variant_data *v = sl_variant_data_of(objects[1], SL_VARIANT_ITERATOR_STATE);
    assert_true(back->count == 2 && !objects[0] && v && v->n == 1);
    assert_true(sl_str_is(v->metadata, "path@@key"));
    assert_memory_equal(v->tensors[0]->data, inner->data, inner->bytes);
    assert_null(sl_variant_data_of(objects[1], SL_VARIANT_COMPRESSED_ELEMENT));
    sl_checkpoint_close(c);
    sl_tensor_unref(back);
    sl_tensor_unref(inner);
    sl_tensor_unref(t);
}

static void what_cannot_be_saved(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_tensor *variant = counting(SL_VARIANT, 0, NULL, 0), *t = counting(SL_FLOAT, 0, NULL, 0);
    assert_ok(err, sl_variant_int_decode(variant->data, (struct sl_str){"\1\0\0", 4}, &err));
    assert_ok(err, sl_bundle_writer_open(&w, "refused/x", NULL, &err));
    assert_fails(err, SL_UNIMPLEMENTED, "'v' is of type variant", sl_bundle_writer_add(w, SL_STR("v"), variant, &err));
    assert_ok(err, sl_bundle_writer_add(w, SL_STR("t"), t, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "duplicate key: t", sl_bundle_writer_add(w, SL_STR("t"), t, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "needs a name", sl_bundle_writer_add(w, SL_STR(""), t, &err));
    sl_bundle_writer_abandon(w);
    assert_string_equal(scratch_names("refused"), "");
    sl_tensor_unref(variant);
    sl_tensor_unref(t);
}

/* ---- files of TensorFlow */

static char *file_bytes(const char *path, size_t *n) {
    struct sl_error err;
    char *bytes;
    assert_ok(err, sl_file_read(&bytes, n, path, SIZE_MAX / 2, &err));
    return bytes;
}

static void assert_equal_files(const char *a, const char *b) {
    size_t n, m;
    char *x = file_bytes(a, &n), *y = file_bytes(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    sl_free(x);
    sl_free(y);
}

/* Order in which `types` was saved. */
static const char *const saved_names[] = {"float", "double",  "int64", "int32", "int8", "uint16",
                                          "half",  "complex", "bool",  "empty", "text"};

static void tensorflows_files_are_read_and_written_alike(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_v1_writer *v;
    struct sl_checkpoint *two, *one;
    assert_ok(err, sl_checkpoint_open(&two, DATA "types", NULL, &err));
    assert_ok(err, sl_checkpoint_open(&one, DATA "types.v1", NULL, &err));
    assert_ok(err, sl_bundle_writer_open(&w, "types", NULL, &err));
    assert_ok(err, sl_v1_writer_open(&v, "types.v1", &err));
    for (size_t i = 0; i < sizeof saved_names / sizeof *saved_names; i++) {
        struct sl_tensor *t, *u;
        struct sl_str name = sl_str_of(saved_names[i]);
        assert_ok(err, sl_checkpoint_read(&t, two, name, NULL, &err));
        assert_ok(err, sl_checkpoint_read(&u, one, name, NULL, &err));
        assert_same(t, u);
        assert_ok(err, sl_bundle_writer_add(w, name, t, &err));
        assert_ok(err, sl_v1_writer_add(v, name, sl_tensor_shape(t), NULL, t, &err));
        if (i == 0) assert_memory_equal(t->data, ((float[]){1, -2, 0.5, 3, 4, 5}), 24);
        if (i == 2) assert_int_equal(*(int64_t *)t->data, 77);
        if (i == 10) assert_true(sl_str_is(sl_string_get(t->data), "abc"));
        sl_tensor_unref(t);
        sl_tensor_unref(u);
    }
    assert_ok(err, sl_bundle_writer_finish(w, &err));
    assert_ok(err, sl_v1_writer_finish(v, &err));
    assert_equal_files("types.index", DATA "types.index");
    assert_equal_files("types.data-00000-of-00001", DATA "types.data-00000-of-00001");
    assert_equal_files("types.v1", DATA "types.v1");
    sl_checkpoint_close(one);
    sl_checkpoint_close(two);
}

/* TensorFlow's index of 9000 tensors has several blocks; its checksum stands here for its bytes. */
static void a_large_index_is_written_alike(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_tensor *t = counting(SL_FLOAT, 0, NULL, 0);
    *(float *)t->data = 1;
    assert_ok(err, sl_bundle_writer_open(&w, "many", NULL, &err));
    for (int i = 0; i < 9000; i++) {
        char name[64];
        snprintf(name, sizeof name, "layer_%04d/kernel/with/a/long/name", i);
        assert_ok(err, sl_bundle_writer_add(w, sl_str_of(name), t, &err));
    }
    assert_ok(err, sl_bundle_writer_finish(w, &err));
    sl_tensor_unref(t);
    size_t n;
    char *bytes = file_bytes("many.index", &n);
    assert_int_equal(n, 391304);
    assert_int_equal(sl_crc32c(0, bytes, n), 0xdd507051);
    sl_free(bytes);
}

/* ---- slices */

static void read_slice(struct sl_checkpoint *c, const char *text, struct sl_tensor **out) {
    struct sl_error err;
    struct sl_tensor_slice slice;
    assert_ok(err, sl_tensor_slice_parse(&slice, sl_str_of(text), &err));
    assert_ok(err, sl_checkpoint_read(out, c, SL_STR("p"), &slice, &err));
}

static void slices_are_put_together(void **state) {
    (void)state;
    struct sl_error err;
    const char *const prefixes[] = {DATA "parts", DATA "parts.v1"};
    for (int i = 0; i < 2; i++) {
        struct sl_checkpoint *c;
        struct sl_tensor *t;
        assert_ok(err, sl_checkpoint_open(&c, prefixes[i], NULL, &err));
        assert_ok(err, sl_checkpoint_read(&t, c, SL_STR("p"), NULL, &err));
        for (int k = 0; k < 24; k++) assert_true(((float *)t->data)[k] == (float)k);
        sl_tensor_unref(t);
        read_slice(c, "1,2:1,3", &t); /* of both parts */
        assert_memory_equal(t->data, ((float[]){7, 8, 9, 13, 14, 15}), 24);
        sl_tensor_unref(t);
        struct sl_tensor_slice outside = {2, {{0, 5}, {0, 6}}};
        assert_fails(err, SL_INVALID_ARGUMENT, "out of bounds", sl_checkpoint_read(&t, c, SL_STR("p"), &outside, &err));
        sl_checkpoint_close(c);
    }
}

static void a_slice_that_is_missing(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_checkpoint *c;
    struct sl_tensor *t = counting(SL_INT32, 2, (int64_t[]){2, 3}, 0), *back;
    struct sl_tensor_slice first = {2, {{0, 2}, {0, -1}}}, wrong = {2, {{0, 3}, {0, -1}}};
    struct sl_shape full = {2, (int64_t[]){4, 3}};
    assert_ok(err, sl_bundle_writer_open(&w, "gap", NULL, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "not of the tensor's shape",
                 sl_bundle_writer_add_slice(w, SL_STR("p"), full, &wrong, t, &err));
    assert_ok(err, sl_bundle_writer_add_slice(w, SL_STR("p"), full, &first, t, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "duplicate",
                 sl_bundle_writer_add_slice(w, SL_STR("p"), full, &first, t, &err));
    sl_bundle_writer_abandon(w);
    assert_ok(err, sl_bundle_writer_open(&w, "gap", NULL, &err));
    assert_ok(err, sl_bundle_writer_add_slice(w, SL_STR("p"), full, &first, t, &err));
    assert_ok(err, sl_bundle_writer_finish(w, &err));
    assert_ok(err, sl_checkpoint_open(&c, "gap", NULL, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "do not make up", sl_checkpoint_read(&back, c, SL_STR("p"), NULL, &err));
    assert_ok(err, sl_checkpoint_read(&back, c, SL_STR("p"), &first, &err));
    assert_same(t, back);
    sl_tensor_unref(back);
    sl_tensor_unref(t);
    sl_checkpoint_close(c);
}

static void keys_of_slices(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_arena arena;
    sl_arena_init(&arena);
    const int64_t numbers[] = {
        0, 1, 63, 64, 127, 8191, 8192, 1 << 20, INT64_C(1) << 40, INT64_C(1) << 55, INT64_C(1) << 62, INT64_MAX};
    enum { N = sizeof numbers / sizeof *numbers };
    struct sl_str last = {0};
    for (int i = 0; i < N; i++) {
        struct sl_tensor_slice s = {2, {{numbers[i], numbers[N - 1 - i]}, {0, -1}}}, back;
        struct sl_str name, key = sl_slice_key(SL_STR("a\0b\xff"), &s, &arena);
        assert_ok(err, sl_slice_key_parse(&name, &back, key, &arena, &err));
        assert_true(sl_str_eq(name, SL_STR("a\0b\xff")));
        assert_int_equal(back.rank, 2);
        assert_memory_equal(back.dims, s.dims, 2 * sizeof *s.dims);
        if (i) assert_true(sl_str_cmp(last, key) < 0); /* in the order of the numbers */
        last = key;
        for (size_t cut = 0; cut < key.n; cut++)
            assert_fails(err, SL_INVALID_ARGUMENT, "not that of a slice",
                         sl_slice_key_parse(&name, &back, (struct sl_str){key.p, cut}, &arena, &err));
    }
    sl_arena_clear(&arena);
}

static void texts_of_slices(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_tensor_slice s;
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
    struct sl_arena arena;
    sl_arena_init(&arena);
    assert_ok(err, sl_shape_and_slice_parse(&shape, dims, &s, SL_STR("4 10 0,2:-"), &err));
    assert_int_equal(shape.rank, 2);
    assert_string_equal(sl_tensor_slice_text(&arena, &s), "0,2:-");
    const char *const bad[] = {"4", "4 ",          "4 10 0,2", "4 10 0,2:-:-",           "4 10 3,2:-", "4 10 0,0:-",
                               "x", "4 10 0,2:-x", "4 -1 -:-", "99999999999999999999 -", "4 10 0;2:-"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(err, SL_INVALID_ARGUMENT, "", sl_shape_and_slice_parse(&shape, dims, &s, sl_str_of(bad[i]), &err));
    sl_arena_clear(&arena);
}

/* A range that begins somewhere has a length: "from 2 on" is none. */
static void slices_of_messages(void **state) {
    (void)state;
    struct sl_error err;
    const struct {
        int64_t start, length; /* -1: none is given */
        const char *text;      /* NULL: refused, and */
        const char *why;
    } rows[] = {
        {0, -1, "-", NULL},          {2, 3, "2,3", NULL},           {0, 1, "0,1", NULL},
        {2, -1, NULL, "range 2,-1"}, {-1, 3, NULL, "range -1,3"},   {0, 0, NULL, "range 0,0"},
        {0, -5, NULL, "range 0,-5"}, {-1, -1, NULL, "range -1,-1"},
    };
    struct sl_arena arena;
    sl_arena_init(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_pb_TensorSliceProto_Extent extent = {.start = rows[i].start};
        struct sl_pb_TensorSliceProto proto = {.extent = {.items = &extent, .n = 1}};
        struct sl_tensor_slice slice;
        if (rows[i].length != -1) {
            extent.which = SL_PB_TensorSliceProto_Extent_length;
            extent.length = rows[i].length;
        }
        if (rows[i].why) {
            assert_fails(err, SL_INVALID_ARGUMENT, rows[i].why, sl_tensor_slice_from_proto(&slice, &proto, &err));
            continue;
        }
        assert_ok(err, sl_tensor_slice_from_proto(&slice, &proto, &err));
        assert_string_equal(sl_tensor_slice_text(&arena, &slice), rows[i].text);
    }
    sl_arena_clear(&arena);
}

/* ---- merging */

static void write_one(const char *prefix, const char *name, int first) {
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_tensor *t = counting(SL_INT64, 1, (int64_t[]){100}, first);
    assert_ok(err, sl_bundle_writer_open(&w, prefix, NULL, &err));
    assert_ok(err, sl_bundle_writer_add(w, sl_str_of(name), t, &err));
    assert_ok(err, sl_bundle_writer_finish(w, &err));
    sl_tensor_unref(t);
}

/* Whether the checkpoint loads, and `name` in it counts from `first`. */
static bool has(const char *prefix, const char *name, int first) {
    struct sl_checkpoint *c;
    struct sl_tensor *t, *expected = counting(SL_INT64, 1, (int64_t[]){100}, first);
    if (sl_checkpoint_open(&c, prefix, NULL, NULL) != SL_OK) return sl_tensor_unref(expected), false;
    bool same = sl_checkpoint_read(&t, c, sl_str_of(name), NULL, NULL) == SL_OK;
    if (same) {
        same = memcmp(t->data, expected->data, t->bytes) == 0;
        sl_tensor_unref(t);
    }
    sl_checkpoint_close(c);
    sl_tensor_unref(expected);
    return same;
}

static void bundles_merge(void **state) {
    (void)state;
    struct sl_error err;
    const char *const from[] = {"tmp/part-0", "tmp/part-1", "tmp/part-2"};
    for (int again = 0; again < 2; again++) { /* over itself, too */
        write_one(from[0], "b", 1 + again);
        write_one(from[1], "a", 2 + again);
        assert_fails(err, SL_NOT_FOUND, "part-2", sl_bundle_merge(from, 3, "merged/m", true, false, &err));
        assert_ok(err, sl_bundle_merge(from, 3, "merged/m", true, true, &err));
        assert_true(has("merged/m", "b", 1 + again) && has("merged/m", "a", 2 + again));
        assert_string_equal(scratch_names("merged"), "m.data-00000-of-00002 m.data-00001-of-00002 m.index ");
        assert_fails(err, SL_NOT_FOUND, "", sl_file_exists("tmp", &err));
    }
    write_one(from[0], "a", 1);
    write_one(from[1], "a", 2);
    assert_fails(err, SL_INVALID_ARGUMENT, "Duplicate tensor keyed by a",
                 sl_bundle_merge(from, 2, "m", true, false, &err));
    assert_true(has(from[0], "a", 1) && has(from[1], "a", 2));
    assert_ok(err, sl_dir_remove_all("tmp", &err));
}

/* ---- damage */

static void every_flipped_bit_is_noticed(void **state) {
    (void)state;
    struct sl_error err;
    const char *const files[] = {"types.index", "types.data-00000-of-00001", "types.v1"};
    assert_ok(err, sl_file_copy(DATA "types.index", "types.index", &err));
    assert_ok(err, sl_file_copy(DATA "types.data-00000-of-00001", "types.data-00000-of-00001", &err));
    assert_ok(err, sl_file_copy(DATA "types.v1", "types.v1", &err));
    for (int f = 0; f < 3; f++) {
        size_t n;
        char *bytes = file_bytes(files[f], &n);
        uint64_t empty = 0;
        const char *footer = bytes + n - 48;
        (void)sl_get_varint(&empty, &footer, bytes + n);
        for (size_t i = 0; i < n; i++) {
            bytes[i] ^= (char)(1 << i % 8);
            assert_ok(err, sl_file_write(files[f], bytes, n, &err));
            bytes[i] ^= (char)(1 << i % 8);
            struct sl_checkpoint *c;
            int failures = 0;
            sl_error_clear(&err);
            if (sl_checkpoint_open(&c, f == 2 ? "types.v1" : "types", NULL, &err) != SL_OK) {
                failures++;
            } else {
                for (size_t k = 0; k < sizeof saved_names / sizeof *saved_names; k++) {
                    struct sl_tensor *t;
                    if (sl_checkpoint_read(&t, c, sl_str_of(saved_names[k]), NULL, &err) == SL_OK) sl_tensor_unref(t);
                    else failures++;
                }
                sl_checkpoint_close(c);
            }
            if (failures) assert_true(err.code == SL_DATA_LOSS && strstr(err.message, "types"));
            else assert_true(f != 1 && i >= empty); /* the empty block, the footer's padding */
        }
        assert_ok(err, sl_file_write(files[f], bytes, n, &err));
        sl_free(bytes);
    }
}

static void flip_byte(const char *path, long at) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    int c = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fputc(c ^ 1, file), c ^ 1);
    assert_int_equal(fclose(file), 0);
}

/* Large enough to be summed in parts, by several threads; read whole and in slices. */
static void damage_of_large_tensors_is_noticed(void **state) {
    (void)state;
    struct sl_error err;
    const int64_t dims[] = {1 << 20};
    const struct sl_tensor_slice few = {1, {{5, 10}}};
    struct sl_tensor *t = counting(SL_INT64, 1, dims, 3), *back;
    const long bytes = (long)t->bytes;
    for (int is_v1 = 0; is_v1 < 2; is_v1++) {
        const char *const prefix = is_v1 ? "large.v1" : "large";
        const char *const path = is_v1 ? prefix : "large.data-00000-of-00001";
        struct sl_bundle_writer *w;
        struct sl_v1_writer *v;
        if (is_v1) {
            assert_ok(err, sl_v1_writer_open(&v, prefix, &err));
            assert_ok(err, sl_v1_writer_add(v, SL_STR("t"), sl_tensor_shape(t), NULL, t, &err));
            assert_ok(err, sl_v1_writer_finish(v, &err));
        } else {
            assert_ok(err, sl_bundle_writer_open(&w, prefix, NULL, &err));
            assert_ok(err, sl_bundle_writer_add(w, SL_STR("t"), t, &err));
            assert_ok(err, sl_bundle_writer_finish(w, &err));
        }
        const long places[] = {is_v1 ? 5000 : 0, bytes / 2, is_v1 ? 1000000 : bytes - 1};
        for (int i = 0; i < 6; i++) {
            struct sl_checkpoint *c;
            flip_byte(path, places[i / 2]);
            assert_ok(err, sl_checkpoint_open(&c, prefix, i % 2 ? sl_pool_shared() : NULL, &err));
            assert_fails(err, SL_DATA_LOSS, is_v1 ? "" : "Checksum does not match",
                         sl_checkpoint_read(&back, c, SL_STR("t"), NULL, &err));
            if (!is_v1)
                assert_fails(err, SL_DATA_LOSS, "Checksum", sl_checkpoint_read(&back, c, SL_STR("t"), &few, &err));
            sl_checkpoint_close(c);
            flip_byte(path, places[i / 2]);
        }
        assert_true(sl_file_remove(path, &err) == SL_OK);
    }
    sl_tensor_unref(t);
}

static void a_missing_shard_is_named(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_checkpoint *c;
    struct sl_tensor *t;
    write_one("lost", "a", 1);
    assert_ok(err, sl_file_remove("lost.data-00000-of-00001", &err));
    assert_ok(err, sl_checkpoint_open(&c, "lost", NULL, &err));
    assert_fails(err, SL_NOT_FOUND, "lost.data-00000-of-00001", sl_checkpoint_read(&t, c, SL_STR("a"), NULL, &err));
    assert_non_null(strstr(err.message, "'a'"));
    sl_checkpoint_close(c);
    assert_ok(err, sl_file_write("lost.data-00000-of-00001", "short", 5, &err));
    assert_ok(err, sl_checkpoint_open(&c, "lost", NULL, &err));
    assert_fails(err, SL_DATA_LOSS, "tensor 'a' (800 bytes at 0): lies outside",
                 sl_checkpoint_read(&t, c, SL_STR("a"), NULL, &err));
    sl_checkpoint_close(c);
    assert_fails(err, SL_NOT_FOUND, "Failed to find any matching files for nothing",
                 sl_checkpoint_open(&c, "nothing", NULL, &err));
}

/* Entries that are well-formed and lie. */
static void an_index_that_lies(void **state) {
    (void)state;
    struct sl_error err;
    const int64_t huge[] = {INT64_C(1) << 40}, three[] = {3}, bad[] = {-3};
    struct sl_tensor_slice part = {1, {{0, INT64_C(1) << 40}}};
    const struct {
        struct sl_bundle_entry e;
        const char *why;
    } rows[] = {
        {{.dtype = SL_FLOAT, .shape = {1, huge}, .size = 4}, "has another size"},
        {{.dtype = SL_FLOAT, .shape = {1, huge}, .size = UINT64_C(1) << 42}, "outside of the file"},
        {{.dtype = SL_STRING, .shape = {1, huge}, .size = 4}, "lengths of its strings"},
        {{.dtype = SL_FLOAT, .shape = {1, three}, .size = 12, .offset = INT64_MAX}, "outside of the file"},
        {{.dtype = SL_FLOAT, .shape = {1, three}, .size = 12, .offset = 5}, "outside of the file"},
        {{.dtype = SL_FLOAT, .shape = {1, three}, .size = 12, .offset = UINT64_MAX - 3}, "a negative place"},
        {{.dtype = SL_FLOAT, .shape = {1, three}, .size = 8}, "has another size"},
        {{.dtype = SL_FLOAT, .shape = {1, bad}, .size = 12}, "proper shape"},
        {{.dtype = 99, .shape = {1, three}, .size = 12}, "has no type"},
        {{.dtype = SL_FLOAT, .shape = {1, three}, .size = 12, .shard = 7}, "in shard 7 of 1"},
        {{.dtype = SL_FLOAT, .shape = {1, three}, .size = 12, .shard = 1}, "in shard 1 of 1"},
        {{.dtype = SL_FLOAT, .shape = {1, huge}, .n_slices = 1, .slices = &part}, "missing or does not fit"},
        {{.dtype = SL_FLOAT, .shape = {1, three}, .n_slices = 1, .slices = &part}, "outside of its shape"},
    };
    assert_ok(err, sl_file_write("liar.data-00000-of-00001", "0123456789abcdef", 16, &err));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_bundle_entry e = rows[i].e;
        struct sl_checkpoint *c;
        struct sl_tensor *t;
        e.key = SL_STR("t");
        assert_ok(err, sl_bundle_index_write("liar.index", &e, 1, 1, &err));
        assert_ok(err, sl_checkpoint_open(&c, "liar", NULL, &err));
        assert_fails(err, SL_DATA_LOSS, rows[i].why, sl_checkpoint_read(&t, c, SL_STR("t"), NULL, &err));
        assert_non_null(strstr(err.message, "liar"));
        sl_checkpoint_close(c);
    }
}

/* Lengths have a checksum of their own, which the one of the whole counts as bytes like others. */
static void lengths_that_were_damaged(void **state) {
    (void)state;
    struct sl_error err;
    const int64_t two[] = {2};
    for (int is_damaged = 0; is_damaged < 2; is_damaged++) {
        char bytes[9] = "\1\2____abb", lengths[8] = {1, 0, 0, 0, 2};
        struct sl_checkpoint *c;
        struct sl_tensor *t;
        uint32_t crc = sl_crc32c(0, lengths, 8);
        sl_put_u32(bytes + 2, sl_crc32c_mask(crc) ^ (uint32_t)is_damaged);
        crc = sl_crc32c(crc, bytes + 2, 7);
        struct sl_bundle_entry e = {
            .key = SL_STR("t"), .dtype = SL_STRING, .shape = {1, two}, .size = 9, .crc = sl_crc32c_mask(crc)};
        assert_ok(err, sl_file_write("lengths.data-00000-of-00001", bytes, 9, &err));
        assert_ok(err, sl_bundle_index_write("lengths.index", &e, 1, 1, &err));
        assert_ok(err, sl_checkpoint_open(&c, "lengths", NULL, &err));
        if (is_damaged) {
            assert_fails(err, SL_DATA_LOSS, "The length checksum does not match",
                         sl_checkpoint_read(&t, c, SL_STR("t"), NULL, &err));
        } else {
            assert_ok(err, sl_checkpoint_read(&t, c, SL_STR("t"), NULL, &err));
            assert_true(sl_str_is(sl_string_get((TF_TString *)t->data + 1), "bb"));
            sl_tensor_unref(t);
        }
        sl_checkpoint_close(c);
    }
}

static void write_header(const char *path, struct sl_str header) {
    struct sl_error err;
    struct sl_writer file;
    struct sl_sorted_table_writer table;
    assert_ok(err, sl_writer_open(&file, path, SL_WRITER_TRUNCATE, &err));
    sl_sorted_table_writer_init(&table, &file);
    assert_ok(err, sl_sorted_table_writer_add(&table, SL_STR(""), header, &err));
    assert_ok(err, sl_sorted_table_writer_finish(&table, &err));
    sl_sorted_table_writer_clear(&table);
    assert_ok(err, sl_writer_close(&file, &err));
}

/* One shard, little-endian; version 9, whose files readers of version 1, or of 2 alone, can read. */
static void a_newer_version_may_be_read(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_checkpoint *c;
    write_header("newer.index", SL_STR("\x08\x01\x1a\x04\x08\x09\x10\x01"));
    assert_ok(err, sl_checkpoint_open(&c, "newer", NULL, &err));
    sl_checkpoint_close(c);
    write_header("newer.index", SL_STR("\x08\x01\x1a\x04\x08\x09\x10\x02"));
    assert_fails(err, SL_INVALID_ARGUMENT, "newer.index; the checkpoint wants a reader of version 2, this one has 1",
                 sl_checkpoint_open(&c, "newer", NULL, &err));
}

/* ---- the other byte order */

static void high_bytes_first(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_writer file;
    struct sl_sorted_table_writer table;
    struct sl_arena arena;
    struct sl_str bytes;
    const char data[] = {0x3f, (char)0x80, 0, 0, 0x40, 0, 0, 0, 0, 7}; /* 1 and 2 as complex64; 7 as int16 */
    const struct sl_bundle_entry rows[] = {
        {.key = SL_STR("c"), .dtype = SL_COMPLEX64, .size = 8, .crc = sl_crc32c_mask(sl_crc32c(0, data, 8))},
        {.key = SL_STR("i"),
         .dtype = SL_INT16,
         .offset = 8,
         .size = 2,
         .crc = sl_crc32c_mask(sl_crc32c(0, data + 8, 2))},
    };
    sl_arena_init(&arena);
    assert_ok(err, sl_file_write("big.data-00000-of-00001", data, sizeof data, &err));
    assert_ok(err, sl_writer_open(&file, "big.index", SL_WRITER_TRUNCATE, &err));
    sl_sorted_table_writer_init(&table, &file);
    assert_ok(err, sl_sorted_table_writer_add(&table, SL_STR(""), SL_STR("\x08\x01\x10\x01\x1a\x02\x08\x01"), &err));
    for (int i = 0; i < 2; i++) {
        assert_ok(err, sl_bundle_entry_encode(&bytes, &rows[i], &arena, &err));
        assert_ok(err, sl_sorted_table_writer_add(&table, rows[i].key, bytes, &err));
    }
    assert_ok(err, sl_sorted_table_writer_finish(&table, &err));
    sl_sorted_table_writer_clear(&table);
    assert_ok(err, sl_writer_close(&file, &err));
    struct sl_checkpoint *c;
    struct sl_tensor *t;
    assert_ok(err, sl_checkpoint_open(&c, "big", NULL, &err));
    assert_ok(err, sl_checkpoint_read(&t, c, SL_STR("c"), NULL, &err));
    assert_memory_equal(t->data, ((float[]){1, 2}), 8);
    sl_tensor_unref(t);
    assert_ok(err, sl_checkpoint_read(&t, c, SL_STR("i"), NULL, &err));
    assert_int_equal(*(int16_t *)t->data, 7);
    sl_tensor_unref(t);
    sl_checkpoint_close(c);
    sl_arena_clear(&arena);
}

/* ---- torture */

static void save(const char *prefix, int first, struct sl_error *err) {
    struct sl_bundle_writer *w;
    struct sl_tensor *t = counting(SL_INT64, 1, (int64_t[]){100}, first);
    if (sl_bundle_writer_open(&w, prefix, NULL, err) == SL_OK) {
        if (sl_bundle_writer_add(w, SL_STR("a"), t, err) == SL_OK) (void)sl_bundle_writer_finish(w, err);
        else sl_bundle_writer_abandon(w);
    }
    sl_tensor_unref(t);
}

/* Runs `work` in a child that ends at system call n, for every n there is; `check` looks at what it left. */
static void kill_everywhere(void (*work)(void), void (*check)(bool finished)) {
    for (int n = 1;; n++) {
        pid_t child = fork();
        if (child == 0) {
            sl_fault_arm(0, 0, n);
            work();
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        check(WEXITSTATUS(status) == 0);
        if (WEXITSTATUS(status) == 0) break;
        assert_int_equal(WEXITSTATUS(status), SL_FAULT_EXIT);
        assert_true(n < 1000);
    }
}

static int generation;
static void save_over(void) { save("again/a", 50 + generation, NULL); }
static void check_over(bool finished) {
    bool is_new = has("again/a", "a", 50 + generation);
    assert_true(is_new || (!finished && has("again/a", "a", 49 + generation)));
    if (is_new) generation++; /* the next save has something to replace */
}

static void a_killed_save_leaves_old_or_new(void **state) {
    (void)state;
    struct sl_error err;
    generation = 0;
    save("again/a", 49, &err);
    kill_everywhere(save_over, check_over);
    assert_true(generation > 3); /* the last few calls come after the new index */
    generation++;
    save("again/a", 50 + generation, &err);
    assert_true(has("again/a", "a", 50 + generation));
}

static void merge_over(void) {
    const char *const from[] = {"again/x", "again/y"};
    (void)sl_bundle_merge(from, 2, "again/m", false, false, NULL);
}
static void check_merge(bool finished) {
    bool is_new = has("again/m", "a", 70 + generation) && has("again/m", "b", 70 + generation);
    assert_true(is_new || (!finished && has("again/m", "a", 69 + generation) && has("again/m", "b", 69 + generation)));
    if (is_new) generation++;
    write_one("again/x", "a", 70 + generation);
    write_one("again/y", "b", 70 + generation);
}

static void a_killed_merge_leaves_old_or_new(void **state) {
    (void)state;
    generation = -1;
    write_one("again/x", "a", 69);
    write_one("again/y", "b", 69);
    merge_over();
    check_merge(true);
    kill_everywhere(merge_over, check_merge);
    assert_true(generation > 2);
}

static void a_failed_save_leaves_the_old(void **state) {
    (void)state;
    struct sl_error err;
    (void)save;
    for (int n = 1;; n++) {
        (void)sl_dir_remove_all("fails", NULL);
        save("fails/a", 1, &err);
        sl_error_clear(&err);
        sl_fault_arm(n, ENOSPC, 0);
        save("fails/a", 2, &err);
        bool was_hit = sl_fault_disarm() >= n;
        assert_true(has("fails/a", "a", 1) || has("fails/a", "a", 2));
        if (err.code == SL_OK) assert_true(has("fails/a", "a", 2));
        if (!was_hit) break;
    }
    assert_string_equal(scratch_names("fails"), "a.data-00000-of-00001 a.index ");
}

static struct sl_tensor *read_back(const char *prefix, const char *name) {
    struct sl_error err;
    struct sl_checkpoint *c;
    struct sl_tensor *t;
    assert_ok(err, sl_checkpoint_open(&c, prefix, NULL, &err));
    assert_ok(err, sl_checkpoint_read(&t, c, sl_str_of(name), NULL, &err));
    sl_checkpoint_close(c);
    return t;
}

static void large_tensors_are_mapped(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    const int64_t dims[] = {1000, 7}, few[] = {3};
    struct sl_tensor *table = counting(SL_FLOAT, 2, dims, 5), *name = counting(SL_STRING, 1, few, 5), *t, *again;
    struct sl_tensor *bools = counting(SL_BOOL, 2, dims, 0);
    for (int maps = 0; maps < 2; maps++) { /* what is saved without the variable lies anywhere, and is copied then */
        if (maps) setenv("SLUICE_MAP_CHECKPOINTS", "5K", 1);
        assert_ok(err, sl_bundle_writer_open(&w, maps ? "mapped" : "packed", NULL, &err));
        assert_ok(err, sl_bundle_writer_add(w, SL_STR("a"), name, &err));
        assert_ok(err, sl_bundle_writer_add(w, SL_STR("b"), table, &err));
        assert_ok(err, sl_bundle_writer_add(w, SL_STR("c"), bools, &err));
        assert_ok(err, sl_bundle_writer_finish(w, &err));
    }
    const char *const before = strdup(scratch_read("mapped.data-00000-of-00001"));
    assert_same(t = read_back("packed", "b"), table);
    assert_false(t->is_private);
    sl_tensor_unref(t);
    assert_same(t = read_back("mapped", "c"), bools); /* what is no bool may stand there */
    assert_false(t->is_private);
    sl_tensor_unref(t);
    assert_same(t = read_back("mapped", "b"), table);
    assert_same(again = read_back("mapped", "b"), table);
    assert_true(t->is_private && sl_tensor_may_write(t) && !sl_tensor_is_sole(t));
    assert_int_equal((uintptr_t)t->data % SL_TENSOR_ALIGNMENT, 0);
    memset(t->data, 0, t->bytes);
    assert_same(again, table); /* nor does the file change, and it may go */
    assert_string_equal(scratch_read("mapped.data-00000-of-00001"), before);
    assert_int_equal(unlink("mapped.data-00000-of-00001"), 0);
    assert_same(again, table);
    sl_tensor_ref(again);
    assert_false(sl_tensor_may_write(again));
    sl_tensor_unref(again);
    sl_tensor_unref(again);
    sl_tensor_unref(t);
    setenv("SLUICE_MAP_CHECKPOINTS", "much", 1);
    struct sl_checkpoint *c;
    assert_fails(err, SL_INVALID_ARGUMENT, "SLUICE_MAP_CHECKPOINTS is 'much', which is no number of bytes",
                 sl_checkpoint_open(&c, "packed", NULL, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "SLUICE_MAP_CHECKPOINTS is 'much'",
                 sl_bundle_writer_open(&w, "more", NULL, &err));
    unsetenv("SLUICE_MAP_CHECKPOINTS");
    free((void *)(uintptr_t)before);
    sl_tensor_unref(table);
    sl_tensor_unref(name);
    sl_tensor_unref(bools);
}

static void damage_of_mapped_tensors_is_noticed(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_checkpoint *c;
    const int64_t dims[] = {1000, 7};
    struct sl_tensor *table = counting(SL_FLOAT, 2, dims, 5), *t;
    setenv("SLUICE_MAP_CHECKPOINTS", "1K", 1);
    assert_ok(err, sl_bundle_writer_open(&w, "damaged", NULL, &err));
    assert_ok(err, sl_bundle_writer_add(w, SL_STR("b"), table, &err));
    assert_ok(err, sl_bundle_writer_finish(w, &err));
    FILE *file = fopen("damaged.data-00000-of-00001", "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 5000, SEEK_SET), 0);
    assert_int_equal(fputc('?', file), '?');
    assert_int_equal(fclose(file), 0);
    assert_ok(err, sl_checkpoint_open(&c, "damaged", NULL, &err));
    assert_fails(err, SL_DATA_LOSS, "Checksum does not match", sl_checkpoint_read(&t, c, SL_STR("b"), NULL, &err));
    sl_checkpoint_close(c);
    unsetenv("SLUICE_MAP_CHECKPOINTS");
    sl_tensor_unref(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_comes_back),
        cmocka_unit_test(bools_are_0_or_1),
        cmocka_unit_test(what_cannot_be_saved),
        cmocka_unit_test(variants_stand_as_messages),
        cmocka_unit_test(tensorflows_files_are_read_and_written_alike),
        cmocka_unit_test(a_large_index_is_written_alike),
        cmocka_unit_test(slices_are_put_together),
        cmocka_unit_test(a_slice_that_is_missing),
        cmocka_unit_test(keys_of_slices),
        cmocka_unit_test(texts_of_slices),
        cmocka_unit_test(slices_of_messages),
        cmocka_unit_test(bundles_merge),
        cmocka_unit_test(every_flipped_bit_is_noticed),
        cmocka_unit_test(damage_of_large_tensors_is_noticed),
        cmocka_unit_test(a_missing_shard_is_named),
        cmocka_unit_test(an_index_that_lies),
        cmocka_unit_test(lengths_that_were_damaged),
        cmocka_unit_test(a_newer_version_may_be_read),
        cmocka_unit_test(high_bytes_first),
        cmocka_unit_test(a_killed_save_leaves_old_or_new),
        cmocka_unit_test(a_killed_merge_leaves_old_or_new),
        cmocka_unit_test(a_failed_save_leaves_the_old),
        cmocka_unit_test(large_tensors_are_mapped),
        cmocka_unit_test(damage_of_mapped_tensors_is_noticed),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
