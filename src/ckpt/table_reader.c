/* Reading sorted tables. Every number of the file is checked against the bytes there are before it is used. */
#include "ckpt/sorted_table.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"
#include "ckpt/snappy.h"

/* "the magic number", low word first; and what a block may hold once it is unpacked. */
static const uint64_t MAGIC = UINT64_C(0xdb4775248b80fb57);
static const size_t UNPACKED_MAX = (size_t)1 << 31;

static sl_code corrupted(const struct sl_sorted_table *table, uint64_t at, const char *why, struct sl_error *err) {
    return sl_fail(err, SL_DATA_LOSS, "%s; block at %" PRIu64 ": %s", table->path, at, why);
}

/* ---- blocks */

static void block_clear(struct sl_sorted_table_block *block) {
    sl_free(block->owned);
    *block = (struct sl_sorted_table_block){0};
}

/* Takes the restart offsets off the end. */
static sl_code block_parse(struct sl_sorted_table_block *block, const struct sl_sorted_table *table, uint64_t at,
                           struct sl_str bytes, struct sl_error *err) {
    uint32_t restarts = bytes.n >= 4 ? sl_get_u32(bytes.p + bytes.n - 4) : 0;
    if (bytes.n < 4 || restarts > (bytes.n - 4) / 4) return corrupted(table, at, "bad block contents", err);
    block->data = bytes.p;
    block->restarts = restarts;
    block->entries = bytes.n - 4 - (size_t)restarts * 4;
    if (!restarts && block->entries) return corrupted(table, at, "bad block contents", err);
    return SL_OK;
}

static sl_code block_read(struct sl_sorted_table_block *block, const struct sl_sorted_table *table, uint64_t at,
                          uint64_t size, struct sl_error *err) {
    *block = (struct sl_sorted_table_block){0};
    if (size > table->bytes.n || at > table->bytes.n - size || table->bytes.n - size - at < SL_SORTED_TABLE_TRAILER)
        return corrupted(table, at, "truncated block read", err);
    struct sl_str bytes = {table->bytes.p + at, (size_t)size};
    uint32_t stored = sl_crc32c_unmask(sl_get_u32(bytes.p + bytes.n + 1));
    if (stored != sl_crc32c(0, bytes.p, bytes.n + 1)) return corrupted(table, at, "block checksum mismatch", err);
    char compression = bytes.p[bytes.n];
    if (compression == 1) {
        sl_code code = sl_snappy_decode(&block->owned, &bytes.n, bytes, UNPACKED_MAX, err);
        if (code == SL_DATA_LOSS) return corrupted(table, at, "corrupted compressed block contents", err);
        if (code != SL_OK) return code;
        bytes.p = block->owned;
    } else if (compression != 0) {
        return corrupted(table, at, "bad block type", err);
    }
    sl_code code = block_parse(block, table, at, bytes, err);
    if (code != SL_OK) block_clear(block);
    return code;
}

/* ---- entries of a block */

/* To the next entry, whose key is then in `c->key`; `*found` is false at the end of the block. */
static sl_code entry_next(bool *found, struct sl_block_cursor *c, const struct sl_sorted_table *table,
                          struct sl_error *err) {
    const char *at = c->block->data + c->at, *end = c->block->data + c->block->entries;
    *found = false;
    if (at >= end) return SL_OK;
    uint32_t shared, own, value;
    if (!sl_get_varint32(&shared, &at, end) || !sl_get_varint32(&own, &at, end) || !sl_get_varint32(&value, &at, end) ||
        shared > c->key.n || own > (size_t)(end - at) || value > (size_t)(end - at) - own)
        return sl_fail(err, SL_DATA_LOSS, "%s; bad entry in block", table->path);
    if (sl_vec_reserve(&c->key, own + 1u)) return sl_fail_memory(err, own);
    struct sl_str rest = {at, own}, replaced = {c->key.items + shared, c->key.n - shared};
    if (c->value.p && sl_str_cmp(rest, replaced) <= 0)
        return sl_fail(err, SL_DATA_LOSS, "%s; keys out of order in block", table->path);
    c->key.n = shared;
    if (own) memcpy(c->key.items + shared, at, own);
    c->key.n += own;
    c->value = (struct sl_str){at + own, value};
    c->at = (size_t)(at + own + value - c->block->data);
    *found = true;
    return SL_OK;
}

/* Before the entry at restart `i`. */
static sl_code restart_at(struct sl_block_cursor *c, const struct sl_sorted_table *table, uint32_t i,
                          struct sl_error *err) {
    size_t at = sl_get_u32(c->block->data + c->block->entries + (size_t)i * 4);
    if (at > c->block->entries) return sl_fail(err, SL_DATA_LOSS, "%s; bad restart in block", table->path);
    c->at = at;
    c->key.n = 0;
    c->value.p = NULL;
    return SL_OK;
}

static struct sl_str cursor_key(const struct sl_block_cursor *c) { return (struct sl_str){c->key.items, c->key.n}; }

