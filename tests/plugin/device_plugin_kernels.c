/* Kernels for the device of device_plugin.c. Each makes its outputs and enqueues the work. Sqrt makes use of its input
 * and of scratch memory, and Log fails. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/device_plugin.h"
#include "tensorflow/c/kernels_experimental.h"

TF_EXPORT void TF_InitKernel(void); /* the loader looks it up */

TF_EXPORT extern struct toy_control toy_control;

enum { MOST_DIMS = 8 };

struct shape {
    int rank;
    int64_t dims[MOST_DIMS], n;
};

static struct shape shape_of(const TF_Tensor *t) {
    struct shape s = {.rank = TF_NumDims(t), .n = 1};
    for (int i = 0; i < s.rank; i++) s.n *= s.dims[i] = TF_Dim(t, i);
    return s;
}

/* ---- one run: inputs, outputs, the first error */

struct call {
    TF_OpKernelContext *context;
    TF_Status *status;
    TF_Tensor *held[MOST_DIMS];
    int n_held;
};

static struct call begin(TF_OpKernelContext *context) {
    toy_control.kernels++;
    return (struct call){.context = context, .status = TF_NewStatus()};
}

static bool is_fine(const struct call *c) { return TF_GetCode(c->status) == TF_OK; }

static TF_Tensor *hold(struct call *c, TF_Tensor *t) {
    if (t) c->held[c->n_held++] = t;
    return t;
}

static TF_Tensor *input(struct call *c, int i) {
    TF_Tensor *t = NULL;
    if (is_fine(c)) TF_GetInput(c->context, i, &t, c->status);
    return hold(c, t);
}

static TF_Tensor *output(struct call *c, const struct shape *s) {
    if (!is_fine(c)) return NULL;
    return hold(c,
                TF_AllocateOutput(c->context, 0, TF_FLOAT, s->dims, s->rank, (size_t)s->n * sizeof(float), c->status));
}

static void end(struct call *c) {
    if (!is_fine(c)) TF_OpKernelContext_Failure(c->context, c->status);
    for (int i = 0; i < c->n_held; i++) TF_DeleteTensor(c->held[i]);
    TF_DeleteStatus(c->status);
}

/* Work on elements; what it needs to know is copied. */
struct job {
    const float *a, *b;
    float *to, *scratch;
    struct shape shape_a, shape_b, shape_to;
    char op;
    bool is_summed[MOST_DIMS];
};

static void enqueue(struct call *c, void (*run)(void *job), const struct job *job) {
    struct job *copy = malloc(sizeof *copy);
    SP_Stream stream = TF_GetStream(c->context, c->status);
    *copy = *job;
    if (is_fine(c)) toy_enqueue(stream, run, copy);
    else free(copy);
}

static void *data(const TF_Tensor *t) { return toy_reach(TF_TensorData(t)); }

/* ---- one element after another, of shapes that are broadcast */

static float apply(char op, float a, float b) {
    switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    case 'n': return -a;
    case 'q': return a * a;
    case 'r': return sqrtf(a);
    case '1': return 1;
    case '0': return 0;
    default: return b;
    }
}

/* Where element `i` of `to` comes from in `from`. */
static int64_t source(const struct shape *from, const struct shape *to, int64_t i) {
    int64_t at = 0, stride = 1;
    for (int d = to->rank - 1, k = from->rank - 1; k >= 0; d--, k--) {
        const int64_t index = i % to->dims[d];
        i /= to->dims[d];
        if (from->dims[k] != 1) at += index * stride;
        stride *= from->dims[k];
    }
    return at;
}

static void elements(void *arg) {
    const struct job *j = arg;
    for (int64_t i = 0; i < j->shape_to.n; i++)
        j->to[i] = apply(j->op, j->a[source(&j->shape_a, &j->shape_to, i)], j->b[source(&j->shape_b, &j->shape_to, i)]);
}

static bool broadcast(struct shape *out, const struct shape *a, const struct shape *b) {
    out->rank = a->rank > b->rank ? a->rank : b->rank;
    out->n = 1;
    for (int d = 1; d <= out->rank; d++) {
        const int64_t x = d <= a->rank ? a->dims[a->rank - d] : 1, y = d <= b->rank ? b->dims[b->rank - d] : 1;
        if (x != y && x != 1 && y != 1) return false;
        out->n *= out->dims[out->rank - d] = x == 1 ? y : x;
    }
    return true;
}

