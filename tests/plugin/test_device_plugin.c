/* Loads a plug-in with a kind of device: what its description lacks is said; ops, graphs, functions, variables run
 * there, with its memory, copies and streams; what its functions say fails the step; all comes back to it. A host
 * thread that follows an address of the device dies. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "plugin/device_plugin.h"
#include "sluice/tape.h"
#include "tensorflow/c/c_api_experimental.h"
#include "unit/capi/eager_words.h"

#define TASK "/job:localhost/replica:0/task:0"
#define TOY0 TASK "/device:TOY:0"
#define TOY1 TASK "/device:TOY:1"

static struct toy_control *control;

static bool is_plain(void) { return getenv("TOY_PLAIN") != NULL; }

static int set_up_group(void **state) {
    (void)state;
    void *handle = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return -1;
    control = dlsym(handle, "toy_control");
    return control ? 0 : -1;
}

static void load_fails(TF_Status *s, TF_Code code, const char *text) {
    assert_null(TF_LoadPluggableDeviceLibrary(PLUGIN, s));
    assert_status(s, code, text);
}

/* ---- a program of its own, with SLUICE_TRACE: the profile is written when it ends */

static int run_profiled(void) {
    TF_Status *s = TF_NewStatus();
    TF_Library *library = TF_LoadPluggableDeviceLibrary(PLUGIN, s);
    if (TF_GetCode(s) != TF_OK) return 2;
    TFE_Context *c = new_context();
    TFE_TensorHandle *x = scalar(2), *y = call(c, s, "Neg", x, NULL);
    int status = y && value_of(y) == -2 ? 0 : 3;
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
    TF_DeletePluggableDeviceLibraryHandle(library);
    TF_DeleteStatus(s);
    return status;
}

static void profiles_are_written(void **state) {
    char command[512], path[] = "/tmp/profileXXXXXX", text[64] = "";
    (void)state;
    assert_true(mkdtemp(path) != NULL);
    snprintf(command, sizeof command, "SLUICE_TRACE=%s/trace.json /proc/%d/exe profiled", path, (int)getpid());
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/trace.json.TOY.xspace.pb", path);
    FILE *file = fopen(command, "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "1 kernels");
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
}

/* ---- before it is loaded */

static void what_is_missing_is_said(void **state) {
    static const char *const in_executor[] = {"allocate",
                                              "deallocate",
                                              "host_memory_allocate",
                                              "host_memory_deallocate",
                                              "get_allocator_stats",
                                              "device_memory_usage",
                                              "create_stream",
                                              "destroy_stream",
                                              "create_stream_dependency",
                                              "get_stream_status",
                                              "create_event",
                                              "destroy_event",
                                              "get_event_status",
                                              "record_event",
                                              "wait_for_event",
                                              "memcpy_dtoh",
                                              "memcpy_htod",
                                              "sync_memcpy_dtoh",
                                              "sync_memcpy_htod",
                                              "block_host_for_event",
                                              "synchronize_all_activity",
                                              "host_callback",
                                              "mem_zero",
                                              "memset",
                                              "memset32",
                                              "unified_memory_allocate"},
                             *const in_fns[] = {"get_device_count",        "create_device",
                                                "destroy_device",          "create_stream_executor",
                                                "destroy_stream_executor", "create_device_fns",
                                                "destroy_device_fns"};
    struct fixture *f = *state;
    char text[128];
    strcpy(control->fails, "TF_InitProfiler"); /* what is described first stays */
    load_fails(f->status, TF_INTERNAL, "toy: it failed");
    *control->fails = '\0';
    strcpy(control->lacks, "device_type");
    load_fails(f->status, TF_FAILED_PRECONDITION, "'device_type' field in TP_Profiler must be set.");
    strcpy(control->lacks, "collect_data_xspace");
    load_fails(f->status, TF_FAILED_PRECONDITION, "'collect_data_xspace' field in TP_ProfilerFns must be set.");
    for (size_t i = 0; i < sizeof in_executor / sizeof *in_executor; i++) {
        strcpy(control->lacks, in_executor[i]);
        snprintf(text, sizeof text, "'%s' field in SP_StreamExecutor must be set.", in_executor[i]);
        load_fails(f->status, TF_FAILED_PRECONDITION, text);
    }
    for (size_t i = 0; i < sizeof in_fns / sizeof *in_fns; i++) {
        strcpy(control->lacks, in_fns[i]);
        snprintf(text, sizeof text, "'%s' field in SP_PlatformFns must be set.", in_fns[i]);
        load_fails(f->status, TF_FAILED_PRECONDITION, text);
    }
    strcpy(control->lacks, "destroy_platform");
    load_fails(f->status, TF_FAILED_PRECONDITION, "'destroy_platform' field in SE_PlatformRegistrationParams must be");
    strcpy(control->lacks, "type");
    load_fails(f->status, TF_FAILED_PRECONDITION, "'type' field in SP_Platform must be set.");
    strcpy(control->lacks, "platform.struct_size");
    load_fails(f->status, TF_FAILED_PRECONDITION, "field set to SP_PLATFORM_STRUCT_SIZE. Found `struct_size` = 0.");
    strcpy(control->lacks, "executor.struct_size");
    load_fails(f->status, TF_FAILED_PRECONDITION, "Expected initialized `SP_StreamExecutor` structure");
    *control->lacks = '\0';
}

static void what_it_refuses_is_said(void **state) {
    static const char *const functions[] = {"SE_InitPlugin", "create_stream_executor", "create_device_fns"};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        strcpy(control->fails, functions[i]);
        load_fails(f->status, TF_INTERNAL, "toy: it failed");
    }
    *control->fails = '\0';
    strcpy(control->type, "Toy1");
    load_fails(f->status, TF_FAILED_PRECONDITION, "Device name/type 'Toy1' must match [A-Z][A-Z_]*.");
    strcpy(control->type, "CPU");
    load_fails(f->status, TF_ALREADY_EXISTS, "there are devices of type CPU already");
    *control->type = '\0';
    assert_int_equal(control->streams, 0);
}

