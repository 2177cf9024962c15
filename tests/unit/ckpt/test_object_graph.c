/* Objects of checkpoints: whose values are whose, by the way to them, by slots, by full names. */
#include "ckpt/object_graph.h"

#include <stdio.h>

#include "proto/text_format.h"
#include "proto/wire.h"
#include "unit/os/scratch.h"
#include "unit/unit.h"

static void add(struct sl_bundle_writer *w, const char *key, const char *value) {
    struct sl_error err;
    struct sl_tensor *t;
    assert_ok(err, sl_tensor_new(&t, SL_STRING, SL_SHAPE_SCALAR, &err));
    assert_ok(err, sl_string_set(t->data, sl_str_of(value), &err));
    assert_ok(err, sl_bundle_writer_add(w, sl_str_of(key), t, &err));
    sl_tensor_unref(t);
}

/* A checkpoint with a string for each key of a list, and the objects that `text` tells, if any. */
static void write_checkpoint(const char *prefix, const char *const *keys, const char *text) {
    struct sl_error err;
    struct sl_bundle_writer *w;
    assert_ok(err, sl_bundle_writer_open(&w, prefix, NULL, &err));
    for (; *keys; keys++) add(w, *keys, *keys);
    if (text) {
        struct sl_pb_TrackableObjectGraph graph;
        struct sl_arena arena;
        struct sl_tensor *t;
        struct sl_str bytes;
        sl_arena_init(&arena);
        assert_ok(err, sl_pb_text_parse(&graph, SL_PB_TYPE(TrackableObjectGraph), sl_str_of(text), &arena, &err));
        assert_ok(err, sl_pb_encode(&bytes, SL_PB_TYPE(TrackableObjectGraph), &graph, 0, &arena, &err));
        assert_ok(err, sl_tensor_new(&t, SL_STRING, SL_SHAPE_SCALAR, &err));
        assert_ok(err, sl_string_set(t->data, bytes, &err));
        assert_ok(err, sl_bundle_writer_add(w, sl_object_graph_key, t, &err));
        sl_tensor_unref(t);
        sl_arena_clear(&arena);
    }
    assert_ok(err, sl_bundle_writer_finish(w, &err));
}

/* What the model's keys are matched with, "key=other key=-". */
static void expect_matches(const char *from, const char *model, const char *wanted) {
    struct sl_error err;
    struct sl_object_checkpoint a, b;
    struct sl_object_match *matches;
    struct sl_arena arena;
    char text[512] = "";
    sl_arena_init(&arena);
    assert_ok(err, sl_object_checkpoint_open(&a, from, &err));
    assert_ok(err, sl_object_checkpoint_open(&b, model, &err));
    assert_ok(err, sl_object_checkpoint_match(&matches, &a, &b, &arena, &err));
    for (size_t i = 0; i < b.n; i++) {
        const struct sl_str none = SL_STR("-"), *to = matches[i].from ? &matches[i].from->key : &none;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s=%.*s", i ? " " : "",
                 SL_STR_ARG(b.entries[i].key), SL_STR_ARG(*to));
    }
    assert_string_equal(text, wanted);
    sl_object_checkpoint_close(&a);
    sl_object_checkpoint_close(&b);
    sl_arena_clear(&arena);
}

#define KEYS(...)         ((const char *const[]){__VA_ARGS__, NULL})
#define HELD(key, name)   "nodes { attributes { name: 'V' full_name: '" name "' checkpoint_key: '" key "' } } "
#define CHILD(name, node) "children { local_name: '" name "' node_id: " #node " } "

static void by_the_way_to_them(void **state) {
    (void)state;
    write_checkpoint("model", KEYS("w", "b"),
                     "nodes { " CHILD("w", 1) CHILD("b", 2) "} " HELD("w", "n") HELD("b", "n"));
    write_checkpoint("training", KEYS("m/w", "m/b", "w"),
                     "nodes { " CHILD("w", 4) CHILD("m", 1) "} nodes { " CHILD("w", 2)
                         CHILD("b", 3) "} " HELD("m/w", "n") HELD("m/b", "n") HELD("w", "n"));
    expect_matches("training", "model", "b=m/b w=m/w"); /* more of the model is in m than at the root */
    expect_matches("model", "training", "m/b=b m/w=w w=-");
    expect_matches("model", "model", "b=b w=w");
}

static void by_full_names(void **state) {
    (void)state;
    write_checkpoint("model", KEYS("w", "b"),
                     "nodes { " CHILD("w", 1) CHILD("b", 2) "} " HELD("w", "net/w") HELD("b", "net/b"));
    write_checkpoint("other", KEYS("all/0", "all/1", "all/2"),
                     "nodes { " CHILD("x", 1) "} " HELD("all/0", "net/w") HELD("all/1", "net/b")
                         HELD("all/2", "net/b"));
    expect_matches("other", "model", "b=- w=all/0"); /* two are called net/b */
    write_checkpoint("saver", KEYS("net/w", "net/b", "step"), NULL);
    expect_matches("saver", "model", "b=net/b w=net/w");
    expect_matches("model", "saver", "net/b=b net/w=w step=-");
    expect_matches("saver", "saver", "net/b=net/b net/w=net/w step=step");
}

#define SLOT(variable, slot)                                                                                           \
    "slot_variables { slot_name: 'm' original_variable_node_id: " #variable " slot_variable_node_id: " #slot " } "

