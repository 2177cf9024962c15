/* Heavy nodes side by side: which strands a program gets, and that strands change no value, whatever the engine and
 * the number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/compile.h"
#include "root/root.h"
#include "session/local_session.h"
#include "unit/graph/graph_fixture.h"
#include "unit/unit.h"

#define FLOAT         "T type: DT_FLOAT"
#define ARG           "x = _Arg() index i: 0; " FLOAT "\n"
#define MATMUL(c, ab) c " = MatMul(" ab ") " FLOAT "\n"

/* Multiplies what `x` gives five times by it, in a frame of its own; the nodes' names begin with `f`, the result is
 * that and "x". */
#define INT        "T type: DT_INT32"
#define NUMBER(n)  "dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: " #n " }\n"
#define FRAME(f)   "; frame_name s: \"" f "\""
#define ALIVE(f)   FRAME(f) "; is_constant b: true\n"
#define LOOP(f, x) LOOP_OF(f, x, f "p")
#define LOOP_OF(f, x, next)                                                                                            \
    f "z = Const() " NUMBER(0) f "n = Const() " NUMBER(5) f "ei = Enter(" f "z) " INT FRAME(                           \
        f) "\n" f "ev = Enter(" x ") " FLOAT                                                                           \
    FRAME(f) "\n" f "ew = Enter(" x ") " FLOAT                                                                         \
    ALIVE(f) f "en = Enter(" f "n) " INT                                                                               \
    ALIVE(f) f "mi = Merge(" f "ei, " f "ni) " INT "; N i: 2\n" f "mv = Merge(" f "ev, " f "nv) " FLOAT "; N i: 2\n" f \
               "l = Less(" f "mi, " f "en) " INT "\n" f "c = LoopCond(" f "l)\n" f "si = Switch(" f "mi, " f "c) " INT \
               "\n" f "sv = Switch(" f "mv, " f "c) " FLOAT "\n" f "o = Const(^" f "si) " NUMBER(1) f                  \
        "a = Add(" f "si:1, " f "o) " INT "\n" f "p = MatMul(" f "sv:1, " f "ew) " FLOAT "\n" f                        \
        "ni = NextIteration(" f "a) " INT "\n" f "nv = NextIteration(" next ") " FLOAT "\n" f "x = Exit(" f            \
        "sv) " FLOAT "\n"

/* A loop that puts each product on the stack `s`. */
#define STACK(s) s "m = Const() " NUMBER(-1) s " = StackV2(" s "m) elem_type type: DT_FLOAT\n"
#define PUSHING(f, x, s)                                                                                               \
    LOOP_OF(f, x, f "q")                                                                                               \
    f "h = Enter(" s ") T type: DT_RESOURCE" ALIVE(f) f "q = StackPushV2(" f "h, " f "p) " FLOAT "\n"
#define POP(c, s, after) c " = StackPopV2(" s ", ^" after ") elem_type type: DT_FLOAT\n"

static const struct sl_registries *registries_of(struct graph_fixture *f) {
    const struct sl_registries *registries;
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    return registries;
}

static void graph_of(struct graph_fixture *f, const char *text) {
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, registries_of(f)->ops, &f->err));
    import_text(f, text, NULL);
}

/* ---- which strands there are */

/* The program's items in order, by the names of their nodes, and forks as "[1 2]" with the lengths of their strands. */
static void expect_program(struct graph_fixture *f, const char *text, const char *wanted) {
    char got[1024] = "", *at = got;
    struct sl_program *p;
    graph_of(f, text);
    struct sl_device_set devices;
    assert_ok(f->err, sl_device_set_new(&devices, SL_STR("/job:localhost/replica:0/task:0"), 1, 1, &f->err));
    struct sl_compile_options options = {.kernels = registries_of(f)->instances,
                                         .engine = SL_ENGINE_LINEAR,
                                         .device = &devices.items[0]};
    assert_ok(f->err, sl_program_compile(&p, f->graph, &options, &f->err));
    assert_true(p->is_linear);
    for (uint32_t i = 0; i < p->n_items; i++) {
        const struct sl_item *item = &p->items[i];
        const size_t room = sizeof got - (size_t)(at - got);
        if (item->kind == SL_ITEM_FORK) {
            const struct sl_fork *fork = &p->forks[item->detail];
            for (uint32_t l = 0; l < fork->strands.n; l++)
                at += snprintf(at, room, "%s%u%s", l ? "" : "[", p->strands[fork->strands.first + l].items.n,
                               l + 1 < fork->strands.n ? " " : "] ");
        } else if (item->node) at += snprintf(at, room, "%.*s ", SL_STR_ARG(item->node->name));
    }
    sl_program_free(p);
    sl_device_set_clear(&devices);
    assert_text(got, wanted);
}