static void binary(void *kernel, TF_OpKernelContext *context) {
    struct call c = begin(context);
    TF_Tensor *a = input(&c, 0), *b = input(&c, 1);
    struct job j = {.op = *(const char *)kernel};
    if (a && b) {
        j.shape_a = shape_of(a), j.shape_b = shape_of(b);
        if (!broadcast(&j.shape_to, &j.shape_a, &j.shape_b))
            TF_SetStatus(c.status, TF_INVALID_ARGUMENT, "toy: shapes that differ");
    }
    TF_Tensor *to = output(&c, &j.shape_to);
    if (to) {
        j.a = data(a), j.b = data(b), j.to = data(to);
        enqueue(&c, elements, &j);
    }
    end(&c);
}

static void unary(void *kernel, TF_OpKernelContext *context) {
    struct call c = begin(context);
    TF_Tensor *a = input(&c, 0);
    struct job j = {.op = *(const char *)kernel};
    if (a) j.shape_a = j.shape_b = j.shape_to = shape_of(a);
    TF_Tensor *to = output(&c, &j.shape_to);
    if (to) {
        j.a = j.b = data(a), j.to = data(to);
        enqueue(&c, elements, &j);
    }
    end(&c);
}

#define CREATE(name, op)                                                                                               \
    static void *create_##name(TF_OpKernelConstruction *context) {                                                     \
        static char letter = op;                                                                                       \
        (void)context;                                                                                                 \
        return &letter;                                                                                                \
    }
CREATE(add, '+')
CREATE(sub, '-')
CREATE(mul, '*')
CREATE(div, '/')
CREATE(neg, 'n')
CREATE(square, 'q')
CREATE(ones, '1')
CREATE(zeros, '0')

/* By way of scratch memory, into the input's when nobody else has it. */
static void root_of(void *arg) {
    const struct job *j = arg;
    memcpy(j->scratch, j->a, (size_t)j->shape_to.n * sizeof(float));
    for (int64_t i = 0; i < j->shape_to.n; i++) j->to[i] = sqrtf(j->scratch[i]);
}

static void square_root(void *kernel, TF_OpKernelContext *context) {
    struct call c = begin(context);
    (void)kernel;
    TF_AllocatorAttributes where = {TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE, 0};
    TF_Tensor *a = input(&c, 0);
    struct job j = {.op = 'r'};
    if (!a) {
        end(&c);
        return;
    }
    j.shape_a = j.shape_to = shape_of(a);
    j.a = data(a);
    TF_DeleteTensor(c.held[--c.n_held]); /* so that the kernel's input is the only one */
    const int candidates[] = {0};
    int forwarded;
    TF_Tensor *to = hold(&c, TF_ForwardInputOrAllocateOutput(context, candidates, 1, 0, j.shape_to.dims,
                                                             j.shape_to.rank, &forwarded, c.status));
    TF_Tensor *scratch = NULL, *hosts = NULL;
    if (is_fine(&c))
        scratch = hold(&c, TF_AllocateTemp(context, TF_FLOAT, j.shape_to.dims, j.shape_to.rank, &where, c.status));
    where.on_host = 1;
    if (is_fine(&c))
        hosts = hold(&c, TF_AllocateTemp(context, TF_FLOAT, j.shape_to.dims, j.shape_to.rank, &where, c.status));
    if (is_fine(&c)) {
        *(float *)TF_TensorData(hosts) = 1; /* the host may */
        j.to = data(to), j.scratch = data(scratch);
        enqueue(&c, root_of, &j);
    }
    end(&c);
}

static void failing(void *kernel, TF_OpKernelContext *context) {
    struct call c = begin(context);
    (void)kernel;
    TF_SetStatus(c.status, TF_OUT_OF_RANGE, "toy: no logarithms");
    end(&c);
}

/* ---- sums over axes, which are the host's; products of matrices; filling */

