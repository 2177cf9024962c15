/* Kernels on a device with memory of its own: which row serves a node there, and which of its ports lie on the
 * host. The rows and the device type are the test's own, for ops that there are. */
#include "kernel/ports.h"

#include <stdlib.h>

#include "kernel/row.h"
#include "ops/op_signature.h"
#include "proto/text_format.h"
#include "unit/unit.h"

static sl_code run(struct sl_kernel_context *k) {
    (void)k;
    return SL_OK;
}

static const struct sl_device_type far_type = {.name = "FAR", .priority = 10};

#define FAR(op_, rules, ...)  {.op = op_, .device = "FAR", .types = {rules}, .run = run, __VA_ARGS__},
#define HOST(op_, rules, ...) {.op = op_, .device = SL_HOST_DEVICE, .types = {rules}, .run = run, __VA_ARGS__},
#define ANY(op_, rules, ...)  {.op = op_, .types = {rules}, .run = run, __VA_ARGS__},
#define FLOATS                RULE("T", SL_SET(FLOAT))
/* clang-format off */
static const struct sl_kernel_def rows[] = {
    FAR("Neg", FLOATS, .flags = 0) HOST("Neg", NO_RULE, .flags = 0)
    FAR("Sum", NO_RULE, .host = "reduction_indices")
    FAR("ConcatV2", NO_RULE, .host = "axis")
    FAR("Pack", NO_RULE, .host = "values")
    FAR("Split", NO_RULE, .host = "split_dim, output")
    FAR("TensorListStack", NO_RULE, .flags = 0)
    FAR("Gather", NO_RULE, .host = "param")
    FAR("AssignAdd", NO_RULE, .flags = 0)
    HOST("Less", NO_RULE, .flags = 0) HOST("LogicalNot", NO_RULE, .flags = 0) HOST("StringLength", NO_RULE, .flags = 0)
    HOST("Assign", NO_RULE, .flags = 0) HOST("Cast", NO_RULE, .flags = 0)
    ANY("Identity", NO_RULE, .flags = SL_KERNEL_MOVES | SL_KERNEL_CHEAP)
    ANY("IdentityN", NO_RULE, .flags = SL_KERNEL_MOVES)
    ANY("Switch", NO_RULE, .flags = SL_KERNEL_MOVES, .host = "pred")
    ANY("_CopyToHost", NO_RULE, .flags = SL_KERNEL_MOVES, .host = "output")
    ANY("_CopyToDevice", NO_RULE, .flags = SL_KERNEL_MOVES, .host = "input, !output")
    ANY("StopGradient", NO_RULE, .flags = SL_KERNEL_CHEAP)
    ANY("_Send", NO_RULE, .flags = SL_KERNEL_MOVES) ANY("_Recv", NO_RULE, .flags = SL_KERNEL_MOVES)
    ANY("PartitionedCall", NO_RULE, .flags = SL_KERNEL_MOVES)
    ANY("MapDefun", NO_RULE, .flags = 0)
    SL_ROWS_END
};
/* clang-format on */

/* ---- nodes */

struct fixture {
    struct sl_arena arena;
    struct sl_op_registry *ops;
    struct sl_kernel_table *table;
    struct sl_error err;
};

static int setup(void **state) {
    static const struct sl_kernel_family family = {rows};
    struct fixture *f = calloc(1, sizeof *f);
    sl_arena_init(&f->arena);
    assert_ok(f->err, sl_op_registry_new(&f->ops, &f->err));
    assert_ok(f->err, sl_kernel_table_new(&f->table, &family, 1, NULL, &f->err));
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    sl_kernel_table_free(f->table);
    sl_op_registry_free(f->ops);
    sl_arena_clear(&f->arena);
    free(f);
    return 0;
}

/* "T type: DT_FLOAT; N i: 2" as attrs of a NodeDef. */
static struct sl_str as_node_def(struct fixture *f, const char *attrs) {
    struct sl_str text = SL_STR("");
    while (*attrs) {
        int name = (int)strcspn(attrs, " "), value = (int)strcspn(attrs, ";");
        text = sl_str_of(sl_arena_format(&f->arena, "%s attr { key: '%.*s' value { %.*s } }", text.p, name, attrs,
                                         value - name, attrs + name));
        attrs += value;
        attrs += strspn(attrs, "; ");
    }
    return text;
}

static struct sl_kernel_site site_of(struct fixture *f, const char *op_name, const char *attrs) {
    struct sl_pb_NodeDef def;
    struct sl_attrs given, *bound = SL_ARENA_NEW(&f->arena, struct sl_attrs);
    struct sl_signature s;
    const struct sl_op *op;
    assert_ok(f->err, sl_op_find(&op, f->ops, sl_str_of(op_name), &f->err));
    assert_ok(f->err, sl_pb_text_parse(&def, SL_PB_TYPE(NodeDef), as_node_def(f, attrs), &f->arena, &f->err));
    assert_ok(f->err, sl_attrs_of_map(&given, &f->arena, &def.attr, &f->err));
    assert_ok(f->err, sl_attrs_bind(bound, &f->arena, op, &given, SL_STR("n"), &f->err));
    assert_ok(f->err, sl_op_signature(&s, &f->arena, op, bound, &f->err));
    return (struct sl_kernel_site){SL_STR("n"), op, bound, s.inputs, s.outputs, s.n_inputs, s.n_outputs};
}

