/* Datasets over files that the test writes: what they give, what they say of files that are damaged or not there, and
 * that a walk goes on from every position that was saved. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "ckpt/record.h"
#include "data/data_walk.h"
#include "data/element.h"
#include "data/kinds.h"
#include "data/state.h"
#include "os/file.h"
#include "unit/unit.h"

enum { MOST = 8, TEXT = 1024 };
static struct sl_step_env env;
static struct sl_error err;
static struct sl_arena arena;
static char *folder;

static const char *at(const char *name) { return sl_path_join(&arena, folder, name); }
static void put(const char *name, const char *bytes, size_t n) {
    assert_ok(err, sl_file_write(at(name), bytes, n, &err));
}
#define PUT(name, text) put(name, text, sizeof(text) - 1)

/* ---- making: arguments are int64, or strings, or vectors of paths */

static struct sl_value number(int64_t x) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = x};
}
static struct sl_value word(const char *text) {
    struct sl_value v = {0};
    assert_ok(err, sl_value_new(&v, SL_STRING, SL_SHAPE_SCALAR, &err));
    assert_ok(err, sl_string_set(sl_value_view(&v).data, sl_str_of(text), &err));
    return v;
}
/* "a b": the paths of two files. */
static struct sl_value paths(const char *names) {
    struct sl_value v = {0};
    char copy[TEXT];
    int64_t n = 0;
    snprintf(copy, sizeof copy, "%s", names);
    for (const char *p = names; *p; p++) n += *p == ' ';
    n += *names != 0;
    assert_ok(err, sl_value_new(&v, SL_STRING, (struct sl_shape){1, &n}, &err));
    TF_TString *s = sl_value_view(&v).data;
    for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "))
        assert_ok(err, sl_string_set(s++, sl_str_of(at(p)), &err));
    return v;
}

static const uint8_t one_string[] = {SL_STRING};
static const struct sl_shape one_scalar[] = {{0, NULL}};

#define MAKE(out, kind, ...)                                                                                           \
    try_make(out, &sl_##kind##_data, (struct sl_value[]){__VA_ARGS__},                                                 \
             (int)(sizeof((struct sl_value[]){__VA_ARGS__}) / sizeof(struct sl_value)))
static sl_code try_make(struct sl_dataset **out, const struct sl_dataset_kind *kind, struct sl_value *values, int n) {
    struct sl_dataset_spec *spec = sl_calloc(1, sizeof *spec);
    assert_non_null(spec);
    atomic_init(&spec->refs, 1);
    sl_arena_init(&spec->arena);
    spec->kind = kind;
    spec->n = 1;
    spec->types = one_string;
    spec->shapes = one_scalar;
    sl_code code = sl_dataset_new(out, spec, NULL, 0, values, n, &err);
    for (int i = 0; i < n; i++) sl_value_clear(&values[i]);
    sl_dataset_spec_unref(spec);
    return code;
}

/* ---- walking */

/* Appends up to `most` elements, or codes, and "." at the end. */
static void take(char *text, struct sl_data_walk *walk, int most) {
    for (int i = 0; i < most; i++) {
        struct sl_value element = {0};
        bool is_end;
        sl_code code = sl_data_walk_next(walk, &element, &is_end, &env, &err);
        const size_t n = strlen(text);
        if (is_end) {
            snprintf(text + n, TEXT - n, ".");
            return;
        }
        const struct sl_str got =
            code == SL_OK ? sl_string_get(sl_value_view(&element).data) : sl_str_of(sl_code_name(code));
        snprintf(text + n, TEXT - n, "%.*s ", SL_STR_ARG(got));
        sl_value_clear(&element);
    }
}

/* What the rest gives after a walk was saved at position `k` and restored elsewhere. */
static void resume(char *text, struct sl_dataset *d, int k, int most) {
    struct sl_data_walk *first, *second;
    struct sl_state *state;
    assert_ok(err, sl_data_walk_new(&first, d, &env, &err));
    assert_ok(err, sl_data_walk_new(&second, d, &env, &err));
    assert_ok(err, sl_state_new(&state, &err));
    take(text, first, k);
    assert_ok(err, sl_data_walk_save(first, state, &err));
    assert_ok(err, sl_data_walk_restore(second, state, &err));
    if (!strchr(text, '.')) take(text, second, most - k);
    sl_state_free(state);
    sl_data_walk_unref(first);
    sl_data_walk_unref(second);
}

