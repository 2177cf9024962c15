/* The objects of a SavedModel as handles of an eager context, with what variables and tables hold. */
#include <string.h>

#include "capi/saved_model/loaded_model.h"
#include "ckpt/object_graph.h"
#include "root/root.h"
#include "tensor/tensor_proto.h"

/* A variable of this name is one of its own, which goes with its last handle. */
static const char ANONYMOUS[] = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";

/* ---- finding */

int sl_loaded_child(const TF_SavedModel *m, int of, struct sl_str name) {
    const sl_saved_object *o = &m->saved->nodes.items[of];
    for (size_t i = 0; i < o->children.n; i++)
        if (sl_str_eq(o->children.items[i].local_name, name)) return o->children.items[i].node_id;
    return -1;
}

static sl_code find_concrete(TF_ConcreteFunction **out, TF_SavedModel *m, struct sl_str name, struct sl_error *err) {
    const struct sl_pb_map_string_SavedConcreteFunction *saved = &m->saved->concrete_functions;
    for (size_t i = 0; i < saved->n; i++)
        if (sl_str_eq(saved->items[i].key, name)) {
            *out = &m->functions[i];
            return SL_OK;
        }
    return sl_fail(err, SL_FAILED_PRECONDITION, "The SavedModel has no concrete function '%.*s'", SL_STR_ARG(name));
}

sl_code sl_loaded_function(TF_ConcreteFunction **out, TF_SavedModel *m, int object, struct sl_error *err) {
    const sl_saved_object *o = &m->saved->nodes.items[object];
    if (o->which == SL_PB_SavedObject_bare_concrete_function)
        return find_concrete(out, m, o->bare_concrete_function->concrete_function_name, err);
    if (o->which != SL_PB_SavedObject_function) return sl_fail(err, SL_NOT_FOUND, "The object is no function");
    if (o->function->concrete_functions.n == 1)
        return find_concrete(out, m, o->function->concrete_functions.items[0], err);
    return sl_fail(err, SL_FAILED_PRECONDITION,
                   "The function was traced for %zu kinds of inputs: its children trace_0, trace_1 ... are one each",
                   o->function->concrete_functions.n);
}

/* ---- running ops */

static sl_code end_call(TF_Status *own, struct sl_error *err) {
    sl_code code = sl_status_give(own, err);
    sl_status_set(own, SL_OK, NULL);
    return code;
}

/* Runs it once and deletes it; `out` gets output 0, NULL: there is none that matters. */
static sl_code run_op(TFE_TensorHandle **out, TFE_Op *op, struct sl_error *err) {
    enum { ROOM = 16 };
    TF_Status own = {.code = SL_OK};
    TFE_TensorHandle *outputs[ROOM];
    int n = ROOM;
    TFE_Execute(op, outputs, &n, &own);
    TFE_DeleteOp(op);
    SL_TRY(end_call(&own, err));
    for (int i = out && n ? 1 : 0; i < n; i++) TFE_DeleteTensorHandle(outputs[i]);
    if (!out) return SL_OK;
    if (!n) return sl_fail(err, SL_FAILED_PRECONDITION, "a function of the SavedModel gives nothing");
    *out = outputs[0];
    return SL_OK;
}

static sl_code new_op(TFE_Op **out, const TF_SavedModel *m, const char *name, struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    *out = TFE_NewOp((TFE_Context *)m->context, name, &own);
    return end_call(&own, err);
}

static sl_code add_input(TFE_Op *op, TFE_TensorHandle *input, struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    TFE_OpAddInput(op, input, &own);
    return end_call(&own, err);
}

static sl_code add_inputs(TFE_Op *op, const TF_ConcreteFunction *f, TFE_TensorHandle **inputs, int n,
                          struct sl_error *err) {
    const struct sl_pb_array_i32 *captured = &f->saved->bound_inputs;
    if (n != f->n_in || (n && !inputs))
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s takes %d inputs, and %d are given", f->name, f->n_in, n);
    for (int i = 0; i < n; i++) SL_TRY(add_input(op, inputs[i], err));
    for (size_t i = 0; i < captured->n; i++) {
        TFE_TensorHandle *handle = f->model->objects[captured->items[i]].handle;
        if (!handle)
            return sl_fail(err, SL_FAILED_PRECONDITION,
                           "%s has captured object %d of the SavedModel, which has no tensor", f->name,
                           (int)captured->items[i]);
        SL_TRY(add_input(op, handle, err));
    }
    return SL_OK;
}

