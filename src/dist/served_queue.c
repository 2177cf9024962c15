/* Items of the queues that programs send: ops and functions, values, functions' bodies. Each is run to its end before
 * the next, so a queue needs no order of its own, and an op's error is known when its item is answered. */
#include "base/alloc.h"
#include "dist/spread_function.h"
#include "dist/tensor_wire.h"
#include "dist/worker_state.h"
#include "eager/eager_opaque.h"
#include "ops/op_signature.h"

/* ---- answers */

static sl_code fill_shape(struct sl_pb_TensorShapeProto *out, struct sl_eager_handle *h, struct sl_arena *arena,
                          struct sl_error *err) {
    int rank;
    SL_TRY(sl_eager_handle_rank(&rank, h, err));
    out->dim.items = SL_ARENA_ARRAY(arena, struct sl_pb_TensorShapeProto_Dim, (size_t)rank + 1);
    if (!out->dim.items) return sl_fail_memory(err, (size_t)rank * sizeof *out->dim.items);
    out->dim.n = (size_t)rank;
    for (int d = 0; d < rank; d++) SL_TRY(sl_eager_handle_dim(&out->dim.items[d].size, h, d, err));
    return SL_OK;
}

/* An empty message counts: each output has its shape. */
static sl_code add_field(struct sl_rpc_message *m, unsigned number, const struct sl_pb_message *type,
                         const void *message, struct sl_error *err) {
    const char tag = (char)(number << 3 | 2), none[] = {tag, 0};
    struct sl_str bytes;
    SL_TRY(sl_pb_encode(&bytes, type, message, 0, NULL, err));
    sl_code code = bytes.n ? sl_wire_add_text(m, number, bytes, err)
                           : sl_rpc_message_add_bytes(m, (struct sl_str){none, sizeof none}, err);
    sl_free((void *)bytes.p);
    return code;
}