/* To the first entry not less than `key`: the last restart before it is found by halving. */
static sl_code block_seek(bool *found, struct sl_block_cursor *c, const struct sl_sorted_table *table,
                          const struct sl_sorted_table_block *block, struct sl_str key, struct sl_error *err) {
    c->block = block;
    *found = false;
    if (block->restarts == 0) return SL_OK;
    uint32_t low = 0, high = block->restarts - 1;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        SL_TRY(restart_at(c, table, middle, err));
        SL_TRY(entry_next(found, c, table, err));
        if (*found && sl_str_cmp(cursor_key(c), key) < 0) low = middle;
        else high = middle - 1;
    }
    SL_TRY(restart_at(c, table, low, err));
    do SL_TRY(entry_next(found, c, table, err));
    while (*found && sl_str_cmp(cursor_key(c), key) < 0);
    return SL_OK;
}

/* ---- tables */

static bool get_handle(uint64_t *at, uint64_t *size, struct sl_str from) {
    const char *p = from.p, *end = from.p + from.n;
    return sl_get_varint(at, &p, end) && sl_get_varint(size, &p, end);
}

sl_code sl_sorted_table_open(struct sl_sorted_table *table, const char *path, struct sl_str bytes,
                             struct sl_error *err) {
    *table = (struct sl_sorted_table){.path = path, .bytes = bytes};
    if (bytes.n < SL_SORTED_TABLE_FOOTER)
        return sl_fail(err, SL_DATA_LOSS, "%s; file is too short to be an sstable", path);
    const char *footer = bytes.p + bytes.n - SL_SORTED_TABLE_FOOTER;
    if (sl_get_u64(footer + SL_SORTED_TABLE_FOOTER - 8) != MAGIC)
        return sl_fail(err, SL_DATA_LOSS, "%s; not an sstable (bad magic number)", path);
    uint64_t at, size;
    const char *p = footer, *end = footer + SL_SORTED_TABLE_FOOTER - 8;
    if (!sl_get_varint(&at, &p, end) || !sl_get_varint(&size, &p, end) || /* the empty block's */
        !sl_get_varint(&at, &p, end) || !sl_get_varint(&size, &p, end))
        return sl_fail(err, SL_DATA_LOSS, "%s; bad block handle", path);
    return block_read(&table->index, table, at, size, err);
}

void sl_sorted_table_close(struct sl_sorted_table *table) { block_clear(&table->index); }

/* Reads the block that the index cursor is at. */
static sl_code load_block(struct sl_sorted_table_cursor *c, struct sl_error *err) {
    uint64_t at, size;
    if (!get_handle(&at, &size, c->in_index.value))
        return sl_fail(err, SL_DATA_LOSS, "%s; bad block handle", c->table->path);
    if (c->has_block && c->block_at == at) return SL_OK;
    block_clear(&c->block);
    c->has_block = false;
    SL_TRY(block_read(&c->block, c->table, at, size, err));
    c->has_block = true;
    c->block_at = at;
    return SL_OK;
}

static void show(struct sl_sorted_table_cursor *c, bool found) {
    c->is_valid = found;
    c->key = cursor_key(&c->in_block);
    c->value = c->in_block.value;
}

/* To the first entry of the next block that has one. */
static sl_code next_block(struct sl_sorted_table_cursor *c, struct sl_error *err) {
    bool found = false, more;
    SL_VEC(char) last = {0};
    if (sl_vec_reserve(&last, c->in_block.key.n + 1)) return sl_fail_memory(err, c->in_block.key.n);
    last.n = c->in_block.key.n;
    if (last.n) memcpy(last.items, c->in_block.key.items, last.n);
    bool has_last = c->in_block.value.p != NULL;
    sl_code code;
    do {
        code = entry_next(&more, &c->in_index, c->table, err);
        if (code != SL_OK || !more) break;
        code = load_block(c, err);
        if (code == SL_OK) code = block_seek(&found, &c->in_block, c->table, &c->block, SL_STR(""), err);
    } while (code == SL_OK && !found);
    if (code == SL_OK && found && has_last &&
        sl_str_cmp(cursor_key(&c->in_block), (struct sl_str){last.items, last.n}) <= 0)
        code = sl_fail(err, SL_DATA_LOSS, "%s; keys out of order between blocks", c->table->path);
    sl_vec_free(&last);
    show(c, code == SL_OK && found);
    return code;
}

sl_code sl_cursor_seek(struct sl_sorted_table_cursor *c, const struct sl_sorted_table *table, struct sl_str key,
                       struct sl_error *err) {
    bool found;
    c->table = table;
    c->is_valid = false;
    SL_TRY(block_seek(&found, &c->in_index, table, &table->index, key, err));
    if (!found) return SL_OK;
    SL_TRY(load_block(c, err));
    SL_TRY(block_seek(&found, &c->in_block, table, &c->block, key, err));
    if (!found) return next_block(c, err);
    show(c, true);
    return SL_OK;
}

sl_code sl_cursor_next(struct sl_sorted_table_cursor *c, struct sl_error *err) {
    bool found;
    c->is_valid = false;
    SL_TRY(entry_next(&found, &c->in_block, c->table, err));
    if (!found) return next_block(c, err);
    show(c, true);
    return SL_OK;
}

void sl_cursor_clear(struct sl_sorted_table_cursor *c) {
    block_clear(&c->block);
    sl_vec_free(&c->in_index.key);
    sl_vec_free(&c->in_block.key);
    *c = (struct sl_sorted_table_cursor){0};
}