GRAPH_TEST(towers_are_strands) {
    expect_program(f,
                   ARG MATMUL("a1", "x, x") MATMUL("a2", "a1, x") "a3 = Relu(a2) " FLOAT "\n" MATMUL(
                       "b1", "x, x") "b2 = Tanh(b1) " FLOAT "\n" MATMUL("b3", "b2, x") "c = Add(a3, b3) " FLOAT "\n",
                   "[3 3] a1 a2 a3 b1 b2 b3 c ");
}

GRAPH_TEST(what_needs_two_strands_is_behind) {
    expect_program(f,
                   ARG MATMUL("a", "x, x") MATMUL("b", "x, x") "c = Add(a, b) " FLOAT "\n" MATMUL("d", "c, x")
                       MATMUL("e", "a, c"),
                   "[1 1] a b c [1 1] d e ");
}

GRAPH_TEST(one_strand_is_none) {
    expect_program(f, ARG MATMUL("a", "x, x") MATMUL("b", "a, x") MATMUL("c", "b, a"), "a b c ");
}

GRAPH_TEST(two_that_follow_one_are_a_fork_of_their_own) {
    expect_program(f,
                   ARG MATMUL("a", "x, x") MATMUL("b", "x, x") "r = Relu(a) " FLOAT "\n" MATMUL("c", "r, x")
                       MATMUL("d", "x, r"),
                   "[2 1] a r b [1 1] c d ");
}

GRAPH_TEST(effects_keep_their_order) {
    expect_program(f,
                   ARG MATMUL("a", "x, x") "p = Print(a, a) " FLOAT "; U list { type: DT_FLOAT }\n" MATMUL(
                       "b", "x, x") "q = Print(b, b) " FLOAT "; U list { type: DT_FLOAT }\n" MATMUL("c", "p, x")
                       MATMUL("d", "q, x"),
                   "[1 1] a b p q [1 1] c d ");
}

#define BOOL "T type: DT_BOOL"

GRAPH_TEST(branches_have_strands_of_their_own) {
    expect_program(f,
                   ARG "p = _Arg() index i: 1; " BOOL "\n" MATMUL("a", "x, x")
                       MATMUL("b", "x, a") "s = Switch(a, p) " FLOAT "\nr = Switch(b, p) " FLOAT
                                           "\n" MATMUL("c", "s:1, r:1") MATMUL("d", "s:1, s:1") MATMUL("e", "r, s")
                                               MATMUL("h", "r, r") "i = Add(c, d) " FLOAT "\nj = Add(e, h) " FLOAT "\n"
                                                                   "m = Merge(j, i) " FLOAT
                                                                   "; N i: 2\n" MATMUL("k", "m, x") MATMUL("l", "m, m"),
                   "a b [1 1] c d i [1 1] e h j m [1 1] k l ");
}

GRAPH_TEST(a_merge_is_in_its_strand) {
    expect_program(f,
                   ARG "p = _Arg() index i: 1; " BOOL "\n" MATMUL("a", "x, x")
                       MATMUL("b", "x, x") "s = Switch(a, p) " FLOAT "\nm = Merge(s, s:1) " FLOAT
                                           "; N i: 2\n" MATMUL("c", "m, x") MATMUL("d", "b, x"),
                   "[3 2] a m c b d ");
}

GRAPH_TEST(loops_are_strands) {
    expect_program(f, ARG "y = Neg(x) " FLOAT "\n" LOOP("a", "y") LOOP("b", "y") "s = Add(ax, bx) " FLOAT "\n",
                   "y [1 1] s al aa ap bl ba bp ");
}

GRAPH_TEST(loops_with_effects_are_none) {
    expect_program(f,
                   ARG LOOP("a", "x") LOOP("b", "x") "bq = Print(bp, bp) " FLOAT "; U list { type: DT_FLOAT }\n"
                                                     "s = Add(ax, bx) " FLOAT "\n",
                   "s al aa ap bl ba bp bq ");
}

