/* Devices of other tasks, and tensors there. An op runs at its task to the end before this one goes on; so its error is
 * its caller's. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "dist/far_state.h"
#include "dist/tensor_wire.h"
#include "kernel/rendezvous.h"
#include "ops/op_signature.h"
#include "tensor/tensor_proto.h"

/* ---- values */

static sl_code value_rank(int *out, struct sl_eager_opaque *v, struct sl_error *err) {
    (void)err;
    *out = ((struct sl_far_value *)v)->rank;
    return SL_OK;
}

static sl_code value_dim(int64_t *out, struct sl_eager_opaque *v, int i, struct sl_error *err) {
    (void)err;
    *out = ((struct sl_far_value *)v)->dims[i];
    return SL_OK;
}

static sl_code value_pointer(void **out, struct sl_eager_opaque *v, struct sl_error *err) {
    (void)out;
    return sl_fail(err, SL_INVALID_ARGUMENT, "The memory of a tensor on %s is another process's", v->device);
}

/* Its task hears of it with the next message. Without memory the task keeps the tensor until the end. */
static void value_free(struct sl_eager_opaque *base) {
    struct sl_far_value *v = (struct sl_far_value *)base;
    struct sl_far_cluster *c = v->cluster;
    sl_mutex_lock(&c->mutex);
    if (!c->has_ended && v->task < c->n_tasks) (void)sl_vec_push(&c->tasks[v->task].dropped, v->number);
    sl_mutex_unlock(&c->mutex);
    sl_free(v);
    sl_far_cluster_unref(c);
}

static sl_code value_copy_out(struct sl_eager_handle **out, struct sl_eager_handle *h, const char *device,
                              struct sl_error *err);

static const struct sl_eager_opaque_methods value_methods = {value_rank, value_dim, value_copy_out, value_pointer,
                                                             value_free};

struct sl_far_value *sl_far_value_of(const struct sl_far_cluster *c, const struct sl_eager_handle *h) {
    struct sl_far_value *v =
        h->opaque && h->opaque->methods == &value_methods ? (struct sl_far_value *)h->opaque : NULL;
    return v && v->cluster == c ? v : NULL;
}

static sl_code take_shape(struct sl_far_value *v, const struct sl_pb_TensorShapeProto *shape, struct sl_error *err) {
    if (!shape) return SL_OK;
    if (shape->dim.n > SL_MAX_RANK || shape->unknown_rank)
        return sl_fail(err, SL_INTERNAL, "%s told a shape that no tensor has", v->base.device);
    v->rank = (int)shape->dim.n;
    for (int d = 0; d < v->rank; d++) v->dims[d] = shape->dim.items[d].size;
    return SL_OK;
}

/* A handle of what the device's task knows by these numbers. */
static sl_code value_new(struct sl_eager_handle **out, struct sl_far_device *d, struct sl_far_number number, int dtype,
                         const struct sl_pb_TensorShapeProto *shape, struct sl_error *err) {
    struct sl_far_value *v = sl_calloc(1, sizeof *v);
    if (!v) return sl_fail_memory(err, sizeof *v);
    *v = (struct sl_far_value){.base = {&value_methods, &d->base.parsed, d->base.name},
                               .cluster = d->cluster,
                               .task = d->task,
                               .number = number};
    atomic_fetch_add(&d->cluster->references, 1);
    sl_code code = take_shape(v, shape, err);
    if (code == SL_OK) return sl_eager_opaque_handle(out, d->cluster->context, &v->base, dtype, err);
    value_free(&v->base);
    return code;
}

static void fill_remote(struct sl_pb_eager_RemoteTensorHandle *out, const struct sl_far_value *v, int dtype) {
    *out = (struct sl_pb_eager_RemoteTensorHandle){.op_id = v->number.op,
                                                   .output_num = v->number.output,
                                                   .device = sl_str_of(v->base.device),
                                                   .op_device = sl_str_of(v->base.device),
                                                   .dtype = dtype};
}

static struct sl_far_device *device_of(const struct sl_eager_handle *h) {
    return (struct sl_far_device *)sl_eager_custom_of(h);
}

