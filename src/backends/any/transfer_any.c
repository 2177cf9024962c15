/* _Send and _Recv: the two ends of an edge between devices. The attr `_pair` is the pair's number within the
 * executable; the partition pass gives it, to the client's own transfers too. A dead value travels as such, and the
 * receiver is dead then. What comes from another memory is copied by the receiver; what
 * goes to another process comes to the host first (kernel/ports.h). */
#include "backends/any/any_kernels.h"

#include "backends/any/list_message.h"
#include "base/alloc.h"
#include "device/transfer.h"
#include "kernel/rendezvous.h"

struct transfer {
    struct sl_rendezvous_pair pair;
    char text[];
};

static sl_code read_pair(struct sl_rendezvous_pair *pair, const struct sl_kernel_setup *setup) {
    if (!sl_attr_find(setup->attrs, SL_STR("_pair")))
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "%.*s: no partition of the graph made this transfer",
                       SL_STR_ARG(setup->name));
    return sl_rendezvous_pair_read(pair, setup->attrs, setup->err);
}

static struct sl_str append(char **to, struct sl_str s) {
    char *at = *to;
    memcpy(at, s.p, s.n);
    *to += s.n;
    return (struct sl_str){at, s.n};
}

static sl_code transfer_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_rendezvous_pair pair;
    SL_TRY(read_pair(&pair, setup));
    size_t bytes = pair.send_device.n + pair.recv_device.n + pair.tensor_name.n;
    struct transfer *t = sl_malloc(sizeof *t + bytes);
    if (!t) return sl_fail_memory(setup->err, bytes);
    char *at = t->text;
    t->pair = pair;
    t->pair.send_device = append(&at, pair.send_device);
    t->pair.recv_device = append(&at, pair.recv_device);
    t->pair.tensor_name = append(&at, pair.tensor_name);
    *state = t;
    return SL_OK;
}

static void transfer_destroy(void *state) { sl_free(state); }

static struct sl_rendezvous_key key_of(const struct sl_kernel_context *k) {
    const struct transfer *t = k->state;
    return (struct sl_rendezvous_key){&t->pair, k->frame, k->iteration};
}

static sl_code no_rendezvous(struct sl_kernel_context *k) {
    return sl_fail(k->err, SL_INTERNAL, "%.*s runs in a step without rendezvous", SL_STR_ARG(k->node->name));
}

static sl_code send_run(struct sl_kernel_context *k) {
    struct sl_rendezvous_key key = key_of(k);
    struct sl_rendezvous *rendezvous = k->env->rendezvous;
    if (!rendezvous) return no_rendezvous(k);
    struct sl_value value = {.kind = SL_VALUE_DEAD};
    if (!k->is_dead) value = k->may_take & 1 ? sl_value_move(sl_in_value(k, 0)) : sl_value_share(sl_in_value(k, 0));
    return rendezvous->put(rendezvous, &key, &value, k->err);
}

struct arrival {
    struct sl_waiter waiter;
    struct sl_kernel_context *k;
};

static void arrived(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct arrival *a = (struct arrival *)waiter;
    struct sl_kernel_context *k = a->k;
    struct sl_value value = waiter->value;
    sl_free(a);
    if (code != SL_OK) {
        sl_kernel_done(k, sl_fail(k->err, code, "%s", err->message));
        return;
    }
    if (k->is_dead) sl_value_clear(&value); /* whatever came */
    code = sl_list_arrive(&value, k->err);
    if (code != SL_OK) {
        sl_value_clear(&value);
        sl_kernel_done(k, code);
        return;
    }
    if (value.kind == SL_VALUE_NONE) value.kind = SL_VALUE_DEAD;
    sl_kernel_give(k, value);
}

static void recv_start(struct sl_kernel_context *k) {
    struct sl_rendezvous *rendezvous = k->env->rendezvous;
    struct arrival *a = rendezvous ? sl_malloc(sizeof *a) : NULL;
    if (!a) {
        sl_kernel_done(k, rendezvous ? sl_fail_memory(k->err, sizeof *a) : no_rendezvous(k));
        return;
    }
    a->k = k;
    a->waiter = (struct sl_waiter){.key = key_of(k), .done = arrived};
    rendezvous->take(rendezvous, &a->waiter);
}

enum { SEND_FLAGS = SL_KERNEL_CHEAP | SL_KERNEL_DEAD, RECV_FLAGS = SEND_FLAGS | SL_KERNEL_ASYNC };
#define SEND .create = transfer_create, .destroy = transfer_destroy, .run = send_run
#define RECV .create = transfer_create, .destroy = transfer_destroy, .start = recv_start

/* ---- copies within a part, which the copy pass makes; see passes/copies.h */

static sl_code copy_run(struct sl_kernel_context *k) {
    sl_out_forward(k, 0, 0);
    return sl_out_settle(k, 0);
}

static void copy_start(struct sl_kernel_context *k) {
    sl_out_forward(k, 0, 0);
    sl_kernel_give(k, sl_value_move(sl_out_value(k, 0)));
}

enum { COPY_FLAGS = SL_KERNEL_CHEAP | SL_KERNEL_MOVES };
#define COPY .run = copy_run, .start = copy_start, .flags = COPY_FLAGS | SL_KERNEL_BLOCKS

/* clang-format off */
const struct sl_kernel_def sl_any_transfer_rows[] = {
    KERNEL("_Send", NO_RULE, SEND, .flags = SEND_FLAGS | SL_KERNEL_MOVES)
    KERNEL("_Recv", NO_RULE, RECV, .flags = RECV_FLAGS | SL_KERNEL_MOVES)
    KERNEL("_HostSend", NO_RULE, SEND, .flags = SEND_FLAGS)
    KERNEL("_HostRecv", NO_RULE, RECV, .flags = RECV_FLAGS)
    KERNEL("_CopyToHost", NO_RULE, COPY, .host = "output")
    KERNEL("_CopyToDevice", NO_RULE, .run = copy_run, .flags = COPY_FLAGS, .host = "input, !output")
    SL_ROWS_END
};
/* clang-format on */
