/* c_api_experimental.h: ready-made options, named queues, shape lists, what has a kernel, unused ports. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "kernel/table.h"
#include "os/socket.h"
#include "proto/text_format.h"
#include "root/root.h"
#include "tensorflow/c/c_api_experimental.h"

/* ---- options */
TF_Buffer *TF_CreateConfig(unsigned char enable_xla_compilation, unsigned char gpu_memory_allow_growth,
                           unsigned int num_cpu_devices) {
    TF_Buffer *buffer = NULL;
    struct sl_pb_map_string_int32 devices;
    struct sl_pb_OptimizerOptions optimizer = {.global_jit_level = SL_PB_OptimizerOptions_GlobalJitLevel_OFF};
    struct sl_pb_GraphOptions graph = {.optimizer_options = &optimizer};
    struct sl_pb_GPUOptions gpu = {.allow_growth = gpu_memory_allow_growth != 0};
    __typeof__(*devices.items) cpus = {.key = SL_STR(SL_HOST_DEVICE), .value = (int32_t)num_cpu_devices};
    if (enable_xla_compilation) optimizer.global_jit_level = SL_PB_OptimizerOptions_GlobalJitLevel_ON_1;
    devices.items = &cpus;
    devices.n = 1;
    struct sl_pb_ConfigProto config = {.device_count = devices,
                                       .inter_op_parallelism_threads = 1,
                                       .gpu_options = &gpu,
                                       .graph_options = &graph};
    sl_buffer_new_encoded(&buffer, SL_PB_TYPE(ConfigProto), &config, NULL);
    return buffer;
}

TF_Buffer *TF_CreateRunOptions(unsigned char enable_full_trace) {
    TF_Buffer *buffer = NULL;
    struct sl_pb_RunOptions options = {.trace_level = enable_full_trace ? SL_PB_RunOptions_TraceLevel_FULL_TRACE
                                                                        : SL_PB_RunOptions_TraceLevel_NO_TRACE};
    sl_buffer_new_encoded(&buffer, SL_PB_TYPE(RunOptions), &options, NULL);
    return buffer;
}

