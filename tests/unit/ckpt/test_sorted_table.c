/* Sorted tables: writing, seeking, going through, damage. */
#include "unit/unit.h"

#include <stdio.h>

#include "base/alloc.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"
#include "ckpt/sorted_table.h"
#include "unit/os/scratch.h"

/* A table of keys "key-0000", "key-0002" ... with values of `size` bytes. */
static void write_table(const char *path, int n, size_t size) {
    struct sl_error err;
    struct sl_writer file;
    struct sl_sorted_table_writer w;
    char *value = sl_calloc(size + 1, 1), key[32];
    assert_ok(err, sl_writer_open(&file, path, SL_WRITER_TRUNCATE, &err));
    sl_sorted_table_writer_init(&w, &file);
    for (int i = 0; i < n; i++) {
        snprintf(key, sizeof key, "key-%04d", 2 * i);
        if (size >= sizeof i) memcpy(value, &i, sizeof i);
        assert_ok(err, sl_sorted_table_writer_add(&w, sl_str_of(key), (struct sl_str){value, size}, &err));
    }
    assert_ok(err, sl_sorted_table_writer_finish(&w, &err));
    sl_sorted_table_writer_clear(&w);
    assert_ok(err, sl_writer_close(&file, &err));
    sl_free(value);
}

static void check_table(const char *path, int n, size_t size) {
    struct sl_error err;
    struct sl_mapping map;
    struct sl_sorted_table table;
    struct sl_sorted_table_cursor c = {0};
    char key[32];
    assert_ok(err, sl_mapping_open(&map, path, &err));
    assert_ok(err, sl_sorted_table_open(&table, path, (struct sl_str){map.data, map.size}, &err));
    assert_ok(err, sl_cursor_seek(&c, &table, SL_STR(""), &err));
    for (int i = 0; i < n; i++) {
        snprintf(key, sizeof key, "key-%04d", 2 * i);
        assert_true(c.is_valid && sl_str_is(c.key, key) && c.value.n == size);
        if (size >= sizeof i) assert_memory_equal(c.value.p, &i, sizeof i);
        assert_ok(err, sl_cursor_next(&c, &err));
    }
    assert_false(c.is_valid);
    for (int i = 0; i < 2 * n + 1; i += n / 50 + 1) { /* odd ones are between keys */
        snprintf(key, sizeof key, "key-%04d", i);
        assert_ok(err, sl_cursor_seek(&c, &table, sl_str_of(key), &err));
        snprintf(key, sizeof key, "key-%04d", i + i % 2);
        assert_int_equal(c.is_valid, i + i % 2 < 2 * n);
        if (c.is_valid) assert_true(sl_str_is(c.key, key));
    }
    sl_cursor_clear(&c);
    sl_sorted_table_close(&table);
    sl_mapping_close(&map);
}

