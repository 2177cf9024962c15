/* Datasets that keep elements in files: what they write they read, and so they do with what TensorFlow wrote; a process
 * that ends, a disk that is full and files that are damaged never leave something that is taken for whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "data/data_walk.h"
#include "data/element.h"
#include "data/kinds.h"
#include "data/snapshot.h"
#include "data/state.h"
#include "os/fault.h"
#include "os/file.h"
#include "unit/os/scratch.h"
#include "unit/unit.h"

/* ---- functions */

struct sl_function {
    sl_code (*call)(struct sl_value *args, struct sl_value *rets, struct sl_error *err);
    uint64_t fingerprint;
};
static struct sl_error err;

static sl_code call(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *why) {
    (void)env;
    return f->call(args, rets, why);
}
static sl_code fingerprint(uint64_t *out, struct sl_function *f, struct sl_error *why) {
    (void)why;
    *out = f->fingerprint;
    return SL_OK;
}
static struct sl_functions functions = {.call = call, .fingerprint = fingerprint};
static struct sl_step_env env = {.functions = &functions};

static struct sl_value i64(int64_t x) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = x};
}

static sl_code same(struct sl_value *args, struct sl_value *rets, struct sl_error *why) {
    (void)why;
    rets[0] = sl_value_move(&args[0]);
    return SL_OK;
}
/* Of the first component; takes the others, too. */
static sl_code parity(struct sl_value *args, struct sl_value *rets, struct sl_error *why) {
    (void)why;
    const int64_t *x = sl_value_scalar(&args[0]);
    rets[0] = i64(*x & 1);
    return SL_OK;
}
static sl_code fail_at_3(struct sl_value *args, struct sl_value *rets, struct sl_error *why) {
    if (args[0].i64 == 3) return sl_fail(why, SL_INVALID_ARGUMENT, "three");
    rets[0] = sl_value_move(&args[0]);
    return SL_OK;
}

/* ---- making */

enum { MOST = 4, TEXT = 512 };
static const uint8_t pair_types[] = {SL_INT64, SL_STRING}, one_variant[] = {SL_VARIANT}, one_int64[] = {SL_INT64};
static const struct sl_shape scalars[] = {{0, NULL}, {0, NULL}};

struct plan {
    const struct sl_dataset_kind *kind;
    struct sl_dataset *input;
    struct sl_value values[MOST];
    int n_values, n; /* n: components */
    const uint8_t *types;
    sl_code (*calls[2])(struct sl_value *args, struct sl_value *rets, struct sl_error *why);
    const uint8_t *rets[2];
    struct sl_snapshot_settings settings;
    bool flag;
};

static sl_code try_make(struct sl_dataset **out, struct plan p) {
    static struct sl_function called[512]; /* functions live as long as the test */
    static size_t n_called;
    struct sl_dataset_spec *spec;
    assert_ok(err, sl_dataset_spec_new(&spec, p.kind, NULL, p.n, p.types, scalars, &err));
    struct sl_snapshot_settings *settings = SL_ARENA_NEW(&spec->arena, struct sl_snapshot_settings);
    assert_non_null(settings);
    *settings = p.settings;
    spec->settings = settings;
    spec->flag = p.flag;
    for (int i = 0; i < 2 && p.calls[i]; i++) {
        struct sl_function *f = &called[n_called++ % 512];
        *f = (struct sl_function){p.calls[i], (uint64_t)(uintptr_t)p.calls[i]};
        const bool takes_datasets = p.rets[i] == one_variant;
        spec->functions[spec->n_functions++] =
            (struct sl_dataset_function){.function = f,
                                         .arg_types = takes_datasets ? one_variant : pair_types,
                                         .ret_types = p.rets[i],
                                         .n_args = takes_datasets ? 1 : p.n,
                                         .n_rets = 1,
                                         .captured = p.n_values};
    }
    sl_code code = sl_dataset_new(out, spec, &p.input, p.input != NULL, p.values, p.n_values, &err);
    for (int i = 0; i < p.n_values; i++) sl_value_clear(&p.values[i]);
    sl_dataset_unref(p.input);
    sl_dataset_spec_unref(spec);
    return code;
}

static struct sl_dataset *make(struct plan p) {
    struct sl_dataset *d = NULL;
    assert_ok(err, try_make(&d, p));
    return d;
}

