/* RecordInput: batches of records of many files, again and again, in an order that its seed decides. A buffer is
 * kept full while an epoch has records, and any of it is given; the next epoch begins when it is empty. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>

#include "backends/any/path_input.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/vec.h"
#include "ckpt/record.h"
#include "os/file.h"
#include "os/mutex.h"

struct record_input {
    struct sl_str pattern; /* in the arena */
    int64_t seed, buffer_size, batch_size;
    float shift;
    enum sl_compression compression;
    struct sl_mutex mutex; /* guards what follows */
    struct sl_arena arena;
    char **files;
    size_t n_files, next_file; /* of this epoch's order */
    bool has_files;
    struct sl_record_reader *reader;
    uint64_t random, epoch_records;
    SL_VEC(TF_TString) buffer;
};

static void record_input_destroy(void *state) {
    struct record_input *s = state;
    sl_record_reader_close(s->reader);
    for (size_t i = 0; i < s->buffer.n; i++) TF_TString_Dealloc(&s->buffer.items[i]);
    sl_vec_free(&s->buffer);
    sl_mutex_clear(&s->mutex);
    sl_arena_clear(&s->arena);
    sl_free(s);
}

static sl_code read_attrs(struct record_input *s, const struct sl_attrs *attrs, struct sl_error *err) {
    struct sl_str compression;
    SL_TRY(sl_attr_string(&s->pattern, attrs, "file_pattern", err));
    SL_TRY(sl_attr_int(&s->seed, attrs, "file_random_seed", err));
    SL_TRY(sl_attr_float(&s->shift, attrs, "file_shuffle_shift_ratio", err));
    SL_TRY(sl_attr_int(&s->buffer_size, attrs, "file_buffer_size", err));
    SL_TRY(sl_attr_int(&s->batch_size, attrs, "batch_size", err));
    SL_TRY(sl_attr_string(&compression, attrs, "compression_type", err));
    SL_TRY(sl_compression_parse(&s->compression, compression, err));
    s->pattern = sl_arena_str(&s->arena, s->pattern);
    s->random = (uint64_t)s->seed;
    if (!s->pattern.p) return sl_fail_memory(err, sizeof *s);
    if (s->buffer_size < 1 || s->batch_size < 1)
        return sl_fail(err, SL_INVALID_ARGUMENT, "file_buffer_size %" PRId64 " and batch_size %" PRId64 " must be > 0",
                       s->buffer_size, s->batch_size);
    return SL_OK;
}

static sl_code record_input_create(void **state, struct sl_kernel_setup *setup) {
    struct record_input *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_arena_init(&s->arena);
    sl_mutex_init(&s->mutex);
    sl_code code = read_attrs(s, setup->attrs, setup->err);
    if (code == SL_OK) *state = s;
    else record_input_destroy(s);
    return code;
}

/* A number below `n`. */
static size_t draw(struct record_input *s, size_t n) {
    s->random += UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(sl_hash_mix(s->random, 0) % n);
}

/* A new order of the files, turned by the share that an attr says. */
static void begin_epoch(struct record_input *s) {
    for (size_t i = s->n_files; i > 1; i--) {
        size_t k = draw(s, i);
        char *file = s->files[i - 1];
        s->files[i - 1] = s->files[k];
        s->files[k] = file;
    }
    size_t turn = s->shift > 0 && s->shift < 1 ? (size_t)((double)s->shift * (double)s->n_files) : 0;
    for (; turn > 0; turn--) {
        char *first = s->files[0];
        memmove(s->files, s->files + 1, (s->n_files - 1) * sizeof *s->files);
        s->files[s->n_files - 1] = first;
    }
    s->next_file = 0;
    s->epoch_records = 0;
}

static sl_code find_files(struct record_input *s, struct sl_error *err) {
    if (s->has_files) return SL_OK;
    SL_TRY(sl_path_glob(&s->files, &s->n_files, s->pattern.p, &s->arena, err));
    if (!s->n_files) return sl_fail(err, SL_NOT_FOUND, "Found no files at %s", s->pattern.p);
    s->has_files = true;
    begin_epoch(s);
    return SL_OK;
}

/* Reads one record into the buffer; `*at_end` when the epoch has no more. */
static sl_code read_one(bool *at_end, struct record_input *s, struct sl_error *err) {
    struct sl_str record;
    TF_TString copy;
    for (*at_end = true; *at_end;) {
        if (!s->reader) {
            if (s->next_file == s->n_files) return SL_OK;
            SL_TRY(sl_record_reader_open(&s->reader, s->files[s->next_file++], s->compression, err));
        }
        sl_code code = sl_record_reader_next(&record, at_end, s->reader, err);
        if (code == SL_OK && !*at_end) break;
        sl_record_reader_close(s->reader);
        s->reader = NULL;
        if (code != SL_OK) return code;
    }
    if (sl_vec_reserve(&s->buffer, 1)) return sl_fail_memory(err, sizeof copy);
    TF_TString_Init(&copy);
    sl_code code = sl_string_set(&copy, record, err);
    if (code != SL_OK) return code;
    s->epoch_records++;
    (void)sl_vec_push(&s->buffer, copy);
    return SL_OK;
}

static sl_code take_one(TF_TString *to, struct record_input *s, struct sl_error *err) {
    for (;;) {
        for (bool at_end = false; !at_end && s->buffer.n < (size_t)s->buffer_size;) SL_TRY(read_one(&at_end, s, err));
        if (s->buffer.n) break;
        if (!s->epoch_records) return sl_fail(err, SL_OUT_OF_RANGE, "Found no records at %s", s->pattern.p);
        begin_epoch(s);
    }
    size_t i = draw(s, s->buffer.n);
    TF_TString_Move(to, &s->buffer.items[i]);
    s->buffer.items[i] = s->buffer.items[--s->buffer.n];
    return SL_OK;
}

static sl_code record_input_run(struct sl_kernel_context *k) {
    struct record_input *s = k->state;
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &s->batch_size}));
    sl_mutex_lock(&s->mutex);
    sl_code code = find_files(s, k->err);
    for (int64_t i = 0; code == SL_OK && i < s->batch_size; i++) code = take_one((TF_TString *)out.data + i, s, k->err);
    sl_mutex_unlock(&s->mutex);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_any_record_input_rows[] = {
    KERNEL("RecordInput", NO_RULE, .run = record_input_run, .create = record_input_create, .destroy = record_input_destroy)
    SL_ROWS_END
};
/* clang-format on */
