/* Operations on readers. One that needs the next file stands in the queue's line of dequeues, and holds no thread
 * there; opening the file and its first record happen under the queue's lock, all others do not. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>

#include "backends/any/file_reader.h"
#include "backends/any/path_input.h"
#include "backends/any/queue.h"
#include "base/alloc.h"

/* ---- making */

struct reader_state {
    struct sl_session_maker maker;
    struct sl_file_reader_spec spec;
};

static void make_destroy(void *state) {
    struct reader_state *s = state;
    sl_session_maker_clear(&s->maker);
    sl_free(s);
}

static sl_code read_fixed(struct sl_file_reader_spec *spec, const struct sl_attrs *attrs, bool has_encoding,
                          struct sl_error *err) {
    struct sl_str encoding = SL_STR("");
    SL_TRY(sl_attr_int(&spec->header_bytes, attrs, "header_bytes", err));
    SL_TRY(sl_attr_int(&spec->record_bytes, attrs, "record_bytes", err));
    SL_TRY(sl_attr_int(&spec->footer_bytes, attrs, "footer_bytes", err));
    SL_TRY(sl_attr_int(&spec->hop_bytes, attrs, "hop_bytes", err));
    if (has_encoding) SL_TRY(sl_attr_string(&encoding, attrs, "encoding", err));
    SL_TRY(sl_compression_parse(&spec->compression, encoding, err));
    if (spec->header_bytes < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "header_bytes must be >= 0 got %" PRId64, spec->header_bytes);
    if (spec->record_bytes < 0 || spec->record_bytes > INT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "record_bytes must be >= 0 got %" PRId64, spec->record_bytes);
    if (spec->footer_bytes < 0 || spec->footer_bytes > INT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "footer_bytes must be >= 0 got %" PRId64, spec->footer_bytes);
    if (spec->hop_bytes < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "hop_bytes must be >= 0 got %" PRId64, spec->hop_bytes);
    if (spec->record_bytes == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "record_bytes must be > 0 got 0");
    return SL_OK;
}

static sl_code read_spec(struct sl_file_reader_spec *spec, struct sl_kernel_setup *setup) {
    struct sl_str op = setup->op->name, word;
    bool is_new = op.n > 2 && op.p[op.n - 1] == '2';
    if (sl_str_starts(op, SL_STR("TFRecord"))) {
        spec->kind = SL_READER_RECORDS;
        SL_TRY(sl_attr_string(&word, setup->attrs, "compression_type", setup->err));
        return sl_compression_parse(&spec->compression, word, setup->err);
    }
    if (sl_str_starts(op, SL_STR("TextLine"))) {
        spec->kind = SL_READER_LINES;
        SL_TRY(sl_attr_int(&spec->skip_lines, setup->attrs, "skip_header_lines", setup->err));
        if (spec->skip_lines >= 0) return SL_OK;
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "skip_header_lines must be >= 0 not %" PRId64,
                       spec->skip_lines);
    }
    if (sl_str_starts(op, SL_STR("FixedLength"))) {
        spec->kind = SL_READER_FIXED;
        return read_fixed(spec, setup->attrs, is_new, setup->err);
    }
    spec->kind = sl_str_starts(op, SL_STR("Whole")) ? SL_READER_WHOLE : SL_READER_IDENTITY;
    return SL_OK;
}