GRAPH_TEST(loops_with_stacks_of_their_own_are_strands) {
    expect_program(f,
                   ARG STACK("s") STACK("t") PUSHING("a", "x", "s") PUSHING("b", "x", "t") POP("p", "s", "ax")
                       POP("q", "t", "bx") "s1 = Add(p, q) " FLOAT "\n",
                   "s t [2 2] p q s1 al aa ap aq bl ba bp bq ");
}

GRAPH_TEST(loops_with_one_stack_are_none) {
    expect_program(f, ARG STACK("s") PUSHING("a", "x", "s") PUSHING("b", "x", "s") "s1 = Add(ax, bx) " FLOAT "\n",
                   "s s1 al aa ap aq bl ba bp bq ");
}

/* The second loop's handle comes out of a node that is not followed: it may be any stack's. */
GRAPH_TEST(a_handle_out_of_sight_is_everybodys) {
    expect_program(f,
                   ARG STACK("s") STACK("t") "i = IdentityN(s) T list { type: DT_RESOURCE }\n" PUSHING("a", "x", "s")
                       PUSHING("b", "x", "i") "s1 = Add(ax, bx) " FLOAT "\n",
                   "s t i s1 al aa ap aq bl ba bp bq ");
}

#define VARIABLE "v = VarHandleOp() dtype type: DT_FLOAT; shape shape { dim { size: 2 } dim { size: 2 } }\n"
#define READING(f, x)                                                                                                  \
    LOOP_OF(f, x, f "g")                                                                                               \
    f "h = Enter(v) T type: DT_RESOURCE" ALIVE(f) f "r = ReadVariableOp(" f "h) dtype type: DT_FLOAT\n" f "g = Add(" f \
                                                    "p, " f "r) " FLOAT "\n"

GRAPH_TEST(loops_that_read_variables_are_strands) {
    expect_program(f,
                   ARG VARIABLE READING("a", "x") READING("b", "x") "s = Add(ax, bx) " FLOAT "\n"
                                                                    "w = AssignVariableOp(v, x) dtype type: DT_FLOAT\n",
                   "v [1 1] s w al ar aa ap ag bl br ba bp bg ");
}

GRAPH_TEST(what_changes_a_variable_stands_between) {
    expect_program(f,
                   ARG VARIABLE READING("a", "x") "w = AssignVariableOp(v, x) dtype type: DT_FLOAT\n"
                                                  "c = Identity(x, ^w) " FLOAT
                                                  "\n" READING("b", "c") "s = Add(ax, bx) " FLOAT "\n",
                   "v w s al ar aa ap ag bl br ba bp bg ");
}

/* A loop that asks a table how large it is. */
#define TABLE(c)        c "() key_dtype type: DT_INT64; value_dtype type: DT_INT64\n"
#define ASKING(f, x, t) LOOP(f, x) f "h = Enter(" t ") T type: DT_RESOURCE" ALIVE(f) f "q = LookupTableSizeV2(" f "h)\n"
#define EMPTYING(f, x, t)                                                                                              \
    LOOP(f, x)                                                                                                         \
    f "h = Enter(" t ") T type: DT_RESOURCE" ALIVE(f) f                                                                \
        "k = Const(^" f "si) dtype type: DT_INT64; value tensor "                                                      \
        "{ dtype: DT_INT64 tensor_shape { dim { size: 1 } } int64_val: 1 }\n" f "q = LookupTableRemoveV2(" f "h, " f   \
        "k) Tin type: DT_INT64\n"

GRAPH_TEST(loops_that_read_a_table_are_strands) {
    expect_program(f,
                   ARG "t = " TABLE("HashTableV2") ASKING("a", "x", "t") ASKING("b", "x", "t") "s = Add(ax, bx) " FLOAT
                                                                                               "\n",
                   "t [1 1] s al aq aa ap bl bq ba bp ");
}

GRAPH_TEST(loops_with_tables_of_their_own_are_strands) {
    expect_program(f,
                   ARG "t = " TABLE("AnonymousMutableHashTable") "u = " TABLE("AnonymousMutableHashTable")
                       EMPTYING("a", "x", "t") EMPTYING("b", "x", "u") "s = Add(ax, bx) " FLOAT "\n",
                   "t u [1 1] s al aq aa ap bl bq ba bp ");
}