static void tables_come_back(void **state) {
    (void)state;
    const struct {
        int n;
        size_t size;
    } rows[] = {{0, 0}, {1, 0}, {15, 3}, {16, 4}, {17, 4}, {3000, 200}, {5, 300000}, {3, 1000000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_table("table", rows[i].n, rows[i].size);
        check_table("table", rows[i].n, rows[i].size);
    }
}

static void keys_must_grow(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_writer file;
    struct sl_sorted_table_writer w;
    assert_ok(err, sl_writer_open(&file, "table", SL_WRITER_TRUNCATE, &err));
    sl_sorted_table_writer_init(&w, &file);
    assert_ok(err, sl_sorted_table_writer_add(&w, SL_STR("b"), SL_STR(""), &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "must grow", sl_sorted_table_writer_add(&w, SL_STR("b"), SL_STR(""), &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "must grow", sl_sorted_table_writer_add(&w, SL_STR("a"), SL_STR(""), &err));
    sl_sorted_table_writer_clear(&w);
    sl_writer_abandon(&file);
}

/* Goes through a table that may be damaged: an error, or at most as many entries as there can be. */
static sl_code go_through(struct sl_str bytes, struct sl_error *err) {
    struct sl_sorted_table table;
    struct sl_sorted_table_cursor c = {0};
    size_t n = 0;
    sl_code code = sl_sorted_table_open(&table, "damaged", bytes, err);
    if (code != SL_OK) return code;
    code = sl_cursor_seek(&c, &table, SL_STR("key-0003"), err);
    if (code == SL_OK) code = sl_cursor_seek(&c, &table, SL_STR(""), err);
    while (code == SL_OK && c.is_valid && n++ <= bytes.n) code = sl_cursor_next(&c, err);
    assert_true(n <= bytes.n);
    sl_cursor_clear(&c);
    sl_sorted_table_close(&table);
    return code;
}

static void damage_is_noticed(void **state) {
    (void)state;
    struct sl_error err;
    char *bytes;
    size_t n;
    write_table("table", 40, 5);
    assert_ok(err, sl_file_read(&bytes, &n, "table", 1 << 20, &err));
    uint64_t empty = 0;
    const char *footer = bytes + n - SL_SORTED_TABLE_FOOTER;
    assert_true(sl_get_varint(&empty, &footer, bytes + n));
    for (size_t i = 0; i < n; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] ^= (char)(1 << bit);
            sl_error_clear(&err);
            sl_code code = go_through((struct sl_str){bytes, n}, &err);
            /* the empty block, what the footer says of it, and its padding matter to nobody */
            if (i < n - SL_SORTED_TABLE_FOOTER && (i < empty || i >= empty + 8 + SL_SORTED_TABLE_TRAILER))
                assert_int_equal(code, SL_DATA_LOSS);
            else assert_true(code == SL_OK || code == SL_DATA_LOSS);
            bytes[i] ^= (char)(1 << bit);
        }
    for (size_t cut = 0; cut < n; cut++)
        assert_fails(err, SL_DATA_LOSS, "damaged", go_through((struct sl_str){bytes, cut}, &err));
    assert_ok(err, go_through((struct sl_str){bytes, n}, &err));
    sl_free(bytes);
}

/* A file of one block with these contents, its checksum right; `packing` 1 says that they are compressed. */
static struct sl_str table_of_block(char *file, struct sl_str block, char packing) {
    size_t n = 0;
    const char *parts[2];
    char index[64];
    size_t sizes[2] = {block.n, 0}, at[2];
    parts[0] = block.p;
    size_t handle = sl_put_varint(index + 4, 0);
    handle += sl_put_varint(index + 4 + handle, block.n);
    memcpy(index, "\0\1", 2);
    index[2] = (char)handle;
    memmove(index + 3, "z", 1);
    sizes[1] = 4 + handle;
    sl_put_u32(index + sizes[1], 0);
    sl_put_u32(index + sizes[1] + 4, 1);
    sizes[1] += 8;
    parts[1] = index;
    for (int i = 0; i < 2; i++) {
        at[i] = n;
        memcpy(file + n, parts[i], sizes[i]);
        n += sizes[i];
        file[n++] = i ? 0 : packing;
        sl_put_u32(file + n, sl_crc32c_mask(sl_crc32c(0, file + at[i], sizes[i] + 1)));
        n += 4;
    }
    memset(file + n, 0, SL_SORTED_TABLE_FOOTER);
    size_t f = n;
    f += sl_put_varint(file + f, at[0]);
    f += sl_put_varint(file + f, sizes[0]);
    f += sl_put_varint(file + f, at[1]);
    sl_put_varint(file + f, sizes[1]);
    sl_put_u64(file + n + SL_SORTED_TABLE_FOOTER - 8, UINT64_C(0xdb4775248b80fb57));
    return (struct sl_str){file, n + SL_SORTED_TABLE_FOOTER};
}

static void nonsense_with_good_checksums(void **state) {
    (void)state;
    struct sl_error err;
    char file[512];
    const struct sl_str bad[] = {
        SL_STR(""),
        SL_STR("\xff\xff\xff\x7f"),                                                /* more restarts than bytes */
        SL_STR("\0\1\0a\0\0\0\0"),                                                 /* entries without a restart */
        SL_STR("\0\5\0a\0\0\0\0\1\0\0\0"),                                         /* a key past the end */
        SL_STR("\0\1\5a\0\0\0\0\1\0\0\0"),                                         /* a value past the end */
        SL_STR("\3\1\0a\0\0\0\0\1\0\0\0"),                                         /* shares bytes of no key */
        SL_STR("\0\1\0b\0\1\0a\0\0\0\0\1\0\0\0"),                                  /* keys that fall */
        SL_STR("\0\1\0a\1\0\0\0\0\0\0\1\0\0\0"),                                   /* the same key twice */
        SL_STR("\0\1\0a\x40\0\0\0\1\0\0\0"),                                       /* a restart past the end */
        SL_STR("\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0a\0\0\0\0\1\0\0\0"), /* a number too long */
    };
    assert_ok(err, go_through(table_of_block(file, SL_STR("\0\1\1av\1\1\0b\0\0\0\0\1\0\0\0"), 0), &err));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(err, SL_DATA_LOSS, "damaged; ", go_through(table_of_block(file, bad[i], 0), &err));
}

/* One literal in snappy's form, of any bytes: only the checksum can tell that some of them are wrong. */
static void damage_of_compressed_blocks_is_noticed(void **state) {
    (void)state;
    struct sl_error err;
    char file[512];
    const struct sl_str packed = SL_STR("\x11\x40\0\1\1av\1\1\0b\0\0\0\0\1\0\0\0");
    const struct sl_str table = table_of_block(file, packed, 1);
    assert_ok(err, go_through(table, &err));
    for (size_t i = 0; i < packed.n + SL_SORTED_TABLE_TRAILER; i++)
        for (int bit = 0; bit < 8; bit++) {
            file[i] ^= (char)(1 << bit);
            assert_fails(err, SL_DATA_LOSS, "block checksum mismatch", go_through(table, &err));
            file[i] ^= (char)(1 << bit);
        }
    assert_fails(err, SL_DATA_LOSS, "corrupted compressed block",
                 go_through(table_of_block(file, SL_STR("\x11\x44\0\1"), 1), &err));
    assert_fails(err, SL_DATA_LOSS, "bad block type", go_through(table_of_block(file, packed, 2), &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_come_back),
        cmocka_unit_test(keys_must_grow),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(nonsense_with_good_checksums),
        cmocka_unit_test(damage_of_compressed_blocks_is_noticed),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