static void it_is_loaded_once(void **state) {
    struct fixture *f = *state;
    TFE_Context *before = new_context();
    for (int i = 0; i < 2; i++) {
        TF_Library *library = TF_LoadPluggableDeviceLibrary(PLUGIN, f->status);
        assert_status_ok(f->status);
        TF_DeletePluggableDeviceLibraryHandle(library);
    }
    TF_DeviceList *devices = TFE_ContextListDevices(before, f->status);
    assert_int_equal(TF_DeviceListCount(devices), 1); /* contexts keep the devices that they have */
    TF_DeleteDeviceList(devices);
    TFE_DeleteContext(before);
}

/* ---- listings */

static void expect_devices(TF_DeviceList *devices, TF_Status *s) {
    assert_int_equal(TF_DeviceListCount(devices), 1 + TOY_DEVICES);
    assert_string_equal(TF_DeviceListName(devices, 1, s), TOY0);
    assert_string_equal(TF_DeviceListType(devices, 1, s), TOY_DEVICE);
    assert_string_equal(TF_DeviceListName(devices, 2, s), TOY1);
    assert_int_equal(TF_DeviceListMemoryBytes(devices, 2, s), 64 << 20);
    TF_DeleteDeviceList(devices);
}

static void its_devices_are_listed(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    expect_devices(TFE_ContextListDevices(c, f->status), f->status);
    TF_Session *session = new_session(f->graph, f->status);
    expect_devices(TF_SessionListDevices(session, f->status), f->status);
    assert_int_equal(control->streams, 2 * TOY_DEVICES);
    TF_DeleteSession(session, f->status);
    TFE_DeleteContext(c);
    assert_int_equal(control->streams, 0);
}

/* ---- words */

static const float FOUR[] = {1, 4, 9, 16}, OTHERS[] = {2, -3, 5, .5f};
static const int64_t SIDE[] = {2, 2};

static TFE_TensorHandle *four(const float *values) { return floats(values, SIDE, 2, 4); }

/* The op on these inputs, where they are dropped. */
static TFE_TensorHandle *use(TFE_Context *c, const char *name, TFE_TensorHandle *x, TFE_TensorHandle *y) {
    TF_Status *s = TF_NewStatus();
    TFE_TensorHandle *out = call(c, s, name, x, y);
    assert_status_ok(s);
    TFE_DeleteTensorHandle(x);
    if (y) TFE_DeleteTensorHandle(y);
    TF_DeleteStatus(s);
    return out;
}

