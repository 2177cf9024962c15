/* Runs of a session, whole and in parts, below the C API: what a run that fails hands out, whose partial runs are, what
 * may come twice, and what a refused call leaves. */
#include "root/root.h"
#include "unit/graph/graph_fixture.h"

#define OF_INT "T type: DT_INT32\n"
#define INT    "dtype type: DT_INT32\n"

static struct sl_session *session_of(struct graph_fixture *f) {
    const struct sl_registries *registries;
    struct sl_session *s;
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    assert_ok(f->err, sl_session_new(&s, sl_root_targets(), registries, NULL, &f->err));
    assert_ok(f->err, sl_session_extend(s, f->graph, &f->err));
    return s;
}

/* double = 2 a, sum = double + b */
static void import_sum(struct graph_fixture *f) {
    const struct sl_registries *registries;
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, registries->ops, &f->err));
    import_text(f,
                "a = Placeholder() " INT "b = Placeholder() " INT "double = AddV2(a, a) " OF_INT
                "sum = AddV2(double, b) " OF_INT "x = Placeholder() dtype type: DT_FLOAT\n"
                "c = Placeholder() dtype type: DT_BOOL\n s = Switch(a, c) " OF_INT,
                NULL);
}

struct partial {
    struct graph_fixture *f;
    struct sl_session *s;
    struct sl_partial_run *run;
    struct sl_tensor *out[2];
};

static struct partial begin(struct graph_fixture *f, struct sl_session *s) {
    struct partial p = {.f = f, .s = s};
    const struct sl_port feeds[] = {port_of(f, "a", 0), port_of(f, "b", 0)};
    const struct sl_port fetches[] = {port_of(f, "double", 0), port_of(f, "sum", 0)};
    const struct sl_run all = {.feeds = feeds, .n_feeds = 2, .fetches = fetches, .n_fetches = 2};
    assert_ok(f->err, sl_session_prun_setup(&p.run, s, &all, &f->err));
    return p;
}

/* Feeds `value` to `feed` and fetches the others; NULL: nothing. */
static sl_code go_on(struct partial *p, const char *feed, int value, const char *first, const char *second) {
    struct sl_tensor *in;
    struct sl_port from = {NULL, 0}, fetches[2] = {{NULL, 0}, {NULL, 0}};
    assert_ok(p->f->err, sl_tensor_new(&in, SL_INT32, SL_SHAPE_SCALAR, &p->f->err));
    *(int32_t *)in->data = value;
    if (feed) from = port_of(p->f, feed, 0);
    if (first) fetches[0] = port_of(p->f, first, 0);
    if (second) fetches[1] = port_of(p->f, second, 0);
    const struct sl_run run = {.feeds = &from,
                               .feed_tensors = &in,
                               .n_feeds = feed != NULL,
                               .fetches = fetches,
                               .fetch_tensors = p->out,
                               .n_fetches = (first != NULL) + (second != NULL)};
    sl_error_clear(&p->f->err);
    sl_code code = sl_session_prun(p->s, p->run, &run, &p->f->err);
    sl_tensor_unref(in);
    return code;
}

static void expect(struct partial *p, int i, int value) {
    assert_non_null(p->out[i]);
    assert_int_equal(*(int32_t *)p->out[i]->data, value);
    sl_tensor_unref(p->out[i]);
    p->out[i] = NULL;
}

#define REFUSED(p, code, text, ...)                                                                                    \
    do {                                                                                                               \
        assert_fails((p)->f->err, code, text, go_on(p, __VA_ARGS__));                                                  \
        assert_null((p)->out[0]);                                                                                      \
        assert_null((p)->out[1]);                                                                                      \
    } while (0)

GRAPH_TEST(a_run_that_fails_hands_nothing_out) {
    import_sum(f);
    struct sl_session *s = session_of(f);
    const struct sl_port feeds[] = {port_of(f, "a", 0), port_of(f, "c", 0)};
    const struct sl_port fetches[] = {port_of(f, "s", 1), port_of(f, "s", 0)};
    struct sl_tensor *in[2], *out[2] = {NULL, NULL};
    struct sl_run run = {
        .feeds = feeds, .feed_tensors = in, .n_feeds = 2, .fetches = fetches, .fetch_tensors = out, .n_fetches = 2};
    assert_ok(f->err, sl_tensor_new(&in[0], SL_INT32, SL_SHAPE_SCALAR, &f->err));
    assert_ok(f->err, sl_tensor_new(&in[1], SL_BOOL, SL_SHAPE_SCALAR, &f->err));
    *(int32_t *)in[0]->data = 5;
    *(bool *)in[1]->data = true;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Retval[1] does not have value: s:0", sl_session_run(s, &run, &f->err));
    assert_true(!out[0] && !out[1]);
    run.n_fetches = 1;
    assert_ok(f->err, sl_session_run(s, &run, &f->err));
    assert_int_equal(*(int32_t *)out[0]->data, 5);
    sl_tensor_unref(out[0]);
    struct sl_tensor *kept = in[1];
    in[1] = NULL;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "no tensor was given for feed 1", sl_session_run(s, &run, &f->err));
    assert_null(out[0]);
    sl_tensor_unref(kept);
    sl_tensor_unref(in[0]);
    sl_session_free(s);
}

