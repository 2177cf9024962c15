/* Writing sorted tables: the blocks, separators and handles that TensorFlow writes, so that files compare byte for
 * byte. */
#include "ckpt/sorted_table.h"

#include "base/alloc.h"
#include "ckpt/coding.h"
#include "ckpt/crc32c.h"

static const uint64_t MAGIC = UINT64_C(0xdb4775248b80fb57);

/* ---- blocks */

#define append(vec, p, count)                                                                                          \
    (sl_vec_reserve(vec, (count) + 1)                                                                                  \
         ? -1                                                                                                          \
         : ((count) ? (void)memcpy((vec)->items + (vec)->n, p, count) : (void)0, (vec)->n += (count), 0))

static void block_reset(struct sl_block_builder *b) {
    b->bytes.n = b->restarts.n = b->last_key.n = 0;
    b->since_restart = 0;
}

static void block_free(struct sl_block_builder *b) {
    sl_vec_free(&b->bytes);
    sl_vec_free(&b->restarts);
    sl_vec_free(&b->last_key);
}

/* What the block will take; its first restart counts from the beginning. */
static size_t block_size(const struct sl_block_builder *b) {
    return b->bytes.n + 4 * (b->restarts.n ? b->restarts.n : 1) + 4;
}

static size_t common_prefix(struct sl_str a, struct sl_str b) {
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[n] == b.p[n]) n++;
    return n;
}

static sl_code block_add(struct sl_block_builder *b, struct sl_str key, struct sl_str value, struct sl_error *err) {
    size_t shared = 0;
    if (key.n > UINT32_MAX || value.n > INT32_MAX || b->bytes.n > UINT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "an entry of %zu bytes is too large for a table", value.n);
    if (b->restarts.n == 0 || b->since_restart >= (b->interval ? b->interval : SL_SORTED_TABLE_RESTART)) {
        if (sl_vec_push(&b->restarts, (uint32_t)b->bytes.n)) return sl_fail_memory(err, b->restarts.n * 4);
        b->since_restart = 0;
    } else {
        shared = common_prefix((struct sl_str){b->last_key.items, b->last_key.n}, key);
    }
    char head[3 * SL_VARINT_MAX];
    size_t n = sl_put_varint(head, shared);
    n += sl_put_varint(head + n, key.n - shared);
    n += sl_put_varint(head + n, value.n);
    b->last_key.n = shared;
    if (append(&b->bytes, head, n) || append(&b->bytes, key.p + shared, key.n - shared) ||
        append(&b->bytes, value.p, value.n) || append(&b->last_key, key.p + shared, key.n - shared))
        return sl_fail_memory(err, b->bytes.n + value.n);
    b->since_restart++;
    return SL_OK;
}

/* Writes the block to the file, without its place in the index, and empties it. */
static sl_code block_write(uint64_t *at, uint64_t *size, struct sl_block_builder *b, struct sl_writer *file,
                           struct sl_error *err) {
    char word[4];
    if (b->restarts.n == 0 && sl_vec_push(&b->restarts, 0)) return sl_fail_memory(err, 4);
    for (size_t i = 0; i <= b->restarts.n; i++) {
        sl_put_u32(word, i < b->restarts.n ? b->restarts.items[i] : (uint32_t)b->restarts.n);
        if (append(&b->bytes, word, 4)) return sl_fail_memory(err, b->bytes.n);
    }
    *at = file->position;
    *size = b->bytes.n;
    if (append(&b->bytes, "", 1)) return sl_fail_memory(err, b->bytes.n); /* no compression */
    sl_put_u32(word, sl_crc32c_mask(sl_crc32c(0, b->bytes.items, b->bytes.n)));
    SL_TRY(sl_writer_write(file, b->bytes.items, b->bytes.n, err));
    SL_TRY(sl_writer_write(file, word, 4, err));
    block_reset(b);
    return SL_OK;
}

/* ---- keys of the index */

