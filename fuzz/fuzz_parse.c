/* Strings that parsing ops meet: JSON examples, whose message must read as an Example; compressed data; and whole
 * ops on raw bytes: examples, records, tensors. The first byte says which. */
#include <stdlib.h>

#include "formats/inflate.h"
#include "formats/json_example.h"
#include "proto/wire.h"
#include "tensorflow/c/c_api.h"

static void read_json(struct sl_str text) {
    struct sl_text out = {0};
    if (sl_json_example(&out, text, NULL) == SL_OK) {
        struct sl_arena arena;
        struct sl_pb_Example example;
        sl_arena_init(&arena);
        if (sl_pb_decode(&example, SL_PB_TYPE(Example), sl_text_str(&out), &arena, NULL) != SL_OK) abort();
        sl_arena_clear(&arena);
    }
    sl_text_free(&out);
}

/* Compressed data grows a thousandfold at most, so short inputs are enough. */
static void read_compressed(struct sl_str bytes, enum sl_inflate_kind kind) {
    struct sl_text out = {0};
    if (bytes.n < 4096) (void)sl_inflate(&out, bytes, kind, NULL);
    sl_text_free(&out);
}

/* ---- ops, in a session that stays */

enum { PARSERS = 4 };
static struct {
    TF_Graph *graph;
    TF_Session *session;
    TF_Output bytes, results[PARSERS];
} ops;

static TF_Output constant(TF_Status *s, const char *name, TF_DataType type, int rank, int64_t n, const void *data,
                          size_t size) {
    TF_Tensor *t = TF_AllocateTensor(type, &n, rank, size);
    if (size) memcpy(TF_TensorData(t), data, size);
    TF_OperationDescription *d = TF_NewOperation(ops.graph, "Const", name);
    TF_SetAttrTensor(d, "value", t, s);
    TF_SetAttrType(d, "dtype", type);
    TF_Output out = {TF_FinishOperation(d, s), 0};
    TF_DeleteTensor(t);
    return out;
}

/* Keys a, b, c, as a vector. */
static TF_Output keys(TF_Status *s, const char *name, const char *letters) {
    TF_TString strings[3];
    int n = (int)strlen(letters);
    for (int i = 0; i < n; i++) {
        TF_StringInit(&strings[i]);
        TF_StringCopy(&strings[i], letters + i, 1);
    }
    return constant(s, name, TF_STRING, 1, n, strings, (size_t)n * sizeof *strings);
}

static TF_Output parse_example(TF_Status *s) {
    static const float none = 0;
    const TF_DataType types[] = {TF_INT64}, dense[] = {TF_FLOAT}, ragged[] = {TF_STRING}, splits[] = {TF_INT32};
    const int64_t shape[] = {-1, 2}, *shapes[] = {shape};
    const int ranks[] = {2};
    TF_Output names = keys(s, "names", ""), sparse_keys = keys(s, "sparse", "a"), dense_keys = keys(s, "dense", "b"),
              ragged_keys = keys(s, "ragged", "c"),
              fallback = constant(s, "fallback", TF_FLOAT, 0, 0, &none, sizeof none);
    TF_OperationDescription *d = TF_NewOperation(ops.graph, "ParseExampleV2", "example");
    TF_AddInput(d, ops.bytes);
    TF_AddInput(d, names);
    TF_AddInput(d, sparse_keys);
    TF_AddInput(d, dense_keys);
    TF_AddInput(d, ragged_keys);
    TF_AddInputList(d, &fallback, 1);
    TF_SetAttrInt(d, "num_sparse", 1);
    TF_SetAttrTypeList(d, "sparse_types", types, 1);
    TF_SetAttrTypeList(d, "Tdense", dense, 1);
    TF_SetAttrTypeList(d, "ragged_value_types", ragged, 1);
    TF_SetAttrTypeList(d, "ragged_split_types", splits, 1);
    TF_SetAttrShapeList(d, "dense_shapes", shapes, ranks, 1);
    return (TF_Output){TF_FinishOperation(d, s), 0};
}

static TF_Output decode_csv(TF_Status *s) {
    TF_Output defaults[] = {constant(s, "default_a", TF_INT32, 1, 0, NULL, 0),
                            constant(s, "default_b", TF_FLOAT, 1, 0, NULL, 0), keys(s, "default_c", "z")};
    TF_OperationDescription *d = TF_NewOperation(ops.graph, "DecodeCSV", "csv");
    TF_AddInput(d, ops.bytes);
    TF_AddInputList(d, defaults, 3);
    return (TF_Output){TF_FinishOperation(d, s), 0};
}

static TF_Output one_input(TF_Status *s, const char *op, const char *name, TF_DataType type) {
    TF_OperationDescription *d = TF_NewOperation(ops.graph, op, name);
    TF_AddInput(d, ops.bytes);
    TF_SetAttrType(d, "out_type", type);
    return (TF_Output){TF_FinishOperation(d, s), 0};
}

static void build(void) {
    TF_Status *s = TF_NewStatus();
    ops.graph = TF_NewGraph();
    TF_OperationDescription *d = TF_NewOperation(ops.graph, "Placeholder", "bytes");
    TF_SetAttrType(d, "dtype", TF_STRING);
    ops.bytes = (TF_Output){TF_FinishOperation(d, s), 0};
    ops.results[0] = parse_example(s);
    ops.results[1] = decode_csv(s);
    ops.results[2] = one_input(s, "ParseTensor", "tensor", TF_FLOAT);
    ops.results[3] = one_input(s, "DecodeRaw", "raw", TF_INT16);
    TF_SessionOptions *options = TF_NewSessionOptions();
    ops.session = TF_NewSession(ops.graph, options, s);
    TF_DeleteSessionOptions(options);
    if (TF_GetCode(s) != TF_OK) abort();
    TF_DeleteStatus(s);
}

static void run_op(int which, struct sl_str bytes) {
    if (!ops.session) build();
    TF_Status *s = TF_NewStatus();
    TF_Tensor *in = TF_AllocateTensor(TF_STRING, NULL, 0, sizeof(TF_TString)), *out = NULL;
    TF_StringInit(TF_TensorData(in));
    TF_StringCopy(TF_TensorData(in), bytes.p, bytes.n);
    TF_SessionRun(ops.session, NULL, &ops.bytes, &in, 1, &ops.results[which], &out, 1, NULL, 0, NULL, s);
    TF_DeleteTensor(in);
    if (out) TF_DeleteTensor(out);
    TF_DeleteStatus(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    struct sl_str rest = {(const char *)data + 1, size - 1};
    int which = data[0] % (PARSERS + 3);
    if (which < PARSERS) run_op(which, rest);
    else if (which == PARSERS) read_json(rest);
    else read_compressed(rest, which == PARSERS + 1 ? SL_INFLATE_ZLIB : SL_INFLATE_GZIP);
    return 0;
}
