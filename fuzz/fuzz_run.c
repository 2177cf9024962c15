/* Graphs that are run: bytes are taken as a GraphDef, imported through the C API, placeholders are fed with small
 * tensors, and every result is fetched under a deadline. Whatever comes back is right; only a crash, a leak or a
 * hang is not.
 *
 * Inputs are changed as graphs, not as bytes: a node gets another op, input, type or number, is doubled or taken
 * away, so that most of what is tried gets past the import. Ops that touch files or end the process are left out. */
#include <stdlib.h>
#include <string.h>

#include "proto/wire.h"
#include "tensorflow/c/c_api.h"

enum { MOST_NODES = 400, MOST_FETCHES = 64, DEADLINE_MS = 500, LARGEST_FEED = 4096 };

/* ---- what may run */

static bool is_harmless(struct sl_str op) {
    static const char *const parts[] = {"Abort", "WriteFile", "Save",  "Checkpoint", "Debug",  "Print",  "ReadFile",
                                        "Files", "Restore",   "Print", "Reader",     "Record", "PyFunc", "Sleep"};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (op.n && memmem(op.p, op.n, parts[p], strlen(parts[p]))) return false;
    return true;
}

static bool are_harmless(const struct sl_pb_array_NodeDef *nodes) {
    for (size_t i = 0; i < nodes->n; i++)
        if (!is_harmless(nodes->items[i].op)) return false;
    return true;
}

static bool may_run(const struct sl_pb_GraphDef *graph) {
    if (graph->node.n > MOST_NODES || !are_harmless(&graph->node)) return false;
    if (!graph->library) return true;
    for (size_t f = 0; f < graph->library->function.n; f++)
        if (!are_harmless(&graph->library->function.items[f].node_def)) return false;
    return true;
}

/* ---- running */

/* A tensor of ones and zeros that fits a placeholder; NULL when its type is not of plain bytes. */
static TF_Tensor *feed_for(TF_Graph *graph, TF_Output output, TF_Status *status) {
    int64_t dims[8], count = 1;
    size_t size = TF_DataTypeSize(TF_OperationOutputType(output));
    int rank = TF_GraphGetTensorNumDims(graph, output, status);
    if (!size || rank > 8) return NULL;
    if (rank < 0) rank = 0;
    if (rank > 0) TF_GraphGetTensorShape(graph, output, dims, rank, status);
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0) dims[i] = 2;
        if (__builtin_mul_overflow(count, dims[i], &count) || count > LARGEST_FEED) return NULL;
    }
    TF_Tensor *t = TF_AllocateTensor(TF_OperationOutputType(output), dims, rank, (size_t)count * size);
    if (t) {
        memset(TF_TensorData(t), 0, TF_TensorByteSize(t));
        for (size_t b = 0; b < TF_TensorByteSize(t); b += size) ((char *)TF_TensorData(t))[b] = 1;
    }
    return t;
}

static void run(TF_Graph *graph, TF_Status *status) {
    TF_Output feeds[MOST_NODES], fetches[MOST_FETCHES];
    TF_Tensor *fed[MOST_NODES], *got[MOST_FETCHES] = {NULL};
    const TF_Operation *targets[MOST_FETCHES];
    int n_feeds = 0, n_fetches = 0, n_targets = 0;
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at)) && n_feeds < MOST_NODES;) {
        const TF_Output first = {op, 0};
        if (!strncmp(TF_OperationOpType(op), "Placeholder", 11) && TF_OperationNumInputs(op) == 0) {
            fed[n_feeds] = feed_for(graph, first, status);
            if (fed[n_feeds]) feeds[n_feeds++] = first;
        } else if (TF_OperationNumOutputs(op) == 0 && n_targets < MOST_FETCHES) targets[n_targets++] = op;
        else if (n_fetches < MOST_FETCHES && TF_OperationOutputNumConsumers(first) == 0) fetches[n_fetches++] = first;
    }
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    const unsigned char deadline[] = {0x10, 0x80 | (DEADLINE_MS & 0x7f), DEADLINE_MS >> 7}; /* timeout_in_ms */
    TF_Buffer *run_options = TF_NewBufferFromString(deadline, sizeof deadline);
    for (int time = 0; session && time < 2; time++) {
        TF_SessionRun(session, run_options, feeds, fed, n_feeds, fetches, got, n_fetches, targets, n_targets, NULL,
                      status);
        for (int i = 0; i < n_fetches; i++) {
            if (got[i]) TF_DeleteTensor(got[i]);
            got[i] = NULL;
        }
    }
    /* One by one: an error in one node does not hide what the others do. */
    for (int i = 0; session && i < n_fetches; i++) {
        TF_SessionRun(session, run_options, feeds, fed, n_feeds, &fetches[i], &got[i], 1, NULL, 0, NULL, status);
        if (got[i]) TF_DeleteTensor(got[i]);
    }
    TF_DeleteBuffer(run_options);
    if (session) TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    for (int i = 0; i < n_feeds; i++) TF_DeleteTensor(fed[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sl_arena arena;
    struct sl_pb_GraphDef def;
    sl_arena_init(&arena);
    struct sl_str bytes = {(const char *)data, size};
    bool wanted = sl_pb_decode(&def, SL_PB_TYPE(GraphDef), bytes, &arena, NULL) == SL_OK && may_run(&def);
    sl_arena_clear(&arena);
    if (!wanted) return 0;
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBufferFromString(data, size);
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(graph, buffer, options, status);
    if (TF_GetCode(status) == TF_OK) run(graph, status);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(buffer);
    TF_DeleteStatus(status);
    TF_DeleteGraph(graph);
    return 0;
}

/* ---- changing */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* xorshift: what is tried depends on the seed alone. */
static size_t pick(unsigned *seed, size_t n) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return n ? *seed % n : 0;
}

