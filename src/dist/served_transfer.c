/* Ops _Send and _Recv of contexts: one value from a task to another, by TensorFlow's key. A task that sends puts the value
 * into its context's exchange, and whoever receives asks for it (RecvTensor with the context's id as step id). */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "dist/served_context.h"
#include "dist/tensor_wire.h"
#include "dist/waited_call.h"
#include "dist/worker_state.h"
#include "kernel/rendezvous.h"

static struct sl_str text_attr(const struct sl_pb_eager_Operation *op, struct sl_str name) {
    const struct sl_pb_AttrValue *v = sl_pb_find_string_AttrValue(&op->attrs, name);
    return v && v->which == SL_PB_AttrValue_s ? v->s : SL_STR("");
}

/* What stands in the key of the pair, in `arena`. */
static sl_code read_key(struct sl_str *out, struct sl_rendezvous_pair *pair, const struct sl_pb_eager_Operation *op,
                        struct sl_arena *arena, struct sl_error *err) {
    const struct sl_pb_AttrValue *incarnation =
        sl_pb_find_string_AttrValue(&op->attrs, SL_STR("send_device_incarnation"));
    *pair = (struct sl_rendezvous_pair){.send_device = text_attr(op, SL_STR("send_device")),
                                        .recv_device = text_attr(op, SL_STR("recv_device")),
                                        .tensor_name = text_attr(op, SL_STR("tensor_name"))};
    if (incarnation && incarnation->which == SL_PB_AttrValue_i) pair->incarnation = (uint64_t)incarnation->i;
    if (!pair->send_device.n || !pair->recv_device.n || !pair->tensor_name.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s lacks one of send_device, recv_device, tensor_name",
                       SL_STR_ARG(op->name));
    const struct sl_rendezvous_key key = {.pair = pair};
    const int n = sl_rendezvous_key_print(NULL, 0, &key);
    char *text = sl_arena_alloc(arena, (size_t)n + 1);
    if (!text) return sl_fail_memory(err, (size_t)n);
    (void)sl_rendezvous_key_print(text, (size_t)n + 1, &key);
    *out = (struct sl_str){text, (size_t)n};
    return SL_OK;
}

static sl_code send_value(struct sl_served_context *c, struct sl_str key, struct sl_eager_handle *h,
                          struct sl_error *err) {
    struct sl_tensor *t;
    SL_TRY(sl_eager_handle_tensor(&t, h, err));
    struct sl_value value = sl_value_of_tensor(t);
    return sl_step_rendezvous_put(c->exchange, key, &value, err);
}

sl_code sl_served_send(struct sl_served_context *c, const struct sl_pb_eager_Operation *op, struct sl_rpc_body *body,
                       struct sl_error *err) {
    struct sl_rendezvous_pair pair;
    struct sl_eager_handle *h;
    struct sl_arena arena;
    struct sl_str key;
    if (op->op_inputs.n != 1) return sl_fail(err, SL_INVALID_ARGUMENT, "expected 1 inputs, got %zu", op->op_inputs.n);
    SL_TRY(sl_served_input(&h, c, &op->op_inputs.items[0], body, err));
    sl_arena_init(&arena);
    sl_code code = read_key(&key, &pair, op, &arena, err);
    if (code == SL_OK) code = send_value(c, key, h, err);
    sl_arena_clear(&arena);
    sl_eager_handle_unref(h);
    return code;
}

/* ---- receiving */

struct local_wait {
    struct sl_waiter waiter;
    struct sl_mutex mutex;
    struct sl_condition came;
    bool has_ended;
    sl_code code;
    struct sl_error err;
};

static void came(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct local_wait *w = (struct local_wait *)waiter;
    sl_mutex_lock(&w->mutex);
    w->has_ended = true;
    w->code = code;
    if (code != SL_OK) w->err = *err;
    sl_condition_signal(&w->came);
    sl_mutex_unlock(&w->mutex);
}

struct local_end {
    struct sl_step_rendezvous *exchange;
    struct local_wait *wait;
};

static void withdraw(void *arg) {
    static const struct sl_error cancelled = {.code = SL_CANCELLED, .message = "_Recv was cancelled"};
    const struct local_end *end = arg;
    if (sl_step_rendezvous_withdraw(end->exchange, &end->wait->waiter))
        came(&end->wait->waiter, SL_CANCELLED, &cancelled);
}