static struct sl_value text(const char *s) {
    struct sl_value v = {0};
    assert_ok(err, sl_value_new(&v, SL_STRING, SL_SHAPE_SCALAR, &err));
    assert_ok(err, sl_string_set(sl_value_view(&v).data, sl_str_of(s), &err));
    return v;
}

#define NUMBERS .n = 1, .types = one_int64
#define PAIRS   .n = 2, .types = pair_types

static struct sl_dataset *numbers(int64_t n) {
    return make((struct plan){.kind = &sl_range_data, .values = {i64(0), i64(n), i64(1)}, .n_values = 3, NUMBERS});
}

/* What a reader function makes of the shards: one after another. */
static sl_code all_shards(struct sl_value *args, struct sl_value *rets, struct sl_error *why) {
    (void)why;
    struct sl_dataset *shards;
    assert_ok(err, sl_dataset_of_value(&shards, &args[0], &err));
    struct sl_dataset *reader = shards->n_inputs ? shards->inputs[0] : NULL;
    rets[0] = sl_dataset_value(make((struct plan){.kind = &sl_flat_map_data,
                                                  .input = sl_dataset_ref(shards),
                                                  .n = reader ? reader->n : 1,
                                                  .types = reader ? reader->types : one_int64,
                                                  .calls = {same},
                                                  .rets = {one_variant}}));
    sl_value_clear(&args[0]);
    return SL_OK;
}

static struct sl_dataset *saving(const char *path, enum sl_compression compression, struct sl_dataset *input) {
    return make((struct plan){.kind = &sl_save_data,
                              .input = input,
                              .values = {text(path)},
                              .n_values = 1,
                              .n = input->n,
                              .types = input->types,
                              .calls = {parity},
                              .rets = {one_int64},
                              .settings = {.compression = compression},
                              .flag = true});
}

static sl_code try_load(struct sl_dataset **out, const char *path, enum sl_compression compression, int n) {
    return try_make(out, (struct plan){.kind = &sl_load_data,
                                       .values = {text(path)},
                                       .n_values = 1,
                                       .n = n,
                                       .types = pair_types,
                                       .calls = {all_shards},
                                       .rets = {one_variant},
                                       .settings = {.compression = compression}});
}

static struct sl_dataset *snapshot(const char *path, struct sl_dataset *input) {
    return make((struct plan){.kind = &sl_snapshot_data,
                              .input = input,
                              .values = {text(path)},
                              .n_values = 1,
                              NUMBERS,
                              .calls = {all_shards, parity},
                              .rets = {one_variant, one_int64},
                              .settings = {.compression = SL_COMPRESSION_SNAPPY}});
}

static struct sl_dataset *older(const char *path, struct sl_dataset *input, struct sl_snapshot_settings settings) {
    settings.reader_prefix = settings.writer_prefix = "";
    if (!settings.name) settings.name = "";
    if (!settings.chunk_bytes) settings.chunk_bytes = 40;
    return make((struct plan){.kind = &sl_older_snapshot_data,
                              .input = input,
                              .values = {text(path)},
                              .n_values = 1,
                              NUMBERS,
                              .settings = settings});
}

static struct sl_dataset *cache(const char *path, struct sl_dataset *input) {
    return make((struct plan){.kind = &sl_cache_data, .input = input, .values = {text(path)}, .n_values = 1, NUMBERS});
}

/* ---- walking */

/* Up to `most` elements, or codes; "." at the end. Components are joined by "/". */
static void take(char *out, struct sl_data_walk *walk, int most) {
    const int width = sl_data_walk_dataset(walk)->n;
    struct sl_value element[MOST];
    for (int i = 0; i < most; i++) {
        bool is_end;
        sl_code code = sl_data_walk_next(walk, element, &is_end, &env, &err);
        size_t n = strlen(out);
        if (code != SL_OK) snprintf(out + n, TEXT - n, "%s ", sl_code_name(code));
        if (is_end) snprintf(out + n, TEXT - n, ".");
        if (is_end) return;
        for (int c = 0; c < width && code == SL_OK; c++, n = strlen(out)) {
            const struct sl_view v = sl_value_view(&element[c]);
            if (v.dtype == SL_INT64) snprintf(out + n, TEXT - n, "%lld", (long long)*(const int64_t *)v.data);
            else snprintf(out + n, TEXT - n, "%.*s", SL_STR_ARG(sl_string_get(v.data)));
            strncat(out, c + 1 < width ? "/" : " ", TEXT - strlen(out) - 1);
        }
        if (code == SL_OK) sl_element_clear(element, width);
    }
}

