/* In which iteration of which loops an error happened: told by sl_explain_error and not by the message, in both forms of
 * programs, for loops of the graph and loops of functions, within one another and in gradients; also when loops are machine
 * code, and when their numbers are watched. */
#include <stdio.h>
#include <stdlib.h>

#include "sluice/explain.h"
#include "sluice/flow.h"
#include "sluice/ops.h"
#include "unit/capi/front_fixture.h"

struct run {
    struct front f;
    TF_Output x; /* a fed float scalar, so that nothing is computed ahead */
    TF_Status *status;
};

static struct run run_new(void) {
    struct run r = {.f = front_new(), .status = TF_NewStatus()};
    r.x = sl_placeholder(r.f.s, "x", TF_FLOAT, SL_SCALAR);
    return r;
}

static void run_delete(struct run *r) {
    TF_DeleteStatus(r->status);
    front_delete(&r->f);
}

/* Runs once: the status is that of the run. `text` gets the message, or what sl_explain_error says. */
static void run_once(struct run *r, TF_Output y, float x, unsigned watch, const char *const *settings) {
    if (!sl_scope_ok(r->f.s)) fail_msg("%s", sl_scope_message(r->f.s));
    TF_Tensor *fed = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof x), *result = NULL;
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Status *end = TF_NewStatus();
    *(float *)TF_TensorData(fed) = x;
    sl_watch_numerics(options, watch);
    setenv(settings[0], settings[1], 1);
    TF_Session *session = TF_NewSession(r->f.graph, options, r->status);
    TF_SessionRun(session, NULL, &r->x, &fed, 1, &y, &result, 1, NULL, 0, NULL, r->status);
    unsetenv(settings[0]);
    TF_DeleteSession(session, end);
    TF_DeleteStatus(end);
    TF_DeleteSessionOptions(options);
    TF_DeleteTensor(fed);
    if (result) TF_DeleteTensor(result);
}

static const char *const linear[] = {"SLUICE_EXEC", "linear"}, *const frames[] = {"SLUICE_EXEC", "frames"},
                         *const interpreted[] = {"SLUICE_JIT", "off"};

static void expect_explained(struct run *r, const char *wanted) {
    TF_Status *status = TF_NewStatus();
    TF_Buffer *text = sl_explain_error(r->f.graph, r->status, NULL, status);
    char *got = calloc(1, text->length + 1);
    memcpy(got, text->data, text->length);
    if (!strstr(got, wanted)) fail_msg("got: %s\nand: %s\nwanted: %s", TF_Message(r->status), got, wanted);
    free(got);
    TF_DeleteBuffer(text);
    TF_DeleteStatus(status);
}

static void fails_in(struct run *r, TF_Output y, float x, const char *wanted) {
    const char *const *const settings[] = {linear, frames, interpreted};
    for (int i = 0; i < 3; i++) {
        run_once(r, y, x, 0, settings[i]);
        assert_int_not_equal(TF_GetCode(r->status), TF_OK);
        if (strstr(TF_Message(r->status), "iteration")) fail_msg("%s", TF_Message(r->status));
        expect_explained(r, wanted);
    }
}

static TF_Output is_below(struct sl_scope *s, const TF_Output *v, void *arg) {
    return sl_less(s, v[0], sl_scalar(s, TF_INT32, *(const int *)arg));
}
/* All are scalars: machine code, which leaves a division by 0 to the interpreter. */
static void divides(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = sl_add_v2(s, v[1], sl_floor_div(s, sl_scalar(s, TF_INT32, 7), sl_sub(s, v[0], v[2])));
    next[2] = v[2];
}
static void picks(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    TF_Output row = sl_gather_v2(s, sl_float_vector(s, FLOATS(1, 2, 3)), v[0], sl_scalar(s, TF_INT32, 0));
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = sl_add_v2(s, v[1], row);
}
static void twice(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    TF_Output inner[2] = {v[0], v[1]};
    sl_while(s, inner, inner, 2, is_below, picks, arg, NULL);
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = inner[1];
}

