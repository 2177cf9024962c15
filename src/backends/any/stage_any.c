/* Staging areas that give tuples in the order in which they came: Stage, Unstage, StagePeek, StageSize, StageClear. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "backends/any/staging.h"
#include "base/alloc.h"
#include "base/vec.h"

struct area {
    struct sl_staging staging;
    SL_VEC(struct sl_tuple *) tuples; /* those before `first` are gone */
    size_t first;
};

static int64_t area_count(const struct area *a) { return (int64_t)(a->tuples.n - a->first); }

static void drop_all(struct area *a) {
    for (size_t i = a->first; i < a->tuples.n; i++) sl_object_unref(&a->tuples.items[i]->object);
    a->tuples.n = a->first = 0;
    a->staging.bytes = 0;
}

static void area_free(struct sl_object *object) {
    struct area *a = (struct area *)object;
    drop_all(a);
    sl_vec_free(&a->tuples);
    sl_staging_clear(&a->staging);
    sl_free(a);
}

static const struct sl_object_type area_type = {.name = "tensorflow::Buffer", .free = area_free};

static int describe(char *text, size_t size, const struct sl_lines *lines) {
    const struct area *a =
        (const struct area *)(const void *)((const char *)lines - offsetof(struct area, staging.lines));
    return snprintf(text, size, "holds %" PRId64, area_count(a));
}

static sl_code make_area(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    struct area *a = sl_calloc(1, sizeof *a);
    if (!a) return sl_fail_memory(err, sizeof *a);
    sl_staging_init(&a->staging, &area_type, arg);
    a->staging.lines.describe = describe;
    *out = &a->staging.base;
    return SL_OK;
}

static sl_code find_area(struct area **a, struct sl_kernel_context *k) {
    struct sl_session_object *o;
    struct sl_staging_state *s = k->state;
    SL_TRY(sl_session_object_get(&o, k, &s->maker, &area_type, make_area, NULL, s));
    *a = (struct area *)o;
    return SL_OK;
}

/* ---- putting and taking */

struct staging_attempt {
    struct sl_attempt attempt;
    struct area *area;
    struct sl_tuple *tuple; /* put, or taken */
    int64_t index;          /* of a peek; -1: the first is taken out */
};

static void attempt_clear(struct sl_attempt *attempt) {
    struct staging_attempt *s = (struct staging_attempt *)attempt;
    if (s->tuple) sl_object_unref(&s->tuple->object);
}

static enum sl_attempt_result put_try(struct sl_attempt *attempt) {
    struct staging_attempt *s = (struct staging_attempt *)attempt;
    struct area *a = s->area;
    int64_t bytes = sl_tuple_bytes(s->tuple);
    if (!sl_staging_has_room(&a->staging, area_count(a), bytes)) return SL_ATTEMPT_WAITS;
    if (sl_vec_push(&a->tuples, s->tuple)) {
        attempt->code = sl_fail_memory(attempt->k->err, a->tuples.n * sizeof s->tuple);
        return SL_ATTEMPT_THROUGH;
    }
    s->tuple = NULL;
    a->staging.bytes += bytes;
    return SL_ATTEMPT_THROUGH;
}

static enum sl_attempt_result take_try(struct sl_attempt *attempt) {
    struct staging_attempt *s = (struct staging_attempt *)attempt;
    struct area *a = s->area;
    if (area_count(a) <= (s->index < 0 ? 0 : s->index)) return SL_ATTEMPT_WAITS;
    if (s->index >= 0) {
        s->tuple = a->tuples.items[a->first + (size_t)s->index];
        sl_object_ref(&s->tuple->object);
        return SL_ATTEMPT_THROUGH;
    }
    s->tuple = a->tuples.items[a->first++];
    a->staging.bytes -= sl_tuple_bytes(s->tuple);
    if (a->first > a->tuples.n / 2) { /* half of it is gone: move up */
        a->tuples.n -= a->first;
        memmove(a->tuples.items, a->tuples.items + a->first, a->tuples.n * sizeof *a->tuples.items);
        a->first = 0;
    }
    return SL_ATTEMPT_THROUGH;
}