GRAPH_TEST(loops_that_change_one_table_are_none) {
    expect_program(f,
                   ARG "t = " TABLE("MutableHashTableV2") EMPTYING("a", "x", "t")
                       EMPTYING("b", "x", "t") "s = Add(ax, bx) " FLOAT "\n",
                   "t s al aq aa ap bl bq ba bp ");
}

/* ---- values */

enum { SIDE = 48, MOST_NODES = 60, FETCHES = 8 };

static int roll(uint64_t *random, int n) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (int)((*random >> 33) % (uint64_t)n);
}

/* v`i` is what one of two branches makes of v`a` and v`b`; both have products side by side, and the first may have a
 * branch within. */
static int conditional(char *at, size_t size, int i, int a, int b, uint64_t *random) {
    const int p = roll(random, 2);
    int n = snprintf(at, size,
                     "s%d = Switch(v%d, p%d) " FLOAT "\nr%d = Switch(v%d, p%d) " FLOAT "\n"
                     "x%d = MatMul(s%d:1, r%d:1) " FLOAT "\ny%d = MatMul(r%d:1, s%d:1) " FLOAT "\n"
                     "f%d = MatMul(s%d, s%d) " FLOAT "\ng%d = MatMul(r%d, s%d) " FLOAT "\n"
                     "z%d = Add(f%d, g%d) " FLOAT "\n",
                     i, a, p, i, b, p, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i);
    if (roll(random, 3) == 0)
        n += snprintf(at + n, size - (size_t)n,
                      "q%d = Switch(p%d, p%d) T type: DT_BOOL\nn%d = Switch(x%d, q%d:1) " FLOAT "\n"
                      "k%d = MatMul(n%d, n%d) " FLOAT "\nj%d = MatMul(n%d:1, n%d:1) " FLOAT "\n"
                      "m%d = Merge(k%d, j%d) " FLOAT "; N i: 2\n",
                      i, 1 - p, p, i, i, i, i, i, i, i, i, i, i, i, i);
    else n += snprintf(at + n, size - (size_t)n, "m%d = Relu(x%d) " FLOAT "\n", i, i);
    return n + snprintf(at + n, size - (size_t)n,
                        "w%d = Mul(m%d, y%d) " FLOAT "\nv%d = Merge(z%d, w%d) " FLOAT "; N i: 2\n", i, i, i, i, i, i);
}

/* Square matrices v0 .. of products and light nodes, which read some of the last ones; v0 and v1 are fed.
 * With `branches` also of conditionals. */
static int random_graph(char *text, size_t size, uint64_t random, bool branches) {
    static const char *const unary[] = {"Relu", "Tanh", "Neg", "Identity", "Square"}, *const binary[] = {"Add", "Mul"};
    const int n = 12 + roll(&random, MOST_NODES - 12), reach = 3 + roll(&random, 8);
    char *at = text, *const end = text + size;
    for (int i = 0; i < n; i++) {
        const int low = i < reach || roll(&random, 8) == 0 ? 0 : i - reach, kind = roll(&random, 9);
        const int a = i ? low + roll(&random, i - low) : 0, b = i ? low + roll(&random, i - low) : 0;
        if (i < 2) at += snprintf(at, (size_t)(end - at), "v%d = Placeholder() dtype type: DT_FLOAT\n", i);
        else if (i == 2 && branches)
            at += snprintf(
                at, (size_t)(end - at),
                "axes = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } "
                "int_val: 0 int_val: 1 }\nlimit = Const() dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT "
                "tensor_shape {} float_val: %d }\n"
                "sum0 = Sum(v0, axes) " FLOAT "\np0 = Less(sum0, limit) " FLOAT "\n"
                "sum1 = Sum(v1, axes) " FLOAT "\np1 = Greater(sum1, limit) " FLOAT "\nv2 = Neg(v0) " FLOAT "\n",
                roll(&random, 2) * 2000 - 1000);
        else if (kind == 0 && branches) at += conditional(at, (size_t)(end - at), i, a, b, &random);
        else if (kind < 5)
            at += snprintf(at, (size_t)(end - at), "v%d = MatMul(v%d, v%d) T type: DT_FLOAT; transpose_%c b: true\n", i,
                           a, b, kind % 2 ? 'a' : 'b');
        else if (kind < 7)
            at += snprintf(at, (size_t)(end - at), "v%d = %s(v%d) T type: DT_FLOAT\n", i, unary[roll(&random, 5)], a);
        else
            at += snprintf(at, (size_t)(end - at), "v%d = %s(v%d, v%d) T type: DT_FLOAT\n", i, binary[roll(&random, 2)],
                           a, b);
    }
    return n;
}