#define PORTS_TEST(name)                                                                                               \
    static void name##_with(struct fixture *f);                                                                        \
    static void name(void **state) { name##_with(*state); }                                                            \
    static void name##_with(struct fixture *f)
#define ports_unit_test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#define FLOAT  "T type: DT_FLOAT"
#define INT    "T type: DT_INT32"
#define BOOL   "T type: DT_BOOL"
#define INT64  "T type: DT_INT64"
#define STRING "T type: DT_STRING"

/* ---- which row */

struct choice {
    const char *op, *attrs;
    const char *on_far, *on_host; /* "FAR", "CPU", "any" row, or "" for none */
};

static const char *chosen(struct fixture *f, const struct choice *c, const struct sl_device_type *type) {
    const struct sl_kernel_site site = site_of(f, c->op, c->attrs);
    const struct sl_kernel_def *def;
    if (sl_kernel_find_on(&def, f->table, &site, type, &f->err) != SL_OK) return "";
    assert_string_equal(def->op, c->op);
    return def->device ? def->device : "any";
}

PORTS_TEST(rows_of_the_device_come_first) {
    static const struct choice choices[] = {
        {"Neg", FLOAT, "FAR", "CPU"},
        {"Neg", INT64, "", "CPU"},
        {"Sum", FLOAT, "FAR", ""},
        {"Identity", STRING, "any", "any"},
        {"StopGradient", FLOAT, "any", "any"},
        {"Exp", FLOAT, "", ""},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        assert_string_equal(chosen(f, &choices[i], &far_type), choices[i].on_far);
        assert_string_equal(chosen(f, &choices[i], &sl_host_device_type), choices[i].on_host);
    }
}

/* Numbers that count and predicates: every input and output has to be one. */
PORTS_TEST(rows_of_the_host_serve_small_types) {
    static const struct choice choices[] = {
        {"Neg", INT, "CPU", "CPU"},
        {"Less", INT, "CPU", "CPU"},
        {"LogicalNot", "", "CPU", "CPU"},
        {"Less", FLOAT, "", "CPU"},
        {"Less", INT64, "", "CPU"},
        {"StringLength", "", "", "CPU"},
        {"Cast", "SrcT type: DT_INT32; DstT type: DT_BOOL", "CPU", "CPU"},
        {"Cast", "SrcT type: DT_INT32; DstT type: DT_FLOAT", "", "CPU"},
        {"Assign", INT, "", "CPU"}, /* a reference may lie anywhere */
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        assert_string_equal(chosen(f, &choices[i], &far_type), choices[i].on_far);
        assert_string_equal(chosen(f, &choices[i], &sl_host_device_type), choices[i].on_host);
    }
}

/* What such a row gives functions lies where their arguments do, only when it moves. */
PORTS_TEST(calls_of_rows_that_touch_stay_on_the_host) {
    const struct sl_kernel_def *def;
    const struct choice call = {"PartitionedCall",
                                "Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; f func { name: 'g' }", "",
                                ""};
    const char *map = "Targuments list { type: DT_FLOAT }; output_types list { type: DT_FLOAT }; "
                      "output_shapes list { shape {} }; f func { name: 'g' }";
    const struct sl_kernel_site site = site_of(f, "MapDefun", map);
    assert_string_equal(chosen(f, &call, &far_type), "any");
    assert_fails(f->err, SL_UNIMPLEMENTED, "MapDefun calls its functions on the host alone",
                 sl_kernel_find_on(&def, f->table, &site, &far_type, &f->err));
    assert_ok(f->err, sl_kernel_find_on(&def, f->table, &site, &sl_host_device_type, &f->err));
}

PORTS_TEST(what_is_missing_is_told_of_the_device) {
    const struct sl_kernel_def *def;
    const struct sl_kernel_site big = site_of(f, "Neg", INT64), small = site_of(f, "Neg", INT);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "No OpKernel was registered to support Op 'Neg'",
                 sl_kernel_find_on(&def, f->table, &big, &far_type, &f->err));
    sl_error_clear(&f->err);
    assert_int_equal(sl_kernel_find_on(&def, f->table, &small, &far_type, &f->err), SL_OK);
    assert_int_equal(f->err.code, SL_OK); /* that the device has no row is no error then */
    assert_int_equal(sl_kernel_find_on(&def, f->table, &big, &far_type, NULL), SL_INVALID_ARGUMENT);
}

/* ---- where ports lie */

struct ports_row {
    const char *op, *attrs;
    const char *wanted; /* a letter a port: of the host, or of the device; inputs, then outputs */
};