static sl_code make_create(void **state, struct sl_kernel_setup *setup) {
    struct reader_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = read_spec(&s->spec, setup);
    if (code == SL_OK) code = sl_session_maker_init(&s->maker, setup, SL_NAMED_BY_NODE);
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

static sl_code make_reader(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    struct sl_file_reader *r;
    SL_TRY(sl_file_reader_new(&r, arg, err));
    *out = &r->base;
    return SL_OK;
}

static sl_code make_run(struct sl_kernel_context *k) {
    struct reader_state *s = k->state;
    struct sl_session_object *o;
    SL_TRY(sl_session_object_get(&o, k, &s->maker, &sl_file_reader_type, make_reader, NULL, &s->spec));
    return sl_session_object_give(k, &s->maker);
}

/* ---- the two handles of a read */

/* The queue that input 1 stands for; a new reference. */
static sl_code hold_queue(struct sl_held *out, struct sl_kernel_context *k) {
    /* The same look-up as for input 0, on a context that sees the inputs from the second on. */
    struct sl_kernel_node node = *k->node;
    struct sl_kernel_context second = *k;
    node.in++;
    node.in_types++;
    node.n_in--;
    second.node = &node;
    SL_TRY(sl_session_object_hold(out, &second, &sl_queue_type));
    const struct sl_queue_spec *spec = &((struct sl_queue *)out->object)->spec;
    if (spec->n == 1 && spec->types[0] == SL_STRING) return SL_OK;
    sl_held_release(*out);
    return sl_invalid(k, "A reader's queue must have one component, of type string");
}

/* ---- reading */

struct read_attempt {
    struct sl_attempt attempt;
    struct sl_file_reader *reader; /* a reference */
    struct sl_queue *queue;        /* the attempt's object */
    int64_t wanted;                /* at most; the first file that has any is enough */
    bool is_batch;
    SL_VEC(TF_TString) strings; /* key, record, key ... */
};

static void read_clear(struct sl_attempt *attempt) {
    struct read_attempt *a = (struct read_attempt *)attempt;
    for (size_t i = 0; i < a->strings.n; i++) TF_TString_Dealloc(&a->strings.items[i]);
    sl_vec_free(&a->strings);
    sl_object_unref(&a->reader->base.object);
}

/* Reads what the work under way has, up to what is wanted. With the reader's lock. */
static sl_code read_some(struct read_attempt *a) {
    bool produced = true;
    while (produced && (int64_t)a->strings.n / 2 < a->wanted) {
        if (sl_vec_reserve(&a->strings, 2)) return sl_fail_memory(a->attempt.k->err, 2 * sizeof(TF_TString));
        TF_TString *key = &a->strings.items[a->strings.n], *record = key + 1;
        TF_TString_Init(key);
        TF_TString_Init(record);
        sl_code code = sl_file_reader_next(&produced, key, record, a->reader, a->attempt.k->err);
        if (code == SL_OK && produced) {
            a->strings.n += 2;
            continue;
        }
        TF_TString_Dealloc(key);
        TF_TString_Dealloc(record);
        if (code != SL_OK) return code;
    }
    return SL_OK;
}

/* Begins with the next file of the queue. With both locks. */
static sl_code take_work(struct read_attempt *a) {
    struct sl_value name;
    sl_queue_take(&name, a->queue);
    struct sl_view v = sl_value_view(&name);
    sl_code code = v.count == 1 ? sl_file_reader_start(a->reader, sl_string_get(v.data), a->attempt.k->err)
                                : sl_invalid(a->attempt.k, "The queue of a reader must hold single strings");
    sl_value_clear(&name);
    return code;
}

static enum sl_attempt_result read_try(struct sl_attempt *attempt) {
    struct read_attempt *a = (struct read_attempt *)attempt;
    struct sl_queue *q = a->queue;
    enum sl_attempt_result result = SL_ATTEMPT_WAITS;
    sl_mutex_lock(&a->reader->mutex);
    for (;;) {
        attempt->code = read_some(a);
        if (attempt->code != SL_OK || a->strings.n) {
            result = SL_ATTEMPT_THROUGH;
            break;
        }
        if (q->n <= (q->is_closed ? 0 : q->spec.min_after_dequeue)) {
            if (q->is_closed)
                result =
                    sl_attempt_fail(attempt, SL_OUT_OF_RANGE,
                                    "%s '%s' is closed and has insufficient elements (requested 1, current size 0)",
                                    sl_queue_kind_name(q->spec.kind), q->base.name);
            break;
        }
        attempt->code = take_work(a);
        result = SL_ATTEMPT_MOVED;
        if (attempt->code != SL_OK) {
            result = SL_ATTEMPT_THROUGH;
            break;
        }
    }
    sl_mutex_unlock(&a->reader->mutex);
    return result;
}

static sl_code give_batch(struct read_attempt *a) {
    int64_t n = (int64_t)a->strings.n / 2;
    struct sl_view out[2];
    for (int o = 0; o < 2; o++) SL_TRY(sl_out_new(&out[o], a->attempt.k, o, (struct sl_shape){1, &n}));
    for (int64_t i = 0; i < 2 * n; i++) TF_TString_Move((TF_TString *)out[i % 2].data + i / 2, &a->strings.items[i]);
    return SL_OK;
}

static sl_code read_finish(struct sl_attempt *attempt) {
    struct read_attempt *a = (struct read_attempt *)attempt;
    struct sl_view out;
    if (a->is_batch) return give_batch(a);
    for (int o = 0; o < 2; o++) {
        SL_TRY(sl_out_new(&out, attempt->k, o, SL_SHAPE_SCALAR));
        TF_TString_Move(out.data, &a->strings.items[o]);
    }
    return SL_OK;
}

static sl_code count_wanted(int64_t *out, struct sl_kernel_context *k, bool is_batch) {
    *out = 1;
    if (!is_batch) return SL_OK;
    SL_TRY(sl_in_int(out, k, 2, "num_records"));
    return *out > 0 ? SL_OK : sl_invalid(k, "num_records must be positive, got %" PRId64, *out);
}

/* Takes over `reader` on success. */
static sl_code start_read(struct sl_kernel_context *k, struct sl_held reader, struct sl_queue *queue, bool is_batch) {
    int64_t wanted;
    SL_TRY(count_wanted(&wanted, k, is_batch));
    struct read_attempt *a = sl_attempt_new(sizeof *a, k);
    if (!a) return sl_fail_memory(k->err, sizeof *a);
    a->attempt.try = read_try;
    a->attempt.finish = read_finish;
    a->attempt.clear = read_clear;
    a->attempt.cancelled = "Dequeue operation was cancelled";
    a->reader = (struct sl_file_reader *)sl_object_ref(reader.object);
    a->queue = queue;
    a->wanted = wanted;
    a->is_batch = is_batch;
    sl_mutex_lock(&a->reader->mutex);
    sl_code code = read_some(a);
    sl_mutex_unlock(&a->reader->mutex);
    if (code == SL_OK && !a->strings.n) {
        sl_attempt_start(&a->attempt, &queue->base.object, &queue->lines, SL_QUEUE_DEQUEUES);
        return SL_OK;
    }
    if (code == SL_OK) code = read_finish(&a->attempt); /* nothing to wait for */
    read_clear(&a->attempt);
    sl_free(a);
    sl_kernel_done(k, code);
    return SL_OK;
}

static void start(struct sl_kernel_context *k, bool is_batch) {
    struct sl_held reader, queue;
    sl_code code = sl_session_object_hold(&reader, k, &sl_file_reader_type);
    if (code == SL_OK) {
        code = hold_queue(&queue, k);
        if (code == SL_OK) {
            code = start_read(k, reader, (struct sl_queue *)queue.object, is_batch);
            sl_held_release(queue);
        }
        sl_held_release(reader);
    }
    if (code != SL_OK) sl_kernel_done(k, code);
}

static void read_start(struct sl_kernel_context *k) { start(k, false); }
static void read_up_to_start(struct sl_kernel_context *k) { start(k, true); }

/* ---- the rest: what a reader tells and is told, under its lock */

static sl_code with_reader(struct sl_kernel_context *k,
                           sl_code (*call)(struct sl_kernel_context *, struct sl_file_reader *)) {
    struct sl_held held;
    SL_TRY(sl_session_object_hold(&held, k, &sl_file_reader_type));
    struct sl_file_reader *r = (struct sl_file_reader *)held.object;
    sl_mutex_lock(&r->mutex);
    sl_code code = call(k, r);
    sl_mutex_unlock(&r->mutex);
    sl_held_release(held);
    return code;
}

static sl_code give_records(struct sl_kernel_context *k, struct sl_file_reader *r) {
    return sl_out_int(k, 0, r->records_produced);
}
static sl_code give_units(struct sl_kernel_context *k, struct sl_file_reader *r) {
    return sl_out_int(k, 0, r->work_finished);
}
static sl_code reset(struct sl_kernel_context *k, struct sl_file_reader *r) {
    (void)k;
    sl_file_reader_reset(r);
    return SL_OK;
}
static sl_code save_state(struct sl_kernel_context *k, struct sl_file_reader *r) {
    struct sl_arena arena;
    struct sl_str text;
    sl_arena_init(&arena);
    sl_code code = sl_file_reader_save(&text, r, &arena, k->err);
    if (code == SL_OK) code = sl_out_string(k, 0, text);
    sl_arena_clear(&arena);
    return code;
}
static sl_code restore_state(struct sl_kernel_context *k, struct sl_file_reader *r) {
    struct sl_view text = sl_in(k, 1);
    if (text.count != 1) return sl_invalid(k, "Reader state must be scalar");
    return sl_file_reader_restore(r, sl_string_get(text.data), k->err);
}

static sl_code records_run(struct sl_kernel_context *k) { return with_reader(k, give_records); }
static sl_code units_run(struct sl_kernel_context *k) { return with_reader(k, give_units); }
static sl_code reset_run(struct sl_kernel_context *k) { return with_reader(k, reset); }
static sl_code save_run(struct sl_kernel_context *k) { return with_reader(k, save_state); }
static sl_code restore_run(struct sl_kernel_context *k) { return with_reader(k, restore_state); }

#define MAKER .run = make_run, .create = make_create, .destroy = make_destroy

/* clang-format off */
const struct sl_kernel_def sl_any_reader_rows[] = {
    KERNEL("TFRecordReader", NO_RULE, MAKER)
    KERNEL("TFRecordReaderV2", NO_RULE, MAKER)
    KERNEL("TextLineReader", NO_RULE, MAKER)
    KERNEL("TextLineReaderV2", NO_RULE, MAKER)
    KERNEL("FixedLengthRecordReader", NO_RULE, MAKER)
    KERNEL("FixedLengthRecordReaderV2", NO_RULE, MAKER)
    KERNEL("WholeFileReader", NO_RULE, MAKER)
    KERNEL("WholeFileReaderV2", NO_RULE, MAKER)
    KERNEL("IdentityReader", NO_RULE, MAKER)
    KERNEL("IdentityReaderV2", NO_RULE, MAKER)
    KERNEL("ReaderRead", NO_RULE, .start = read_start, .flags = SL_KERNEL_ASYNC)
    KERNEL("ReaderReadV2", NO_RULE, .start = read_start, .flags = SL_KERNEL_ASYNC)
    KERNEL("ReaderReadUpTo", NO_RULE, .start = read_up_to_start, .flags = SL_KERNEL_ASYNC)
    KERNEL("ReaderReadUpToV2", NO_RULE, .start = read_up_to_start, .flags = SL_KERNEL_ASYNC)
    KERNEL("ReaderNumRecordsProduced", NO_RULE, .run = records_run)
    KERNEL("ReaderNumRecordsProducedV2", NO_RULE, .run = records_run)
    KERNEL("ReaderNumWorkUnitsCompleted", NO_RULE, .run = units_run)
    KERNEL("ReaderNumWorkUnitsCompletedV2", NO_RULE, .run = units_run)
    KERNEL("ReaderReset", NO_RULE, .run = reset_run)
    KERNEL("ReaderResetV2", NO_RULE, .run = reset_run)
    KERNEL("ReaderSerializeState", NO_RULE, .run = save_run)
    KERNEL("ReaderSerializeStateV2", NO_RULE, .run = save_run)
    KERNEL("ReaderRestoreState", NO_RULE, .run = restore_run)
    KERNEL("ReaderRestoreStateV2", NO_RULE, .run = restore_run)
    SL_ROWS_END
};
/* clang-format on */