/* ---- from here to a task */

/* The elements are borrowed from the tensor. */
static sl_code write_tensor(struct sl_pb_eager_QueueItem *item, struct sl_far_device *d, int64_t op,
                            const struct sl_tensor *t, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_eager_SendTensorOp *send = SL_ARENA_NEW(arena, struct sl_pb_eager_SendTensorOp);
    struct sl_pb_TensorProto *proto = SL_ARENA_NEW(arena, struct sl_pb_TensorProto);
    if (!send || !proto) return sl_fail_memory(err, sizeof *send);
    send->op_id = op;
    send->tensors = (struct sl_pb_array_TensorProto){proto, 1};
    send->device_name = sl_str_of(d->base.name);
    *item = (struct sl_pb_eager_QueueItem){.which = SL_PB_eager_QueueItem_send_tensor, .send_tensor = send};
    return sl_tensor_to_proto(proto, t, arena, err);
}

static sl_code send_tensor(struct sl_eager_handle **out, struct sl_far_device *d, const struct sl_tensor *t,
                           struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_eager_EnqueueResponse answer;
    struct sl_pb_eager_QueueItem item;
    const int64_t op = sl_far_next_op(d->cluster);
    SL_TRY(write_tensor(&item, d, op, t, arena, err));
    SL_TRY(sl_far_enqueue(&answer, d->cluster, d->task, &item, 1, arena, err));
    return value_new(out, d, (struct sl_far_number){op, 0}, t->dtype, item.send_tensor->tensors.items[0].tensor_shape,
                     err);
}

static sl_code send_here(struct sl_eager_handle **out, struct sl_far_device *d, struct sl_eager_handle *h,
                         struct sl_arena *arena, struct sl_error *err) {
    struct sl_tensor *t;
    SL_TRY(sl_eager_handle_tensor(&t, h, err));
    sl_code code = send_tensor(out, d, t, arena, err);
    sl_tensor_unref(t);
    return code;
}

/* ---- from task to task */

static sl_code add_attr(struct sl_pb_eager_Operation *op, struct sl_str name, struct sl_pb_AttrValue value) {
    op->attrs.items[op->attrs.n++] = (struct sl_pb_entry_string_AttrValue){.key = name, .value = value};
    return SL_OK;
}

static struct sl_pb_AttrValue text_value(const char *text) {
    return (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_s, .s = sl_str_of(text)};
}

/* An op _Send or _Recv of the value: `name` is the pair's. */
static sl_code fill_transfer(struct sl_pb_eager_Operation *op, const char *what, const struct sl_far_device *from,
                             const char *to, const char *name, int dtype, struct sl_arena *arena,
                             struct sl_error *err) {
    enum { ATTRS = 6 };
    op->attrs.items = SL_ARENA_ARRAY(arena, struct sl_pb_entry_string_AttrValue, ATTRS);
    if (!op->attrs.items) return sl_fail_memory(err, sizeof *op->attrs.items);
    op->attrs.n = 0;
    op->name = sl_str_of(what);
    add_attr(op, SL_STR("tensor_name"), text_value(name));
    add_attr(op, SL_STR("send_device"), text_value(from->base.name));
    add_attr(op, SL_STR("send_device_incarnation"),
             (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_i, .i = (int64_t)from->incarnation});
    add_attr(op, SL_STR("recv_device"), text_value(to));
    add_attr(op, SL_STR("client_terminated"), (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_b, .b = false});
    return add_attr(op, !strcmp(what, "_Send") ? SL_STR("T") : SL_STR("tensor_type"),
                    (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_type, .type = dtype});
}