static void expect_device(TFE_TensorHandle *h, const char *name) {
    TF_Status *s = TF_NewStatus();
    assert_string_equal(TFE_TensorHandleBackingDeviceName(h, s), name);
    TF_DeleteStatus(s);
}

/* The elements, and the handle is dropped. */
static void expect_floats(TFE_TensorHandle *h, const float *values, int n) {
    TF_Status *s = TF_NewStatus();
    TF_Tensor *t = TFE_TensorHandleResolve(h, s);
    assert_status_ok(s);
    assert_int_equal(TF_TensorElementCount(t), n);
    for (int i = 0; i < n; i++) assert_float_equal(((const float *)TF_TensorData(t))[i], values[i], 0);
    TF_DeleteTensor(t);
    TFE_DeleteTensorHandle(h);
    TF_DeleteStatus(s);
}

/* Everything that was made of it is gone. */
static void expect_clean(void) {
    assert_int_equal(control->bytes, 0);
    assert_int_equal(control->streams, 0);
    assert_int_equal(control->events, 0);
    assert_int_equal(control->host_blocks, 0);
    assert_int_equal(control->wrong_addresses, 0);
}

static void end_context(TFE_Context *c) {
    TFE_DeleteContext(c);
    expect_clean();
}

/* ---- eager */

static void ops_run_there(void **state) {
    TFE_Context *c = new_context();
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        control->is_slow = slow;
        const int64_t before = control->kernels;
        TFE_TensorHandle *sum = use(c, "AddV2", four(FOUR), four(OTHERS));
        expect_device(sum, TOY0);
        TFE_TensorHandle *product = use(c, "MatMul", sum, four(OTHERS));
        TFE_TensorHandle *scaled = use(c, "Mul", product, scalar(.5f));
        expect_floats(scaled, (const float[]){5.5f, -4.25f, 55.25f, -16.875f}, 4);
        expect_floats(use(c, "Sqrt", use(c, "Square", four(FOUR), NULL), NULL), FOUR, 4);
        assert_int_equal(control->kernels, before + 5);
    }
    control->is_slow = 0;
    end_context(c);
}

/* What it has no kernel for runs on the host, and the other way round. */
static void values_go_to_and_fro(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *there = use(c, "Neg", four(FOUR), NULL);
    TFE_TensorHandle *here = use(c, "Abs", there, NULL);
    expect_device(here, TASK "/device:CPU:0");
    TFE_TensorHandle *again = use(c, "Square", here, NULL);
    expect_device(again, TOY0);
    TFE_TensorHandle *other = TFE_TensorHandleCopyToDevice(again, c, TOY1, f->status);
    assert_status_ok(f->status);
    expect_device(other, TOY1);
    TFE_Op *op = TFE_NewOp(c, "AddV2", f->status);
    TFE_OpSetDevice(op, TOY1, f->status);
    TFE_OpAddInput(op, other, f->status);
    TFE_OpAddInput(op, again, f->status);
    TFE_TensorHandle *sum;
    int n = 1;
    TFE_Execute(op, &sum, &n, f->status);
    assert_status_ok(f->status);
    expect_device(sum, TOY1);
    TFE_DeleteOp(op);
    TFE_DeleteTensorHandle(again);
    TFE_DeleteTensorHandle(other);
    expect_floats(sum, (const float[]){2, 32, 162, 512}, 4);
    end_context(c);
}

/* A value keeps its context's devices open. */
static void values_outlive_the_context(void **state) {
    (void)state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *x = use(c, "Neg", four(FOUR), NULL);
    TFE_DeleteContext(c);
    assert_int_equal(control->streams, TOY_DEVICES);
    expect_floats(x, (const float[]){-1, -4, -9, -16}, 4);
    expect_clean();
}

static void executors_run_there(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of(true, NULL, 0);
    control->is_slow = 1;
    TFE_TensorHandle *x = four(FOUR);
    for (int i = 0; i < 20; i++) x = use(c, "Neg", x, NULL);
    TFE_TensorHandle *bad = call(c, f->status, "Log", x, NULL);
    TFE_ContextAsyncWait(c, f->status);
    assert_status(f->status, TF_OUT_OF_RANGE, "toy: no logarithms");
    TFE_DeleteTensorHandle(bad);
    control->is_slow = 0;
    expect_floats(x, FOUR, 4);
    end_context(c);
}