static void iterations_of_errors(void **state) {
    int four = 4, many = 5000;
    (void)state;
    for (int functional = 0; functional < 2; functional++) {
        struct run r = run_new();
        struct sl_scope *s = r.f.s;
        sl_push_functional(s, functional);
        TF_Output zero = sl_scalar(s, TF_INT32, 0), at = sl_cast(s, r.x, (struct sl_cast_attrs){.DstT = TF_INT32});
        TF_Output one[3] = {zero, zero, at}, two[2] = {zero, r.x}, three_times[2] = {zero, r.x};
        sl_push_name(s, "code"), sl_while(s, one, one, 3, is_below, divides, &many, NULL), sl_pop(s);
        sl_push_name(s, "alone"), sl_while(s, two, two, 2, is_below, picks, &four, NULL), sl_pop(s);
        /* Its iterations one by one: in the next one, the inner loop would fail earlier. */
        const struct sl_while_options in_turn = {.size = sizeof in_turn, .parallel_iterations = 1};
        sl_push_name(s, "outer"), sl_while(s, three_times, three_times, 2, is_below, twice, &four, &in_turn), sl_pop(s);
        fails_in(&r, one[1], 3000, "it ran in iteration 3000 of loop 'code");
        fails_in(&r, two[1], 1, "it ran in iteration 3 of loop 'alone");
        fails_in(&r, three_times[1], 1, "it ran in iteration 3 of loop '");
        fails_in(&r, three_times[1], 1, ", in iteration 0 of loop 'outer");
        sl_pop(s);
        run_delete(&r);
    }
}

/* ---- watched numbers of loops that are code: as the interpreter finds them */

static void grows_late(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = sl_add_v2(s, v[1], sl_scalar(s, TF_FLOAT, 1e35f)); /* too large after some 3,400 turns */
}
/* 1 - 2 v^2 stays between -1 and 1, and its derivative does not: in the gradient's loop numbers become too large. */
static void chaos(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = sl_sub(s, sl_scalar(s, TF_FLOAT, 1), sl_mul(s, sl_scalar(s, TF_FLOAT, 2), sl_mul(s, v[1], v[1])));
}

static void watched_alike(struct run *r, TF_Output y, float x, const char *wanted) {
    char first[2048];
    run_once(r, y, x, SL_WATCH_NANS | SL_WATCH_INFINITIES, linear);
    snprintf(first, sizeof first, "%s", TF_Message(r->status));
    if (!strstr(first, wanted)) fail_msg("got: %s\nwanted: %s", first, wanted);
    run_once(r, y, x, SL_WATCH_NANS | SL_WATCH_INFINITIES, interpreted);
    assert_string_equal(TF_Message(r->status), first);
}

static void watched_code(void **state) {
    int many = 5000;
    (void)state;
    struct run r = run_new();
    struct sl_scope *s = r.f.s;
    TF_Output grown[2] = {sl_scalar(s, TF_INT32, 0), r.x}, wild[2] = {grown[0], r.x}, by = {NULL, 0};
    sl_while(s, grown, grown, 2, is_below, grows_late, &many, NULL);
    sl_while(s, wild, wild, 2, is_below, chaos, &many, NULL);
    TF_AddGradients(r.f.graph, &wild[1], 1, &r.x, 1, NULL, r.status, &by);
    assert_int_equal(TF_GetCode(r.status), TF_OK);
    float value = 0;
    int turns = 0;
    for (; isfinite(value + 1e35f); turns++) value += 1e35f;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "in iteration %d of loop '", turns);
    assert_in_range(turns, 2049, 4999);
    watched_alike(&r, grown[1], 0, wanted);
    watched_alike(&r, by, .3f, "makes an infinity");
    run_once(&r, wild[1], .3f, SL_WATCH_NANS | SL_WATCH_INFINITIES, linear);
    assert_int_equal(TF_GetCode(r.status), TF_OK);
    run_once(&r, by, .3f, SL_WATCH_NANS, linear); /* an infinity times what is not 0 */
    snprintf(wanted, sizeof wanted, "%s", TF_Message(r.status));
    run_once(&r, by, .3f, SL_WATCH_NANS, interpreted);
    assert_memory_equal(TF_Message(r.status), wanted, strlen(wanted));
    run_delete(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(iterations_of_errors), cmocka_unit_test(watched_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