static struct sl_session *session_of(struct graph_fixture *f, const char *engine, int threads) {
    struct sl_session *session;
    struct sl_pb_ConfigProto config = {.intra_op_parallelism_threads = threads};
    struct sl_session_options options = {.config = &config};
    setenv("SLUICE_EXEC", engine, 1);
    assert_ok(f->err, sl_local_session_new(&session, registries_of(f), &options, &f->err));
    unsetenv("SLUICE_EXEC");
    assert_ok(f->err, sl_session_extend(session, f->graph, &f->err));
    return session;
}

static struct sl_tensor *matrix(struct graph_fixture *f, int64_t rows, int64_t columns) {
    const int64_t dims[2] = {rows, columns};
    struct sl_tensor *t;
    assert_ok(f->err, sl_tensor_new(&t, SL_FLOAT, (struct sl_shape){2, dims}, &f->err));
    for (int64_t i = 0; i < t->count; i++) ((float *)t->data)[i] = (float)((i * 37 + columns) % 101) / 1000.0f - 0.05f;
    return t;
}

/* The last nodes' values, one behind the other. */
static void run_last(float *to, struct graph_fixture *f, int n, const char *engine, int threads) {
    struct sl_session *s = session_of(f, engine, threads);
    struct sl_port feeds[2] = {port_of(f, "v0", 0), port_of(f, "v1", 0)}, fetches[FETCHES];
    struct sl_tensor *fed[2] = {matrix(f, SIDE, SIDE), matrix(f, SIDE, SIDE)}, *got[FETCHES];
    for (int i = 0; i < FETCHES; i++) {
        char name[16];
        snprintf(name, sizeof name, "v%d", n - 1 - i);
        fetches[i] = port_of(f, name, 0);
    }
    struct sl_run run = {.feeds = feeds,
                         .feed_tensors = fed,
                         .n_feeds = 2,
                         .fetches = fetches,
                         .fetch_tensors = got,
                         .n_fetches = FETCHES};
    for (int again = 0; again < 2; again++) { /* the second run finds used slabs */
        assert_ok(f->err, sl_session_run(s, &run, &f->err));
        for (int i = 0; i < FETCHES; i++) {
            memcpy(to + i * SIDE * SIDE, got[i]->data, SIDE * SIDE * sizeof(float));
            sl_tensor_unref(got[i]);
        }
    }
    sl_tensor_unref(fed[0]);
    sl_tensor_unref(fed[1]);
    sl_session_free(s);
}

GRAPH_TEST(strands_change_no_value) {
    static char text[MOST_NODES * 800];
    static float wanted[FETCHES * SIDE * SIDE], got[FETCHES * SIDE * SIDE];
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const int n = random_graph(text, sizeof text, seed / 2, seed % 2);
        graph_of(f, text);
        run_last(wanted, f, n, "frames", 1);
        for (int threads = 1; threads <= 4; threads++) {
            run_last(got, f, n, "linear", threads);
            if (memcmp(got, wanted, sizeof got) != 0) fail_msg("seed %d, %d threads", (int)seed, threads);
        }
    }
}

/* The linear form gives `wanted` again and again, with `least_threads` to 4 threads. */
static void expect_always(const float *wanted, struct graph_fixture *f, int least_threads) {
    static float got[FETCHES * SIDE * SIDE];
    for (int threads = least_threads; threads <= 4; threads++)
        for (int again = 0; again < 20; again++) {
            run_last(got, f, 10, "linear", threads);
            assert_memory_equal(got, wanted, sizeof got);
        }
}

