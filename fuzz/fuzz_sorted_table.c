/* Sorted tables. The input is the contents of a data block, which gets a good checksum, an index and a footer; with
 * a first byte of 1 it is a compressed block, with 2 a whole file as it is. A table must be gone through in bounded
 * time. */
#include <stdlib.h>

#include "base/alloc.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"
#include "ckpt/sorted_table.h"
#include "ckpt/tensor_slice.h"

static size_t add_block(char *to, const void *bytes, size_t n, char compression) {
    if (n) memcpy(to, bytes, n);
    to[n] = compression;
    sl_put_u32(to + n + 1, sl_crc32c_mask(sl_crc32c(0, to, n + 1)));
    return n + SL_SORTED_TABLE_TRAILER;
}

static size_t make_file(char *file, const uint8_t *data, size_t size, char compression) {
    char index[64] = {0, 1, 0, 'z'};
    size_t n = 4;
    n += sl_put_varint(index + n, 0);
    n += sl_put_varint(index + n, size);
    index[2] = (char)(n - 4);
    sl_put_u32(index + n, 0);
    sl_put_u32(index + n + 4, 1);
    size_t at = add_block(file, data, size, compression), end = at + add_block(file + at, index, n + 8, 0), f = end;
    memset(file + end, 0, SL_SORTED_TABLE_FOOTER);
    f += sl_put_varint(file + f, 0);
    f += sl_put_varint(file + f, 0);
    f += sl_put_varint(file + f, at);
    sl_put_varint(file + f, n + 8);
    sl_put_u64(file + end + SL_SORTED_TABLE_FOOTER - 8, UINT64_C(0xdb4775248b80fb57));
    return end + SL_SORTED_TABLE_FOOTER;
}

static void go_through(struct sl_sorted_table *table, struct sl_error *err) {
    struct sl_sorted_table_cursor c = {0};
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_cursor_seek(&c, table, SL_STR("m"), err);
    if (code == SL_OK) code = sl_cursor_seek(&c, table, SL_STR(""), err);
    while (code == SL_OK && c.is_valid) {
        static struct sl_tensor_slice slice;
        struct sl_str name;
        (void)sl_slice_key_parse(&name, &slice, c.key, &arena, err);
        code = sl_cursor_next(&c, err);
    }
    sl_cursor_clear(&c);
    sl_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sl_error err;
    struct sl_sorted_table table;
    if (size == 0) return 0;
    char *file = malloc(size + 256);
    if (!file) return 0;
    size_t n = size - 1;
    if (data[0] == 2) memcpy(file, data + 1, n);
    else n = make_file(file, data + 1, size - 1, data[0] == 1);
    sl_error_clear(&err);
    if (sl_sorted_table_open(&table, "input", (struct sl_str){file, n}, &err) == SL_OK) {
        go_through(&table, &err);
        sl_sorted_table_close(&table);
    }
    free(file);
    return 0;
}