static void a_copied_handle_lies_there(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *x = four(FOUR), *there = TFE_TensorHandleCopyToDevice(x, c, TOY0, f->status);
    assert_status_ok(f->status);
    void *address = TFE_TensorHandleDevicePointer(there, f->status);
    assert_true((uintptr_t)address >> 62 & 1);
    assert_int_equal(TFE_TensorHandleDeviceMemorySize(there, f->status), sizeof FOUR);
    TFE_TensorHandle *back = TFE_TensorHandleCopyToDevice(there, c, "CPU:0", f->status);
    assert_status_ok(f->status);
    assert_false((uintptr_t)TFE_TensorHandleDevicePointer(back, f->status) >> 62 & 1);
    TFE_TensorHandle *lent =
        TFE_NewTensorHandleFromDeviceMemory(c, TOY0, TF_FLOAT, SIDE, 2, address, sizeof FOUR, NULL, NULL, f->status);
    assert_status_ok(f->status);
    expect_floats(use(c, "Neg", lent, NULL), (const float[]){-1, -4, -9, -16}, 4);
    expect_floats(back, FOUR, 4);
    TFE_DeleteTensorHandle(there);
    TFE_DeleteTensorHandle(x);
    end_context(c);
}

static void reductions_take_axes_of_the_host(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    const int64_t one[] = {1};
    TF_Tensor *axes = TF_AllocateTensor(TF_INT32, one, 1, sizeof(int32_t));
    *(int32_t *)TF_TensorData(axes) = 0;
    TFE_TensorHandle *h = TFE_NewTensorHandle(axes, f->status);
    TF_DeleteTensor(axes);
    expect_floats(use(c, "Sum", four(FOUR), h), (const float[]){10, 20}, 2);
    end_context(c);
}

static void functions_run_there(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Function *function = doubling(f);
    TFE_ContextAddFunction(c, function, f->status);
    assert_status_ok(f->status);
    TF_DeleteFunction(function);
    const int64_t before = control->kernels;
    expect_floats(use(c, "double", use(c, "Neg", four(FOUR), NULL), NULL), (const float[]){-2, -8, -18, -32}, 4);
    assert_int_equal(control->kernels, before + 2);
    end_context(c);
}

/* ---- variables */

static TFE_TensorHandle *new_variable(TFE_Context *c, const char *device, TF_Status *s) {
    TFE_TensorHandle *h = NULL;
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "VarHandleOp", s);
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_OpSetAttrShape(op, "shape", SIDE, 2, s);
    TFE_OpSetAttrString(op, "shared_name", "v", 1);
    TFE_OpSetDevice(op, device, s);
    TFE_Execute(op, &h, &n, s);
    assert_status_ok(s);
    TFE_DeleteOp(op);
    return h;
}

static TFE_TensorHandle *of_variable(TFE_Context *c, const char *name, TFE_TensorHandle *variable,
                                     TFE_TensorHandle *value) {
    TF_Status *s = TF_NewStatus();
    TFE_TensorHandle *out = NULL;
    int n = !value;
    TFE_Op *op = TFE_NewOp(c, name, s);
    TFE_OpAddInput(op, variable, s);
    if (value) TFE_OpAddInput(op, value, s);
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_Execute(op, &out, &n, s);
    assert_status_ok(s);
    TFE_DeleteOp(op);
    if (value) TFE_DeleteTensorHandle(value);
    TF_DeleteStatus(s);
    return out;
}

static void variables_live_there(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *v = new_variable(c, TOY0, f->status);
    of_variable(c, "AssignVariableOp", v, four(FOUR));
    TFE_TensorHandle *old = of_variable(c, "ReadVariableOp", v, NULL);
    for (int i = 0; i < 3; i++) of_variable(c, "AssignAddVariableOp", v, four(OTHERS));
    TFE_TensorHandle *now = of_variable(c, "ReadVariableOp", v, NULL);
    expect_device(now, TOY0);
    expect_floats(old, FOUR, 4);
    expect_floats(now, (const float[]){7, -5, 24, 17.5f}, 4);
    TFE_DeleteTensorHandle(v);
    end_context(c);
}