static const char *walk(struct sl_dataset *d) {
    static char out[TEXT];
    struct sl_data_walk *w;
    *out = 0;
    sl_code code = sl_data_walk_new(&w, d, &env, &err);
    if (code != SL_OK) return sl_code_name(code);
    take(out, w, 20);
    sl_data_walk_unref(w);
    return out;
}

static void gives(struct sl_dataset *d, const char *expected) {
    assert_string_equal(walk(d), expected);
    sl_dataset_unref(d);
}

/* A walk is saved after `n` elements and dropped; another one gives the rest. */
static void goes_on(struct sl_dataset *d, int n, const char *expected) {
    char out[TEXT] = "";
    struct sl_data_walk *w;
    struct sl_state *state, *back;
    struct sl_tensor *variants;
    assert_ok(err, sl_data_walk_new(&w, d, &env, &err));
    take(out, w, n);
    assert_ok(err, sl_state_new(&state, &err));
    assert_ok(err, sl_data_walk_save(w, state, &err));
    assert_ok(err, sl_state_pack(&variants, state, &err));
    sl_state_free(state);
    sl_data_walk_unref(w);
    struct sl_value value = {.kind = SL_VALUE_TENSOR, .dtype = SL_VARIANT, .tensor = variants};
    assert_ok(err, sl_state_unpack(&back, &value, &err));
    sl_tensor_unref(variants);
    assert_ok(err, sl_data_walk_new(&w, d, &env, &err));
    assert_ok(err, sl_data_walk_restore(w, back, &err));
    if (!strchr(out, '.')) take(out, w, 20);
    assert_string_equal(out, expected);
    sl_data_walk_unref(w);
    sl_state_free(back);
    sl_dataset_unref(d);
}

/* ---- TensorFlow's files */

static const struct {
    enum sl_compression compression;
    const char *name;
} kinds[] = {
    {SL_COMPRESSION_NONE, "plain"},
    {SL_COMPRESSION_SNAPPY, "snappy"},
#if defined(SL_HAVE_ZLIB)
    {SL_COMPRESSION_GZIP, "gzip"},
#endif
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *recorded(const char *what, const char *kind) {
    static char path[512];
    snprintf(path, sizeof path, "%s/snapshots/%s%s", SL_TEST_DATA, what, kind);
    return path;
}

static void tensorflow_saved_these(void **state) {
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        struct sl_dataset *d = NULL;
        assert_ok(err, try_load(&d, recorded("saved.", kinds[i].name), kinds[i].compression, 2));
        assert_int_equal(sl_dataset_cardinality(d), 5);
        gives(d, "0/0 2/2 4/4 1/1 3/3 .");
    }
    gives(make((struct plan){.kind = &sl_cache_data,
                             .input = numbers(0),
                             .values = {text(recorded("cache", ""))},
                             .n_values = 1,
                             PAIRS}),
          "INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT "
          "INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT "
          "INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT "
          "INVALID_ARGUMENT INVALID_ARGUMENT "); /* elements of one component were asked for */
    struct sl_dataset *pairs = NULL;
    assert_ok(err, try_load(&pairs, recorded("saved.", "plain"), SL_COMPRESSION_NONE, 2));
    gives(make((struct plan){
              .kind = &sl_cache_data, .input = pairs, .values = {text(recorded("cache", ""))}, .n_values = 1, PAIRS}),
          "0/0 1/1 2/2 3/3 4/4 .");
}

/* Elements up to the first error, of a file that was cut or spoilt. */
static sl_code read_chunk(int *n, const char *path, int version, enum sl_compression compression) {
    struct sl_chunk_reader *r;
    struct sl_value element[2] = {[1] = {.kind = SL_VALUE_NONE}};
    bool is_end = false;
    SL_TRY(sl_chunk_reader_open(&r, path, version, compression, 2, pair_types, &err));
    sl_code code = SL_OK;
    for (*n = 0; code == SL_OK && !is_end; *n += code == SL_OK && !is_end) {
        code = sl_chunk_reader_next(element, &is_end, r, &err);
        if (code == SL_OK && !is_end) sl_element_clear(element, 2);
    }
    sl_chunk_reader_close(r);
    return code;
}

