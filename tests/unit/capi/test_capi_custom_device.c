/* Custom devices and packs through the C API. The device here computes on the host: a value on it is a handle of an
 * ordinary one, and it counts what it is asked. */
#include <stdlib.h>

#include "sluice/tape.h"
#include "unit/capi/eager_words.h"

static const char NAME[] = "/job:localhost/replica:0/task:0/device:CUSTOM:0";
static const char OTHER[] = "/job:localhost/replica:0/task:0/device:CUSTOM:1";

struct device {
    TFE_Context *context;
    const char *name;
    int copies_in, copies_out, runs, packs, values;
    int pin;                 /* what shall_pin answers */
    bool is_mute, is_greedy; /* gives nothing; says that there are more outputs than there is room for */
    bool is_gone;
    struct sl_tape *hides; /* does not hear what the device executes */
};

struct value {
    struct device *device;
    TFE_TensorHandle *on_host;
};

static int value_rank(void *data, TF_Status *status) {
    return TFE_TensorHandleNumDims(((struct value *)data)->on_host, status);
}
static int64_t value_dim(void *data, int i, TF_Status *status) {
    return TFE_TensorHandleDim(((struct value *)data)->on_host, i, status);
}
static void value_free(void *data) {
    struct value *v = data;
    v->device->values--;
    TFE_DeleteTensorHandle(v->on_host);
    free(v);
}

/* Takes `on_host` over. */
static TFE_TensorHandle *wrap(struct device *d, TFE_TensorHandle *on_host, TF_Status *status) {
    struct value *v = malloc(sizeof *v);
    *v = (struct value){d, on_host};
    d->values++;
    const TFE_CustomDeviceTensorHandle methods = {TFE_CUSTOM_DEVICE_VERSION, value_rank, value_dim, value_free, NULL};
    return TFE_NewCustomDeviceTensorHandle(d->context, d->name, TFE_TensorHandleDataType(on_host), v, methods, status);
}

static TFE_TensorHandle *copy_in(TFE_Context *context, TFE_TensorHandle *h, TF_Status *status, void *info) {
    struct device *d = info;
    (void)context;
    d->copies_in++;
    return d->is_mute ? NULL : wrap(d, TFE_TensorHandleCopySharingTensor(h, status), status);
}

static struct value *value_at(TFE_TensorHandle *h, TF_Status *status) {
    return TFE_TensorHandleDevicePointer(h, status);
}

static TFE_TensorHandle *copy_out(TFE_Context *context, TFE_TensorHandle *h, const char *target, TF_Status *status,
                                  void *info) {
    struct device *d = info;
    d->copies_out++;
    return TFE_TensorHandleCopyToDevice(value_at(h, status)->on_host, context, target, status);
}

static void execute(const TFE_Op *op, int *n, TFE_TensorHandle **outputs, TF_Status *status, void *info) {
    struct device *d = info;
    TF_Status *ignored = TF_NewStatus();
    TFE_Op *inner = TFE_NewOp(TFE_OpGetContext(op, ignored), TFE_OpGetName(op, ignored), status);
    d->runs++;
    TFE_OpAddAttrs(inner, TFE_OpGetAttrs(op));
    for (int i = 0; i < TFE_OpGetFlatInputCount(op, ignored); i++) {
        TFE_TensorHandle *in = TFE_OpGetFlatInput(op, i, ignored);
        const bool is_here = !strcmp(TFE_TensorHandleDeviceName(in, ignored), d->name);
        TFE_OpAddInput(inner, is_here ? value_at(in, ignored)->on_host : in, ignored);
    }
    if (d->hides) sl_tape_pause(d->hides, ignored);
    TFE_Execute(inner, outputs, n, status);
    if (d->hides) sl_tape_resume(d->hides, ignored);
    for (int o = 0; TF_GetCode(status) == TF_OK && o < *n; o++) outputs[o] = wrap(d, outputs[o], status);
    if (d->is_greedy) *n = 100;
    TFE_DeleteOp(inner);
    TF_DeleteStatus(ignored);
}