GRAPH_TEST(each_feed_and_fetch_comes_once) {
    import_sum(f);
    struct sl_session *s = session_of(f);
    struct partial p = begin(f, s);
    assert_ok(f->err, go_on(&p, "a", 3, "double", NULL));
    expect(&p, 0, 6);
    REFUSED(&p, SL_INVALID_ARGUMENT, "The feed 'a:0' has already been fed.", "a", 4, NULL, NULL);
    REFUSED(&p, SL_INVALID_ARGUMENT, "The fetch 'double:0' has already been fetched.", NULL, 0, "double", NULL);
    REFUSED(&p, SL_INVALID_ARGUMENT, "cannot be computed from the feeds", NULL, 0, "sum", NULL);
    REFUSED(&p, SL_NOT_FOUND, "The feed 'x:0' was not declared", "x", 4, NULL, NULL);
    REFUSED(&p, SL_NOT_FOUND, "The fetch 'a:0' was not declared", NULL, 0, "a", NULL);
    assert_ok(f->err, go_on(&p, "b", 1, "sum", NULL));
    expect(&p, 0, 7);
    sl_partial_run_free(p.run);
    sl_session_free(s);
}

/* What one wrong word in a call refuses, the same call without it does. */
GRAPH_TEST(a_refused_call_changes_nothing) {
    import_sum(f);
    struct sl_session *s = session_of(f);
    struct partial p = begin(f, s);
    REFUSED(&p, SL_NOT_FOUND, "The fetch 'x:0' was not declared", "a", 3, "double", "x");
    assert_ok(f->err, go_on(&p, "a", 3, "double", NULL));
    expect(&p, 0, 6);
    REFUSED(&p, SL_INVALID_ARGUMENT, "'double:0' has already been fetched.", "b", 1, "sum", "double");
    assert_ok(f->err, go_on(&p, "b", 1, "sum", NULL));
    expect(&p, 0, 7);
    sl_partial_run_free(p.run);
    sl_session_free(s);
}

GRAPH_TEST(what_is_dead_has_no_value) {
    import_sum(f);
    struct sl_session *s = session_of(f);
    struct partial p = {.f = f, .s = s};
    const struct sl_port feeds[] = {port_of(f, "a", 0), port_of(f, "c", 0)};
    const struct sl_port fetches[] = {port_of(f, "s", 0), port_of(f, "s", 1)};
    const struct sl_run all = {.feeds = feeds, .n_feeds = 2, .fetches = fetches, .n_fetches = 2};
    struct sl_tensor *in[2];
    assert_ok(f->err, sl_tensor_new(&in[0], SL_INT32, SL_SHAPE_SCALAR, &f->err));
    assert_ok(f->err, sl_tensor_new(&in[1], SL_BOOL, SL_SHAPE_SCALAR, &f->err));
    *(int32_t *)in[0]->data = 5;
    *(bool *)in[1]->data = true;
    assert_ok(f->err, sl_session_prun_setup(&p.run, s, &all, &f->err));
    struct sl_run run = all;
    run.feed_tensors = in;
    run.fetches = &fetches[1];
    run.n_fetches = 1;
    run.fetch_tensors = p.out;
    assert_ok(f->err, sl_session_prun(s, p.run, &run, &f->err));
    expect(&p, 0, 5);
    REFUSED(&p, SL_INVALID_ARGUMENT, "The tensor returned for s:0 was not valid", NULL, 0, "s", NULL);
    for (int i = 0; i < 2; i++) sl_tensor_unref(in[i]);
    sl_partial_run_free(p.run);
    sl_session_free(s);
}

GRAPH_TEST(what_is_finished_says_so) {
    import_sum(f);
    struct sl_session *s = session_of(f);
    struct partial p = begin(f, s);
    assert_ok(f->err, go_on(&p, "a", 3, "double", NULL));
    expect(&p, 0, 6);
    assert_ok(f->err, go_on(&p, "b", 4, "sum", NULL));
    expect(&p, 0, 10);
    REFUSED(&p, SL_INVALID_ARGUMENT, "the partial run has finished", NULL, 0, NULL, NULL);
    REFUSED(&p, SL_INVALID_ARGUMENT, "the partial run has finished", "a", 3, "double", NULL);
    sl_partial_run_free(p.run);
    sl_session_free(s);
}

GRAPH_TEST(a_partial_run_belongs_to_its_session) {
    import_sum(f);
    struct sl_session *s = session_of(f), *other = session_of(f);
    struct partial p = begin(f, s), q = p;
    q.s = other;
    REFUSED(&q, SL_INVALID_ARGUMENT, "the partial run belongs to another session", "a", 3, "double", NULL);
    q.run = NULL;
    REFUSED(&q, SL_INVALID_ARGUMENT, "the partial run belongs to another session", "a", 3, "double", NULL);
    sl_session_free(s); /* whose handle stays, and belongs to nobody */
    q = p;
    q.s = other;
    REFUSED(&q, SL_INVALID_ARGUMENT, "the partial run belongs to another session", "a", 3, "double", NULL);
    sl_partial_run_free(p.run);
    sl_session_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(a_run_that_fails_hands_nothing_out),
                                       graph_unit_test(each_feed_and_fetch_comes_once),
                                       graph_unit_test(a_refused_call_changes_nothing),
                                       graph_unit_test(what_is_dead_has_no_value),
                                       graph_unit_test(what_is_finished_says_so),
                                       graph_unit_test(a_partial_run_belongs_to_its_session)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