static sl_code take_finish(struct sl_attempt *attempt) {
    struct staging_attempt *s = (struct staging_attempt *)attempt;
    struct sl_kernel_context *k = attempt->k;
    if (s->tuple->n != sl_out_count(k))
        return sl_invalid(k, "Mismatch stage/unstage: %d vs. %d", s->tuple->n, sl_out_count(k));
    for (int o = 0; o < s->tuple->n; o++) SL_TRY(sl_staging_give(k, o, sl_value_share(&s->tuple->values[o])));
    return SL_OK;
}

static sl_code begin(struct staging_attempt **out, struct sl_kernel_context *k) {
    struct area *a;
    SL_TRY(find_area(&a, k));
    struct staging_attempt *s = sl_attempt_new(sizeof *s, k);
    if (!s) return SL_RESOURCE_EXHAUSTED;
    s->area = a;
    s->index = -1;
    s->attempt.clear = attempt_clear;
    *out = s;
    return SL_OK;
}

/* Starts, or ends at once with an error. */
static void go(struct sl_kernel_context *k, struct staging_attempt *s, int line, sl_code code) {
    if (code == SL_OK) {
        sl_attempt_start(&s->attempt, &s->area->staging.base.object, &s->area->staging.lines, line);
        return;
    }
    if (s) attempt_clear(&s->attempt);
    sl_free(s);
    sl_kernel_done(k, code);
}

static void stage_start(struct sl_kernel_context *k) {
    struct staging_attempt *s = NULL;
    sl_code code = begin(&s, k);
    if (code == SL_OK) code = sl_tuple_new(&s->tuple, sl_in_count(k), 0, k->err);
    if (code == SL_OK) {
        for (int i = 0; i < sl_in_count(k); i++) s->tuple->values[i] = sl_value_share(sl_in_value(k, i));
        code = sl_staging_check(k, &s->area->staging, sl_tuple_bytes(s->tuple));
        s->attempt.try = put_try;
        s->attempt.cancelled = "Stage operation was cancelled";
    }
    go(k, s, SL_STAGING_PUTS, code);
}

static void take(struct sl_kernel_context *k, bool is_peek) {
    struct staging_attempt *s = NULL;
    sl_code code = begin(&s, k);
    if (code == SL_OK) {
        s->attempt.try = take_try;
        s->attempt.finish = take_finish;
        s->attempt.cancelled = "Unstage operation was cancelled";
        if (is_peek) code = sl_in_int(&s->index, k, 0, "index");
        if (code == SL_OK && is_peek && s->index < 0)
            code = sl_invalid(k, "index must not be negative, got %" PRId64, s->index);
    }
    go(k, s, SL_STAGING_TAKES, code);
}

static void unstage_start(struct sl_kernel_context *k) { take(k, false); }
static void peek_start(struct sl_kernel_context *k) { take(k, true); }

static sl_code size_run(struct sl_kernel_context *k) {
    struct area *a;
    SL_TRY(find_area(&a, k));
    sl_mutex_lock(&a->staging.lines.mutex);
    int64_t n = area_count(a);
    sl_mutex_unlock(&a->staging.lines.mutex);
    return sl_out_int(k, 0, n);
}

static sl_code clear_run(struct sl_kernel_context *k) {
    struct area *a;
    SL_TRY(find_area(&a, k));
    sl_lines_lock(&a->staging.lines);
    drop_all(a);
    sl_lines_unlock(&a->staging.lines);
    return SL_OK;
}

/* clang-format off */
#define AREA .create = sl_staging_create, .destroy = sl_staging_destroy
#define MOVES .flags = SL_KERNEL_ASYNC | SL_KERNEL_MOVES
const struct sl_kernel_def sl_any_stage_rows[] = {
    KERNEL("Stage", NO_RULE, .start = stage_start, MOVES, AREA)
    KERNEL("Unstage", NO_RULE, .start = unstage_start, MOVES, AREA)
    KERNEL("StagePeek", NO_RULE, .start = peek_start, MOVES, AREA)
    KERNEL("StageSize", NO_RULE, .run = size_run, AREA)
    KERNEL("StageClear", NO_RULE, .run = clear_run, AREA)
    SL_ROWS_END
};
/* clang-format on */