static void by_slots(void **state) {
    (void)state;
    write_checkpoint("model", KEYS("w", "w/m"),
                     "nodes { " CHILD("w", 1)
                         CHILD("o", 2) "} " HELD("w", "a") "nodes { " SLOT(1, 3) "} " HELD("w/m", "b"));
    write_checkpoint("other", KEYS("v", "v/m", "u", "u/m"),
                     "nodes { " CHILD("o", 3) CHILD("w", 1) CHILD("u", 2) "} " HELD("v", "c")
                         HELD("u", "d") "nodes { " SLOT(2, 4) SLOT(1, 5) "} " HELD("u/m", "e") HELD("v/m", "f"));
    expect_matches("other", "model", "w=v w/m=v/m");
}

/* Objects that hold each other, as a model and its optimizer do; one that is reached by two ways. */
static void by_ways_that_go_round(void **state) {
    (void)state;
    write_checkpoint("model", KEYS("w", "b"),
                     "nodes { " CHILD("w", 1) CHILD("o", 2) "} nodes { " CHILD(
                         "owner", 0) "attributes { name: 'V' checkpoint_key: 'w' } } nodes { " CHILD("m", 0)
                         CHILD("b", 3) CHILD("w", 1) "} " HELD("b", "n"));
    write_checkpoint("other", KEYS("x", "y"),
                     "nodes { " CHILD("w", 1) CHILD("o", 2) "} nodes { " CHILD(
                         "owner", 0) "attributes { name: 'V' checkpoint_key: 'x' } } nodes { " CHILD("m", 0)
                         CHILD("b", 3) CHILD("w", 1) "} " HELD("y", "n"));
    expect_matches("other", "model", "b=y w=x");
}

/* Where as much fits in two places, the first of them: the root. */
static void by_the_root_when_in_doubt(void **state) {
    (void)state;
    write_checkpoint("one", KEYS("v", "b"), "nodes { " CHILD("w", 1) CHILD("b", 2) "} " HELD("v", "a") HELD("b", "b"));
    write_checkpoint("two", KEYS("w", "m/w"),
                     "nodes { " CHILD("w", 2) CHILD("m", 1) "} nodes { " CHILD("w", 3) "} " HELD("w", "c")
                         HELD("m/w", "d"));
    expect_matches("two", "one", "b=- v=w");
    expect_matches("one", "two", "m/w=- w=v");
}

static void bad_graphs_are_refused(void **state) {
    (void)state;
    struct sl_object_checkpoint c;
    struct sl_error err;
    write_checkpoint("bad", KEYS("w"), "nodes { " CHILD("w", 7) "}");
    assert_int_equal(sl_object_checkpoint_open(&c, "bad", &err), SL_DATA_LOSS);
    write_checkpoint("bad", KEYS("w"), "nodes { " CHILD("w", -1) "}");
    assert_int_equal(sl_object_checkpoint_open(&c, "bad", &err), SL_DATA_LOSS);
    write_checkpoint("bad", KEYS("w"), "nodes { " SLOT(0, 7) "}");
    assert_int_equal(sl_object_checkpoint_open(&c, "bad", &err), SL_DATA_LOSS);
    write_checkpoint("bad", KEYS("w"), "nodes { " SLOT(-7, 0) "}");
    assert_int_equal(sl_object_checkpoint_open(&c, "bad", &err), SL_DATA_LOSS);
    write_checkpoint("bad", KEYS("w", "_CHECKPOINTABLE_OBJECT_GRAPH"), NULL); /* its own name is no message */
    assert_int_not_equal(sl_object_checkpoint_open(&c, "bad", &err), SL_OK);
}

static void kinds_must_agree(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_bundle_writer *w;
    struct sl_tensor *t;
    struct sl_object_checkpoint a, b;
    struct sl_object_match *matches;
    struct sl_arena arena;
    static const struct {
        int dtype, rank;
        int64_t dims[2];
    } others[] = {{SL_FLOAT, 0, {0}}, {SL_STRING, 1, {1}}, {SL_STRING, 2, {1, 1}}};
    write_checkpoint("model", KEYS("w"), NULL);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct sl_shape shape = {others[i].rank, others[i].dims};
        assert_ok(err, sl_bundle_writer_open(&w, "other", NULL, &err));
        assert_ok(err, sl_tensor_new(&t, others[i].dtype, shape, &err));
        memset(t->data, 0, t->bytes);
        assert_ok(err, sl_bundle_writer_add(w, SL_STR("w"), t, &err));
        assert_ok(err, sl_bundle_writer_finish(w, &err));
        sl_tensor_unref(t);
        for (int way = 0; way < 2; way++) {
            sl_arena_init(&arena);
            assert_ok(err, sl_object_checkpoint_open(&a, way ? "model" : "other", &err));
            assert_ok(err, sl_object_checkpoint_open(&b, way ? "other" : "model", &err));
            assert_ok(err, sl_object_checkpoint_match(&matches, &a, &b, &arena, &err));
            assert_true(!matches[0].from && matches[0].is_misfit);
            sl_object_checkpoint_close(&a);
            sl_object_checkpoint_close(&b);
            sl_arena_clear(&arena);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_way_to_them),
        cmocka_unit_test(by_full_names),
        cmocka_unit_test(by_slots),
        cmocka_unit_test(by_ways_that_go_round),
        cmocka_unit_test(by_the_root_when_in_doubt),
        cmocka_unit_test(bad_graphs_are_refused),
        cmocka_unit_test(kinds_must_agree),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