sl_code sl_served_add_shape(struct sl_rpc_message *m, struct sl_eager_handle *h, struct sl_error *err) {
    struct sl_pb_TensorShapeProto shape = {.unknown = NULL};
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = fill_shape(&shape, h, &arena, err);
    if (code == SL_OK) code = add_field(m, 1, SL_PB_TYPE_OF(TensorShapeProto), &shape, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code add_response(struct sl_rpc_message *m, const struct sl_pb_eager_QueueResponse *response,
                            struct sl_error *err) {
    return add_field(m, 1, SL_PB_TYPE_OF(eager_QueueResponse), response, err);
}

static sl_code answer_nothing(struct sl_rpc_message *m, struct sl_error *err) {
    const struct sl_pb_eager_QueueResponse response = {.unknown = NULL};
    return add_response(m, &response, err);
}

/* The device of a function's result is said where it is not the op's. */
static struct sl_str device_of(const struct sl_eager_handle *h) {
    const int backing = h->backing, device = h->device;
    return backing < 0 || backing == device ? SL_STR("") : sl_str_of(h->context->runtime->devices.items[backing].name);
}

static sl_code answer_outputs(struct sl_rpc_message *m, struct sl_eager_handle *const *outputs, int n, bool is_function,
                              struct sl_error *err) {
    struct sl_pb_eager_QueueResponse response = {.unknown = NULL};
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_str *devices = SL_ARENA_ARRAY(&arena, struct sl_str, (size_t)n + 1);
    response.shape.items = SL_ARENA_ARRAY(&arena, struct sl_pb_TensorShapeProto, (size_t)n + 1);
    sl_code code = devices && response.shape.items ? SL_OK : sl_fail_memory(err, (size_t)n * sizeof *devices);
    for (int o = 0; o < n && code == SL_OK; o++) {
        response.shape.items[response.shape.n++] = (struct sl_pb_TensorShapeProto){.unknown = NULL};
        code = fill_shape(&response.shape.items[o], outputs[o], &arena, err);
        if (is_function) devices[o] = device_of(outputs[o]);
    }
    if (is_function && code == SL_OK) {
        response.device.items = devices;
        response.device.n = (size_t)n;
    }
    if (code == SL_OK) code = add_response(m, &response, err);
    sl_arena_clear(&arena);
    return code;
}

/* ---- ops and functions */

static sl_code fill_op(struct sl_eager_op *op, struct sl_served_context *c, const struct sl_pb_eager_Operation *asked,
                       struct sl_rpc_body *body, struct sl_error *err) {
    SL_TRY(sl_eager_op_set_device(op, asked->device, err));
    for (size_t i = 0; i < asked->attrs.n; i++)
        SL_TRY(sl_eager_attrs_put(&op->attrs, asked->attrs.items[i].key, &asked->attrs.items[i].value, err));
    for (size_t i = 0; i < asked->op_inputs.n; i++) {
        struct sl_eager_handle *h;
        SL_TRY(sl_served_input(&h, c, &asked->op_inputs.items[i], body, err));
        sl_code code = sl_eager_op_add(op, h, err);
        sl_eager_handle_unref(h);
        if (code != SL_OK) return code;
    }
    return SL_OK;
}

static bool has_lists(const struct sl_op *op) {
    for (int o = 0; o < op->n_outputs; o++)
        if (sl_op_arg_is_list(&op->outputs[o])) return true;
    return false;
}

static sl_code count_outputs(int *n, const struct sl_eager_op *op, struct sl_error *err) {
    struct sl_signature signature;
    struct sl_attrs bound;
    struct sl_arena arena;
    *n = op->op->n_outputs;
    if (!has_lists(op->op)) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = sl_eager_op_bind(&bound, &arena, op, err);
    if (code == SL_OK) code = sl_op_signature(&signature, &arena, op->op, &bound, err);
    if (code == SL_OK) *n = signature.n_outputs;
    sl_arena_clear(&arena);
    return code;
}

/* Keeps the outputs, of which the references are taken over. */
static sl_code keep(struct sl_served_context *c, int64_t id, struct sl_eager_handle *const *outputs, int n,
                    struct sl_error *err) {
    sl_code code = SL_OK;
    for (int o = 0; o < n; o++) {
        if (code == SL_OK) code = sl_served_put(c, id, o, outputs[o], err);
        else sl_eager_handle_unref(outputs[o]);
    }
    return code;
}

static sl_code run_op(struct sl_rpc_message *answer, struct sl_served_context *c, struct sl_eager_op *op,
                      const struct sl_pb_eager_Operation *asked, struct sl_error *err) {
    enum { FEW = 16 };
    struct sl_eager_handle *few[FEW], **outputs = few;
    int n;
    SL_TRY(count_outputs(&n, op, err));
    if (n > FEW && !(outputs = sl_malloc((size_t)n * sizeof *outputs)))
        return sl_fail_memory(err, (size_t)n * sizeof *outputs);
    sl_code code = sl_eager_execute(outputs, &n, op, err);
    if (code == SL_OK) {
        code = answer_outputs(answer, outputs, n, op->function != NULL, err);
        sl_code kept = keep(c, asked->id, outputs, n, code == SL_OK ? err : NULL);
        if (code == SL_OK) code = kept;
    }
    if (outputs != few) sl_free(outputs);
    return code;
}

/* ---- functions over tasks */

/* Inputs as they are known here: `keep` gets a reference for each that is here. */
static sl_code find_arg(struct sl_spread_arg *out, struct sl_eager_handle **keep, struct sl_served_context *c,
                        const struct sl_pb_eager_Operation_Input *input, struct sl_rpc_body *body,
                        struct sl_error *err) {
    const struct sl_pb_eager_RemoteTensorHandle *handle =
        input->which == SL_PB_eager_Operation_Input_remote_handle ? input->remote_handle : NULL;
    sl_code code = sl_served_input(keep, c, input, body, err);
    if (code == SL_OK) {
        const int at = (*keep)->backing;
        *out = (struct sl_spread_arg){.here = *keep,
                                      .device = sl_str_of(c->eager->runtime->devices.items[at < 0 ? 0 : at].name),
                                      .dtype = (*keep)->dtype};
        return SL_OK;
    }
    *keep = NULL;
    const struct sl_str device = handle && handle->device.n ? handle->device : handle ? handle->op_device : SL_STR("");
    if (!device.n || sl_device_find(&c->eager->runtime->devices, device) >= 0) return code; /* it ought to be here */
    *out = (struct sl_spread_arg){.op = handle->op_id,
                                  .output = handle->output_num,
                                  .device = device,
                                  .dtype = handle->dtype};
    return SL_OK;
}

static sl_code answer_spread(struct sl_rpc_message *m, struct sl_served_context *c,
                             const struct sl_pb_eager_Operation *asked, struct sl_spread_ret *rets, int n,
                             struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_pb_eager_QueueResponse response = {.unknown = NULL};
    struct sl_pb_TensorShapeProto *shape = SL_ARENA_ARRAY(&arena, struct sl_pb_TensorShapeProto, (size_t)n + 1);
    struct sl_str *devices = SL_ARENA_ARRAY(&arena, struct sl_str, (size_t)n + 1);
    sl_code code = shape && devices ? SL_OK : sl_fail_memory(err, (size_t)n * sizeof *shape);
    for (int i = 0; i < n && code == SL_OK; i++) {
        const bool is_op_device = sl_str_is(asked->device, rets[i].device);
        devices[i] = is_op_device ? SL_STR("") : sl_str_of(rets[i].device);
        code = rets[i].here ? fill_shape(&shape[i], rets[i].here, &arena, err)
                            : sl_pb_decode(&shape[i], SL_PB_TYPE_OF(TensorShapeProto), rets[i].shape, &arena, err);
        if (code == SL_OK && rets[i].here) {
            code = sl_served_put(c, asked->id, i, rets[i].here, err);
            rets[i].here = NULL;
        }
    }
    response.shape = (struct sl_pb_array_TensorShapeProto){shape, (size_t)n};
    response.device = (struct sl_pb_array_str){devices, (size_t)n};
    if (code == SL_OK) code = add_response(m, &response, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code call_spread(struct sl_rpc_message *answer, struct sl_spread *spread, struct sl_served_context *c,
                           const struct sl_pb_eager_Operation *asked, const struct sl_spread_arg *args,
                           struct sl_cancellation *cancellation, struct sl_error *err) {
    const struct sl_spread_request request = {.name = asked->name,
                                              .device = asked->device,
                                              .attrs = &asked->attrs,
                                              .args = args,
                                              .n_args = asked->op_inputs.n,
                                              .op_id = asked->id,
                                              .cancellation = cancellation};
    struct sl_spread_ret *rets;
    int n;
    SL_TRY(sl_spread_call(&rets, &n, spread, c, &request, err));
    sl_code code = answer_spread(answer, c, asked, rets, n, err);
    for (int i = 0; i < n; i++) sl_spread_ret_clear(&rets[i]);
    sl_free(rets);
    return code;
}

/* `*is_done`: whether it had to be run over tasks. */
static sl_code try_spread(bool *is_done, struct sl_rpc_message *answer, struct sl_spread *spread,
                          struct sl_served_context *c, const struct sl_pb_eager_Operation *asked,
                          struct sl_rpc_body *body, struct sl_cancellation *cancellation, struct sl_error *err) {
    const size_t n = asked->op_inputs.n;
    struct sl_spread_arg *args = sl_calloc(n + 1, sizeof *args);
    struct sl_eager_handle **handles = sl_calloc(n + 1, sizeof *handles);
    sl_code code = args && handles ? SL_OK : sl_fail_memory(err, n * sizeof *args);
    for (size_t i = 0; i < n && code == SL_OK; i++)
        code = find_arg(&args[i], &handles[i], c, &asked->op_inputs.items[i], body, err);
    *is_done = code == SL_OK && sl_spread_is_needed(spread, c, asked->name, args, n);
    if (*is_done) code = call_spread(answer, spread, c, asked, args, cancellation, err);
    for (size_t i = 0; handles && i < n; i++) sl_eager_handle_unref(handles[i]);
    sl_free(handles);
    sl_free(args);
    return code;
}

static sl_code run_here(struct sl_rpc_message *answer, struct sl_served_context *c,
                        const struct sl_pb_eager_Operation *asked, struct sl_rpc_body *body,
                        struct sl_cancellation *cancellation, struct sl_error *err) {
    struct sl_eager_op *op;
    SL_TRY(sl_eager_op_new(&op, c->eager, asked->name, err));
    sl_code code = fill_op(op, c, asked, body, err);
    op->cancellation = cancellation;
    if (code == SL_OK) code = run_op(answer, c, op, asked, err);
    sl_eager_op_free(op);
    return code;
}

static sl_code run_function(struct sl_rpc_message *answer, struct sl_served_context *c,
                            const struct sl_pb_eager_Operation *asked, struct sl_rpc_body *body,
                            struct sl_cancellation *cancellation, struct sl_error *err) {
    struct sl_spread *spread = sl_served_spread(c);
    bool is_done = false;
    sl_code code = SL_OK;
    if (spread) {
        code = try_spread(&is_done, answer, spread, c, asked, body, cancellation, err);
        sl_spread_unref(spread);
    }
    return is_done || code != SL_OK ? code : run_here(answer, c, asked, body, cancellation, err);
}

static sl_code run_operation(struct sl_rpc_message *answer, struct sl_served_context *c,
                             const struct sl_pb_eager_Operation *asked, struct sl_rpc_body *body,
                             struct sl_cancellation *cancellation, struct sl_error *err) {
    struct sl_eager_handle *received;
    if (sl_str_is(asked->name, "_Send")) {
        SL_TRY(sl_served_send(c, asked, body, err));
        return answer_nothing(answer, err);
    }
    if (sl_str_is(asked->name, "_Recv")) {
        SL_TRY(sl_served_receive(&received, c, asked, cancellation, err));
        sl_code code = answer_outputs(answer, &received, 1, false, err);
        sl_code kept = keep(c, asked->id, &received, 1, code == SL_OK ? err : NULL);
        return code == SL_OK ? kept : code;
    }
    return (asked->is_function ? run_function : run_here)(answer, c, asked, body, cancellation, err);
}

/* ---- values */

static sl_code take_tensors(struct sl_served_context *c, const struct sl_pb_eager_SendTensorOp *send,
                            struct sl_rpc_body *body, struct sl_error *err) {
    for (size_t i = 0; i < send->tensors.n; i++) {
        struct sl_eager_handle *h;
        SL_TRY(sl_served_take_tensor(&h, c, &send->tensors.items[i], send->device_name, body, err));
        SL_TRY(sl_served_put(c, send->op_id, (int32_t)i, h, err));
    }
    return SL_OK;
}

static sl_code take_part(struct sl_eager_handle **out, struct sl_served_context *c,
                         const struct sl_pb_eager_SendPackedHandleOp_Handle *part, struct sl_rpc_body *body,
                         struct sl_error *err) {
    if (part->which == SL_PB_eager_SendPackedHandleOp_Handle_local_handle)
        return sl_served_take_tensor(out, c, part->local_handle->tensor, part->local_handle->device, body, err);
    if (part->which == SL_PB_eager_SendPackedHandleOp_Handle_remote_handle)
        return sl_served_get(out, c, part->remote_handle, err);
    return sl_fail(err, SL_INVALID_ARGUMENT, "a part of a packed handle has neither a handle nor a tensor");
}

static sl_code take_pack(struct sl_served_context *c, const struct sl_pb_eager_SendPackedHandleOp *send,
                         struct sl_rpc_body *body, struct sl_error *err) {
    struct sl_eager_handle *pack, **parts = sl_calloc(send->handles.n + 1, sizeof *parts);
    size_t n = 0;
    sl_code code = parts ? SL_OK : sl_fail_memory(err, send->handles.n * sizeof *parts);
    for (; n < send->handles.n && code == SL_OK; n += code == SL_OK)
        code = take_part(&parts[n], c, &send->handles.items[n], body, err);
    if (code == SL_OK) code = sl_eager_pack(&pack, c->eager, parts, (int)n, err);
    while (n--) sl_eager_handle_unref(parts[n]);
    sl_free(parts);
    return code == SL_OK ? sl_served_put(c, send->op_id, 0, pack, err) : code;
}

/* ---- functions */

static sl_code add_function(struct sl_served_context *c, const struct sl_pb_FunctionDef *def, struct sl_error *err) {
    struct sl_function_def *f;
    SL_TRY(sl_function_new(&f, def, err));
    sl_code code = sl_eager_add_function(c->eager, f, err);
    sl_function_unref(f);
    return code;
}

static sl_code register_function(struct sl_served_context *c, const struct sl_pb_eager_RegisterFunctionOp *asked,
                                 struct sl_error *err) {
    if (!asked->function_def || !asked->function_def->signature || !asked->function_def->signature->name.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a function without a name was registered");
    for (size_t i = 0; asked->library && i < asked->library->function.n; i++)
        SL_TRY(add_function(c, &asked->library->function.items[i], err));
    return asked->is_component_function ? sl_served_add_component(c, asked->function_def, err)
                                        : add_function(c, asked->function_def, err);
}

static sl_code remove_function(struct sl_served_context *c, struct sl_str name, struct sl_error *err) {
    struct sl_spread *spread = sl_served_spread(c);
    sl_spread_forget(spread, name);
    sl_spread_unref(spread);
    return sl_served_remove_component(c, name) ? SL_OK : sl_eager_remove_function(c->eager, name, err);
}

/* ---- */

static sl_code run(struct sl_rpc_message *answer, bool *is_answered, struct sl_served_context *c,
                   const struct sl_pb_eager_QueueItem *item, struct sl_rpc_body *body,
                   struct sl_cancellation *cancellation, struct sl_error *err) {
    switch (item->which) {
    case SL_PB_eager_QueueItem_handle_to_decref: return sl_served_drop(c, item->handle_to_decref, err);
    case SL_PB_eager_QueueItem_operation:
        *is_answered = true;
        return run_operation(answer, c, item->operation, body, cancellation, err);
    case SL_PB_eager_QueueItem_send_tensor: return take_tensors(c, item->send_tensor, body, err);
    case SL_PB_eager_QueueItem_register_function: return register_function(c, item->register_function, err);
    case SL_PB_eager_QueueItem_cleanup_function:
        sl_served_cleanup(c, (uint64_t)item->cleanup_function->step_id);
        return SL_OK;
    case SL_PB_eager_QueueItem_send_packed_handle: return take_pack(c, item->send_packed_handle, body, err);
    case SL_PB_eager_QueueItem_remove_function: return remove_function(c, item->remove_function->function_name, err);
    default: return SL_OK; /* sync_remote_executor_for_stream: what came before has run */
    }
}

sl_code sl_served_run_item(struct sl_rpc_message *answer, struct sl_served_context *c,
                           const struct sl_pb_eager_QueueItem *item, struct sl_rpc_body *body,
                           struct sl_cancellation *cancellation, struct sl_error *err) {
    bool is_answered = false;
    SL_TRY(run(answer, &is_answered, c, item, body, cancellation, err));
    return is_answered ? SL_OK : answer_nothing(answer, err);
}