/* Has the value sent to a device: whoever asks for the name gets it. */
static sl_code send_from(char name[64], struct sl_far_device *from, const struct sl_far_value *v, int dtype,
                         const char *to, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_eager_RemoteTensorHandle handle;
    struct sl_pb_eager_Operation_Input input = {.which = SL_PB_eager_Operation_Input_remote_handle,
                                                .remote_handle = &handle};
    struct sl_pb_eager_Operation op = {.id = sl_far_next_op(from->cluster),
                                       .op_inputs = {&input, 1},
                                       .device = sl_str_of(from->base.name)};
    struct sl_pb_eager_QueueItem item = {.which = SL_PB_eager_QueueItem_operation, .operation = &op};
    struct sl_pb_eager_EnqueueResponse answer;
    (void)snprintf(name, 64, "%" PRIu64 "_%" PRId64, from->cluster->id, op.id);
    fill_remote(&handle, v, dtype);
    SL_TRY(fill_transfer(&op, "_Send", from, to, name, dtype, arena, err));
    return sl_far_enqueue(&answer, from->cluster, from->task, &item, 1, arena, err);
}

static sl_code move_between(struct sl_eager_handle **out, struct sl_far_device *to, struct sl_eager_handle *h,
                            struct sl_arena *arena, struct sl_error *err) {
    struct sl_far_cluster *c = to->cluster;
    struct sl_far_device *from = device_of(h);
    struct sl_pb_eager_Operation op = {.id = sl_far_next_op(c), .device = sl_str_of(to->base.name)};
    struct sl_pb_eager_QueueItem item = {.which = SL_PB_eager_QueueItem_operation, .operation = &op};
    struct sl_pb_eager_EnqueueResponse answer;
    char name[64];
    SL_TRY(send_from(name, from, sl_far_value_of(c, h), h->dtype, to->base.name, arena, err));
    SL_TRY(fill_transfer(&op, "_Recv", from, to->base.name, name, h->dtype, arena, err));
    SL_TRY(sl_far_enqueue(&answer, c, to->task, &item, 1, arena, err));
    const struct sl_pb_eager_QueueResponse *response = &answer.queue_response.items[0];
    return value_new(out, to, (struct sl_far_number){op.id, 0}, h->dtype,
                     response->shape.n ? &response->shape.items[0] : NULL, err);
}

/* ---- from a task to here */

static sl_code receive(struct sl_value *out, struct sl_far_device *from, const char *name, const char *to,
                       struct sl_error *err) {
    struct sl_far_cluster *c = from->cluster;
    const struct sl_rendezvous_pair pair = {.incarnation = from->incarnation,
                                            .send_device = sl_str_of(from->base.name),
                                            .recv_device = sl_str_of(to),
                                            .tensor_name = sl_str_of(name)};
    const struct sl_rendezvous_key key = {.pair = &pair};
    struct sl_pb_RecvTensorResponse answer;
    struct sl_rpc_message m = {.n = 0};
    struct sl_rpc_body *body;
    struct sl_arena arena;
    char text[3 * SL_DEVICE_TEXT];
    const int n = sl_rendezvous_key_print(text, sizeof text, &key);
    sl_code code = sl_wire_add_number(&m, 1, c->id, err);
    if (code == SL_OK) code = sl_wire_add_text(&m, 2, (struct sl_str){text, (size_t)n}, err);
    if (code == SL_OK) code = sl_wire_add_number(&m, 7, sl_id_source_next(&c->worker->ids), err);
    if (code != SL_OK) {
        sl_rpc_message_clear(&m);
        return code;
    }
    SL_TRY(sl_far_call(&body, c, from->task, "/tensorflow.WorkerService/RecvTensor", &m, err));
    sl_arena_init(&arena);
    code = sl_pb_decode(&answer, SL_PB_TYPE_OF(RecvTensorResponse), body->bytes, &arena, err);
    if (code == SL_OK) code = sl_wire_read_value(out, answer.tensor, body, err);
    sl_arena_clear(&arena);
    sl_rpc_body_unref(body);
    return code;
}

static sl_code fetch(struct sl_eager_handle **out, struct sl_eager_handle *h, const char *device,
                     struct sl_arena *arena, struct sl_error *err) {
    struct sl_far_value *v = (struct sl_far_value *)h->opaque;
    struct sl_far_device *from = device_of(h);
    struct sl_value value;
    char name[64];
    if (!from || !v->cluster->own) return sl_fail(err, SL_CANCELLED, "The context of the tensor has ended.");
    SL_TRY(send_from(name, from, v, h->dtype, device, arena, err));
    SL_TRY(receive(&value, from, name, device, err));
    if (value.dtype != h->dtype) {
        const int dtype = value.dtype;
        sl_value_clear(&value);
        return sl_fail(err, SL_INTERNAL, "a tensor of type %s came as %s", sl_dtype_name(h->dtype),
                       sl_dtype_name(dtype));
    }
    return sl_served_place(out, v->cluster->own, value, sl_str_of(device), err);
}

