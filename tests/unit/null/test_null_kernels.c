/* The null backend: floating-point results come once and stay; integers, state and loops are as always. */
#include <stdlib.h>

#include "root/root.h"
#include "session/local_session.h"
#include "unit/unit.h"

#include "unit/graph/graph_fixture.h"

static struct sl_session *session_of(struct graph_fixture *f, const char *graph) {
    const struct sl_registries *registries;
    struct sl_session *session;
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, registries->ops, &f->err));
    import_text(f, graph, NULL);
    assert_ok(f->err, sl_local_session_new(&session, registries, NULL, &f->err));
    assert_ok(f->err, sl_session_extend(session, f->graph, &f->err));
    return session;
}

/* What a node gives for two elements `x`, fed to node "x": its element 0. */
static double value_for(struct graph_fixture *f, struct sl_session *s, const char *name, int dtype, int x) {
    struct sl_port feed = port_of(f, "x", 0), fetch = port_of(f, name, 0);
    struct sl_tensor *in, *out;
    int64_t two = 2;
    assert_ok(f->err, sl_tensor_new(&in, dtype, (struct sl_shape){1, &two}, &f->err));
    for (int i = 0; i < 2; i++)
        if (dtype == SL_FLOAT) ((float *)in->data)[i] = (float)x;
        else ((int32_t *)in->data)[i] = x;
    struct sl_run r = {
        .feeds = &feed, .feed_tensors = &in, .n_feeds = 1, .fetches = &fetch, .fetch_tensors = &out, .n_fetches = 1};
    assert_ok(f->err, sl_session_run(s, &r, &f->err));
    double value = out->dtype == SL_FLOAT ? *(const float *)out->data : *(const int32_t *)out->data;
    sl_tensor_unref(in);
    sl_tensor_unref(out);
    return value;
}

GRAPH_TEST(floating_point_results_stay) {
    struct sl_session *s = session_of(f, "x = Placeholder() dtype type: DT_FLOAT\n y = Square(x) T type: DT_FLOAT");
    assert_true(value_for(f, s, "y", SL_FLOAT, 3) == 9);
    assert_true(value_for(f, s, "y", SL_FLOAT, 4) == 9);
    sl_session_free(s);
}

GRAPH_TEST(integers_are_computed) {
    struct sl_session *s = session_of(f, "x = Placeholder() dtype type: DT_INT32\n y = Square(x) T type: DT_INT32");
    assert_true(value_for(f, s, "y", SL_INT32, 3) == 9);
    assert_true(value_for(f, s, "y", SL_INT32, 4) == 16);
    sl_session_free(s);
}

GRAPH_TEST(what_counts_is_computed) {
    const char *sum = "x = Placeholder() dtype type: DT_FLOAT\n"
                      "zero = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: "
                      "1 } } int_val: 0 }\n"
                      "s = Sum(x, zero) T type: DT_FLOAT; Tidx type: DT_INT32\n"
                      "n = Shape(x) T type: DT_FLOAT; out_type type: DT_INT32";
    struct sl_session *s = session_of(f, sum);
    assert_true(value_for(f, s, "n", SL_FLOAT, 1) == 2);
    assert_true(value_for(f, s, "s", SL_FLOAT, 1) == 2);
    assert_true(value_for(f, s, "s", SL_FLOAT, 5) == 2);
    sl_session_free(s);
}

int main(void) {
    setenv("SLUICE_DEVICE", "null", 1);
    const struct CMUnitTest tests[] = {graph_unit_test(floating_point_results_stay),
                                       graph_unit_test(integers_are_computed),
                                       graph_unit_test(what_counts_is_computed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
