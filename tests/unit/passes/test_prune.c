/* passes/prune: what a run needs of the client's graph, and requests that make no sense. */
#include <stdlib.h>

#include "passes/prune.h"
#include "unit/graph/graph_fixture.h"

#define F " T type: DT_FLOAT\n"
#define P "p = Placeholder() dtype type: DT_FLOAT\n"

struct wanted {
    const char *feeds[4], *fetches[4], *targets[4]; /* names, "name:1"; up to the first NULL */
    size_t n_nodes;                                 /* 0: all */
};

static struct sl_port port_named(struct graph_fixture *f, const char *name) {
    char text[64];
    strcpy(text, name);
    char *colon = strchr(text, ':');
    if (colon) *colon = 0;
    return (struct sl_port){node_called(f, text), colon ? atoi(colon + 1) : 0};
}

static sl_code prune(struct sl_graph **out, struct graph_fixture *f, const struct wanted *w) {
    struct sl_port feeds[4], fetches[4];
    struct sl_node *targets[4];
    struct sl_prune_request r = {.feeds = feeds, .fetches = fetches, .targets = targets};
    r.n_nodes = w->n_nodes ? w->n_nodes : f->graph->nodes.n;
    for (; r.n_feeds < 4 && w->feeds[r.n_feeds]; r.n_feeds++) feeds[r.n_feeds] = port_named(f, w->feeds[r.n_feeds]);
    for (; r.n_fetches < 4 && w->fetches[r.n_fetches]; r.n_fetches++)
        fetches[r.n_fetches] = port_named(f, w->fetches[r.n_fetches]);
    for (; r.n_targets < 4 && w->targets[r.n_targets]; r.n_targets++)
        targets[r.n_targets] = node_called(f, w->targets[r.n_targets]);
    sl_error_clear(&f->err);
    return sl_pass_prune(out, &r, f->registry, &f->err);
}

/* The graph of a run: "_arg_p_0_0 n(_arg_p_0_0) ...". */
#define EXPECT(text, ...)                                                                                              \
    do {                                                                                                               \
        struct sl_graph *pruned;                                                                                       \
        const struct wanted w_ = {__VA_ARGS__};                                                                        \
        assert_ok(f->err, prune(&pruned, f, &w_));                                                                     \
        assert_ok(f->err, sl_graph_check(pruned, &f->err));                                                            \
        assert_text(wiring_of(f, pruned), text);                                                                       \
        sl_graph_free(pruned);                                                                                         \
    } while (0)
#define REFUSED(code, text, ...)                                                                                       \
    do {                                                                                                               \
        struct sl_graph *pruned;                                                                                       \
        const struct wanted w_ = {__VA_ARGS__};                                                                        \
        assert_fails(f->err, code, text, prune(&pruned, f, &w_));                                                      \
    } while (0)

GRAPH_TEST(what_is_fetched_is_there_with_what_it_needs) {
    import_text(f, P "a = Abs(p)" F "b = Neg(a)" F "c = Exp(p)" F, NULL);
    EXPECT("p a(p) _retval_a_0_0(a)", .fetches = {"a"});
    EXPECT("p a(p) b(a) c(p) _retval_b_0_0(b) _retval_c_0_1(c)", .fetches = {"b", "c"});
    EXPECT("p c(p)", .targets = {"c"});
}

GRAPH_TEST(what_is_before_a_feed_goes) {
    import_text(f, P "a = Abs(p)" F "b = Neg(a)" F "c = Add(a, p)" F, NULL);
    EXPECT("_arg_a_0_0 b(_arg_a_0_0) _retval_b_0_0(b)", .feeds = {"a"}, .fetches = {"b"});
    EXPECT("_arg_a_0_0 p c(_arg_a_0_0,p) _retval_c_0_0(c)", .feeds = {"a"}, .fetches = {"c"});
}

/* What waits for a fed placeholder waits for its feed; what waits for another fed node waits for that. */
GRAPH_TEST(control_edges_come_from_feeds) {
    import_text(f, P "a = Abs(p)" F "n = NoOp(^p)\nm = NoOp(^a)\n", NULL);
    EXPECT("_arg_p_0_0 n(^_arg_p_0_0)", .feeds = {"p"}, .targets = {"n"});
    EXPECT("_arg_a_0_0 p a(p) m(^a)", .feeds = {"a"}, .targets = {"m"});
    EXPECT("_arg_p_0_0 a(_arg_p_0_0) m(^a)", .feeds = {"p"}, .targets = {"m"});
    EXPECT("_arg_p_0_0", .feeds = {"p"}, .targets = {"p"});
}

GRAPH_TEST(outputs_are_fed_one_by_one) {
    import_text(f, P "u = Unique(p)" F "s = Shape(u:1) T type: DT_INT32\nn = Neg(u)" F, NULL);
    EXPECT("_arg_u_1_0 p u(p) s(_arg_u_1_0) n(u) _retval_s_0_0(s) _retval_n_0_1(n)", .feeds = {"u:1"},
           .fetches = {"s", "n"});
    EXPECT("_arg_u_0_0 _arg_u_1_1 s(_arg_u_1_1) n(_arg_u_0_0) _retval_s_0_0(s) _retval_n_0_1(n)", .feeds = {"u", "u:1"},
           .fetches = {"s", "n"});
}

GRAPH_TEST(requests_without_sense) {
    import_text(f, P "u = Unique(p)" F "n = NoOp()\nlast = Neg(u)" F, NULL);
    REFUSED(SL_INVALID_ARGUMENT, "Must specify at least one target to fetch or execute.", .feeds = {"p"});
    REFUSED(SL_INVALID_ARGUMENT, "fetch u:2: output index is out of range, the node has 2 outputs", .fetches = {"u:2"});
    REFUSED(SL_INVALID_ARGUMENT, "feed u:-1: output index is out of range", .feeds = {"u:-1"}, .fetches = {"u"});
    REFUSED(SL_INVALID_ARGUMENT, "Tried to fetch data for 'n:0', which has no output", .fetches = {"n"});
    REFUSED(SL_INVALID_ARGUMENT, "Endpoint \"u:1\" fed more than once.", .feeds = {"u:1", "u", "u:1"},
            .fetches = {"last"});
    REFUSED(SL_INVALID_ARGUMENT, "Tensor u:1 is both fed and fetched.", .feeds = {"u:1"}, .fetches = {"u:1"});
    REFUSED(SL_NOT_FOUND, "fetch is not part of the session's graph", .fetches = {"last"}, .n_nodes = 3);
    REFUSED(SL_NOT_FOUND, "target is not part of the session's graph", .targets = {"last"}, .n_nodes = 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(what_is_fetched_is_there_with_what_it_needs),
        graph_unit_test(what_is_before_a_feed_goes),
        graph_unit_test(control_edges_come_from_feeds),
        graph_unit_test(outputs_are_fed_one_by_one),
        graph_unit_test(requests_without_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
