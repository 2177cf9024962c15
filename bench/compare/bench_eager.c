/* Runs ops one by one through a library with TensorFlow's eager C API, named on the command line, and tells what a call
 * costs: the same program for Sluice and for TensorFlow.
 *
 *     bench_eager --lib LIBRARY        prints a line a case: name <tab> least ns of a call <tab> median
 *
 * Tapes are Sluice's own (sluice/tape.h): TensorFlow's C API has none, so these cases are left out there.
 *
 * A case is a body that does ITEMS calls; bodies are repeated for a quarter of a second, the least and the median count.
 * A call of an op is all that a binding does: a new op object, inputs, execution, the op object and old results
 * deleted. bench/compare/run drives it (group eager). */
#include <dlfcn.h>

#include "measure.h"
#include "sluice/tape.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"

/* clang-format off */
#define NAMES(M) \
    M(TF_NewStatus) M(TF_GetCode) M(TF_Message) M(TF_AllocateTensor) M(TF_TensorData) M(TF_DeleteTensor) M(TF_NewGraph) \
    M(TF_NewOperation) M(TF_SetAttrType) M(TF_AddInput) M(TF_FinishOperation) M(TF_GraphToFunction) \
    M(TFE_NewContextOptions) M(TFE_ContextOptionsSetAsync) M(TFE_NewContext) M(TFE_DeleteContext) M(TFE_NewOp) \
    M(TFE_DeleteOp) M(TFE_OpAddInput) M(TFE_OpSetAttrType) M(TFE_OpSetAttrBool) M(TFE_OpSetAttrString) \
    M(TFE_OpSetAttrIntList) M(TFE_OpSetAttrShape) M(TFE_Execute) M(TFE_NewTensorHandle) M(TFE_DeleteTensorHandle) \
    M(TFE_TensorHandleResolve) M(TFE_ContextAddFunction) M(TFE_ContextAsyncWait)
/* clang-format on */

#define OWN_NAMES(M) M(sl_tape_start) M(sl_tape_watch) M(sl_tape_gradient) M(sl_tape_delete)

static struct {
#define POINTER(name) __typeof__(&name) name;
    NAMES(POINTER) OWN_NAMES(POINTER)
} f;

static void load(const char *path) {
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "bench_eager: %s\n", dlerror());
        exit(2);
    }
#define FIND(name) *(void **)&f.name = dlsym(library, #name);
    NAMES(FIND)
    OWN_NAMES(FIND)
}

static TFE_Context *context;
static TF_Status *status;

static void check(const char *what) {
    if (f.TF_GetCode(status) == TF_OK) return;
    fprintf(stderr, "bench_eager: %s: %s\n", what, f.TF_Message(status));
    exit(1);
}

static TFE_TensorHandle *floats(int rank, const int64_t *dims, size_t n) {
    TF_Tensor *t = f.TF_AllocateTensor(TF_FLOAT, dims, rank, n * sizeof(float));
    for (size_t i = 0; i < n; i++) ((float *)f.TF_TensorData(t))[i] = 0.001f * (float)(i % 100);
    TFE_TensorHandle *h = f.TFE_NewTensorHandle(t, status);
    check("a handle");
    f.TF_DeleteTensor(t);
    return h;
}

/* What cases have: inputs, and an op. */
struct call {
    const char *op;
    TFE_TensorHandle *x, *y;
    void (*attrs)(TFE_Op *op);
    int n_out;
};

static TFE_TensorHandle *run(const struct call *c) {
    TFE_TensorHandle *out[4] = {0};
    int n = c->n_out;
    TFE_Op *op = f.TFE_NewOp(context, c->op, status);
    if (c->x) f.TFE_OpAddInput(op, c->x, status);
    if (c->y) f.TFE_OpAddInput(op, c->y, status);
    if (c->attrs) c->attrs(op);
    f.TFE_Execute(op, out, &n, status);
    check(c->op);
    f.TFE_DeleteOp(op);
    return out[0];
}

enum { CALLS = 100 };

static void run_often(void *arg) {
    for (int i = 0; i < CALLS; i++) {
        TFE_TensorHandle *out = run(arg);
        if (out) f.TFE_DeleteTensorHandle(out);
    }
}

/* Each op takes the result of the one before. */
static void run_chain(void *arg) {
    struct call c = *(struct call *)arg;
    TFE_TensorHandle *last = run(&c);
    for (int i = 1; i < 10 * CALLS; i++) {
        c.x = last;
        TFE_TensorHandle *next = run(&c);
        f.TFE_DeleteTensorHandle(last);
        last = next;
    }
    TF_Tensor *t = f.TFE_TensorHandleResolve(last, status);
    check("the end of a chain");
    f.TF_DeleteTensor(t);
    f.TFE_DeleteTensorHandle(last);
}

/* Ten ops of scalars, each of the one before and the first value; under a tape, with the gradient of the last one, when
 * `is_taped`. */
struct chain {
    TFE_TensorHandle *x;
    bool is_taped, has_gradient;
};

static void run_ten(void *arg) {
    const struct chain *c = arg;
    for (int i = 0; i < CALLS; i++) {
        TFE_TensorHandle *values[11] = {c->x}, *dx = NULL;
        struct sl_tape *tape = c->is_taped ? f.sl_tape_start(context, false, status) : NULL;
        if (tape) f.sl_tape_watch(tape, c->x, status);
        for (int k = 0; k < 10; k++)
            values[k + 1] = run(&(struct call){k % 2 ? "Mul" : "AddV2", values[k], c->x, NULL, 1});
        if (c->has_gradient) f.sl_tape_gradient(&dx, tape, &values[10], 1, &values[0], 1, NULL, status);
        check("a gradient");
        if (tape) f.sl_tape_delete(tape);
        if (dx) f.TFE_DeleteTensorHandle(dx);
        for (int k = 1; k < 11; k++) f.TFE_DeleteTensorHandle(values[k]);
    }
}

