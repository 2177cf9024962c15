/* Files: names, whole contents. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/any/path_input.h"
#include "base/alloc.h"
#include "base/vec.h"
#include "os/file.h"

/* ---- names of shards */

static sl_code scalar_of(struct sl_view *out, struct sl_kernel_context *k, int i, const char *what) {
    char text[SL_SHAPE_TEXT];
    *out = sl_in(k, i);
    if (out->rank == 0) return SL_OK;
    return sl_invalid(k, "Input %d (%s) must be a scalar; got shape %s", i, what,
                      sl_shape_text(text, sl_view_shape(*out)));
}

/* "BASE-00001-of-00004", or "BASE-?????-of-00004" without a shard. */
static sl_code sharded_run(struct sl_kernel_context *k) {
    struct sl_view base, shard, shards;
    bool has_shard = sl_in_count(k) == 3;
    char number[16] = "?????";
    SL_TRY(scalar_of(&base, k, 0, "basename"));
    if (has_shard) {
        SL_TRY(scalar_of(&shard, k, 1, "shard"));
        snprintf(number, sizeof number, "%05" PRId32, *(const int32_t *)shard.data);
    }
    SL_TRY(scalar_of(&shards, k, has_shard ? 2 : 1, "num_shards"));
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_str name = sl_string_get(base.data);
    char tail[48];
    int n = snprintf(tail, sizeof tail, "-%s-of-%05" PRId32, number, *(const int32_t *)shards.data);
    char *text = sl_arena_alloc(&arena, name.n + (size_t)n);
    sl_code code = SL_OK;
    if (text) {
        if (name.n) memcpy(text, name.p, name.n);
        memcpy(text + name.n, tail, (size_t)n);
        code = sl_out_string(k, 0, (struct sl_str){text, name.n + (size_t)n});
    } else {
        code = sl_fail_memory(k->err, name.n);
    }
    sl_arena_clear(&arena);
    return code;
}

/* ---- MatchingFiles */

static int compare_paths(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

struct paths {
    SL_VEC(char *) list;
};

static sl_code glob_all(struct paths *paths, struct sl_kernel_context *k, struct sl_view patterns,
                        struct sl_arena *arena) {
    for (int64_t i = 0; i < patterns.count; i++) {
        char *pattern, **found;
        size_t n;
        SL_TRY(sl_path_of_string(&pattern, (const TF_TString *)patterns.data + i, arena, k));
        SL_TRY(sl_path_glob(&found, &n, pattern, arena, k->err));
        if (sl_vec_reserve(&paths->list, n + 1)) return sl_fail_memory(k->err, n * sizeof *found);
        for (size_t j = 0; j < n; j++) paths->list.items[paths->list.n++] = found[j];
    }
    if (paths->list.n) qsort(paths->list.items, paths->list.n, sizeof(char *), compare_paths);
    return SL_OK;
}

static sl_code matching_files_run(struct sl_kernel_context *k) {
    struct sl_view patterns = sl_in(k, 0), names;
    struct paths paths = {0};
    struct sl_arena arena;
    char text[SL_SHAPE_TEXT];
    if (patterns.rank > 1)
        return sl_invalid(k, "Input patterns tensor must be scalar or vector, but had shape: %s",
                          sl_shape_text(text, sl_view_shape(patterns)));
    sl_arena_init(&arena);
    sl_code code = glob_all(&paths, k, patterns, &arena);
    if (code == SL_OK) code = sl_out_new(&names, k, 0, (struct sl_shape){1, (int64_t[]){(int64_t)paths.list.n}});
    for (size_t i = 0; code == SL_OK && i < paths.list.n; i++)
        code = sl_string_set((TF_TString *)names.data + i, sl_str_of(paths.list.items[i]), k->err);
    sl_vec_free(&paths.list);
    sl_arena_clear(&arena);
    return code;
}

/* ---- whole files */

static sl_code read_file_run(struct sl_kernel_context *k) {
    struct sl_arena arena;
    char *path, *data = NULL;
    size_t size;
    sl_arena_init(&arena);
    sl_code code = sl_in_path(&path, k, 0, "filename", &arena);
    if (code == SL_OK) code = sl_file_read(&data, &size, path, SIZE_MAX / 2, k->err);
    if (code == SL_OK) code = sl_out_string(k, 0, (struct sl_str){data, size});
    sl_free(data);
    sl_arena_clear(&arena);
    return code;
}

static sl_code write_file(struct sl_kernel_context *k, struct sl_arena *arena) {
    struct sl_view contents;
    char *path;
    SL_TRY(sl_in_path(&path, k, 0, "filename", arena));
    SL_TRY(scalar_of(&contents, k, 1, "contents"));
    char *dir = sl_path_dir(arena, path);
    if (!dir) return sl_fail_memory(k->err, strlen(path));
    if (*dir) SL_TRY(sl_dir_create_all(dir, k->err));
    struct sl_str text = sl_string_get(contents.data);
    return sl_file_write(path, text.p, text.n, k->err);
}

static sl_code write_file_run(struct sl_kernel_context *k) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = write_file(k, &arena);
    sl_arena_clear(&arena);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_any_io_rows[] = {
    KERNEL("ShardedFilename", NO_RULE, .run = sharded_run)
    KERNEL("ShardedFilespec", NO_RULE, .run = sharded_run)
    KERNEL("MatchingFiles", NO_RULE, .run = matching_files_run)
    KERNEL("ReadFile", NO_RULE, .run = read_file_run)
    KERNEL("WriteFile", NO_RULE, .run = write_file_run)
    SL_ROWS_END
};
/* clang-format on */
