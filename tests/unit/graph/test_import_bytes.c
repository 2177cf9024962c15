/* graph/import: a GraphDef as bytes gives the graph, or the refusal, that the decoded message gives, whatever the
 * bytes are. */
#include "proto/wire.h"
#include "unit/graph/graph_fixture.h"

#include <stdlib.h>

#define F " T type: DT_FLOAT\n"

/* Nodes alike and nodes that differ in one of op, device, attrs; a loop, a reader before what it reads, a function,
 * places, shapes that are told, notes for an export only. */
static const char rich[] =
    "p = Placeholder() dtype type: DT_FLOAT; _output_shapes list { shape { dim { size: 2 } } }\n"
    "q = Placeholder() dtype type: DT_FLOAT; _output_shapes list { shape { dim { size: 2 } } }\n"
    "r = Placeholder()@/cpu:0 dtype type: DT_FLOAT\n"
    "a = Neg(p)" F "b = Neg(q)" F "c = Abs(late, ^a)" F "late = AddV2(a, b)" F
    "d = Neg(b) T type: DT_FLOAT; _class list { s: 'loc:@a' }\n"
    "e = Neg(b) T type: DT_FLOAT; _class list { s: 'loc:@a' }\n"
    "n = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { } int_val: 7 }\n"
    "enter = Enter(p) T type: DT_FLOAT; frame_name s: 'f'\n"
    "merge = Merge(enter, next) N i: 2; T type: DT_FLOAT\n"
    "next = NextIteration(merge)" F "two = twice(p)\n"
    "| node { name: 'noted' op: 'NoOp' experimental_debug_info { original_node_names: 'x' }\n"
    "|        experimental_type { type_id: TFT_TENSOR } }\n"
    "| library { function { signature { name: 'twice' input_arg { name: 'x' type: DT_FLOAT }\n"
    "|   output_arg { name: 'y' type: DT_FLOAT } }\n"
    "|   node_def { name: 's' op: 'AddV2' input: 'x' input: 'x'\n"
    "|     attr { key: 'T' value { type: DT_FLOAT } } } ret { key: 'y' value: 's:z:0' } } }\n"
    "| versions { producer: 900 }";

/* Producers first but for what closes loops: this goes in while it is read. Control inputs that stand twice, outputs
 * by number, readers that are many, a name with '>', colocation with what follows. */
static const char plain[] =
    "p = Placeholder() dtype type: DT_FLOAT\n"
    "q = Placeholder() dtype type: DT_FLOAT; _output_shapes list { shape { dim { size: 2 } } }\n"
    "a = Neg(p) T type: DT_FLOAT; _class list { s: 'loc:@i>j' }\n"
    "axis = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 }\n"
    "two = Split(axis, q, ^a, ^p, ^a) T type: DT_FLOAT; num_split i: 2\n"
    "i>j = AddV2(two:1, two, ^a)" F "b = Neg(i>j)" F "c = Neg(b, ^a, ^b)" F
    "enter = Enter(p) T type: DT_FLOAT; frame_name s: 'f'\n"
    "merge = Merge(enter, next) N i: 2; T type: DT_FLOAT\n"
    "merge_1 = Merge(enter, next_1) N i: 2; T type: DT_FLOAT\n"
    "d = AddV2(merge, merge_1)" F "next = NextIteration(d)" F "next_1 = NextIteration(merge, ^d)" F
    "| versions { producer: 900 }";

static struct sl_str bytes_of(struct graph_fixture *f, const char *text) {
    struct sl_str bytes;
    assert_ok(f->err, sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), graph_def(f, text), 0, &f->arena, &f->err));
    return bytes;
}

/* What an import came to: the graph as bytes, or the refusal. */
struct outcome {
    sl_code code;
    struct sl_error err;
    struct sl_str graph;
    unsigned ranks, uses; /* of all outputs; of all edges, as producers know them */
};

static sl_code import_message(struct sl_graph *graph, struct sl_str bytes, const struct sl_import_options *options,
                              struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_GraphDef def;
    struct sl_error why;
    sl_code code = sl_pb_decode(&def, SL_PB_TYPE(GraphDef), bytes, arena, &why);
    if (code == SL_RESOURCE_EXHAUSTED) return sl_fail(err, code, "%s", why.message);
    if (code != SL_OK) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid GraphDef: %s", why.message);
    return sl_graph_import(NULL, graph, &def, options, err);
}