sl_code sl_loaded_call_op(TFE_Op **out, const TF_ConcreteFunction *f, TFE_TensorHandle **inputs, int n,
                          struct sl_error *err) {
    TFE_Op *op;
    SL_TRY(new_op(&op, f->model, f->name, err));
    sl_code code = add_inputs(op, f, inputs, n, err);
    if (code == SL_OK) *out = op;
    else TFE_DeleteOp(op);
    return code;
}

/* ---- tensors */

static sl_code take_tensor(struct sl_loaded_object *o, TF_SavedModel *m, struct sl_tensor *tensor,
                           struct sl_error *err) {
    const struct sl_value value = {.kind = SL_VALUE_TENSOR, .dtype = tensor->dtype, .tensor = tensor};
    o->handle = (TFE_TensorHandle *)sl_eager_handle_new(m->context, value, SL_EAGER_NO_DEVICE);
    return o->handle ? SL_OK : sl_fail_memory(err, sizeof value);
}

static sl_code string_of(struct sl_loaded_object *o, TF_SavedModel *m, struct sl_str text, struct sl_error *err) {
    struct sl_tensor *tensor;
    SL_TRY(sl_tensor_new(&tensor, SL_STRING, SL_SHAPE_SCALAR, err));
    sl_code code = sl_string_set(tensor->data, text, err);
    if (code == SL_OK) return take_tensor(o, m, tensor, err);
    sl_tensor_unref(tensor);
    return code;
}

static sl_code index_constants(TF_SavedModel *m, struct sl_error *err) {
    const struct sl_pb_GraphDef *graph = m->meta->graph_def;
    if (sl_str_map_first(&m->constants)) return SL_OK;
    for (size_t i = 0; graph && i < graph->node.n; i++)
        if (sl_str_is(graph->node.items[i].op, "Const") &&
            sl_str_map_put(&m->constants, graph->node.items[i].name, &graph->node.items[i]))
            return sl_fail_memory(err, graph->node.n);
    return SL_OK;
}

static sl_code make_constant(struct sl_loaded_object *o, TF_SavedModel *m, const struct sl_pb_SavedConstant *saved,
                             struct sl_error *err) {
    struct sl_tensor *tensor;
    SL_TRY(index_constants(m, err));
    const struct sl_pb_NodeDef *node = sl_str_map_get(&m->constants, saved->operation);
    const struct sl_pb_AttrValue *v = node ? sl_pb_find_string_AttrValue(&node->attr, SL_STR("value")) : NULL;
    if (!v || v->which != SL_PB_AttrValue_tensor)
        return sl_fail(err, SL_FAILED_PRECONDITION, "The SavedModel's graph has no constant '%.*s'",
                       SL_STR_ARG(saved->operation));
    SL_TRY(sl_tensor_from_proto(&tensor, v->tensor, err));
    return take_tensor(o, m, tensor, err);
}

static sl_code make_asset(struct sl_loaded_object *o, TF_SavedModel *m, const struct sl_pb_SavedAsset *saved,
                          struct sl_error *err) {
    const int at = saved->asset_file_def_index;
    if (at < 0 || (size_t)at >= m->meta->asset_file_def.n)
        return sl_fail(err, SL_FAILED_PRECONDITION, "The SavedModel has no file %d", at);
    char *path = sl_arena_format(&m->file.arena, "%s/assets/%.*s", m->file.dir,
                                 SL_STR_ARG(m->meta->asset_file_def.items[at].filename));
    if (!path) return sl_fail_memory(err, 1);
    return string_of(o, m, sl_str_of(path), err);
}

/* ---- variables */

/* On the device where it was when it was saved, if the context has that. */
static void ask_for_device(TFE_Op *op, const TF_SavedModel *m, struct sl_str device) {
    const int at = sl_device_find(&m->context->runtime->devices, device);
    if (at >= 0) TFE_OpSetDevice(op, m->context->runtime->devices.items[at].name, NULL);
}

static sl_code make_variable(struct sl_loaded_object *o, TF_SavedModel *m, const struct sl_pb_SavedVariable *saved,
                             struct sl_error *err) {
    TFE_Op *op;
    struct sl_shape shape = SL_SHAPE_UNKNOWN;
    if (saved->shape) SL_TRY(sl_shape_from_proto(&shape, saved->shape, &m->file.arena, err));
    SL_TRY(new_op(&op, m, "VarHandleOp", err));
    TFE_OpSetAttrType(op, "dtype", (TF_DataType)saved->dtype);
    TFE_OpSetAttrShape(op, "shape", shape.dims, shape.rank, NULL);
    TFE_OpSetAttrString(op, "shared_name", ANONYMOUS, sizeof ANONYMOUS - 1);
    ask_for_device(op, m, saved->device);
    return run_op(&o->handle, op, err);
}