/* The sender is this task: another device of it, or just that. */
static sl_code receive_here(struct sl_value *out, struct sl_served_context *c, struct sl_str key,
                            struct sl_cancellation *cancellation, struct sl_error *err) {
    struct local_wait w = {.waiter = {.done = came}};
    struct local_end end = {c->exchange, &w};
    struct sl_cancellation_callback callback = {.fn = withdraw, .arg = &end};
    sl_mutex_init(&w.mutex);
    sl_condition_init(&w.came);
    sl_step_rendezvous_take(c->exchange, key, &w.waiter);
    const bool follows = sl_cancellation_register(cancellation, &callback);
    if (!follows) withdraw(&end);
    sl_mutex_lock(&w.mutex);
    while (!w.has_ended) sl_condition_wait(&w.came, &w.mutex);
    sl_mutex_unlock(&w.mutex);
    if (follows) sl_cancellation_unregister(cancellation, &callback);
    sl_condition_clear(&w.came);
    sl_mutex_clear(&w.mutex);
    if (w.code == SL_OK) *out = sl_value_move(&w.waiter.value);
    else if (err) *err = w.err;
    return w.code;
}

static sl_code read_answer(struct sl_value *out, struct sl_rpc_body *body, struct sl_error *err) {
    struct sl_pb_RecvTensorResponse answer;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&answer, SL_PB_TYPE_OF(RecvTensorResponse), body->bytes, &arena, err);
    if (code == SL_OK && answer.is_dead) code = sl_fail(err, SL_INVALID_ARGUMENT, "a dead value was received");
    if (code == SL_OK) code = sl_wire_read_value(out, answer.tensor, body, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code receive_from(struct sl_value *out, struct sl_served_context *c, struct sl_cluster *cluster, int task,
                            struct sl_str key, struct sl_cancellation *cancellation, struct sl_error *err) {
    struct sl_rpc_channel *channel;
    struct sl_rpc_body *body;
    struct sl_rpc_message m = {.n = 0};
    SL_TRY(sl_cluster_channel(&channel, cluster, task, err));
    sl_code code = sl_wire_add_number(&m, 1, c->id, err);
    if (code == SL_OK) code = sl_wire_add_text(&m, 2, key, err);
    if (code == SL_OK) code = sl_wire_add_number(&m, 7, sl_id_source_next(&c->worker->ids), err);
    if (code != SL_OK) {
        sl_rpc_message_clear(&m);
        return code;
    }
    struct sl_cancellation *before = sl_cancellation_of_thread_set(cancellation);
    code = sl_waited_task_call(&body, channel, cluster, task, "/tensorflow.WorkerService/RecvTensor", &m, err);
    sl_cancellation_of_thread_set(before);
    if (code != SL_OK) return code;
    code = read_answer(out, body, err);
    sl_rpc_body_unref(body);
    return code;
}

static sl_code receive_in(struct sl_value *out, struct sl_served_context *c, struct sl_cluster *cluster,
                          const struct sl_rendezvous_pair *pair, struct sl_str key,
                          struct sl_cancellation *cancellation, struct sl_error *err) {
    const int task = sl_cluster_find(cluster, pair->send_device);
    if (task < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s is of no task of the cluster", SL_STR_ARG(pair->send_device));
    return task == cluster->own ? receive_here(out, c, key, cancellation, err)
                                : receive_from(out, c, cluster, task, key, cancellation, err);
}

static sl_code receive_value(struct sl_value *out, struct sl_served_context *c, const struct sl_rendezvous_pair *pair,
                             struct sl_str key, struct sl_cancellation *cancellation, struct sl_error *err) {
    struct sl_worker_session *session = sl_served_session(c);
    sl_code code = receive_in(out, c, sl_worker_session_cluster(session), pair, key, cancellation, err);
    sl_worker_session_unref(session);
    return code;
}

static sl_code receive(struct sl_value *out, struct sl_served_context *c, const struct sl_pb_eager_Operation *op,
                       struct sl_cancellation *cancellation, struct sl_error *err) {
    const struct sl_pb_AttrValue *type = sl_pb_find_string_AttrValue(&op->attrs, SL_STR("tensor_type"));
    struct sl_rendezvous_pair pair;
    struct sl_arena arena;
    struct sl_str key;
    sl_arena_init(&arena);
    sl_code code = read_key(&key, &pair, op, &arena, err);
    if (code == SL_OK) code = receive_value(out, c, &pair, key, cancellation, err);
    if (code == SL_OK && type && type->which == SL_PB_AttrValue_type && type->type != out->dtype) {
        code = sl_fail(err, SL_INVALID_ARGUMENT, "_Recv of type %s got %s", sl_dtype_name(type->type),
                       sl_dtype_name(out->dtype));
        sl_value_clear(out);
    }
    sl_arena_clear(&arena);
    return code;
}

sl_code sl_served_receive(struct sl_eager_handle **out, struct sl_served_context *c,
                          const struct sl_pb_eager_Operation *op, struct sl_cancellation *cancellation,
                          struct sl_error *err) {
    struct sl_value value;
    SL_TRY(receive(&value, c, op, cancellation, err));
    return sl_served_place(out, c, value, op->device, err);
}