/* Chunks of version 1 stand alone; written anew they hold the same. */
static void chunks_of_version_1(void **state) {
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        struct sl_chunk_reader *r;
        struct sl_chunk_writer *w;
        struct sl_value element[2] = {[1] = {.kind = SL_VALUE_NONE}};
        bool is_end = false;
        int n_again;
        const char *path = recorded("older.", kinds[i].name);
        assert_ok(err, sl_chunk_reader_open(&r, path, 1, kinds[i].compression, 2, pair_types, &err));
        assert_ok(err, sl_chunk_writer_open(&w, "again", 1, kinds[i].compression, &err));
        for (int64_t n = 0; n < 6; n++) {
            assert_ok(err, sl_chunk_reader_next(element, &is_end, r, &err));
            assert_int_equal(is_end, n == 5);
            if (is_end) break;
            assert_int_equal(*(const int64_t *)sl_value_view(&element[0]).data, n);
            assert_ok(err, sl_chunk_writer_add(w, element, 2, &err));
            sl_element_clear(element, 2);
        }
        sl_chunk_reader_close(r);
        assert_ok(err, sl_chunk_writer_close(w, &err));
        assert_int_equal(read_chunk(&n_again, "again", 1, kinds[i].compression), SL_OK);
        assert_int_equal(n_again, 5);
    }
}

static void damaged_chunks_say_so(void **state) {
    (void)state;
    for (int i = 0; i < KINDS; i++)
        for (int version = 1; version <= 2; version++) {
            struct sl_chunk_writer *w;
            char *bytes;
            size_t size;
            int n, n_whole = 0;
            assert_ok(err, sl_chunk_writer_open(&w, "whole", version, kinds[i].compression, &err));
            for (int64_t x = 0; x < 3; x++) {
                struct sl_value element[2] = {i64(x), text("abc")};
                assert_ok(err, sl_chunk_writer_add(w, element, 2, &err));
                sl_element_clear(element, 2);
            }
            assert_ok(err, sl_chunk_writer_close(w, &err));
            assert_ok(err, sl_file_read(&bytes, &size, "whole", 1 << 20, &err));
            for (size_t cut = 0; cut < size; cut++) {
                assert_ok(err, sl_file_write("cut", bytes, cut, &err));
                if (read_chunk(&n, "cut", version, kinds[i].compression) == SL_OK) n_whole++; /* at an element's end */
                else assert_string_equal(sl_code_name(err.code), "DATA_LOSS");
                assert_true(n <= 3);
            }
            assert_true(n_whole <= 3);
            for (size_t k = 0; k < size; k++) { /* whatever is changed, nothing is read that is not there */
                bytes[k] ^= 0x41;
                assert_ok(err, sl_file_write("cut", bytes, size, &err));
                (void)read_chunk(&n, "cut", version, kinds[i].compression);
                bytes[k] ^= 0x41;
            }
            sl_free(bytes);
        }
}

/* ---- saving and loading */

static void what_is_saved_is_loaded(void **state) {
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        struct sl_dataset *d = NULL;
        gives(saving(kinds[i].name, kinds[i].compression, numbers(6)), "0 1 2 3 4 5 .");
        assert_ok(err, try_load(&d, kinds[i].name, kinds[i].compression, 1));
        assert_int_equal(sl_dataset_cardinality(d), 6);
        for (int n = 0; n < 8; n++) goes_on(sl_dataset_ref(d), n, "0 2 4 1 3 5 .");
        gives(d, "0 2 4 1 3 5 .");
    }
    for (int n = 0; n < 6; n++) { /* a position in the middle of saving */
        struct sl_dataset *d = NULL;
        char name[16];
        snprintf(name, sizeof name, "resumed%d", n);
        goes_on(saving(name, SL_COMPRESSION_NONE, numbers(4)), n, "0 1 2 3 .");
        assert_ok(err, try_load(&d, name, SL_COMPRESSION_NONE, 1));
        assert_int_equal(sl_dataset_cardinality(d), 4);
        gives(d, "0 2 1 3 .");
    }
}