static sl_code value_copy_out(struct sl_eager_handle **out, struct sl_eager_handle *h, const char *device,
                              struct sl_error *err) {
    struct sl_device_name asked;
    const struct sl_device_set *devices = &h->context->runtime->devices;
    int at = sl_device_parse(&asked, sl_str_of(device), NULL) == SL_OK ? sl_device_first(devices, &asked) : 0;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = fetch(out, h, devices->items[at < 0 ? 0 : at].name, &arena, err);
    sl_arena_clear(&arena);
    return code;
}

/* ---- ops */

static sl_code copy_in(struct sl_eager_handle **out, struct sl_eager_custom_device *base,
                       struct sl_eager_context *context, struct sl_eager_handle *h, struct sl_error *err) {
    struct sl_far_device *d = (struct sl_far_device *)base;
    const struct sl_far_value *v = sl_far_value_of(d->cluster, h);
    struct sl_arena arena;
    (void)context;
    sl_arena_init(&arena);
    sl_code code = v ? move_between(out, d, h, &arena, err) : send_here(out, d, h, &arena, err);
    sl_arena_clear(&arena);
    return code;
}

/* What an op is at its task. `copies`: values that were sent for it; they go after it. */
struct far_op {
    struct sl_pb_eager_Operation op;
    struct sl_eager_handle **copies;
    size_t n_copies;
};

/* A function takes arguments where they are, an op what is at its task. */
static sl_code add_input(struct far_op *f, struct sl_far_device *d, struct sl_eager_handle *h, bool is_function,
                         struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_eager_RemoteTensorHandle *handle = SL_ARENA_NEW(arena, struct sl_pb_eager_RemoteTensorHandle);
    if (!handle) return sl_fail_memory(err, sizeof *handle);
    SL_TRY(sl_eager_handle_wait(h, err));
    const struct sl_far_value *v = sl_far_value_of(d->cluster, h);
    if (!v || (v->task != d->task && !is_function)) {
        struct sl_eager_handle *copy;
        SL_TRY(copy_in(&copy, &d->base, d->cluster->context, h, err));
        f->copies[f->n_copies++] = copy;
        v = sl_far_value_of(d->cluster, copy);
    }
    fill_remote(handle, v, h->dtype);
    f->op.op_inputs.items[f->op.op_inputs.n++] =
        (struct sl_pb_eager_Operation_Input){.which = SL_PB_eager_Operation_Input_remote_handle,
                                             .remote_handle = handle};
    return SL_OK;
}

static sl_code add_attrs(struct sl_pb_map_string_AttrValue *out, const struct sl_eager_op *op, struct sl_arena *arena,
                         struct sl_error *err) {
    struct sl_attrs given;
    SL_TRY(sl_eager_attrs_given(&given, arena, &op->attrs, err));
    out->items = SL_ARENA_ARRAY(arena, struct sl_pb_entry_string_AttrValue, (size_t)given.n + 1);
    if (!out->items) return sl_fail_memory(err, (size_t)given.n * sizeof *out->items);
    out->n = (size_t)given.n;
    for (int i = 0; i < given.n; i++) {
        out->items[i].key = given.items[i].name;
        out->items[i].value = *given.items[i].value;
    }
    return SL_OK;
}