static sl_code parse_server_def(TF_Buffer **out, const char *text, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_ServerDef def;
    if (sl_pb_text_parse(&def, SL_PB_TYPE(ServerDef), sl_str_of(text), arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid text proto for ServerDef: %s", text);
    return sl_buffer_new_encoded(out, SL_PB_TYPE(ServerDef), &def, err);
}

TF_Buffer *TFE_GetServerDef(const char *text_proto, TF_Status *status) {
    if (SL_LACKS(status, text_proto)) return NULL;
    struct sl_error err;
    struct sl_arena arena;
    TF_Buffer *buffer = NULL;
    sl_arena_init(&arena);
    sl_status_take(status, parse_server_def(&buffer, text_proto, &arena, &err), &err);
    sl_arena_clear(&arena);
    return buffer;
}

void TF_MakeInternalErrorStatus(TF_Status *status, const char *message) { sl_status_set(status, SL_INTERNAL, message); }

/* ---- queues by number */
static TF_Operation *find_numbered(TF_Session *session, const char *format, int id, TF_Status *status) {
    char name[64];
    snprintf(name, sizeof name, "%s_%d", format, id);
    TF_Operation *operation = TF_GraphOperationByName(session->graph, name);
    if (!operation) sl_status_fail(status, SL_INVALID_ARGUMENT, "The graph has no operation '%s'", name);
    return operation;
}

TF_Tensor *TF_DequeueNamedTensor(TF_Session *session, int tensor_id, TF_Status *status) {
    TF_Tensor *tensor = NULL;
    TF_Output output = {find_numbered(session, "fifo_queue_dequeue", tensor_id, status), 0};
    if (output.oper) TF_SessionRun(session, NULL, NULL, NULL, 0, &output, &tensor, 1, NULL, 0, NULL, status);
    return tensor;
}

void TF_EnqueueNamedTensor(TF_Session *session, int tensor_id, TF_Tensor *tensor, TF_Status *status) {
    TF_Output input = {find_numbered(session, "arg_tensor_enqueue", tensor_id, status), 0};
    if (!input.oper) return;
    const TF_Operation *target = find_numbered(session, "fifo_queue_enqueue", tensor_id, status);
    if (target) TF_SessionRun(session, NULL, &input, &tensor, 1, NULL, NULL, 0, &target, 1, NULL, status);
}

/* ---- would an op have a kernel */
struct TF_AttrBuilder {
    struct sl_arena arena;
    struct sl_str op;
    struct sl_attrs attrs;
    bool is_out_of_memory;
};

TF_AttrBuilder *TF_NewAttrBuilder(const char *op_name) {
    TF_AttrBuilder *builder = sl_calloc(1, sizeof *builder);
    if (!builder) return NULL;
    sl_arena_init(&builder->arena);
    builder->op = sl_arena_str(&builder->arena, sl_str_of(op_name));
    builder->is_out_of_memory = !builder->op.p;
    return builder;
}

void TF_DeleteAttrBuilder(TF_AttrBuilder *builder) {
    if (!builder) return;
    sl_arena_clear(&builder->arena);
    sl_free(builder);
}

static void set_attr(TF_AttrBuilder *builder, struct sl_attr attr) {
    struct sl_str key = sl_arena_str(&builder->arena, attr.name);
    if (!attr.value || !key.p ||
        sl_attrs_with(&builder->attrs, &builder->arena, &builder->attrs, key, attr.value, NULL) != SL_OK)
        builder->is_out_of_memory = true;
}

void TF_AttrBuilderSetType(TF_AttrBuilder *builder, const char *attr_name, TF_DataType value) {
    set_attr(builder, sl_attr_new(&builder->arena, sl_str_of(attr_name), SL_ATTR_VALUE(type, (int32_t)value)));
}

void TF_AttrBuilderSetTypeList(TF_AttrBuilder *builder, const char *attr_name, const TF_DataType *values,
                               int num_values) {
    struct sl_pb_AttrValue_ListValue list = {0};
    list.type.items = SL_ARENA_ARRAY(&builder->arena, int32_t, num_values > 0 ? (size_t)num_values : 0);
    for (int i = 0; list.type.items && i < num_values; i++) list.type.items[list.type.n++] = (int32_t)values[i];
    struct sl_attr attr = sl_attr_new_list(&builder->arena, sl_str_of(attr_name), &list);
    if (!list.type.items) attr.value = NULL;
    set_attr(builder, attr);
}

/* An attr that kernels of the op are told apart by, which is not set; NULL: none. */
static const char *missing_attr(struct sl_kernel_table *kernels, const TF_AttrBuilder *builder) {
    const struct sl_kernel_def *def;
    for (size_t at = 0; (def = sl_kernel_table_next(kernels, builder->op, &at));)
        for (int r = 0; r < SL_KERNEL_RULES && def->types[r].attr; r++)
            if (!sl_attr_find(&builder->attrs, sl_str_of(def->types[r].attr))) return def->types[r].attr;
    return NULL;
}

static sl_code check_device(const TF_AttrBuilder *builder, const char *device_type, struct sl_error *err) {
    const struct sl_registries *registries;
    const struct sl_kernel_def *row;
    struct sl_error why;
    if (builder->is_out_of_memory) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "out of memory");
    SL_TRY(sl_root_registries(&registries, err));
    const char *attr = missing_attr(registries->kernels, builder);
    if (attr)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "OpKernel '%.*s' has constraint on attr '%s' not in NodeDef {{node %.*s}}",
                       SL_STR_ARG(builder->op), attr, SL_STR_ARG(builder->op));
    sl_code code =
        sl_kernel_find(&row, registries->kernels, builder->op, builder->op, device_type, &builder->attrs, &why);
    if (code == SL_OK) return SL_OK;
    if (code != SL_INVALID_ARGUMENT) return sl_fail(err, code, "%s", why.message);
    const char *list = strstr(why.message, "Registered kernels:");
    return sl_fail(err, SL_NOT_FOUND,
                   "No registered '%.*s' OpKernel for %s devices compatible with node {{node %.*s}}\n%s",
                   SL_STR_ARG(builder->op), device_type, SL_STR_ARG(builder->op), list ? list : why.message);
}