static void what_is_not_there_is_not_loaded(void **state) {
    (void)state;
    struct sl_dataset *d = NULL;
    struct sl_data_walk *w;
    struct sl_arena arena;
    struct sl_pb_SnapshotMetadataRecord m;
    char out[TEXT] = "";
    sl_arena_init(&arena);
    assert_fails(err, SL_NOT_FOUND, "Could not find metadata file [nowhere]",
                 try_load(&d, "nowhere", SL_COMPRESSION_NONE, 1));
    struct sl_dataset *half = saving("half", SL_COMPRESSION_NONE, numbers(4));
    assert_ok(err, sl_data_walk_new(&w, half, &env, &err));
    take(out, w, 2);
    sl_data_walk_unref(w);
    assert_fails(err, SL_DATA_LOSS, "was not saved to its end", try_load(&d, "half", SL_COMPRESSION_NONE, 1));
    gives(half, "0 1 2 3 .");
    assert_ok(err, try_load(&d, "half", SL_COMPRESSION_NONE, 1));
    gives(sl_dataset_ref(d), "0 2 1 3 .");
    assert_ok(err, sl_snapshot_metadata_read(&m, "half", &arena, &err));
    const char *run = sl_path_join(&arena, "half", sl_arena_str(&arena, m.run_id).p);
    assert_ok(err, sl_file_remove(sl_snapshot_chunk_path(&arena, sl_snapshot_shard_path(&arena, run, 1), 0), &err));
    assert_string_equal(walk(d), "0 2 NOT_FOUND .");
    assert_ok(err, sl_dir_remove_all(run, &err));
    assert_string_equal(walk(d), "NOT_FOUND");
    sl_dataset_unref(d);
    assert_ok(err, sl_file_write("half/snapshot.metadata", "\x12\x63", 2, &err));
    assert_fails(err, SL_DATA_LOSS, "is no description of a snapshot", try_load(&d, "half", SL_COMPRESSION_NONE, 1));
    sl_arena_clear(&arena);
}

/* ---- snapshots */

static void snapshots_are_written_once(void **state) {
    (void)state;
    gives(snapshot("snap", numbers(5)), "0 1 2 3 4 .");
    gives(snapshot("snap", numbers(5)), "0 2 4 1 3 ."); /* from the shards */
    gives(snapshot("snap", numbers(3)), "0 1 2 .");     /* another dataset */
    for (int n = 0; n < 7; n++) goes_on(snapshot("snap", numbers(5)), n, "0 2 4 1 3 .");
    for (int n = 0; n < 7; n++) {
        char name[16];
        snprintf(name, sizeof name, "snap%d", n);
        goes_on(snapshot(name, numbers(5)), n, "0 1 2 3 4 .");
        gives(snapshot(name, numbers(5)), "0 2 4 1 3 .");
    }
    struct sl_dataset *failing = make(
        (struct plan){.kind = &sl_map_data, .input = numbers(5), NUMBERS, .calls = {fail_at_3}, .rets = {one_int64}});
    gives(snapshot("failing", sl_dataset_ref(failing)), "0 1 2 INVALID_ARGUMENT 4 .");
    gives(snapshot("failing", failing), "0 2 4 1 .");
}

static void older_snapshots(void **state) {
    (void)state;
    const struct sl_snapshot_settings usual = {.expiry_seconds = 1000}, expired = {.expiry_seconds = 0};
    for (int i = 0; i < KINDS; i++) {
        struct sl_snapshot_settings settings = usual;
        settings.compression = kinds[i].compression;
        char name[16];
        snprintf(name, sizeof name, "older%d", i);
        gives(older(name, numbers(5), settings), "0 1 2 3 4 .");
        for (int n = 0; n < 7; n++) goes_on(older(name, numbers(5), settings), n, "0 1 2 3 4 .");
        settings.mode = SL_SNAPSHOT_READS;
        gives(older(name, numbers(5), settings), "0 1 2 3 4 .");
        settings.shuffles = true;
        settings.seeds[0] = 7;
        gives(older(name, numbers(5), settings), "2 3 4 0 1 .");
    }
    for (int n = 0; n < 7; n++) {
        char name[16];
        snprintf(name, sizeof name, "oldest%d", n);
        goes_on(older(name, numbers(5), usual), n, "0 1 2 3 4 .");
        gives(older(name, numbers(5), (struct sl_snapshot_settings){.mode = SL_SNAPSHOT_READS}), "0 1 2 3 4 .");
    }
    /* While one writes, another passes; one that was left long ago is begun anew. */
    struct sl_data_walk *w;
    char out[TEXT] = "";
    struct sl_dataset *d = older("left", numbers(5), usual);
    assert_ok(err, sl_data_walk_new(&w, d, &env, &err));
    take(out, w, 2);
    gives(sl_dataset_ref(d), "0 1 2 3 4 .");
    sl_data_walk_unref(w);
    sl_dataset_unref(d);
    struct sl_snapshot_settings reads = {.mode = SL_SNAPSHOT_READS};
    d = older("left", numbers(5), reads);
    assert_ok(err, sl_data_walk_new(&w, d, &env, &err));
    *out = 0;
    take(out, w, 1);
    assert_string_equal(out, "DATA_LOSS ");
    sl_data_walk_unref(w);
    sl_dataset_unref(d);
    gives(older("left", numbers(5), expired), "0 1 2 3 4 .");
    gives(older("left", numbers(5), reads), "0 1 2 3 4 .");
    gives(older("never", numbers(2), (struct sl_snapshot_settings){.mode = SL_SNAPSHOT_PASSES}), "0 1 .");
    assert_fails(err, SL_NOT_FOUND, "never", sl_file_exists("never", &err));
}