static const char *const ops[] = {"Switch",
                                  "Merge",
                                  "Enter",
                                  "Exit",
                                  "NextIteration",
                                  "LoopCond",
                                  "Identity",
                                  "Add",
                                  "Mul",
                                  "MatMul",
                                  "Reshape",
                                  "Concat",
                                  "ConcatV2",
                                  "StridedSlice",
                                  "Const",
                                  "NoOp",
                                  "Pack",
                                  "Unpack",
                                  "Gather",
                                  "GatherV2",
                                  "Sum",
                                  "Transpose",
                                  "Conv2D",
                                  "MaxPool",
                                  "Cast",
                                  "Shape",
                                  "Fill",
                                  "Tile",
                                  "Range",
                                  "Slice",
                                  "ScatterNd",
                                  "SegmentSum",
                                  "TopKV2",
                                  "Split",
                                  "Pad",
                                  "While",
                                  "If",
                                  "Case",
                                  "OneHot",
                                  "Where",
                                  "Einsum",
                                  "Unique",
                                  "StackV2",
                                  "StackPopV2",
                                  "TensorArrayV3",
                                  "TensorArrayReadV3",
                                  "TensorListGetItem",
                                  "RefSwitch"};
static const int64_t numbers[] = {0, 1, -1, 2, 3, 7, 255, 65536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1000000};

static void change_value(struct sl_pb_AttrValue *value, unsigned *seed, struct sl_arena *arena) {
    switch (value->which) {
    case SL_PB_AttrValue_type: value->type = (int)pick(seed, 26); break;
    case SL_PB_AttrValue_i: value->i = numbers[pick(seed, sizeof numbers / sizeof *numbers)]; break;
    case SL_PB_AttrValue_b: value->b = !value->b; break;
    case SL_PB_AttrValue_f: value->f = (float)numbers[pick(seed, 13)]; break;
    case SL_PB_AttrValue_tensor: {
        struct sl_pb_TensorProto *t = value->tensor;
        if (!t) break;
        if (t->tensor_content.n && pick(seed, 2)) {
            char *copy = sl_arena_alloc(arena, t->tensor_content.n);
            if (!copy) break;
            memcpy(copy, t->tensor_content.p, t->tensor_content.n);
            copy[pick(seed, t->tensor_content.n)] = (char)pick(seed, 256);
            t->tensor_content.p = copy;
        } else if (t->int_val.n) t->int_val.items[0] = (int32_t)numbers[pick(seed, 13)];
        else if (t->tensor_shape && t->tensor_shape->dim.n)
            t->tensor_shape->dim.items[pick(seed, t->tensor_shape->dim.n)].size = numbers[pick(seed, 13)];
        break;
    }
    case SL_PB_AttrValue_list:
        if (value->list && value->list->i.n)
            value->list->i.items[pick(seed, value->list->i.n)] = numbers[pick(seed, 13)];
        else if (value->list && value->list->type.n) value->list->type.items[0] = (int)pick(seed, 26);
        break;
    default: break;
    }
}

static void change_node(struct sl_pb_array_NodeDef *nodes, unsigned *seed, struct sl_arena *arena) {
    if (!nodes->n) return;
    struct sl_pb_NodeDef *node = &nodes->items[pick(seed, nodes->n)], *other = &nodes->items[pick(seed, nodes->n)];
    switch (pick(seed, 8)) {
    case 0: node->op = pick(seed, 2) ? other->op : sl_str_of(ops[pick(seed, sizeof ops / sizeof *ops)]); break;
    case 1: /* reads another node; at times its second output, or only its end */
    case 2:
        if (node->input.n) {
            size_t kind = pick(seed, 6);
            char *name = sl_arena_format(arena, "%s%.*s%s", kind == 0 ? "^" : "", (int)other->name.n, other->name.p,
                                         kind == 1 ? ":1" : "");
            if (name) node->input.items[pick(seed, node->input.n)] = sl_str_of(name);
        }
        break;
    case 3:
        if (node->input.n > 1) node->input.n--;
        break;
    case 4:
        if (node->attr.n) node->attr.n--;
        break;
    case 5: *node = nodes->items[--nodes->n]; break;
    default:
        if (node->attr.n) change_value(&node->attr.items[pick(seed, node->attr.n)].value, seed, arena);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    struct sl_arena arena;
    struct sl_pb_GraphDef def;
    struct sl_str out;
    seed |= 1;
    if (pick(&seed, 20) == 0) return LLVMFuzzerMutate(data, size, most);
    sl_arena_init(&arena);
    if (sl_pb_decode(&def, SL_PB_TYPE(GraphDef), (struct sl_str){(const char *)data, size}, &arena, NULL) == SL_OK) {
        for (size_t n = 1 + pick(&seed, 3); n; n--) {
            struct sl_pb_array_NodeDef *nodes = &def.node;
            if (def.library && def.library->function.n && pick(&seed, 3) == 0)
                nodes = &def.library->function.items[pick(&seed, def.library->function.n)].node_def;
            change_node(nodes, &seed, &arena);
        }
        if (sl_pb_encode(&out, SL_PB_TYPE(GraphDef), &def, 0, &arena, NULL) == SL_OK && out.n <= most) {
            memcpy(data, out.p, out.n);
            size = out.n;
        }
    } else size = LLVMFuzzerMutate(data, size, most);
    sl_arena_clear(&arena);
    return size;
}
