/* What the targets of eager execution share: bytes that choose, a context with limits, tensors of all types and shapes,
 * a watch that cancels a call that takes too long. */
#ifndef SL_FUZZ_EAGER_CALLS_H
#define SL_FUZZ_EAGER_CALLS_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kernel/table.h"
#include "ops/op.h"
#include "root/root.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/tf_tstring.h"

/* ---- bytes; zeros behind the end */
struct choices {
    const uint8_t *at, *end;
};
static size_t choose(struct choices *c, size_t n) {
    const uint8_t byte = c->at < c->end ? *c->at++ : 0;
    return n ? byte % n : 0;
}
static const int64_t numbers[] = {0,         1,         2,         3,         4,       5,       7,       -1, -2,  8,
                                  INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1 << 16, 1000000, 1 << 30, -7, 255, 64};
enum { NUMBERS = sizeof numbers / sizeof *numbers };
/* Mostly small. */
static int64_t choose_number(struct choices *c) {
    const size_t by = choose(c, 4 * NUMBERS);
    return by < NUMBERS ? numbers[by] : numbers[by % 9];
}

/* ---- ops that may run: none that touches files, ends the process, or waits for what never comes */
__attribute__((unused)) static bool is_harmless(struct sl_str op) {
    static const char *const parts[] = {"Abort",     "WriteFile", "Save",         "Checkpoint", "Debug",      "Print",
                                        "ReadFile",  "Files",     "Restore",      "Reader",     "Record",     "PyFunc",
                                        "Sleep",     "Dequeue",   "TakeMany",     "Unstage",    "Collective", "Recv",
                                        "MutexLock", "Peek",      "TakeGradient", "Dump",       "Summary",    "Batch"};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (op.n && memmem(op.p, op.n, parts[p], strlen(parts[p]))) return false;
    return true;
}

/* ---- the context */
static TFE_Context *context;
static struct sl_op_registry *op_registry;
static struct {
    pthread_mutex_t mutex;
    TFE_CancellationManager *manager; /* of the call under way */
    int waits;
} watch = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void *keep_watch(void *arg) {
    enum { LOOK_US = 50000, MOST_WAITS = 8 };
    (void)arg;
    for (;;) {
        usleep(LOOK_US);
        pthread_mutex_lock(&watch.mutex);
        if (watch.manager && ++watch.waits == MOST_WAITS) TFE_CancellationManagerStartCancel(watch.manager);
        pthread_mutex_unlock(&watch.mutex);
    }
    return NULL;
}

static void start_context(void) {
    const struct sl_registries *registries;
    pthread_t thread;
    if (context) return;
    setenv("SLUICE_STEP_MEMORY", "64M", 1);
    setenv("SLUICE_THREADS", "2", 1);
    TF_Status *status = TF_NewStatus();
    TFE_ContextOptions *options = TFE_NewContextOptions();
    context = TFE_NewContext(options, status);
    TFE_DeleteContextOptions(options);
    TF_DeleteStatus(status);
    if (!context || sl_root_registries(&registries, NULL) || pthread_create(&thread, NULL, keep_watch, NULL)) abort();
    pthread_detach(thread);
    op_registry = registries->ops;
}

__attribute__((unused)) static void execute_watched(TFE_Op *op, TFE_TensorHandle **outputs, int *n, TF_Status *status) {
    TFE_CancellationManager *manager = TFE_NewCancellationManager();
    TF_Status *own = TF_NewStatus();
    TFE_OpSetCancellationManager(op, manager, own);
    pthread_mutex_lock(&watch.mutex);
    watch.manager = manager;
    watch.waits = 0;
    pthread_mutex_unlock(&watch.mutex);
    TFE_Execute(op, outputs, n, status);
    pthread_mutex_lock(&watch.mutex);
    watch.manager = NULL;
    pthread_mutex_unlock(&watch.mutex);
    TFE_OpSetCancellationManager(op, NULL, own);
    TF_DeleteStatus(own);
    TFE_DeleteCancellationManager(manager);
}

/* ---- tensors */
enum { MOST_ELEMENTS = 4096, MOST_RANK = 8 };

static int choose_shape(struct choices *c, int64_t dims[MOST_RANK]) {
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 5, 8, 17};
    const size_t by = choose(c, 16);
    const int rank = by <= MOST_RANK ? (int)by : (int)(by % 4);
    int64_t count = 1;
    for (int d = 0; d < rank; d++) {
        dims[d] = sizes[choose(c, 8)];
        if (count * dims[d] > MOST_ELEMENTS) dims[d] = 1;
        count *= dims[d];
    }
    return rank;
}

static void put_string(struct choices *c, TF_TString *to) {
    static const char *const texts[] = {"", "a", "0", "1.5", "longer than what fits in one", "\xff\xc3", "YWJj", "a,b"};
    TF_TString_Init(to);
    if (choose(c, 4)) {
        const char *text = texts[choose(c, 8)];
        TF_TString_Copy(to, text, strlen(text));
    } else { /* raw bytes */
        char bytes[64];
        const size_t n = choose(c, sizeof bytes);
        for (size_t i = 0; i < n; i++) bytes[i] = (char)choose(c, 256);
        TF_TString_Copy(to, bytes, n);
    }
}