/* ---- chunks by name */

static void names_of_chunks(void **state) {
    (void)state;
    struct sl_data_walk *w;
    struct sl_value element = {0};
    bool is_end;
    assert_ok(err, sl_dir_create_all("many/chunks", &err));
    static const char *const names[] = {"chunk_0_10_5", "chunk_0_2_5", "chunk_1_0_5", "chunk_0_1_5", "chunk_0_3_5.tmp"};
    for (int i = 0; i < 5; i++) {
        char path[64];
        snprintf(path, sizeof path, "many/chunks/%s", names[i]);
        scratch_write(path, "");
    }
    scratch_write("many/DONE", "");
    static const uint8_t one_string[] = {SL_STRING};
    struct sl_dataset *d = make((struct plan){
        .kind = &sl_chunk_names_data, .values = {text("many")}, .n_values = 1, .n = 1, .types = one_string});
    static const char all[] = "many/chunks/chunk_1_0_5 many/chunks/chunk_0_1_5 many/chunks/chunk_0_2_5 "
                              "many/chunks/chunk_0_10_5 .";
    for (int n = 0; n < 6; n++) goes_on(sl_dataset_ref(d), n, all);
    gives(sl_dataset_ref(d), all);
    scratch_write("many/ERROR", "");
    assert_ok(err, sl_data_walk_new(&w, d, &env, &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "many; writing the snapshot has failed",
                 sl_data_walk_next(w, &element, &is_end, &env, &err));
    sl_data_walk_unref(w);
    sl_dataset_unref(d);
}

/* ---- caches */

static void caches_are_filled_by_one_pass(void **state) {
    (void)state;
    struct sl_data_walk *w;
    char out[TEXT] = "";
    gives(cache("c1", numbers(4)), "0 1 2 3 .");
    gives(cache("c1", numbers(9)), "0 1 2 3 ."); /* the input is not asked */
    for (int n = 0; n < 6; n++) goes_on(cache("c1", numbers(4)), n, "0 1 2 3 .");
    gives(cache("empty", numbers(0)), ".");
    gives(cache("empty", numbers(3)), ".");
    /* One that ends too early leaves nothing; a second one beside it is refused, and leaves the first alone. */
    struct sl_dataset *d = cache("c2", numbers(4));
    assert_ok(err, sl_data_walk_new(&w, d, &env, &err));
    take(out, w, 2);
    struct sl_data_walk *other;
    struct sl_value element;
    bool is_end;
    assert_ok(err, sl_data_walk_new(&other, d, &env, &err));
    assert_fails(err, SL_ALREADY_EXISTS, "cache lockfile already exists ('c2_0.lockfile')",
                 sl_data_walk_next(other, &element, &is_end, &env, &err));
    sl_data_walk_unref(other);
    take(out, w, 9);
    assert_string_equal(out, "0 1 2 3 .");
    sl_data_walk_unref(w);
    gives(d, "0 1 2 3 .");
    d = cache("c3", numbers(4));
    assert_ok(err, sl_data_walk_new(&w, d, &env, &err));
    *out = 0;
    take(out, w, 2);
    assert_non_null(strstr(scratch_names("."), "c3_0.lockfile"));
    sl_data_walk_unref(w);
    assert_null(strstr(scratch_names("."), "c3"));
    gives(d, "0 1 2 3 .");
    for (int n = 0; n < 6; n++) { /* a position on the way: the next pass goes on in another shard */
        char name[16];
        snprintf(name, sizeof name, "resumed_cache%d", n);
        goes_on(cache(name, numbers(4)), n, "0 1 2 3 .");
        gives(cache(name, numbers(0)), "0 1 2 3 .");
        strcat(name, "_");
        assert_null(strstr(scratch_names("."), name));
    }
}

/* ---- faults: the n-th system call fails, or ends the process */

/* Whether loading gives all elements; else it has to be refused. */
static bool loads(const char *path) {
    struct sl_dataset *d = NULL;
    if (try_load(&d, path, SL_COMPRESSION_NONE, 1) != SL_OK) return false;
    assert_string_equal(walk(d), "0 2 1 .");
    sl_dataset_unref(d);
    return true;
}
static bool snapshot_is_whole(const char *path) {
    struct sl_dataset *d = snapshot(path, numbers(3));
    const char *given = walk(d);
    sl_dataset_unref(d);
    assert_true(strcmp(given, "0 2 1 .") == 0 || strcmp(given, "0 1 2 .") == 0);
    return given[2] == '2';
}
static struct sl_dataset *new_saving(const char *path) { return saving(path, SL_COMPRESSION_NONE, numbers(3)); }
static struct sl_dataset *new_snapshot(const char *path) { return snapshot(path, numbers(3)); }
static struct sl_dataset *new_cache(const char *path) { return cache(path, numbers(3)); }

/* The cache is whole, or is not there; one that is locked is refused until somebody takes the lock away. */
static bool cache_is_whole(const char *path) {
    char index[64], names[TEXT];
    snprintf(index, sizeof index, "%s.index", path);
    if (sl_file_exists(index, NULL) != SL_OK) return false;
    struct sl_dataset *d = cache(path, numbers(0));
    snprintf(names, sizeof names, "%s", walk(d));
    sl_dataset_unref(d);
    assert_string_equal(names, "0 1 2 .");
    return true;
}

static const struct {
    const char *name;
    struct sl_dataset *(*make)(const char *path);
    bool (*is_whole)(const char *path);
} stores[] = {{"save", new_saving, loads},
              {"snapshot", new_snapshot, snapshot_is_whole},
              {"cache", new_cache, cache_is_whole}};

static bool ends_in_child(struct sl_dataset *d, int64_t n) {
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sl_fault_arm(0, 0, n);
        (void)walk(d);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status) == SL_FAULT_EXIT;
}