GRAPH_TEST(strands_of_loops_change_no_value) {
    static float wanted[FETCHES * SIDE * SIDE];
    graph_of(f, "v0 = Placeholder() dtype type: DT_FLOAT\n v1 = Placeholder() dtype type: DT_FLOAT\n"
                "y = Neg(v0) " FLOAT "\n" LOOP("a", "y") LOOP("b", "y") LOOP("c", "v1") MATMUL("v2", "bx, cx")
                    MATMUL("v3", "ax, y") "v4 = Add(ax, bx) " FLOAT "\n v5 = Mul(ax, v3) " FLOAT
                                          "\n" MATMUL("v6", "v5, v4") "v7 = Neg(cx) " FLOAT "\n v8 = Neg(ax) " FLOAT
                                                                      "\n v9 = Neg(v8) " FLOAT "\n");
    run_last(wanted, f, 10, "frames", 1);
    expect_always(wanted, f, 1);
}

GRAPH_TEST(strands_with_stacks_change_no_value) {
    static float wanted[FETCHES * SIDE * SIDE];
    graph_of(f,
             "v0 = Placeholder() dtype type: DT_FLOAT\n v1 = Placeholder() dtype type: DT_FLOAT\n" STACK("s") STACK("t")
                 PUSHING("a", "v0", "s") PUSHING("b", "v1", "t") PUSHING("c", "v0", "t") POP("v2", "s", "ax")
                     POP("v3", "t", "bx") "v4 = Add(ax, bx) " FLOAT "\n v5 = Mul(ax, v3) " FLOAT
                                          "\n" MATMUL("v6", "v5, v4") "v7 = Neg(v2) " FLOAT "\n v8 = Neg(ax) " FLOAT
                                                                      "\n v9 = Neg(cx) " FLOAT "\n");
    run_last(wanted, f, 10, "linear", 1);
    expect_always(wanted, f, 2);
}

/* Strands that fail at the same time: the error is that of the first. */
GRAPH_TEST(the_first_error_in_order_is_told) {
    graph_of(f, "x = Placeholder() dtype type: DT_FLOAT\n y = Placeholder() dtype type: DT_FLOAT\n"
                "good = MatMul(x, y) T type: DT_FLOAT\n bad1 = MatMul(x, x) T type: DT_FLOAT\n"
                "bad2 = MatMul(y, y) T type: DT_FLOAT\n bad3 = MatMul(x, x) T type: DT_FLOAT; transpose_a b: true;"
                "transpose_b b: true\n"
                "sum = AddN(good, bad1, bad2, bad3) T type: DT_FLOAT; N i: 4");
    struct sl_session *s = session_of(f, "linear", 4);
    struct sl_port feeds[2] = {port_of(f, "x", 0), port_of(f, "y", 0)}, fetch = port_of(f, "sum", 0);
    struct sl_tensor *fed[2] = {matrix(f, 90, 100), matrix(f, 100, 90)}, *got = NULL;
    struct sl_run run = {
        .feeds = feeds, .feed_tensors = fed, .n_feeds = 2, .fetches = &fetch, .fetch_tensors = &got, .n_fetches = 1};
    for (int i = 0; i < 200; i++) {
        assert_int_equal(sl_session_run(s, &run, &f->err), SL_INVALID_ARGUMENT);
        assert_non_null(strstr(f->err.message, "{{node bad1}}"));
        assert_null(strstr(f->err.message, "{{node bad2}}"));
    }
    sl_tensor_unref(fed[0]);
    sl_tensor_unref(fed[1]);
    sl_session_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(towers_are_strands),
        graph_unit_test(what_needs_two_strands_is_behind),
        graph_unit_test(one_strand_is_none),
        graph_unit_test(two_that_follow_one_are_a_fork_of_their_own),
        graph_unit_test(effects_keep_their_order),
        graph_unit_test(branches_have_strands_of_their_own),
        graph_unit_test(a_merge_is_in_its_strand),
        graph_unit_test(loops_are_strands),
        graph_unit_test(loops_with_effects_are_none),
        graph_unit_test(loops_with_stacks_of_their_own_are_strands),
        graph_unit_test(loops_with_one_stack_are_none),
        graph_unit_test(a_handle_out_of_sight_is_everybodys),
        graph_unit_test(loops_that_read_variables_are_strands),
        graph_unit_test(loops_that_read_a_table_are_strands),
        graph_unit_test(loops_with_tables_of_their_own_are_strands),
        graph_unit_test(loops_that_change_one_table_are_none),
        graph_unit_test(what_changes_a_variable_stands_between),
        graph_unit_test(strands_change_no_value),
        graph_unit_test(strands_of_loops_change_no_value),
        graph_unit_test(strands_with_stacks_change_no_value),
        graph_unit_test(the_first_error_in_order_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