static void resolve_often(void *arg) {
    for (int i = 0; i < CALLS; i++) f.TF_DeleteTensor(f.TFE_TensorHandleResolve(arg, status));
}

static void wrap_often(void *arg) {
    for (int i = 0; i < CALLS; i++) f.TFE_DeleteTensorHandle(f.TFE_NewTensorHandle(arg, status));
}

static void six_attrs(TFE_Op *op) {
    const int64_t window[] = {1, 1, 1, 1};
    f.TFE_OpSetAttrIntList(op, "strides", window, 4);
    f.TFE_OpSetAttrIntList(op, "dilations", window, 4);
    f.TFE_OpSetAttrString(op, "padding", "VALID", 5);
    f.TFE_OpSetAttrString(op, "data_format", "NHWC", 4);
    f.TFE_OpSetAttrIntList(op, "explicit_paddings", NULL, 0);
    f.TFE_OpSetAttrBool(op, "use_cudnn_on_gpu", 0);
}

static void float_dtype(TFE_Op *op) { f.TFE_OpSetAttrType(op, "dtype", TF_FLOAT); }
static void variable_attrs(TFE_Op *op) {
    float_dtype(op);
    f.TFE_OpSetAttrShape(op, "shape", NULL, 0, status);
    f.TFE_OpSetAttrString(op, "shared_name", "v", 1);
}

/* x + x + ... of ten nodes. */
static void add_function(void) {
    TF_Graph *graph = f.TF_NewGraph();
    TF_OperationDescription *d = f.TF_NewOperation(graph, "Placeholder", "x");
    f.TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_Output x = {f.TF_FinishOperation(d, status), 0}, y = x;
    for (int i = 0; i < 10; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        d = f.TF_NewOperation(graph, i % 2 ? "Mul" : "AddV2", name);
        f.TF_AddInput(d, y);
        f.TF_AddInput(d, x);
        y = (TF_Output){f.TF_FinishOperation(d, status), 0};
    }
    f.TFE_ContextAddFunction(context,
                             f.TF_GraphToFunction(graph, "ten", 0, -1, NULL, 1, &x, 1, &y, NULL, NULL, NULL, status),
                             status);
    check("a function");
}

static void tell(const char *name, int calls, void (*body)(void *arg), void *arg) {
    enum { MOST = 100000, LEAST = 15 };
    static double taken[MOST];
    for (int i = 0; i < 3; i++) body(arg);
    int n = 0;
    for (double start = measure_now(), end = start; n < MOST && (n < LEAST || end - start < 0.25e9); n++) {
        double from = measure_now();
        body(arg);
        end = measure_now();
        taken[n] = (end - from) / calls;
    }
    qsort(taken, (size_t)n, sizeof *taken, measure_compare);
    printf("%s\t%.1f\t%.1f\n", name, taken[0], taken[n / 2]);
    fflush(stdout);
}

static TFE_Context *new_context(bool is_async) {
    TFE_ContextOptions *options = f.TFE_NewContextOptions();
    f.TFE_ContextOptionsSetAsync(options, is_async);
    TFE_Context *c = f.TFE_NewContext(options, status);
    check("a context");
    return c;
}

int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "--lib") != 0) {
        fprintf(stderr, "usage: bench_eager --lib LIBRARY\n");
        return 2;
    }
    load(argv[2]);
    status = f.TF_NewStatus();
    context = new_context(false);
    const int64_t two[] = {2, 2}, wide[] = {64, 64}, image[] = {1, 1, 1, 1};
    TFE_TensorHandle *one = floats(0, NULL, 1), *small = floats(2, two, 4), *large = floats(2, wide, 4096),
                     *pixel = floats(4, image, 1);
    struct call variable = {"VarHandleOp", NULL, NULL, variable_attrs, 1};
    TFE_TensorHandle *v = run(&variable);
    struct call assign = {"AssignVariableOp", v, one, NULL, 0};
    run(&assign);
    add_function();
    tell("scalar add", CALLS, run_often, &(struct call){"AddV2", one, one, NULL, 1});
    tell("matmul 2x2", CALLS, run_often, &(struct call){"MatMul", small, small, NULL, 1});
    tell("matmul 64x64", CALLS, run_often, &(struct call){"MatMul", large, large, NULL, 1});
    tell("conv of one pixel, six attributes", CALLS, run_often, &(struct call){"Conv2D", pixel, pixel, six_attrs, 1});
    tell("variable read", CALLS, run_often, &(struct call){"ReadVariableOp", v, NULL, float_dtype, 1});
    tell("variable assign", CALLS, run_often, &assign);
    tell("function of ten nodes", CALLS, run_often, &(struct call){"ten", one, NULL, NULL, 1});
    tell("chain of 1,000 adds, by op", 10 * CALLS, run_chain, &(struct call){"AddV2", one, one, NULL, 1});
    tell("resolve", CALLS, resolve_often, one);
    tell("new handle", CALLS, wrap_often, f.TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float)));
    if (f.sl_tape_start) {
        tell("ten scalar ops", CALLS, run_ten, &(struct chain){one, false, false});
        tell("ten scalar ops, recorded by a tape", CALLS, run_ten, &(struct chain){one, true, false});
        tell("ten scalar ops, recorded, and back", CALLS, run_ten, &(struct chain){one, true, true});
    }
    context = new_context(true);
    tell("asynchronous chain of 1,000 adds, by op", 10 * CALLS, run_chain, &(struct call){"AddV2", one, one, NULL, 1});
    return 0;
}