/* Up to 8 elements; drops the dataset. */
static void gives(struct sl_dataset *d, const char *expected, bool can_resume) {
    char text[TEXT] = "";
    struct sl_data_walk *walk;
    assert_ok(err, sl_data_walk_new(&walk, d, &env, &err));
    take(text, walk, MOST);
    sl_data_walk_unref(walk);
    assert_string_equal(text, expected);
    for (int k = 0; can_resume && k < MOST; k++) {
        char again[TEXT] = "";
        resume(again, d, k, MOST);
        assert_string_equal(again, expected);
    }
    sl_dataset_unref(d);
}
#define GIVES(expected, kind, ...)                                                                                     \
    do {                                                                                                               \
        struct sl_dataset *made_ = NULL;                                                                               \
        assert_ok(err, MAKE(&made_, kind, __VA_ARGS__));                                                               \
        gives(made_, expected, !strchr(expected, '_'));                                                                \
    } while (0)
#define REFUSED(message, kind, ...)                                                                                    \
    do {                                                                                                               \
        struct sl_dataset *made_ = NULL;                                                                               \
        assert_fails(err, SL_INVALID_ARGUMENT, message, MAKE(&made_, kind, __VA_ARGS__));                              \
    } while (0)

/* In some states a file that is not open is at -1. */
static void a_position_of_a_closed_file(void **state) {
    (void)state;
    char text[TEXT] = "";
    struct sl_data_walk *walk;
    struct sl_state *saved;
    struct sl_dataset *d = NULL;
    const struct sl_value closed = {.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = -1};
    PUT("one", "a\nbb\n");
    assert_ok(err, MAKE(&d, text_line, paths("one"), word(""), number(0)));
    assert_ok(err, sl_data_walk_new(&walk, d, &env, &err));
    assert_ok(err, sl_state_new(&saved, &err));
    assert_ok(err, sl_data_walk_save(walk, saved, &err));
    assert_ok(err, sl_state_put_at(saved, SL_STR("Iterator::Root::TextLine"), SL_STR("current_pos"), &closed, &err));
    assert_ok(err, sl_data_walk_restore(walk, saved, &err));
    take(text, walk, MOST);
    assert_string_equal(text, "a bb .");
    sl_state_free(saved);
    sl_data_walk_unref(walk);
    sl_dataset_unref(d);
}

/* ---- lines */

#define LINES(names, compression) text_line, paths(names), word(compression), number(0)

static void lines_of_files(void **state) {
    (void)state;
    PUT("one", "a\nbb\r\nccc");
    PUT("two", "d\n\ne\n");
    PUT("none", "");
    GIVES("a bb ccc d  e .", LINES("one none two", ""));
    GIVES(".", LINES("", ""));
    GIVES("a bb ccc NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND ", LINES("one missing two", ""));
#if defined(SL_HAVE_ZLIB)
    GIVES("DATA_LOSS DATA_LOSS DATA_LOSS DATA_LOSS DATA_LOSS DATA_LOSS DATA_LOSS DATA_LOSS ", LINES("one", "GZIP"));
#endif
    REFUSED("Unsupported compression_type", LINES("one", "LZ4"));
    REFUSED("`buffer_size` must be >= 0", text_line, paths("one"), word(""), number(-1));
    REFUSED("`filenames` must be a scalar or a vector", text_line, number(1), word(""), number(0));
}

/* ---- records of fixed length: header 1, record 4, footer 2 */

#define FIXED(names, compression)                                                                                      \
    fixed_length, paths(names), number(1), number(4), number(2), number(0), word(compression)