/* Functions that it calls, or that its attrs name. */
static sl_code send_functions(struct sl_far_device *d, const struct sl_eager_op *op,
                              const struct sl_pb_map_string_AttrValue *attrs, struct sl_arena *arena,
                              struct sl_error *err) {
    size_t most = 1, n = 0;
    for (size_t i = 0; i < attrs->n; i++)
        most += attrs->items[i].value.which == SL_PB_AttrValue_list ? attrs->items[i].value.list->func.n : 1;
    struct sl_str *names = SL_ARENA_ARRAY(arena, struct sl_str, most);
    if (!names) return sl_fail_memory(err, most * sizeof *names);
    if (op->function) names[n++] = op->op->name;
    for (size_t i = 0; i < attrs->n; i++) {
        const struct sl_pb_AttrValue *v = &attrs->items[i].value;
        if (v->which == SL_PB_AttrValue_func) names[n++] = v->func->name;
        for (size_t k = 0; v->which == SL_PB_AttrValue_list && k < v->list->func.n; k++)
            names[n++] = v->list->func.items[k].name;
    }
    return n ? sl_far_send_functions(d->cluster, d->task, names, n, arena, err) : SL_OK;
}

static sl_code fill_op(struct far_op *f, struct sl_far_device *d, const struct sl_eager_op *op, struct sl_arena *arena,
                       struct sl_error *err) {
    const size_t n = (size_t)op->n_inputs;
    f->op = (struct sl_pb_eager_Operation){.id = sl_far_next_op(d->cluster),
                                           .name = op->op->name,
                                           .device = sl_str_of(d->base.name),
                                           .is_function = op->function != NULL};
    f->copies = SL_ARENA_ARRAY(arena, struct sl_eager_handle *, n + 1);
    f->op.op_inputs.items = SL_ARENA_ARRAY(arena, struct sl_pb_eager_Operation_Input, n + 1);
    if (!f->copies || !f->op.op_inputs.items) return sl_fail_memory(err, n * sizeof *f->copies);
    SL_TRY(add_attrs(&f->op.attrs, op, arena, err));
    SL_TRY(send_functions(d, op, &f->op.attrs, arena, err));
    for (size_t i = 0; i < n; i++) SL_TRY(add_input(f, d, op->inputs[i], f->op.is_function, arena, err));
    return SL_OK;
}

static sl_code types_of(struct sl_signature *out, const struct sl_eager_op *op, struct sl_arena *arena,
                        struct sl_error *err) {
    struct sl_attrs bound;
    SL_TRY(sl_eager_op_bind(&bound, arena, op, err));
    return sl_op_signature(out, arena, op->op, &bound, err);
}

/* Where a function's result is: at the device of this name, or at the op's. */
static struct sl_eager_custom_device *result_device(struct sl_far_device *d, struct sl_str name) {
    return name.n ? sl_eager_find_custom(d->cluster->context, name) : &d->base;
}

static sl_code take_outputs(struct sl_eager_handle **outputs, int n, struct sl_far_device *d, int64_t id,
                            const struct sl_signature *types, const struct sl_pb_eager_QueueResponse *response,
                            struct sl_error *err) {
    sl_code code = SL_OK;
    int made = 0;
    for (; made < n && code == SL_OK; made += code == SL_OK) {
        const struct sl_str name = (size_t)made < response->device.n ? response->device.items[made] : SL_STR("");
        struct sl_eager_custom_device *at = result_device(d, name);
        if (!at || !at->is_far)
            code = sl_fail(err, SL_UNIMPLEMENTED, "a result of a function on %s is on %.*s", d->base.name,
                           SL_STR_ARG(name));
        else
            code = value_new(&outputs[made], (struct sl_far_device *)at, (struct sl_far_number){id, made},
                             sl_dtype_base(types->outputs[made]),
                             (size_t)made < response->shape.n ? &response->shape.items[made] : NULL, err);
    }
    while (code != SL_OK && made--) sl_eager_handle_unref(outputs[made]);
    return code;
}