static void sum_now(void *arg) {
    const struct job *j = arg;
    for (int64_t i = 0; i < j->shape_to.n; i++) j->to[i] = 0;
    for (int64_t i = 0; i < j->shape_a.n; i++) {
        int64_t at = 0, rest = i, stride = 1;
        for (int d = j->shape_a.rank - 1; d >= 0; d--) {
            const int64_t index = rest % j->shape_a.dims[d];
            rest /= j->shape_a.dims[d];
            if (j->is_summed[d]) continue;
            at += index * stride;
            stride *= j->shape_a.dims[d];
        }
        j->to[at] += j->a[i];
    }
}

static void sum(void *kernel, TF_OpKernelContext *context) {
    struct call c = begin(context);
    const bool keeps = *(const bool *)kernel;
    TF_Tensor *a = input(&c, 0), *axes = input(&c, 1);
    struct job j = {.shape_to = {.n = 1}};
    if (!a || !axes) {
        end(&c);
        return;
    }
    j.shape_a = shape_of(a);
    for (int64_t i = 0; i < TF_TensorElementCount(axes); i++) {
        const int axis = ((const int32_t *)TF_TensorData(axes))[i];
        j.is_summed[axis < 0 ? axis + j.shape_a.rank : axis] = true;
    }
    for (int d = 0; d < j.shape_a.rank; d++) {
        if (!j.is_summed[d]) j.shape_to.n *= j.shape_to.dims[j.shape_to.rank++] = j.shape_a.dims[d];
        else if (keeps) j.shape_to.dims[j.shape_to.rank++] = 1;
    }
    TF_Tensor *to = output(&c, &j.shape_to);
    if (to) {
        j.a = data(a), j.to = data(to);
        enqueue(&c, sum_now, &j);
    }
    end(&c);
}

static void *create_sum(TF_OpKernelConstruction *context) {
    TF_Status *status = TF_NewStatus();
    TF_Bool keeps = 0;
    bool *kernel = malloc(sizeof *kernel);
    TF_OpKernelConstruction_GetAttrBool(context, "keep_dims", &keeps, status);
    *kernel = keeps;
    TF_DeleteStatus(status);
    return kernel;
}

static void matmul_now(void *arg) {
    const struct job *j = arg;
    const int64_t rows = j->shape_to.dims[0], columns = j->shape_to.dims[1];
    const bool ta = j->op & 1, tb = j->op & 2;
    const int64_t depth = j->shape_a.dims[ta ? 0 : 1];
    for (int64_t r = 0; r < rows; r++)
        for (int64_t k = 0; k < columns; k++) {
            float s = 0;
            for (int64_t d = 0; d < depth; d++)
                s += j->a[ta ? d * rows + r : r * depth + d] * j->b[tb ? k * depth + d : d * columns + k];
            j->to[r * columns + k] = s;
        }
}

static void *create_matmul(TF_OpKernelConstruction *context) {
    TF_Status *status = TF_NewStatus();
    TF_Bool a = 0, b = 0;
    char *kernel = malloc(1);
    TF_OpKernelConstruction_GetAttrBool(context, "transpose_a", &a, status);
    TF_OpKernelConstruction_GetAttrBool(context, "transpose_b", &b, status);
    *kernel = (char)((a ? 1 : 0) + (b ? 2 : 0));
    TF_DeleteStatus(status);
    return kernel;
}

static void matmul(void *kernel, TF_OpKernelContext *context) {
    struct call c = begin(context);
    TF_Tensor *a = input(&c, 0), *b = input(&c, 1);
    struct job j = {.op = *(const char *)kernel};
    if (a && b) {
        j.shape_a = shape_of(a), j.shape_b = shape_of(b);
        j.shape_to = (struct shape){2, {j.shape_a.dims[j.op & 1 ? 1 : 0], j.shape_b.dims[j.op & 2 ? 0 : 1]}, 1};
        j.shape_to.n = j.shape_to.dims[0] * j.shape_to.dims[1];
    }
    TF_Tensor *to = output(&c, &j.shape_to);
    if (to) {
        j.a = data(a), j.b = data(b), j.to = data(to);
        enqueue(&c, matmul_now, &j);
    }
    end(&c);
}