/* Makes `w->last_key` as short as possible, yet not less than it was and less than `next`. */
static void shorten_before(struct sl_sorted_table_writer *w, struct sl_str next) {
    struct sl_str last = {w->last_key.items, w->last_key.n};
    size_t i = common_prefix(last, next);
    if (i >= last.n || i >= next.n) return;
    unsigned char byte = (unsigned char)last.p[i];
    if (byte == 255 || byte + 1 >= (unsigned char)next.p[i]) return;
    w->last_key.items[i]++;
    w->last_key.n = i + 1;
}

/* The same with nothing after it. */
static void shorten_last(struct sl_sorted_table_writer *w) {
    for (size_t i = 0; i < w->last_key.n; i++) {
        if ((unsigned char)w->last_key.items[i] == 255) continue;
        w->last_key.items[i]++;
        w->last_key.n = i + 1;
        return;
    }
}

static sl_code index_pending(struct sl_sorted_table_writer *w, struct sl_error *err) {
    char handle[2 * SL_VARINT_MAX];
    size_t n = sl_put_varint(handle, w->pending_at);
    n += sl_put_varint(handle + n, w->pending_size);
    w->has_pending = false;
    return block_add(&w->index, (struct sl_str){w->last_key.items, w->last_key.n}, (struct sl_str){handle, n}, err);
}

static sl_code flush(struct sl_sorted_table_writer *w, struct sl_error *err) {
    if (w->data.bytes.n == 0) return SL_OK;
    SL_TRY(block_write(&w->pending_at, &w->pending_size, &w->data, w->file, err));
    w->has_pending = true;
    return SL_OK;
}

/* ---- tables */

void sl_sorted_table_writer_init(struct sl_sorted_table_writer *w, struct sl_writer *file) {
    *w = (struct sl_sorted_table_writer){.file = file, .index.interval = 1}; /* the index restarts at each key */
}

sl_code sl_sorted_table_writer_add(struct sl_sorted_table_writer *w, struct sl_str key, struct sl_str value,
                                   struct sl_error *err) {
    if (w->has_key && sl_str_cmp(key, (struct sl_str){w->last_key.items, w->last_key.n}) <= 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "keys of a table must grow");
    if (key.n + value.n >= 2 * (size_t)SL_SORTED_TABLE_BLOCK) SL_TRY(flush(w, err)); /* a large one stands alone */
    if (w->has_pending) {
        shorten_before(w, key);
        SL_TRY(index_pending(w, err));
    }
    w->last_key.n = 0;
    if (append(&w->last_key, key.p, key.n)) return sl_fail_memory(err, key.n);
    w->has_key = true;
    SL_TRY(block_add(&w->data, key, value, err));
    return block_size(&w->data) >= SL_SORTED_TABLE_BLOCK ? flush(w, err) : SL_OK;
}

sl_code sl_sorted_table_writer_finish(struct sl_sorted_table_writer *w, struct sl_error *err) {
    char footer[SL_SORTED_TABLE_FOOTER] = {0};
    uint64_t at, size;
    SL_TRY(flush(w, err));
    struct sl_block_builder empty = {0};
    sl_code code = block_write(&at, &size, &empty, w->file, err);
    block_free(&empty);
    if (code != SL_OK) return code;
    size_t n = sl_put_varint(footer, at);
    n += sl_put_varint(footer + n, size);
    if (w->has_pending) {
        shorten_last(w);
        SL_TRY(index_pending(w, err));
    }
    SL_TRY(block_write(&at, &size, &w->index, w->file, err));
    n += sl_put_varint(footer + n, at);
    sl_put_varint(footer + n, size);
    sl_put_u64(footer + SL_SORTED_TABLE_FOOTER - 8, MAGIC);
    return sl_writer_write(w->file, footer, sizeof footer, err);
}

void sl_sorted_table_writer_clear(struct sl_sorted_table_writer *w) {
    block_free(&w->data);
    block_free(&w->index);
    sl_vec_free(&w->last_key);
}
