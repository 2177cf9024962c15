#include "unit/passes/far_devices.h"

#include "kernel/row.h"

static sl_code run(struct sl_kernel_context *k) { return sl_fail(k->err, SL_INTERNAL, "no kernel is run here"); }

static int none(const struct sl_device_type *self) {
    (void)self;
    return 0;
}

static struct sl_memory memory = {.name = "far"};

static sl_code open_device(struct sl_device *device, struct sl_error *err) {
    (void)err;
    device->memory = &memory;
    return SL_OK;
}

static const struct sl_device_type type = {.name = "FAR", .priority = 10, .count = none, .open = open_device};

#define FAR(op_, rules, ...)  {.op = op_, .device = "FAR", .types = {rules}, .run = run, __VA_ARGS__},
#define HOST(op_, rules, ...) {.op = op_, .device = SL_HOST_DEVICE, .types = {rules}, .run = run, __VA_ARGS__},
#define ANY(op_, rules, ...)  {.op = op_, .types = {rules}, .run = run, __VA_ARGS__},
#define FLOATS                RULE("T", SL_SET(FLOAT))
#define MOVES                 .flags = SL_KERNEL_MOVES
/* clang-format off */
static const struct sl_kernel_def rows[] = {
    FAR("Neg", FLOATS, .flags = 0) FAR("Add", FLOATS, .flags = 0) FAR("Less", FLOATS, .flags = 0)
    FAR("Sum", FLOATS, .host = "reduction_indices") FAR("Fill", FLOATS, .host = "dims")
    FAR("AssignAdd", FLOATS, .flags = 0)
    HOST("Neg", NO_RULE, .flags = 0) HOST("Add", NO_RULE, .flags = 0) HOST("Less", NO_RULE, .flags = 0)
    HOST("Sum", NO_RULE, .flags = 0) HOST("Fill", NO_RULE, .flags = 0) HOST("Erf", NO_RULE, .flags = 0)
    ANY("AsString", NO_RULE, .flags = 0) ANY("Const", NO_RULE, MOVES) ANY("NoOp", NO_RULE, MOVES) ANY("Print", NO_RULE, .flags = 0)
    ANY("Identity", NO_RULE, MOVES) ANY("Shape", NO_RULE, MOVES, .host = "output") ANY("Reshape", NO_RULE, MOVES, .host = "shape")
    ANY("Switch", NO_RULE, MOVES, .host = "pred") ANY("Merge", NO_RULE, MOVES) ANY("Enter", NO_RULE, MOVES)
    ANY("Exit", NO_RULE, MOVES) ANY("NextIteration", NO_RULE, MOVES)
    ANY("LoopCond", NO_RULE, MOVES, .host = "input, output")
    ANY("VariableV2", NO_RULE, MOVES) ANY("Assign", NO_RULE, MOVES)
    ANY("VarHandleOp", NO_RULE, MOVES) ANY("TensorListPushBack", NO_RULE, MOVES)
    ANY("_Send", NO_RULE, MOVES) ANY("_Recv", NO_RULE, MOVES) ANY("ReadVariableOp", NO_RULE, MOVES)
    SL_ROWS_END
};
/* clang-format on */
const struct sl_kernel_def far_call = {.op = "call", .run = run, MOVES};

void far_devices_open(struct far_devices *out, struct graph_fixture *f) {
    static const struct sl_kernel_family family = {rows};
    const struct sl_device_request requests[] = {{&sl_host_device_type, 1}, {&type, 2}};
    struct sl_str task = SL_STR("/job:localhost/replica:0/task:0");
    assert_ok(f->err, sl_device_set_open(&out->set, task, requests, 2, 1, &f->err));
    assert_ok(f->err, sl_kernel_table_new(&out->kernels, &family, 1, NULL, &f->err));
}

void far_devices_close(struct far_devices *d) {
    sl_kernel_table_free(d->kernels);
    sl_device_set_clear(&d->set);
}