/* Where a checkpoint has what an object holds: the object graphs of both are walked from their roots. */
struct keys {
    const struct sl_pb_TrackableObjectGraph *graph;
    int32_t *met; /* by object of the model: the checkpoint's; -1 */
    int32_t *queue;
    size_t n;
};

static void meet(struct keys *k, int32_t object, int32_t other) {
    if (k->met[object] >= 0) return;
    k->met[object] = other;
    k->queue[k->n++] = object;
}

static sl_code find_keys(struct keys *k, const TF_SavedModel *m, struct sl_arena *arena, struct sl_error *err) {
    const size_t n = m->saved->nodes.n;
    k->met = SL_ARENA_ARRAY(arena, int32_t, n);
    k->queue = SL_ARENA_ARRAY(arena, int32_t, n);
    if (!k->met || !k->queue) return sl_fail_memory(err, n * sizeof *k->met);
    for (size_t i = 0; i < n; i++) k->met[i] = -1;
    if (k->graph->nodes.n) meet(k, 0, 0);
    for (size_t at = 0; at < k->n; at++) {
        const int32_t object = k->queue[at];
        const struct sl_pb_TrackableObjectGraph_TrackableObject *other = &k->graph->nodes.items[k->met[object]];
        for (size_t i = 0; i < other->children.n; i++) {
            const int child = sl_loaded_child(m, object, other->children.items[i].local_name);
            if (child >= 0) meet(k, child, other->children.items[i].node_id);
        }
    }
    return SL_OK;
}

static sl_code assign(TF_SavedModel *m, TFE_TensorHandle *variable, struct sl_tensor *value, struct sl_error *err) {
    TFE_Op *op;
    struct sl_loaded_object held = {.handle = NULL};
    SL_TRY(take_tensor(&held, m, value, err));
    sl_code code = new_op(&op, m, "AssignVariableOp", err);
    if (code == SL_OK) {
        code = add_input(op, variable, err);
        if (code == SL_OK) code = add_input(op, held.handle, err);
        if (code == SL_OK) code = run_op(NULL, op, err);
        else TFE_DeleteOp(op);
    }
    TFE_DeleteTensorHandle(held.handle);
    return code;
}

/* Where the checkpoint has this attribute of an object; NULL: nowhere. */
static const struct sl_str *find_key(const struct keys *k, size_t object, struct sl_str attribute) {
    if (k->met[object] < 0) return NULL;
    const struct sl_pb_TrackableObjectGraph_TrackableObject *other = &k->graph->nodes.items[k->met[object]];
    for (size_t i = 0; i < other->attributes.n; i++)
        if (sl_str_eq(other->attributes.items[i].name, attribute)) return &other->attributes.items[i].checkpoint_key;
    return NULL;
}

static sl_code restore_variable(TF_SavedModel *m, size_t at, const struct keys *k, struct sl_checkpoint *checkpoint,
                                struct sl_error *err) {
    const struct sl_pb_SavedVariable *saved = m->saved->nodes.items[at].variable;
    const struct sl_str *key = find_key(k, at, SL_STR("VARIABLE_VALUE"));
    struct sl_tensor *value;
    if (!key) {
        sl_root_log(SL_LOG_WARNING, "The SavedModel %s has no value for the variable '%.*s': it has to be assigned one",
                    m->file.dir, SL_STR_ARG(saved->name));
        return SL_OK;
    }
    SL_TRY(sl_checkpoint_read(&value, checkpoint, *key, NULL, err));
    if (value->dtype == saved->dtype) return assign(m, m->objects[at].handle, value, err);
    sl_code code =
        sl_fail(err, SL_FAILED_PRECONDITION, "The value of the variable '%.*s' is %s in the checkpoint, not %s",
                SL_STR_ARG(saved->name), sl_dtype_name(value->dtype), sl_dtype_name(saved->dtype));
    sl_tensor_unref(value);
    return code;
}

/* ---- what has functions that save and restore it, as tables that change do. The one that saves is asked under what
 * keys: it gives a name, a slice and the tensor of now for each. */

enum { MOST_PARTS = 8 };

static sl_code find_saver(TF_ConcreteFunction **out, TF_SavedModel *m, int object, int n_in, struct sl_error *err) {
    if (object < 0 || (size_t)object >= m->saved->nodes.n)
        return sl_fail(err, SL_FAILED_PRECONDITION, "The SavedModel has no object %d", object);
    SL_TRY(sl_loaded_function(out, m, object, err));
    if ((*out)->n_in == n_in) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "%s takes %d inputs, not %d", (*out)->name, (*out)->n_in, n_in);
}