static struct device *pinner;
static bool shall_pin(const TFE_Op *op, TF_Status *status) {
    (void)op, (void)status;
    return pinner->pin != 0;
}

static TFE_TensorHandle *pack(TFE_Context *context, TFE_TensorHandle **handles, int n, TF_Status *status, void *info) {
    struct device *d = info;
    (void)context, (void)n;
    d->packs++;
    return TFE_TensorHandleCopySharingTensor(handles[0], status);
}

static void delete_device(void *info) { ((struct device *)info)->is_gone = true; }

static TFE_CustomDevice functions(bool pins) {
    return (TFE_CustomDevice){TFE_CUSTOM_DEVICE_VERSION, copy_in, copy_out, execute, delete_device, pack,
                              pins ? shall_pin : NULL};
}

static TFE_Context *context_with(struct device *d, bool pins, TF_Status *status) {
    TFE_Context *c = new_context();
    d->context = c;
    d->name = NAME;
    TFE_RegisterCustomDevice(c, functions(pins), NAME, d, status);
    assert_status_ok(status);
    return c;
}

/* On the device; `h` goes. */
static TFE_TensorHandle *moved(TFE_Context *c, TFE_TensorHandle *h, const char *device, TF_Status *status) {
    TFE_TensorHandle *there = TFE_TensorHandleCopyToDevice(h, c, device, status);
    assert_status_ok(status);
    TFE_DeleteTensorHandle(h);
    return there;
}

static void ops_run_where_their_inputs_are(void **state) {
    struct fixture *f = *state;
    struct device d = {0};
    TFE_Context *c = context_with(&d, false, f->status);
    assert_true(TFE_IsCustomDevice(c, NAME));
    assert_false(TFE_IsCustomDevice(c, "/job:localhost/replica:0/task:0/device:CPU:0"));
    TFE_TensorHandle *x = moved(c, scalar(2), NAME, f->status), *y = scalar(3);
    assert_int_equal(d.copies_in, 1);
    assert_string_equal(TFE_TensorHandleDeviceName(x, f->status), NAME);
    assert_string_equal(TFE_TensorHandleBackingDeviceName(x, f->status), NAME);
    assert_string_equal(TFE_TensorHandleDeviceType(x, f->status), "CUSTOM");
    assert_int_equal(TFE_TensorHandleNumDims(x, f->status), 0);
    assert_int_equal(TFE_TensorHandleNumElements(x, f->status), 1);
    TFE_TensorHandle *sum = call(c, f->status, "AddV2", x, y);
    assert_status_ok(f->status);
    assert_int_equal(d.runs, 1);
    assert_string_equal(TFE_TensorHandleDeviceName(sum, f->status), NAME);
    assert_true(value_of(sum) == 5);
    assert_int_equal(d.copies_out, 1);
    /* asked for the host: the value is fetched */
    TFE_TensorHandle *out;
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "Neg", f->status);
    TFE_OpSetDevice(op, "/job:localhost/replica:0/task:0/device:CPU:0", f->status);
    TFE_OpAddInput(op, x, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TFE_OpGetFlatInputCount(op, f->status), 0);
    assert_int_equal(d.runs, 1);
    assert_int_equal(d.copies_out, 2);
    assert_true(value_of(out) == -2);
    TFE_DeleteOp(op);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteTensorHandle(y);
    assert_int_equal(d.values, 0);
    TFE_DeleteContext(c);
    assert_true(d.is_gone);
}