static void fill(void *kernel, TF_OpKernelContext *context) {
    struct call c = begin(context);
    (void)kernel;
    TF_Tensor *dims = input(&c, 0), *value = input(&c, 1);
    struct job j = {.op = 'b', .shape_a = {.n = 1}, .shape_b = {.n = 1}, .shape_to = {.n = 1}};
    for (int64_t i = 0; dims && i < TF_TensorElementCount(dims); i++)
        j.shape_to.n *= j.shape_to.dims[j.shape_to.rank++] = ((const int32_t *)TF_TensorData(dims))[i];
    TF_Tensor *to = output(&c, &j.shape_to);
    if (to && value) {
        j.a = j.b = data(value), j.to = data(to);
        enqueue(&c, elements, &j);
    }
    end(&c);
}

/* ---- variables: the library locks them, and asks for copies and sums */

static void move(TF_OpKernelContext *context, TF_Tensor *from, TF_Tensor *to) {
    struct call c = {.context = context, .status = TF_NewStatus()};
    struct job j = {.op = 'b', .shape_to = shape_of(from)};
    j.shape_a = j.shape_b = j.shape_to;
    j.a = j.b = data(from), j.to = data(to);
    hold(&c, from), hold(&c, to);
    enqueue(&c, elements, &j);
    end(&c);
}

static void update(TF_OpKernelContext *context, TF_Tensor *variable, TF_Tensor *value, int op) {
    struct call c = {.context = context, .status = TF_NewStatus()};
    struct job j = {.op = op == 0 ? '+' : '-', .shape_to = shape_of(variable), .shape_b = shape_of(value)};
    j.shape_a = j.shape_to;
    j.a = j.to = data(variable), j.b = data(value);
    hold(&c, variable), hold(&c, value);
    enqueue(&c, elements, &j);
    end(&c);
}

static void assign_add(void *kernel, TF_OpKernelContext *context) {
    struct call c = begin(context);
    (void)kernel;
    TF_AssignUpdateVariable(context, 0, 1, 0, 0, move, update, c.status);
    end(&c);
}

static void free_kernel(void *kernel) { free(kernel); }

/* ---- */

struct row {
    const char *op;
    void *(*create)(TF_OpKernelConstruction *context);
    void (*compute)(void *kernel, TF_OpKernelContext *context);
    void (*free)(void *kernel);
    const char *type, *host; /* the attr that has to be DT_FLOAT; an argument of the host */
};

TF_EXPORT void TF_InitKernel(void) {
    static const struct row rows[] = {{"AddV2", create_add, binary, NULL, "T", NULL},
                                      {"Sub", create_sub, binary, NULL, "T", NULL},
                                      {"Mul", create_mul, binary, NULL, "T", NULL},
                                      {"RealDiv", create_div, binary, NULL, "T", NULL},
                                      {"Neg", create_neg, unary, NULL, "T", NULL},
                                      {"Square", create_square, unary, NULL, "T", NULL},
                                      {"OnesLike", create_ones, unary, NULL, "T", NULL},
                                      {"ZerosLike", create_zeros, unary, NULL, "T", NULL},
                                      {"Sqrt", NULL, square_root, NULL, "T", NULL},
                                      {"Log", NULL, failing, NULL, "T", NULL},
                                      {"Sum", create_sum, sum, free_kernel, "T", "reduction_indices"},
                                      {"MatMul", create_matmul, matmul, free_kernel, "T", NULL},
                                      {"Fill", NULL, fill, NULL, "T", "dims"},
                                      {"AssignAddVariableOp", NULL, assign_add, NULL, "dtype", "resource"}};
    TF_Status *status = TF_NewStatus();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        const char *device = *toy_control.type ? toy_control.type : TOY_DEVICE;
        TF_KernelBuilder *builder = TF_NewKernelBuilder(r->op, device, r->create, r->compute, r->free);
        TF_KernelBuilder_TypeConstraint(builder, r->type, TF_FLOAT, status);
        if (r->host) TF_KernelBuilder_HostMemory(builder, r->host);
        TF_RegisterKernelBuilder(r->op, builder, status);
    }
    TF_DeleteStatus(status);
}