static sl_code read_part(struct sl_loaded_object *out, TF_SavedModel *m, TFE_TensorHandle *name,
                         struct sl_checkpoint *checkpoint, struct sl_error *err) {
    struct sl_tensor *key, *value;
    SL_TRY(sl_eager_handle_tensor(&key, sl_as_eager_handle(name), err));
    sl_code code = key->dtype == SL_STRING && key->count == 1
                       ? sl_checkpoint_read(&value, checkpoint, sl_string_get(key->data), NULL, err)
                       : sl_fail(err, SL_FAILED_PRECONDITION, "a key of the SavedModel's checkpoint is no string");
    sl_tensor_unref(key);
    return code == SL_OK ? take_tensor(out, m, value, err) : code;
}

static sl_code call_restore(TF_SavedModel *m, int restorer, TFE_TensorHandle **said, int n_said,
                            struct sl_checkpoint *checkpoint, struct sl_error *err) {
    struct sl_loaded_object part = {.handle = NULL};
    TFE_TensorHandle *parts[MOST_PARTS];
    TF_ConcreteFunction *f;
    TFE_Op *op;
    int n = 0;
    sl_code code = find_saver(&f, m, restorer, n_said / 3, err);
    for (; code == SL_OK && n < n_said / 3; n += code == SL_OK) {
        code = read_part(&part, m, said[3 * n], checkpoint, err);
        parts[n] = part.handle;
    }
    if (code == SL_OK) code = sl_loaded_call_op(&op, f, parts, n, err);
    if (code == SL_OK) code = run_op(NULL, op, err);
    while (n--) TFE_DeleteTensorHandle(parts[n]);
    return code;
}

static sl_code restore_saveable(TF_SavedModel *m, const struct sl_pb_SaveableObject *saveable, struct sl_str key,
                                struct sl_checkpoint *checkpoint, struct sl_error *err) {
    TFE_TensorHandle *said[3 * MOST_PARTS];
    struct sl_loaded_object text = {.handle = NULL};
    TF_Status own = {.code = SL_OK};
    TF_ConcreteFunction *f;
    TFE_Op *op = NULL;
    int n = 3 * MOST_PARTS;
    SL_TRY(find_saver(&f, m, saveable->save_function, 1, err));
    SL_TRY(string_of(&text, m, key, err));
    sl_code code = sl_loaded_call_op(&op, f, &text.handle, 1, err);
    TFE_DeleteTensorHandle(text.handle);
    SL_TRY(code);
    TFE_Execute(op, said, &n, &own);
    TFE_DeleteOp(op);
    SL_TRY(end_call(&own, err));
    code = call_restore(m, saveable->restore_function, said, n, checkpoint, err);
    while (n--) TFE_DeleteTensorHandle(said[n]);
    return code;
}

static sl_code restore_saveables(TF_SavedModel *m, size_t at, const struct keys *k, struct sl_checkpoint *checkpoint,
                                 struct sl_error *err) {
    const struct sl_pb_map_string_SaveableObject *saveables = &m->saved->nodes.items[at].saveable_objects;
    for (size_t i = 0; i < saveables->n; i++) {
        const struct sl_str *key = find_key(k, at, saveables->items[i].key);
        if (key) SL_TRY(restore_saveable(m, &saveables->items[i].value, *key, checkpoint, err));
        else
            sl_root_log(SL_LOG_WARNING, "The SavedModel %s has no values for '%.*s' of object %zu: it begins empty",
                        m->file.dir, SL_STR_ARG(saveables->items[i].key), at);
    }
    return SL_OK;
}

/* ---- the checkpoint */

static sl_code restore_one(TF_SavedModel *m, size_t at, const struct keys *k, struct sl_checkpoint *checkpoint,
                           struct sl_error *err) {
    switch (m->saved->nodes.items[at].which) {
    case SL_PB_SavedObject_variable: return restore_variable(m, at, k, checkpoint, err);
    case SL_PB_SavedObject_resource: return restore_saveables(m, at, k, checkpoint, err);
    default: return SL_OK;
    }
}

static bool has_values(const TF_SavedModel *m) {
    for (size_t i = 0; i < m->saved->nodes.n; i++)
        if (m->saved->nodes.items[i].which == SL_PB_SavedObject_variable || m->saved->nodes.items[i].saveable_objects.n)
            return true;
    return false;
}