void TF_AttrBuilderCheckCanRunOnDevice(TF_AttrBuilder *builder, const char *device_type, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, check_device(builder, device_type, &err), &err);
}

/* ---- lists of shapes */
TF_ShapeAndTypeList *TF_NewShapeAndTypeList(int num_shapes) {
    if (num_shapes < 0) return NULL;
    TF_ShapeAndTypeList *list = sl_calloc(1, sizeof *list);
    TF_ShapeAndType *items = sl_calloc((size_t)num_shapes + 1, sizeof *items);
    if (!list || !items) {
        sl_free(list);
        sl_free(items);
        return NULL;
    }
    for (int i = 0; i < num_shapes; i++) items[i].num_dims = -1;
    list->num_items = num_shapes;
    list->items = items;
    return list;
}

void TF_ShapeAndTypeListSetShape(TF_ShapeAndTypeList *shape_list, int index, const int64_t *dims, int num_dims) {
    if (index < 0 || index >= shape_list->num_items || num_dims < 0) return;
    int64_t *copy = sl_malloc(((size_t)num_dims + 1) * sizeof *copy);
    if (!copy) return;
    if (num_dims) memcpy(copy, dims, (size_t)num_dims * sizeof *copy);
    sl_free(shape_list->items[index].dims);
    shape_list->items[index].dims = copy;
    shape_list->items[index].num_dims = num_dims;
}

void TF_ShapeAndTypeListSetUnknownShape(TF_ShapeAndTypeList *shape_list, int index) {
    if (index < 0 || index >= shape_list->num_items) return;
    sl_free(shape_list->items[index].dims);
    shape_list->items[index].dims = NULL;
    shape_list->items[index].num_dims = -1;
}

void TF_ShapeAndTypeListSetDtype(TF_ShapeAndTypeList *shape_list, int index, TF_DataType dtype) {
    if (index >= 0 && index < shape_list->num_items) shape_list->items[index].dtype = dtype;
}

void TF_DeleteShapeAndTypeList(TF_ShapeAndTypeList *shape_list) {
    if (!shape_list) return;
    for (int i = 0; i < shape_list->num_items; i++) sl_free(shape_list->items[i].dims);
    sl_free(shape_list->items);
    sl_free(shape_list);
}

void TF_DeleteShapeAndTypeListArray(TF_ShapeAndTypeList **shape_list_array, int num_items) {
    if (!shape_list_array) return;
    for (int i = 0; i < num_items; i++) TF_DeleteShapeAndTypeList(shape_list_array[i]);
    sl_free(shape_list_array);
}

/* ---- ports */
static sl_code find_port(int *port, struct sl_error *err) {
    struct sl_address any, bound;
    int n, fd;
    SL_TRY(sl_address_resolve(&any, &n, 1, ":0", err));
    SL_TRY(sl_socket_listen(&fd, &any, err));
    sl_code code = sl_socket_local(&bound, fd, err);
    sl_socket_close(fd);
    if (code == SL_OK) *port = sl_address_port(&bound);
    return code;
}

/* TensorFlow's ends the process where there is none; this library does not end its caller's. */
int TF_PickUnusedPortOrDie(void) {
    struct sl_error err;
    int port = -1;
    if (find_port(&port, &err) != SL_OK) sl_root_log(SL_LOG_ERROR, "There is no unused port: %s", err.message);
    return port;
}