static void a_device_may_say_what_runs_on_it(void **state) {
    struct fixture *f = *state;
    struct device d = {0};
    pinner = &d;
    TFE_Context *c = context_with(&d, true, f->status);
    TFE_TensorHandle *x = moved(c, scalar(2), NAME, f->status);
    TFE_DeleteTensorHandle(call(c, f->status, "Neg", x, NULL));
    assert_status_ok(f->status);
    assert_int_equal(d.runs, 0);
    d.pin = 1;
    TFE_DeleteTensorHandle(call(c, f->status, "Neg", x, NULL));
    assert_int_equal(d.runs, 1);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

static void two_devices_do_not_mix(void **state) {
    struct fixture *f = *state;
    struct device d = {0}, e = {0};
    TFE_Context *c = context_with(&d, false, f->status);
    e.context = c;
    e.name = OTHER;
    TFE_RegisterCustomDevice(c, functions(false), OTHER, &e, f->status);
    assert_status_ok(f->status);
    TFE_TensorHandle *x = moved(c, scalar(2), NAME, f->status), *y = moved(c, scalar(3), OTHER, f->status);
    assert_null(call(c, f->status, "AddV2", x, y));
    assert_status(f->status, TF_INVALID_ARGUMENT, "has an input on custom");
    TFE_TensorHandle *z = moved(c, y, NAME, f->status);
    TFE_DeleteTensorHandle(call(c, f->status, "AddV2", x, z));
    assert_status_ok(f->status);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteTensorHandle(z);
    assert_int_equal(d.values + e.values, 0);
    TFE_DeleteContext(c);
}

static void names_and_functions_are_checked(void **state) {
    struct fixture *f = *state;
    struct device d = {0};
    TFE_Context *c = context_with(&d, false, f->status);
    TFE_RegisterCustomDevice(c, functions(false), NAME, &d, f->status);
    assert_status(f->status, TF_ALREADY_EXISTS, NAME);
    TFE_RegisterCustomDevice(c, functions(false), "/job:localhost/replica:0/task:0/device:CPU:0", &d, f->status);
    assert_status(f->status, TF_ALREADY_EXISTS, "device:CPU:0");
    TFE_RegisterCustomDevice(c, functions(false), "CUSTOM:3", &d, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "could not be parsed as a device name");
    TFE_CustomDevice lacking = functions(false);
    lacking.execute = NULL;
    TFE_RegisterCustomDevice(c, lacking, OTHER, &d, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "lacks a function");
    d.is_mute = true;
    TFE_TensorHandle *x = scalar(1);
    assert_null(TFE_TensorHandleCopyToDevice(x, c, NAME, f->status));
    assert_status(f->status, TF_INTERNAL, "gave no handle");
    d.is_mute = false;
    x = moved(c, x, NAME, f->status);
    d.is_greedy = true;
    assert_null(call(c, f->status, "Neg", x, NULL));
    assert_status(f->status, TF_INTERNAL, "has 100 outputs, where there was room for 1");
    d.is_greedy = false;
    TFE_TensorHandle *bad = floats((const float[]){1, 2}, (const int64_t[]){2}, 1, 2);
    TFE_TensorHandle *worse = floats((const float[]){1, 2, 3}, (const int64_t[]){3}, 1, 3);
    bad = moved(c, bad, NAME, f->status);
    assert_null(call(c, f->status, "AddV2", bad, worse));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Incompatible shapes");
    TFE_DeleteTensorHandle(bad);
    TFE_DeleteTensorHandle(worse);
    TFE_DeleteTensorHandle(x);
    assert_int_equal(d.values, 0);
    TFE_DeleteContext(c);
}

/* ---- packs */

static void a_pack_is_stacked_for_ops(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of(false, "\x0a\x07\x0a\x03\x43\x50\x55\x10\x02", 9); /* device_count: CPU 2 */
    TFE_TensorHandle *parts[] = {scalar(2), scalar(5)};
    int n = 2, zero = 0;
    parts[1] = moved(c, parts[1], "CPU:1", f->status);
    TFE_TensorHandle *p = TFE_CreatePackedTensorHandle(c, parts, &n, f->status);
    assert_status_ok(f->status);
    TFE_TensorHandle *q = TFE_CreatePackedTensorHandle(c, parts, &n, f->status);
    assert_string_equal(TFE_TensorHandleDeviceName(p, f->status), "/job:localhost/replica:0/task:0/device:COMPOSITE:0");
    assert_string_equal(TFE_TensorHandleDeviceName(q, f->status), "/job:localhost/replica:0/task:0/device:COMPOSITE:0");
    TFE_DeleteTensorHandle(q);
    assert_int_equal(TFE_TensorHandleNumDims(p, f->status), 0);
    assert_null(TFE_TensorHandleResolve(p, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Resolve() is not supported on packed");
    TFE_TensorHandle *sum = call(c, f->status, "L2Loss", p, NULL);
    assert_status_ok(f->status);
    assert_true(value_of(sum) == (4 + 25) / 2.f);
    assert_null(TFE_CreatePackedTensorHandle(c, parts, &zero, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Handles should not be empty.");
    assert_null(TFE_CreatePackedTensorHandle(c, (TFE_TensorHandle *[]){parts[0], p}, &n, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "cannot be");
    TFE_DeleteTensorHandle(p);
    TFE_DeleteTensorHandle(parts[0]);
    TFE_DeleteTensorHandle(parts[1]);
    TFE_DeleteContext(c);
}

static void a_device_packs_its_own(void **state) {
    struct fixture *f = *state;
    struct device d = {0};
    TFE_Context *c = context_with(&d, false, f->status);
    TFE_TensorHandle *x = moved(c, scalar(2), NAME, f->status);
    int n = 2;
    TFE_TensorHandle *p = TFE_CreatePackedTensorHandle(c, (TFE_TensorHandle *[]){x, x}, &n, f->status);
    assert_status_ok(f->status);
    assert_int_equal(d.packs, 1);
    TFE_DeleteTensorHandle(p);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

/* Copies are the same value to a tape. What a device does by ops of ordinary handles is recorded; what it does by itself
 * has no gradient, which is said when it is asked for. */
static void tapes_on_custom_devices(void **state) {
    struct fixture *f = *state;
    struct device d = {0};
    TFE_Context *c = context_with(&d, false, f->status);
    for (int hides = 0; hides < 2; hides++) {
        TFE_TensorHandle *x = scalar(3), *dx, *back, *y;
        struct sl_tape *tape = sl_tape_start(c, true, f->status);
        sl_tape_watch(tape, x, f->status);
        TFE_TensorHandle *there = TFE_TensorHandleCopyToDevice(x, c, NAME, f->status);
        assert_status_ok(f->status);
        d.hides = hides ? tape : NULL;
        TFE_TensorHandle *square = call(c, f->status, "Square", there, NULL);
        assert_status_ok(f->status);
        sl_tape_gradient(&dx, tape, &square, 1, &x, 1, NULL, f->status);
        assert_status(f->status, TF_UNIMPLEMENTED, "a value of a custom device");
        back = TFE_TensorHandleCopyToDevice(square, c, "CPU:0", f->status);
        assert_status_ok(f->status);
        y = call(c, f->status, "Neg", back, NULL);
        sl_tape_gradient(&dx, tape, &y, 1, &x, 1, NULL, f->status);
        if (hides)
            assert_status(f->status, TF_UNIMPLEMENTED, "The gradient of op Square, which ran on a custom device");
        else assert_true(value_of(dx) == -6);
        TFE_TensorHandle *all[] = {x, there, square, back, y};
        for (int i = 0; i < 5; i++) TFE_DeleteTensorHandle(all[i]);
        sl_tape_delete(tape);
    }
    TFE_DeleteContext(c);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(ops_run_where_their_inputs_are),  TEST(a_device_may_say_what_runs_on_it), TEST(two_devices_do_not_mix),
        TEST(names_and_functions_are_checked), TEST(a_pack_is_stacked_for_ops),        TEST(a_device_packs_its_own),
        TEST(tapes_on_custom_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