static sl_code restore(TF_SavedModel *m, struct sl_error *err) {
    struct sl_object_checkpoint checkpoint;
    if (!has_values(m)) return SL_OK;
    char *prefix = sl_arena_format(&m->file.arena, "%s/variables/variables", m->file.dir);
    if (!prefix) return sl_fail_memory(err, 1);
    sl_code code = sl_object_checkpoint_open(&checkpoint, prefix, err);
    if (code == SL_NOT_FOUND) {
        sl_root_log(SL_LOG_WARNING, "The SavedModel %s has no values for its variables", m->file.dir);
        return SL_OK;
    }
    SL_TRY(code);
    struct keys keys = {.graph = &checkpoint.graph};
    code = find_keys(&keys, m, &checkpoint.arena, err);
    for (size_t i = 0; i < m->saved->nodes.n && code == SL_OK; i++)
        code = restore_one(m, i, &keys, checkpoint.checkpoint, err);
    sl_object_checkpoint_close(&checkpoint);
    return code;
}

/* ---- what functions create: tables and the like */

static sl_code make_object(TF_SavedModel *m, int object, struct sl_error *err);

/* Calls a function without inputs that an object has. */
static sl_code call_child(TFE_TensorHandle **out, TF_SavedModel *m, int object, const char *name,
                          struct sl_error *err) {
    TF_ConcreteFunction *f;
    TFE_Op *op;
    const int child = sl_loaded_child(m, object, sl_str_of(name));
    if (child < 0 && !out) return SL_OK;
    if (child < 0)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Object %d of the SavedModel has no function '%s'", object, name);
    SL_TRY(sl_loaded_function(&f, m, child, err));
    for (size_t i = 0; i < f->saved->bound_inputs.n; i++) SL_TRY(make_object(m, f->saved->bound_inputs.items[i], err));
    SL_TRY(sl_loaded_call_op(&op, f, NULL, 0, err));
    return run_op(out, op, err);
}

static sl_code make_object(TF_SavedModel *m, int object, struct sl_error *err) {
    const sl_saved_object *saved = &m->saved->nodes.items[object];
    struct sl_loaded_object *o = &m->objects[object];
    if (o->handle) return SL_OK;
    switch (saved->which) {
    case SL_PB_SavedObject_constant: return make_constant(o, m, saved->constant, err);
    case SL_PB_SavedObject_asset: return make_asset(o, m, saved->asset, err);
    case SL_PB_SavedObject_variable: return make_variable(o, m, saved->variable, err);
    case SL_PB_SavedObject_resource: break;
    default: return SL_OK; /* has no tensor */
    }
    if (o->is_being_made)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Object %d of the SavedModel is needed to create itself", object);
    o->is_being_made = true;
    sl_code code = call_child(&o->handle, m, object, "_create_resource", err);
    o->is_being_made = false;
    return code;
}

/* Ops that are on their way on another thread are through, or their error is told. */
static sl_code wait_for_ops(const TF_SavedModel *m, struct sl_error *err) {
    struct sl_eager_executor *e = sl_eager_executor_of_thread(m->context);
    sl_code code = sl_eager_executor_is_async(e) ? sl_eager_executor_wait(e, err) : SL_OK;
    sl_eager_executor_unref(e);
    return code;
}

sl_code sl_loaded_make_objects(TF_SavedModel *m, struct sl_error *err) {
    const int n = (int)m->saved->nodes.n;
    m->objects = SL_ARENA_ARRAY(&m->file.arena, struct sl_loaded_object, m->saved->nodes.n + 1);
    if (!m->objects) return sl_fail_memory(err, (size_t)n * sizeof *m->objects);
    for (int i = 0; i < n; i++) SL_TRY(make_object(m, i, err));
    SL_TRY(restore(m, err));
    for (int i = 0; i < n; i++)
        if (m->saved->nodes.items[i].which == SL_PB_SavedObject_resource)
            SL_TRY(call_child(NULL, m, i, "_initialize", err));
    return wait_for_ops(m, err);
}

void sl_loaded_drop_objects(TF_SavedModel *m) {
    for (size_t i = 0; m->objects && i < m->saved->nodes.n; i++)
        if (m->saved->nodes.items[i].which == SL_PB_SavedObject_resource && m->objects[i].handle)
            call_child(NULL, m, (int)i, "_destroy_resource", NULL);
    for (size_t i = 0; m->objects && i < m->saved->nodes.n; i++) TFE_DeleteTensorHandle(m->objects[i].handle);
    sl_str_map_free(&m->constants);
}