static void put_number(struct choices *c, int type, char *to, size_t size) {
    const int64_t x = choose_number(c);
    if (type == TF_FLOAT) *(float *)(void *)to = choose(c, 16) ? (float)x / 2 : __builtin_nanf("");
    else if (type == TF_DOUBLE) *(double *)(void *)to = (double)x / 2;
    else if (type == TF_BOOL) *to = x & 1;
    else if (type == TF_COMPLEX64) ((float *)(void *)to)[0] = (float)x, ((float *)(void *)to)[1] = 1;
    else if (type == TF_COMPLEX128) ((double *)(void *)to)[0] = (double)x, ((double *)(void *)to)[1] = 1;
    else memcpy(to, &x, size < sizeof x ? size : sizeof x);
}

/* NULL for types that no client makes. Two elements are chosen, the others are those in turn. */
static TF_Tensor *choose_tensor(struct choices *c, int type) {
    int64_t dims[MOST_RANK];
    const int rank = choose_shape(c, dims);
    int64_t count = 1;
    for (int d = 0; d < rank; d++) count *= dims[d];
    const size_t size = type == TF_STRING ? sizeof(TF_TString) : TF_DataTypeSize((TF_DataType)type);
    if (!size || type == TF_RESOURCE || type == TF_VARIANT) return NULL;
    TF_Tensor *t = TF_AllocateTensor((TF_DataType)type, dims, rank, (size_t)count * size);
    if (!t) return NULL;
    char *to = TF_TensorData(t);
    enum { CHOSEN = 6 };
    for (int64_t i = 0; i < count; i++, to += size) {
        if (type == TF_STRING && i < CHOSEN) put_string(c, (TF_TString *)(void *)to);
        else if (type == TF_STRING) TF_TString_Init((TF_TString *)(void *)to);
        else if (i < CHOSEN) put_number(c, type, to, size);
        else memcpy(to, to - (size_t)CHOSEN * size, size);
    }
    return t;
}

static TFE_TensorHandle *handle_of(TF_Tensor *t, TF_Status *status) {
    if (!t) return NULL;
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, status);
    TF_DeleteTensor(t);
    return h;
}

/* ---- attrs */
static void choose_attr(struct choices *c, TFE_Op *op, const struct sl_op_attr *attr, TF_Status *status) {
    const char *name = attr->name.p;
    int64_t ints[4], dims[MOST_RANK];
    float floats[4];
    TF_DataType types[4];
    const void *strings[4];
    size_t lengths[4];
    const int n = (int)choose(c, 5);
    char text[32];
    const struct sl_pb_AttrValue_ListValue *allowed = attr->allowed ? attr->allowed->list : NULL;
    for (int i = 0; i < 4; i++) {
        ints[i] = choose_number(c);
        floats[i] = (float)ints[i] / 2;
        types[i] = (TF_DataType)(allowed && allowed->type.n ? (int)allowed->type.items[choose(c, allowed->type.n)]
                                                            : (int)(1 + choose(c, 23)));
        strings[i] = "SAME";
        lengths[i] = 4;
        if (!allowed || !allowed->s.n) continue;
        const struct sl_str s = allowed->s.items[choose(c, allowed->s.n)];
        strings[i] = s.p;
        lengths[i] = s.n;
    }
    switch ((enum sl_attr_kind)attr->kind) {
    case SL_ATTR_STRING:
        if (attr->is_list) TFE_OpSetAttrStringList(op, name, strings, lengths, n < 4 ? n : 4);
        else TFE_OpSetAttrString(op, name, strings[0], lengths[0]);
        break;
    case SL_ATTR_INT:
        if (attr->is_list) TFE_OpSetAttrIntList(op, name, ints, n < 4 ? n : 4);
        else TFE_OpSetAttrInt(op, name, ints[0]);
        break;
    case SL_ATTR_FLOAT:
        if (attr->is_list) TFE_OpSetAttrFloatList(op, name, floats, n < 4 ? n : 4);
        else TFE_OpSetAttrFloat(op, name, floats[0]);
        break;
    case SL_ATTR_BOOL:
        if (!attr->is_list) TFE_OpSetAttrBool(op, name, ints[0] & 1);
        break;
    case SL_ATTR_TYPE:
        if (attr->is_list) TFE_OpSetAttrTypeList(op, name, types, n < 4 ? n : 4);
        else TFE_OpSetAttrType(op, name, types[0]);
        break;
    case SL_ATTR_SHAPE: {
        int rank = choose_shape(c, dims);
        if (choose(c, 4) == 0 && rank) dims[0] = -1;
        const int64_t *lists[4] = {dims, dims, dims, dims};
        const int ranks[4] = {rank, rank ? 1 : 0, 0, -1};
        if (attr->is_list) TFE_OpSetAttrShapeList(op, name, lists, ranks, n < 4 ? n : 4, status);
        else TFE_OpSetAttrShape(op, name, dims, rank, status);
        break;
    }
    case SL_ATTR_TENSOR: {
        TF_Tensor *t = choose_tensor(c, types[0]);
        if (t) TFE_OpSetAttrTensor(op, name, t, status);
        if (t) TF_DeleteTensor(t);
        break;
    }
    case SL_ATTR_FUNC:
        memcpy(text, "NoSuchFunction", 15);
        TFE_OpSetAttrFunctionName(op, name, text, strlen(text));
        break;
    default: break;
    }
}

#endif