/* Into a graph that has a node "x" already, when `meets` one. */
static struct outcome import_as(bool as_bytes, struct graph_fixture *f, struct sl_str bytes,
                                const struct sl_import_options *how, bool meets) {
    struct outcome out = {0};
    struct sl_arena *arena = &f->arena;
    struct sl_pb_GraphDef *def;
    struct sl_import_options options = how ? *how : (struct sl_import_options){0};
    start_again(f);
    if (meets) import_text(f, "x = Placeholder() dtype type: DT_FLOAT\ns/a = NoOp()", NULL);
    struct sl_import_mapping maps[] = {{SL_STR("p"), 0, {sl_graph_find(f->graph, SL_STR("x")), 0}}};
    options.mappings = maps;
    options.n_mappings = meets;
    /* Bytes go away after the import: a copy that is freed tells who keeps pointers into them. */
    char *copy = malloc(bytes.n + !bytes.n);
    if (bytes.n) memcpy(copy, bytes.p, bytes.n);
    struct sl_str given = {copy, bytes.n};
    if (as_bytes) out.code = sl_graph_import_bytes(NULL, f->graph, given, &options, &out.err);
    else out.code = import_message(f->graph, given, &options, arena, &out.err);
    free(copy);
    assert_ok(f->err, sl_graph_check(f->graph, &f->err));
    assert_ok(f->err, sl_graph_export(&def, f->graph, arena, &f->err));
    assert_ok(f->err, sl_pb_encode(&out.graph, SL_PB_TYPE(GraphDef), def, SL_PB_SORT_MAPS, arena, &f->err));
    SL_GRAPH_EACH(node, f->graph) {
        for (int o = 0; o < node->n_outputs; o++) out.ranks = out.ranks * 31 + (unsigned)node->shapes[o].rank;
        for (uint32_t u = 0; u < node->uses.n; u++)
            out.uses = out.uses * 31 + node->uses.items[u].node->id * 7 + (unsigned)node->uses.items[u].slot;
    }
    return out;
}

static void compare(struct graph_fixture *f, struct sl_str bytes, const struct sl_import_options *options, bool meets) {
    struct outcome a = import_as(false, f, bytes, options, meets), b = import_as(true, f, bytes, options, meets);
    if (a.code != b.code || (a.code != SL_OK && strcmp(a.err.message, b.err.message) != 0))
        fail_msg("message: %d %s\nbytes:   %d %s", a.code, a.code ? a.err.message : "", b.code,
                 b.code ? b.err.message : "");
    assert_true(sl_str_eq(a.graph, b.graph));
    assert_int_equal(a.ranks, b.ranks);
    assert_int_equal(a.uses, b.uses);
}

static void compare_choices(struct graph_fixture *f, struct sl_str bytes) {
    for (int choice = 0; choice < 64; choice++) {
        struct sl_import_options options = {.prefix = choice & 1 ? SL_STR("s") : SL_STR(""),
                                            .default_device = choice & 2 ? SL_STR("/device:GPU:0") : SL_STR(""),
                                            .uniquify_names = choice & 4,
                                            .uniquify_prefix = choice & 4,
                                            .keep_shape_attr = choice & 8,
                                            .no_inference = choice & 16};
        compare(f, bytes, &options, choice & 32);
    }
}

GRAPH_TEST(bytes_give_the_graph_of_the_message) {
    struct sl_str bytes = bytes_of(f, rich);
    assert_ok(f->err, import_as(true, f, bytes, NULL, false).code);
    assert_text(shape_of(f, "a", 0), "[2]");
    assert_ptr_equal(node_called(f, "a")->attrs.items, node_called(f, "b")->attrs.items); /* nodes alike share */
    assert_true(node_called(f, "a")->attrs.items != node_called(f, "d")->attrs.items);
    compare_choices(f, bytes);
    bytes = bytes_of(f, plain);
    assert_ok(f->err, import_as(true, f, bytes, NULL, false).code);
    compare_choices(f, bytes);
}

/* The names in _class change once, though nodes share them. */
GRAPH_TEST(shared_colocation_is_renamed_once) {
    struct sl_import_options options = {.prefix = SL_STR("s")};
    struct sl_str bytes =
        bytes_of(f, "s = NoOp()\na = NoOp() _class list { s: 'loc:@s' }\nb = NoOp() _class list { s: 'loc:@s' }\n"
                    "s/s = NoOp()");
    assert_ok(f->err, sl_graph_import_bytes(NULL, f->graph, bytes, &options, &f->err));
    const struct sl_pb_AttrValue *value = sl_attr_find(&node_called(f, "s/b")->attrs, SL_STR("_class"));
    assert_int_equal(value->list->s.n, 1);
    assert_true(sl_str_is(value->list->s.items[0], "loc:@s/s"));
    compare(f, bytes, &options, false);
}

static const char *const texts[] = {rich, plain};