static void check_ports(struct fixture *f, const struct ports_row *row) {
    const struct sl_kernel_site site = site_of(f, row->op, row->attrs);
    const struct sl_kernel_def *def;
    bool on_host[16];
    char got[24];
    int n = 0;
    assert_ok(f->err, sl_kernel_find_on(&def, f->table, &site, &far_type, &f->err));
    memset(on_host, 0xff, sizeof on_host);
    sl_kernel_ports(on_host, def, &site);
    for (int i = 0; i < site.n_in; i++) got[n++] = on_host[i] ? 'h' : 'd';
    got[n++] = '>';
    for (int o = 0; o < site.n_out; o++) got[n++] = on_host[site.n_in + o] ? 'h' : 'd';
    got[n] = 0;
    if (strcmp(got, row->wanted) != 0) fail_msg("%s %s: %s, wanted %s", row->op, row->attrs, got, row->wanted);
}

static void check_all(struct fixture *f, const struct ports_row *all, size_t n) {
    for (size_t i = 0; i < n; i++) check_ports(f, &all[i]);
}
#define CHECK_ALL(all) check_all(f, all, sizeof all / sizeof *all)

/* All is in the device's memory but what `.host` names and what never leaves the host. */
PORTS_TEST(of_the_devices_rows) {
    static const struct ports_row all[] = {
        {"Neg", FLOAT, "d>d"},
        {"Sum", FLOAT, "dh>d"},
        {"Sum", INT, "dh>d"}, /* int32 as well */
        {"ConcatV2", FLOAT "; N i: 3", "dddh>d"},
        {"Pack", FLOAT "; N i: 3", "hhh>d"},
        {"Split", FLOAT "; num_split i: 2", "hd>hh"},
        {"TensorListStack", "element_dtype type: DT_FLOAT", "hd>d"},           /* a variant, an int32 */
        {"Gather", "Tparams type: DT_FLOAT; Tindices type: DT_INT32", "dd>d"}, /* "param" is not "params" */
        {"AssignAdd", FLOAT, "dd>d"},
    };
    CHECK_ALL(all);
}

/* A value that only passes by lies where its type says. */
PORTS_TEST(of_rows_that_move) {
    static const struct ports_row all[] = {
        {"Identity", FLOAT, "d>d"},
        {"Identity", BOOL, "d>d"},
        {"Identity", INT64, "d>d"},
        {"Identity", INT, "h>h"},
        {"Identity", STRING, "h>h"},
        {"Identity", "T type: DT_RESOURCE", "h>h"},
        {"Identity", "T type: DT_VARIANT", "h>h"},
        {"IdentityN", "T list { type: DT_FLOAT type: DT_INT32 type: DT_HALF }", "dhd>dhd"},
        {"Switch", FLOAT, "dh>dd"},
        {"Switch", INT, "hh>hh"},
        {"_CopyToHost", FLOAT, "d>h"},
        {"_CopyToDevice", FLOAT, "h>d"},
        {"_CopyToDevice", INT, "h>d"}, /* "!" whatever the type */
    };
    CHECK_ALL(all);
}

#define PAIR(type, to)                                                                                                 \
    type " type: DT_FLOAT; tensor_name s: 'e'; send_device s: '/job:w/replica:0/task:1/device:FAR:0'; "                \
         "send_device_incarnation i: 7; recv_device s: '" to "'"

/* Peers in other processes read on the host; what they send is brought where it is wanted. */
PORTS_TEST(of_transfers) {
    static const struct ports_row all[] = {
        {"_Send", PAIR("T", "/job:w/replica:0/task:1/device:FAR:1"), "d>"},
        {"_Send", PAIR("T", "/job:w/replica:0/task:1/device:CPU:0"), "d>"},
        {"_Send", PAIR("T", "/job:w/replica:0/task:2/device:FAR:0"), "h>"},
        {"_Send", PAIR("T", "/job:v/replica:0/task:1/device:CPU:0"), "h>"},
        {"_Send", PAIR("T", "/job:w/replica:0/task:1/device:CPU:0") "; client_terminated b: true", "h>"},
        {"_Recv", PAIR("tensor_type", "/job:w/replica:0/task:2/device:FAR:0"), ">d"},
    };
    CHECK_ALL(all);
}

PORTS_TEST(of_rows_that_touch_elements) {
    static const struct ports_row all[] = {
        {"StopGradient", FLOAT, "h>h"}, /* of no device */
        {"Neg", INT, "h>h"},            /* of the host, for small types */
        {"Less", INT, "hh>h"},
    };
    CHECK_ALL(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {ports_unit_test(rows_of_the_device_come_first),
                                       ports_unit_test(rows_of_the_host_serve_small_types),
                                       ports_unit_test(calls_of_rows_that_touch_stay_on_the_host),
                                       ports_unit_test(what_is_missing_is_told_of_the_device),
                                       ports_unit_test(of_the_devices_rows),
                                       ports_unit_test(of_rows_that_move),
                                       ports_unit_test(of_transfers),
                                       ports_unit_test(of_rows_that_touch_elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
