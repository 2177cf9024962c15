/* Sorted tables: files of keys and values in the order of the keys, cut into blocks with a checksum each. The index
 * of a checkpoint is one, and so is a whole checkpoint of version 1.
 *
 *   file    data block ... | empty block | index block | footer (48 bytes)
 *   block   entry ... | restart offsets (u32 each) | their number (u32) ||
 *           compression (0 none, 1 snappy) | masked crc32c (u32)
 *   entry   varint shared | varint own | varint value bytes | own bytes of the key | value
 *
 * A key starts with `shared` bytes of the key before; at each restart with none. The index has for each block a key
 * that is not less than its last and less than all after, and the block's place. Format: LevelDB,
 * doc/table_format.md.
 *
 * Threads: a table is immutable after it is opened, any number of cursors may read it; a cursor and a writer have
 * one owner. */
#ifndef SL_CKPT_SORTED_TABLE_H
#define SL_CKPT_SORTED_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "os/file.h"

enum {
    SL_SORTED_TABLE_FOOTER = 48,
    SL_SORTED_TABLE_TRAILER = 5,
    SL_SORTED_TABLE_RESTART = 16,
    SL_SORTED_TABLE_BLOCK = 262144
};

/* A block's contents. */
struct sl_sorted_table_block {
    const char *data;
    size_t entries;    /* bytes of entries */
    uint32_t restarts; /* their offsets follow the entries */
    char *owned;       /* `data` when it was compressed, else NULL */
};

struct sl_sorted_table {
    const char *path; /* for messages; borrowed */
    struct sl_str bytes;
    struct sl_sorted_table_block index;
};

/* `bytes` is the whole file, which must stay; nothing in it is believed. DATA_LOSS when it is no table. */
sl_code sl_sorted_table_open(struct sl_sorted_table *table, const char *path, struct sl_str bytes,
                             struct sl_error *err);
void sl_sorted_table_close(struct sl_sorted_table *table); /* harmless on a zeroed one */

/* A place in a block. */
struct sl_block_cursor {
    const struct sl_sorted_table_block *block;
    size_t at; /* of the next entry */
    SL_VEC(char) key;
    struct sl_str value;
};

/* A place in a table. Zeroed memory, then sl_cursor_seek; sl_cursor_clear at the end. */
struct sl_sorted_table_cursor {
    const struct sl_sorted_table *table;
    bool is_valid;            /* false: behind the last entry */
    struct sl_str key, value; /* of the entry here; borrowed, until the cursor moves */
    struct sl_sorted_table_block block;
    struct sl_block_cursor in_index, in_block;
    uint64_t block_at; /* where the file has `block` */
    bool has_block;
};

/* To the first entry whose key is not less than `key`. DATA_LOSS names the file and the block. */
sl_code sl_cursor_seek(struct sl_sorted_table_cursor *cursor, const struct sl_sorted_table *table, struct sl_str key,
                       struct sl_error *err);
/* To the next entry; the cursor must be valid. Keys that do not grow are DATA_LOSS. */
sl_code sl_cursor_next(struct sl_sorted_table_cursor *cursor, struct sl_error *err);
void sl_cursor_clear(struct sl_sorted_table_cursor *cursor);

/* ---- writing */

struct sl_block_builder {
    SL_VEC(char) bytes;
    SL_VEC(uint32_t) restarts;
    SL_VEC(char) last_key;
    int since_restart;
    int interval; /* entries from restart to restart; 0: SL_SORTED_TABLE_RESTART */
};

/* Writes what TensorFlow writes, byte for byte, uncompressed. */
struct sl_sorted_table_writer {
    struct sl_writer *file; /* borrowed */
    struct sl_block_builder data, index;
    SL_VEC(char) last_key;
    bool has_key, has_pending; /* a finished block waits for its key in the index */
    uint64_t pending_at, pending_size;
};

void sl_sorted_table_writer_init(struct sl_sorted_table_writer *w, struct sl_writer *file);
/* Keys must grow bytewise: INVALID_ARGUMENT. */
sl_code sl_sorted_table_writer_add(struct sl_sorted_table_writer *w, struct sl_str key, struct sl_str value,
                                   struct sl_error *err);
/* Writes index and footer; the file stays open. */
sl_code sl_sorted_table_writer_finish(struct sl_sorted_table_writer *w, struct sl_error *err);
void sl_sorted_table_writer_clear(struct sl_sorted_table_writer *w);

#endif