/* ---- gradients: those of the host, to the bit, and computed there */

/* The context that has only the host's device. */
static TFE_Context *host_context(void) {
    static const char none[] = "\x0a\x07\x0a\x03TOY\x10\x00";
    return context_of(false, none, sizeof none - 1);
}

/* Exp has no kernel there. */
static TFE_TensorHandle *compute(TFE_Context *c, TFE_TensorHandle *x, TFE_TensorHandle *w) {
    TF_Status *s = TF_NewStatus();
    TFE_TensorHandle *product = call(c, s, "MatMul", x, w);
    assert_status_ok(s);
    TFE_TensorHandle *squared = call(c, s, "Mul", product, product), *grown = call(c, s, "Exp", x, NULL);
    assert_status_ok(s);
    TFE_DeleteTensorHandle(product);
    TF_DeleteStatus(s);
    return use(c, "AddV2", use(c, "Mul", squared, grown), scalar(2));
}

enum { ELEMENTS = 4 + 4 + 4 + 64 };

static int take(float *to, TFE_TensorHandle *h, TF_Status *s) {
    TF_Tensor *t = TFE_TensorHandleResolve(h, s);
    assert_status_ok(s);
    const int n = (int)TF_TensorElementCount(t);
    memcpy(to, TF_TensorData(t), TF_TensorByteSize(t));
    TF_DeleteTensor(t);
    TFE_DeleteTensorHandle(h);
    return n;
}

/* dy/dx and dy/dw, d(sum dy/dx)/dw, and the Jacobian dy/dx. */
static void differentiate(float *out, TFE_Context *c, struct fixture *f) {
    TFE_TensorHandle *x = use(c, "Sqrt", four(FOUR), NULL), *w = four(OTHERS), *dxs[2], *second, *jacobian;
    struct sl_tape *outer = sl_tape_start(c, false, f->status), *inner = sl_tape_start(c, true, f->status);
    struct sl_tape *tapes[] = {outer, inner};
    for (int i = 0; i < 2; i++) {
        sl_tape_watch(tapes[i], x, f->status);
        sl_tape_watch(tapes[i], w, f->status);
    }
    TFE_TensorHandle *y = compute(c, x, w);
    sl_tape_gradient(dxs, inner, &y, 1, (TFE_TensorHandle *[]){x, w}, 2, NULL, f->status);
    assert_status_ok(f->status);
    sl_tape_pause(outer, f->status);
    sl_tape_jacobian(&jacobian, inner, y, &x, 1, f->status);
    assert_status_ok(f->status);
    sl_tape_resume(outer, f->status);
    sl_tape_delete(inner);
    sl_tape_gradient(&second, outer, &dxs[0], 1, &w, 1, NULL, f->status);
    assert_status_ok(f->status);
    sl_tape_delete(outer);
    int n = take(out, dxs[0], f->status);
    n += take(out + n, dxs[1], f->status);
    n += take(out + n, second, f->status);
    n += take(out + n, jacobian, f->status);
    assert_int_equal(n, 4 + 4 + 4 + 16);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteTensorHandle(w);
    TFE_DeleteTensorHandle(y);
}

static void gradients_are_computed_there(void **state) {
    struct fixture *f = *state;
    float here[ELEMENTS], there[ELEMENTS];
    TFE_Context *c = host_context();
    const int64_t before = control->kernels;
    differentiate(here, c, f);
    assert_int_equal(control->kernels, before);
    end_context(c);
    c = new_context();
    differentiate(there, c, f);
    assert_true(control->kernels > before + 20);
    for (int i = 0; i < 4 + 4 + 4 + 16; i++) assert_float_equal(here[i], there[i], 0);
    end_context(c);
}