static sl_code run(struct sl_eager_handle **outputs, int *n, struct far_op *f, struct sl_far_device *d,
                   struct sl_eager_op *op, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_eager_QueueItem item = {.which = SL_PB_eager_QueueItem_operation, .operation = &f->op};
    struct sl_pb_eager_EnqueueResponse answer;
    struct sl_signature types;
    SL_TRY(fill_op(f, d, op, arena, err));
    SL_TRY(types_of(&types, op, arena, err));
    if (types.n_outputs > *n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expecting %d outputs, but *num_retvals is %d", types.n_outputs, *n);
    SL_TRY(sl_far_enqueue(&answer, d->cluster, d->task, &item, 1, arena, err));
    SL_TRY(take_outputs(outputs, types.n_outputs, d, f->op.id, &types, &answer.queue_response.items[0], err));
    *n = types.n_outputs;
    return SL_OK;
}

static sl_code execute(struct sl_eager_handle **outputs, int *n, struct sl_eager_custom_device *base,
                       struct sl_eager_op *op, struct sl_error *err) {
    struct far_op f = {.n_copies = 0};
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_cancellation *before = op->cancellation ? sl_cancellation_of_thread_set(op->cancellation) : NULL;
    sl_code code = run(outputs, n, &f, (struct sl_far_device *)base, op, &arena, err);
    if (op->cancellation) sl_cancellation_of_thread_set(before);
    for (size_t i = 0; i < f.n_copies; i++) sl_eager_handle_unref(f.copies[i]);
    sl_arena_clear(&arena);
    return code;
}

static sl_code pack(struct sl_eager_handle **out, struct sl_eager_custom_device *d, struct sl_eager_context *context,
                    struct sl_eager_handle *const *parts, int n, struct sl_error *err) {
    (void)out, (void)context, (void)parts, (void)n;
    return sl_fail(err, SL_UNIMPLEMENTED, "packed handles of tensors on %s", d->name);
}

static sl_code pins(bool *out, struct sl_eager_custom_device *d, struct sl_eager_op *op, struct sl_error *err) {
    (void)d, (void)op, (void)err;
    *out = false;
    return SL_OK;
}

static void device_free(struct sl_eager_custom_device *base) {
    struct sl_far_device *d = (struct sl_far_device *)base;
    sl_far_cluster_unref(d->cluster);
    sl_free(d);
}

static const struct sl_eager_custom_methods device_methods = {copy_in, execute, pack, pins, device_free};

/* One that is there already: its task may have been started anew. */
sl_code sl_far_device_add(struct sl_far_cluster *c, const struct sl_device *device, int task, struct sl_error *err) {
    struct sl_far_device *d = (struct sl_far_device *)sl_eager_find_custom(c->context, sl_str_of(device->name));
    if (d && d->base.is_far && !strcmp(d->base.name, device->name)) {
        d->incarnation = device->incarnation;
        d->task = task;
        return SL_OK;
    }
    d = sl_calloc(1, sizeof *d);
    if (!d) return sl_fail_memory(err, sizeof *d);
    *d = (struct sl_far_device){.base = {.methods = &device_methods, .is_far = true},
                                .cluster = c,
                                .task = task,
                                .incarnation = device->incarnation};
    atomic_fetch_add(&c->references, 1);
    sl_code code = sl_eager_add_custom(c->context, &d->base, sl_str_of(device->name), err);
    if (code != SL_OK) device_free(&d->base);
    return code;
}

/* ---- functions that are called here, and have parts at other tasks */

static sl_code read_args(struct sl_spread_arg *args, struct sl_far_cluster *c, const struct sl_eager_op *op,
                         struct sl_error *err) {
    for (int i = 0; i < op->n_inputs; i++) {
        struct sl_eager_handle *h = op->inputs[i];
        SL_TRY(sl_eager_handle_wait(h, err));
        const struct sl_far_value *v = sl_far_value_of(c, h);
        const int at = h->backing;
        args[i] = (struct sl_spread_arg){.dtype = h->dtype};
        if (v) {
            args[i].op = v->number.op;
            args[i].output = v->number.output;
            args[i].device = sl_str_of(v->base.device);
        } else {
            args[i].here = h;
            args[i].device = sl_str_of(c->context->runtime->devices.items[at < 0 ? 0 : at].name);
        }
    }
    return SL_OK;
}

static sl_code take_rets(struct sl_eager_handle **outputs, struct sl_far_cluster *c, struct sl_spread_ret *rets, int n,
                         int64_t id, const struct sl_signature *types, struct sl_arena *arena, struct sl_error *err) {
    sl_code code = SL_OK;
    int made = 0;
    for (; made < n && code == SL_OK; made += code == SL_OK) {
        struct sl_pb_TensorShapeProto shape;
        if (rets[made].here) {
            outputs[made] = sl_eager_handle_ref(rets[made].here);
            continue;
        }
        struct sl_eager_custom_device *at = sl_eager_find_custom(c->context, sl_str_of(rets[made].device));
        if (!at) code = sl_fail(err, SL_INTERNAL, "a result is on %s, which is not there", rets[made].device);
        if (code == SL_OK) code = sl_pb_decode(&shape, SL_PB_TYPE_OF(TensorShapeProto), rets[made].shape, arena, err);
        if (code == SL_OK)
            code = value_new(&outputs[made], (struct sl_far_device *)at, (struct sl_far_number){id, made},
                             sl_dtype_base(types->outputs[made]), &shape, err);
    }
    while (code != SL_OK && made--) sl_eager_handle_unref(outputs[made]);
    return code;
}

/* The device that it is called on: one of this task. */
static struct sl_str device_of_call(const struct sl_far_cluster *c, const struct sl_eager_op *op) {
    const struct sl_device_set *devices = &c->context->runtime->devices;
    struct sl_device_name asked;
    int at = *op->device && sl_device_parse(&asked, sl_str_of(op->device), NULL) == SL_OK
                 ? sl_device_first(devices, &asked)
                 : 0;
    return sl_str_of(devices->items[at < 0 ? 0 : at].name);
}

static sl_code call_spread(struct sl_eager_handle **outputs, int *n, struct sl_far_cluster *c, struct sl_spread *spread,
                           const struct sl_spread_arg *args, struct sl_eager_op *op, struct sl_arena *arena,
                           struct sl_error *err) {
    struct sl_pb_map_string_AttrValue attrs;
    struct sl_signature types;
    struct sl_spread_ret *rets;
    int n_rets;
    SL_TRY(types_of(&types, op, arena, err));
    if (types.n_outputs > *n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expecting %d outputs, but *num_retvals is %d", types.n_outputs, *n);
    SL_TRY(add_attrs(&attrs, op, arena, err));
    for (int t = 0; t < c->n_tasks; t++) /* components may call what the function calls */
        if (c->tasks[t].is_member) SL_TRY(sl_far_send_functions(c, t, &op->op->name, 1, arena, err));
    const struct sl_spread_request request = {.name = op->op->name,
                                              .device = device_of_call(c, op),
                                              .attrs = &attrs,
                                              .args = args,
                                              .n_args = (size_t)op->n_inputs,
                                              .op_id = sl_far_next_op(c),
                                              .cancellation =
                                                  op->cancellation ? op->cancellation : sl_cancellation_of_thread()};
    SL_TRY(sl_spread_call(&rets, &n_rets, spread, c->own, &request, err));
    sl_code code = n_rets == types.n_outputs
                       ? take_rets(outputs, c, rets, n_rets, request.op_id, &types, arena, err)
                       : sl_fail(err, SL_INTERNAL, "%d results came of %d", n_rets, types.n_outputs);
    for (int i = 0; i < n_rets; i++) sl_spread_ret_clear(&rets[i]);
    sl_free(rets);
    if (code == SL_OK) *n = n_rets;
    return code;
}

sl_code sl_far_call_function(bool *is_done, struct sl_eager_handle **outputs, int *n, struct sl_eager_cluster *self,
                             struct sl_eager_op *op, struct sl_error *err) {
    struct sl_far_cluster *c = (struct sl_far_cluster *)self;
    struct sl_spread *spread = sl_served_spread(c->own);
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_spread_arg *args = SL_ARENA_ARRAY(&arena, struct sl_spread_arg, (size_t)op->n_inputs + 1);
    sl_code code = args ? read_args(args, c, op, err) : sl_fail_memory(err, (size_t)op->n_inputs * sizeof *args);
    if (code == SL_OK) *is_done = sl_spread_is_needed(spread, c->own, op->op->name, args, (size_t)op->n_inputs);
    if (*is_done) code = call_spread(outputs, n, c, spread, args, op, &arena, err);
    sl_arena_clear(&arena);
    sl_spread_unref(spread);
    return code;
}