static void records_of_fixed_length(void **state) {
    (void)state;
    PUT("three", "H111122223333FF");
    PUT("one4", "H4444FF");
    PUT("empty", "HFF");
    PUT("odd", "H111122FF");
    PUT("short", "H");
    GIVES("1111 2222 3333 4444 .", FIXED("three empty one4", ""));
    GIVES("4444 INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT "
          "INVALID_ARGUMENT INVALID_ARGUMENT ",
          FIXED("one4 odd three", ""));
    GIVES("INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT "
          "INVALID_ARGUMENT INVALID_ARGUMENT ",
          FIXED("short", ""));
    REFUSED("`record_bytes` must be > 0", fixed_length, paths("one4"), number(0), number(0), number(0), number(0));
    REFUSED("`header_bytes` must be >= 0", fixed_length, paths("one4"), number(-1), number(1), number(0), number(0));
    REFUSED("`footer_bytes` must be >= 0", fixed_length, paths("one4"), number(0), number(1), number(-1), number(0));
    REFUSED("too large", fixed_length, paths("one4"), number(0), number(INT64_MAX), number(1), number(0));
    /* A record of 2^62 bytes asks for no memory before the bytes are there. */
    GIVES("INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT INVALID_ARGUMENT "
          "INVALID_ARGUMENT INVALID_ARGUMENT ",
          fixed_length, paths("one4"), number(0), number(INT64_C(1) << 62), number(0), number(0));
}

/* ---- record files */

#define RECORDS(names, compression) record, paths(names), word(compression), number(0)

static void write_records(const char *name, enum sl_compression compression, const char *const *records, int n) {
    struct sl_record_writer *w;
    assert_ok(err, sl_record_writer_open(&w, at(name), SL_WRITER_TRUNCATE, compression, &err));
    for (int i = 0; i < n; i++) assert_ok(err, sl_record_writer_add(w, sl_str_of(records[i]), &err));
    assert_ok(err, sl_record_writer_close(w, false, &err));
}

/* A copy of file `from`, cut to `size` bytes, byte `spoilt` (if that is not negative) changed. */
static void spoil(const char *from, const char *to, size_t size, int spoilt) {
    char *data;
    size_t n;
    assert_ok(err, sl_file_read(&data, &n, at(from), SIZE_MAX, &err));
    if (spoilt >= 0) data[spoilt] ^= 1;
    put(to, data, size < n ? size : n);
    sl_free(data);
}

static void records_of_files(void **state) {
    (void)state;
    static const char *const abc[] = {"aaaa", "bbbb", "cccc"}; /* 20 bytes each in a file */
    write_records("plain", SL_COMPRESSION_NONE, abc, 3);
    GIVES("aaaa bbbb cccc aaaa bbbb cccc .", RECORDS("plain plain", ""));
    spoil("plain", "cut", 38, -1);
    spoil("plain", "body", 60, 20 + 13);
    spoil("plain", "length", 60, 20 + 1);
    spoil("plain", "header", 20 + 11, -1);
    GIVES("aaaa DATA_LOSS aaaa bbbb cccc .", RECORDS("cut plain", ""));
    GIVES("aaaa DATA_LOSS aaaa bbbb cccc .", RECORDS("body plain", ""));
    GIVES("aaaa DATA_LOSS aaaa bbbb cccc .", RECORDS("length plain", ""));
    GIVES("aaaa aaaa bbbb cccc .", RECORDS("header plain", ""));
    GIVES("aaaa bbbb cccc NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND ", RECORDS("plain missing plain", ""));
    REFUSED("must be equal", record, paths("plain plain"), word(""), number(0), number(0));
#if defined(SL_HAVE_ZLIB)
    write_records("packed", SL_COMPRESSION_GZIP, abc, 3);
    GIVES("aaaa bbbb cccc aaaa bbbb cccc .", RECORDS("packed packed", "GZIP"));
    GIVES("DATA_LOSS .", RECORDS("plain", "GZIP"));
#endif
}

static int set_up(void **state) {
    (void)state;
    sl_arena_init(&arena);
    folder = sl_path_temporary(&arena, sl_path_join(&arena, sl_path_temporary_dir(), "sluice_file_data"));
    return sl_dir_create_all(folder, &err) != SL_OK;
}
static int tear_down(void **state) {
    (void)state;
    sl_code code = sl_dir_remove_all(folder, &err);
    sl_arena_clear(&arena);
    return code != SL_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_files),
        cmocka_unit_test(a_position_of_a_closed_file),
        cmocka_unit_test(records_of_fixed_length),
        cmocka_unit_test(records_of_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