static void gradients_of_functions_and_variables(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Function *function = doubling(f);
    TFE_ContextAddFunction(c, function, f->status);
    TF_DeleteFunction(function);
    TFE_TensorHandle *v = new_variable(c, TOY0, f->status), *dv;
    of_variable(c, "AssignVariableOp", v, four(FOUR));
    struct sl_tape *tape = sl_tape_start(c, false, f->status);
    sl_tape_watch(tape, v, f->status);
    TFE_TensorHandle *y = use(c, "Square", use(c, "double", of_variable(c, "ReadVariableOp", v, NULL), NULL), NULL);
    sl_tape_gradient(&dv, tape, &y, 1, &v, 1, NULL, f->status);
    assert_status_ok(f->status);
    sl_tape_delete(tape);
    expect_device(dv, TOY0);
    of_variable(c, "AssignAddVariableOp", v, dv);
    expect_floats(of_variable(c, "ReadVariableOp", v, NULL), (const float[]){9, 36, 81, 144}, 4);
    TFE_DeleteTensorHandle(y);
    TFE_DeleteTensorHandle(v);
    end_context(c);
}

/* ---- graphs */

static TF_Output on(struct fixture *f, const char *op, const char *name, TF_Output x, TF_Output y, const char *device) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, op, name);
    TF_AddInput(d, x);
    if (y.oper) TF_AddInput(d, y);
    if (device) TF_SetDevice(d, device);
    TF_Operation *made = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return (TF_Output){made, 0};
}

static TF_Tensor *run_fed(TF_Session *session, TF_Status *s, TF_Output x, TF_Output y) {
    TF_Tensor *fed = TF_AllocateTensor(TF_FLOAT, SIDE, 2, sizeof FOUR), *out = NULL;
    memcpy(TF_TensorData(fed), FOUR, sizeof FOUR);
    TF_SessionRun(session, NULL, &x, &fed, 1, &y, &out, 1, NULL, 0, NULL, s);
    TF_DeleteTensor(fed);
    return out;
}

static const TF_Output NONE = {NULL, 0};

static void graphs_run_there(void **state) {
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    TF_Output a = on(f, "Square", "a", x, NONE, NULL),
              b = on(f, "Exp", "b", on(f, "Neg", "n", x, NONE, NULL), NONE, NULL);
    TF_Output y = on(f, "AddV2", "y", on(f, "Mul", "m", a, b, "/device:TOY:1"), a, "/device:TOY:0");
    TF_Session *session = new_session(f->graph, f->status);
    for (int i = 0; i < 3; i++) {
        control->is_slow = i;
        const int64_t before = control->kernels;
        TF_Tensor *t = run_fed(session, f->status, x, y);
        assert_status_ok(f->status);
        assert_float_equal(((float *)TF_TensorData(t))[1], 16.293050f, 1e-5);
        assert_int_equal(control->kernels, before + 4);
        TF_DeleteTensor(t);
    }
    control->is_slow = 0;
    TF_DeleteSession(session, f->status);
    expect_clean();
}

/* ---- what its functions say */

static void expect_failure(struct fixture *f, const char *function, TF_Code code, const char *text) {
    TF_Output x = {TF_GraphOperationByName(f->graph, "x"), 0}, y = {TF_GraphOperationByName(f->graph, "y"), 0};
    TF_Session *session = new_session(f->graph, f->status);
    for (int i = 0; i < 2; i++) { /* and it works again afterwards */
        strcpy(control->fails, function);
        TF_Tensor *t = run_fed(session, f->status, x, y);
        *control->fails = '\0';
        if (TF_GetCode(f->status) == TF_OK) fail_msg("%s was not noticed", function);
        assert_status(f->status, code, text);
        assert_null(t);
        t = run_fed(session, f->status, x, y);
        assert_status_ok(f->status);
        TF_DeleteTensor(t);
    }
    TF_DeleteSession(session, f->status);
    expect_clean();
}

static void failures_fail_the_step(void **state) {
    static const char *const functions[] = {"memcpy_htod", "memcpy_dtoh", "get_stream_status", "block_host_until_done"};
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    on(f, "AddV2", "y", on(f, "Neg", "n", x, NONE, NULL), x, NULL);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!is_plain() || strcmp(functions[i], "block_host_until_done"))
            expect_failure(f, functions[i], TF_INTERNAL, "toy: it failed");
    expect_failure(f, "block_host_for_event", TF_INTERNAL, "toy: it failed");
    expect_failure(f, "host_memory_allocate", TF_RESOURCE_EXHAUSTED, "has no host memory for a copy of 16 bytes");
}

