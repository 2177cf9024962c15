/* Checkpoints whose tables are sound and whose messages are not. The input: a byte for the version (even: 2), then
 * entries, each a byte of key length, a byte of value length, key, value; a key length of 255 ends them and the rest
 * is the data file. Every tensor of the list is read, whole and in part. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ckpt/bundle_entry.h"
#include "ckpt/checkpoint.h"
#include "os/file.h"

struct entry {
    struct sl_str key, value;
};

static int compare(const void *a, const void *b) {
    return sl_str_cmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

static size_t take_entries(struct entry *entries, size_t room, const uint8_t **at, const uint8_t *end) {
    size_t n = 0;
    while (n < room && end - *at >= 2 && (*at)[0] != 255) {
        size_t key = (*at)[0], value = (*at)[1];
        if ((size_t)(end - *at) < 2 + key + value) break;
        const char *p = (const char *)*at + 2;
        entries[n++] = (struct entry){{p, key}, {p + key, value}};
        *at += 2 + key + value;
    }
    if (*at < end) ++*at;
    qsort(entries, n, sizeof *entries, compare);
    return n;
}

static void write_table(const char *path, const struct entry *entries, size_t n) {
    struct sl_writer file;
    struct sl_sorted_table_writer w;
    if (sl_writer_open(&file, path, SL_WRITER_TRUNCATE, NULL) != SL_OK) abort();
    sl_sorted_table_writer_init(&w, &file);
    for (size_t i = 0; i < n; i++) (void)sl_sorted_table_writer_add(&w, entries[i].key, entries[i].value, NULL);
    if (sl_sorted_table_writer_finish(&w, NULL) != SL_OK) abort();
    sl_sorted_table_writer_clear(&w);
    if (sl_writer_close(&file, NULL) != SL_OK) abort();
}

static void read_all(const char *prefix) {
    struct sl_checkpoint *c;
    struct sl_bundle_entry *list;
    struct sl_arena arena;
    struct sl_error err;
    size_t n;
    sl_arena_init(&arena);
    sl_error_clear(&err);
    if (sl_checkpoint_open(&c, prefix, NULL, &err) != SL_OK) return;
    if (sl_checkpoint_list(&list, &n, c, &arena, &err) == SL_OK)
        for (size_t i = 0; i < n; i++) {
            static struct sl_tensor_slice part;
            struct sl_tensor *t;
            if (sl_checkpoint_read(&t, c, list[i].key, NULL, &err) == SL_OK) sl_tensor_unref(t);
            part.rank = list[i].shape.rank;
            for (int d = 0; d < part.rank; d++) part.dims[d] = (struct sl_extent){0, list[i].shape.dims[d] > 0};
            if (sl_checkpoint_read(&t, c, list[i].key, &part, &err) == SL_OK) sl_tensor_unref(t);
        }
    sl_checkpoint_close(c);
    sl_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { ROOM = 64 };
    struct entry entries[ROOM];
    static char dir[] = "/tmp/sluice-fuzz-XXXXXX";
    char index[64], shard[64], v1[64], prefix[64];
    if (size == 0) return 0;
    if (dir[sizeof dir - 2] == 'X' && !mkdtemp(dir)) abort();
    snprintf(prefix, sizeof prefix, "%s/c", dir);
    snprintf(index, sizeof index, "%s/c.index", dir);
    snprintf(shard, sizeof shard, "%s/c.data-00000-of-00001", dir);
    snprintf(v1, sizeof v1, "%s/c", dir);
    const uint8_t *at = data + 1, *end = data + size;
    size_t n = take_entries(entries, ROOM, &at, end);
    bool is_v1 = data[0] % 2;
    write_table(is_v1 ? v1 : index, entries, n);
    if (!is_v1 && sl_file_write(shard, at, (size_t)(end - at), NULL) != SL_OK) abort();
    read_all(prefix);
    unlink(index);
    unlink(shard);
    unlink(v1);
    rmdir(dir);
    memcpy(dir, "/tmp/sluice-fuzz-XXXXXX", sizeof dir);
    return 0;
}