static void compare_cut(struct graph_fixture *f, const char *text) {
    struct sl_str bytes = bytes_of(f, text);
    for (size_t n = 0; n <= bytes.n; n++) compare(f, (struct sl_str){bytes.p, n}, NULL, false);
}

GRAPH_TEST(bytes_that_are_cut_are_refused_as_messages_are) {
    for (int i = 0; i < 2; i++) compare_cut(f, texts[i]);
}

static void compare_spoilt(struct graph_fixture *f, const char *text) {
    struct sl_str bytes = bytes_of(f, text);
    char *spoilt = (char *)sl_arena_str(&f->arena, bytes).p;
    for (size_t bit = 0; bit < bytes.n * 8; bit++) {
        spoilt[bit / 8] ^= (char)(1 << bit % 8);
        compare(f, (struct sl_str){spoilt, bytes.n}, NULL, text == rich && bit & 1);
        spoilt[bit / 8] ^= (char)(1 << bit % 8);
    }
}

GRAPH_TEST(bytes_that_are_spoilt_are_refused_as_messages_are) {
    for (int i = 0; i < 2; i++) compare_spoilt(f, texts[i]);
}

/* Each node in each place. */
GRAPH_TEST(nodes_in_any_order_are_read_as_messages_are) {
    struct sl_str bytes = bytes_of(f, plain);
    char *moved = (char *)sl_arena_str(&f->arena, bytes).p;
    size_t at[32], n = 0;
    for (size_t i = 0; i < bytes.n && bytes.p[i] == 0x0a; i += 2 + (unsigned char)bytes.p[i + 1]) at[n++] = i;
    at[n] = at[n - 1] + 2 + (unsigned char)bytes.p[at[n - 1] + 1];
    assert_int_equal(n, 14);
    for (size_t from = 0; from < n; from++)
        for (size_t to = 0; to < n; to++) { /* `from` goes behind all of [from + 1, to], or before all of [to, from) */
            size_t size = at[from + 1] - at[from], begin = to < from ? at[to] : at[from + 1];
            size_t end = to < from ? at[from] : at[to + 1], put = to < from ? at[to] : at[to + 1] - size;
            memcpy(moved, bytes.p, bytes.n);
            memcpy(moved + (to < from ? begin + size : begin - size), bytes.p + begin, end - begin);
            memcpy(moved + put, bytes.p + at[from], size);
            compare(f, (struct sl_str){moved, bytes.n}, NULL, false);
        }
}

/* Fields in another order than serializers keep, twice, or unknown; lengths in more bytes than they need. */
GRAPH_TEST(unusual_bytes_are_read_as_messages_are) {
    static const struct sl_str nodes[] = {
        SL_STR("\x0a\x09\x12\x04NoOp\x0a\x01k"),
        SL_STR("\x0a\x0c\x0a\x01k\x12\x04NoOp\x0a\x01m"),
        SL_STR("\x0a\x0c\x0a\x01k\x12\x04NoOp*\x01\x0a"),
        SL_STR("\x0a\x0b\x0a\x01k\x12\x04NoOp\x78\x01"),
        SL_STR("\x0a\x0a\x0a\x81\x00k\x12\x04NoOp"),
        SL_STR("\x0a\x89\x80\x00\x0a\x01k\x12\x04NoOp"),
        SL_STR("\x0a\x89\x80\x80\x80\x80\x00\x0a\x01k\x12\x04NoOp"),
        SL_STR("\x22\x02\x08\x09\x0a\x09\x0a\x01k\x12\x04NoOp"),
        SL_STR("\x0a\x00"),
        SL_STR("\x08\x07"),
        SL_STR("\x0a\x0d\x0a\x01k\x12\x04NoOp\x22\x02\xff\xff"),
        SL_STR("\x0a\x0c\x0a\x01k\x12\x04NoOp\x1a\x01p"),
        SL_STR("\x0a\x0b\x0a\x01\xff\x12\x04NoOp\x22\x00"),
        SL_STR("\x0a\x0f\x0a\x01k\x12\x04NoOp\x2a\x04\x0a\x02\xff\xff"),
    };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) compare(f, nodes[i], NULL, i & 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(bytes_give_the_graph_of_the_message),
        graph_unit_test(shared_colocation_is_renamed_once),
        graph_unit_test(bytes_that_are_cut_are_refused_as_messages_are),
        graph_unit_test(bytes_that_are_spoilt_are_refused_as_messages_are),
        graph_unit_test(nodes_in_any_order_are_read_as_messages_are),
        graph_unit_test(unusual_bytes_are_read_as_messages_are),
    };
    return cmocka_run_group_tests_name("graph/import of bytes", tests, NULL, NULL);
}