/* Without events the whole stream is waited for. */
static void it_does_without_events(void **state) {
    static const char *const functions[] = {"create_event", "record_event"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        TFE_Context *c = new_context();
        strcpy(control->fails, functions[i]);
        control->is_slow = 1;
        expect_floats(use(c, "Neg", four(FOUR), NULL), (const float[]){-1, -4, -9, -16}, 4);
        *control->fails = '\0';
        control->is_slow = 0;
        end_context(c);
    }
}

static void a_kernel_that_fails(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *x = four(FOUR);
    assert_null(call(c, f->status, "Log", x, NULL));
    assert_status(f->status, TF_OUT_OF_RANGE, "toy: no logarithms");
    TFE_DeleteTensorHandle(x);
    end_context(c);
}

/* Freed memory is found again when there is no other. */
static void memory_runs_out(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    static float many[1 << 16];
    const int64_t n[] = {1 << 16};
    control->limit = 1 << 20;
    for (int i = 0; i < 20; i++) {
        const int64_t fewer[] = {n[0] - 1000 * i};
        TFE_TensorHandle *x = floats(many, fewer, 1, (int)*fewer);
        expect_floats(use(c, "Neg", use(c, "Square", x, NULL), NULL), many, (int)*fewer);
    }
    TFE_TensorHandle *held[8] = {NULL}, *x = floats(many, n, 1, (int)*n);
    int got = 0;
    while (got < 8 && (held[got] = call(c, f->status, "Neg", x, NULL))) got++;
    assert_true(got >= 1 && got < 5);
    assert_status(f->status, TF_RESOURCE_EXHAUSTED, "");
    while (got--) TFE_DeleteTensorHandle(held[got]);
    expect_floats(use(c, "Neg", x, NULL), many, (int)*n);
    control->limit = 0;
    end_context(c);
}

static void devices_that_cannot_be_opened(void **state) {
    static const char *const functions[] = {"create_stream"};
    struct fixture *f = *state;
    TFE_ContextOptions *options = TFE_NewContextOptions();
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        strcpy(control->fails, functions[i]);
        assert_null(TFE_NewContext(options, f->status));
        assert_status(f->status, TF_INTERNAL, "toy: it failed");
    }
    strcpy(control->fails, "get_device_count"); /* no devices, as in TensorFlow */
    TFE_Context *c = TFE_NewContext(options, f->status);
    assert_status_ok(f->status);
    *control->fails = '\0';
    TF_DeviceList *devices = TFE_ContextListDevices(c, f->status);
    assert_int_equal(TF_DeviceListCount(devices), 1);
    TF_DeleteDeviceList(devices);
    end_context(c);
    /* device_count { TOY: 3 }, one more than there are */
    static const char three[] = "\x0a\x07\x0a\x03TOY\x10\x03", one[] = "\x0a\x07\x0a\x03TOY\x10\x01";
    TFE_ContextOptionsSetConfig(options, three, sizeof three - 1, f->status);
    assert_null(TFE_NewContext(options, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "TOY:2 is not there");
    TFE_ContextOptionsSetConfig(options, one, sizeof one - 1, f->status);
    c = TFE_NewContext(options, f->status);
    assert_status_ok(f->status);
    TFE_DeleteContextOptions(options);
    end_context(c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "profiled")) return run_profiled();
    const struct CMUnitTest tests[] = {TEST(profiles_are_written),
                                       TEST(what_is_missing_is_said),
                                       TEST(what_it_refuses_is_said),
                                       TEST(it_is_loaded_once),
                                       TEST(its_devices_are_listed),
                                       TEST(ops_run_there),
                                       TEST(values_go_to_and_fro),
                                       TEST(values_outlive_the_context),
                                       TEST(executors_run_there),
                                       TEST(a_copied_handle_lies_there),
                                       TEST(reductions_take_axes_of_the_host),
                                       TEST(functions_run_there),
                                       TEST(variables_live_there),
                                       TEST(gradients_are_computed_there),
                                       TEST(gradients_of_functions_and_variables),
                                       TEST(graphs_run_there),
                                       TEST(failures_fail_the_step),
                                       TEST(it_does_without_events),
                                       TEST(a_kernel_that_fails),
                                       TEST(memory_runs_out),
                                       TEST(devices_that_cannot_be_opened)};
    return cmocka_run_group_tests(tests, set_up_group, NULL);
}