static void a_process_that_ends_leaves_nothing_half(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        bool has_ended = true;
        for (int64_t n = 1; has_ended; n++) {
            char path[64];
            snprintf(path, sizeof path, "killed_%s%lld", stores[i].name, (long long)n);
            struct sl_dataset *d = stores[i].make(path);
            has_ended = ends_in_child(d, n);
            const bool is_whole = stores[i].is_whole(path);
            assert_true(has_ended || is_whole);
            sl_dataset_unref(d);
        }
    }
}

static void full_disks_are_errors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        for (int64_t n = 1, calls = n; n <= calls; n++) {
            char path[64], given[TEXT];
            snprintf(path, sizeof path, "full_%s%lld", stores[i].name, (long long)n);
            struct sl_dataset *d = stores[i].make(path);
            sl_fault_arm(n, ENOSPC, 0);
            snprintf(given, sizeof given, "%s", walk(d));
            calls = sl_fault_disarm();
            const bool is_whole = stores[i].is_whole(path);
            const bool is_fine = strcmp(given, "0 1 2 .") == 0;
            if (!is_fine && !strpbrk(given, "_")) fail_msg("%s after call %lld", given, (long long)n);
            if (is_fine && !is_whole && n < calls) fail_msg("lost after call %lld of %s", (long long)n, path);
            sl_dataset_unref(d);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensorflow_saved_these),
        cmocka_unit_test(chunks_of_version_1),
        cmocka_unit_test(damaged_chunks_say_so),
        cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(what_is_not_there_is_not_loaded),
        cmocka_unit_test(snapshots_are_written_once),
        cmocka_unit_test(older_snapshots),
        cmocka_unit_test(names_of_chunks),
        cmocka_unit_test(caches_are_filled_by_one_pass),
        cmocka_unit_test(a_process_that_ends_leaves_nothing_half),
        cmocka_unit_test(full_disks_are_errors),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
