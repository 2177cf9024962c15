/* Callables: what RunStep would be told each time, kept under a number. */
#include <inttypes.h>

#include "base/alloc.h"
#include "dist/master_state.h"

void sl_master_callable_unref(struct sl_master_callable *c) {
    if (!c || atomic_fetch_sub(&c->references, 1) != 1) return;
    sl_arena_clear(&c->arena);
    sl_free(c);
}

sl_code sl_master_find_callable(struct sl_master_callable **out, struct sl_master_session *s, int64_t handle,
                                struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    struct sl_master_callable *c = s->callables;
    while (c && c->handle != handle) c = c->next;
    if (c) atomic_fetch_add(&c->references, 1);
    sl_mutex_unlock(&s->mutex);
    *out = c;
    return c ? SL_OK
             : sl_fail(err, SL_INVALID_ARGUMENT, "Attempted to run callable after handle was released: %" PRId64,
                       handle);
}

static sl_code read_options(struct sl_master_callable *c, const struct sl_pb_MakeCallableRequest *request,
                            struct sl_error *err) {
    static const struct sl_pb_CallableOptions none;
    struct sl_str bytes;
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE_OF(CallableOptions), request->options ? request->options : &none, 0,
                        &c->arena, err));
    c->options = SL_ARENA_NEW(&c->arena, struct sl_pb_CallableOptions);
    if (!c->options) return sl_fail_memory(err, sizeof *c->options);
    return sl_pb_decode(c->options, SL_PB_TYPE_OF(CallableOptions), bytes, &c->arena, err);
}

static sl_code make(int64_t *handle, struct sl_master *master, const struct sl_pb_MakeCallableRequest *request,
                    struct sl_error *err) {
    struct sl_master_session *s;
    SL_TRY(sl_seen_ids_add(&master->seen, (uint64_t)request->request_id, "MakeCallable", err));
    SL_TRY(sl_master_find(&s, master, request->session_handle, err));
    struct sl_master_callable *c = sl_calloc(1, sizeof *c);
    sl_code code = c ? SL_OK : sl_fail_memory(err, sizeof *c);
    if (code == SL_OK) {
        sl_arena_init(&c->arena);
        atomic_store(&c->references, 1);
        code = read_options(c, request, err);
    }
    if (code == SL_OK) {
        sl_mutex_lock(&s->mutex);
        *handle = c->handle = s->n_callables++;
        c->next = s->callables;
        s->callables = c;
        sl_mutex_unlock(&s->mutex);
    } else {
        sl_master_callable_unref(c);
    }
    sl_master_session_unref(s);
    return code;
}

void sl_master_make_callable(void *master, struct sl_rpc_call *call) {
    struct sl_pb_MakeCallableRequest request;
    struct sl_pb_MakeCallableResponse answer = {.unknown = NULL};
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(MakeCallableRequest), call, &arena)) {
        sl_code code = make(&answer.handle, master, &request, &err);
        if (code == SL_OK) sl_service_answer(call, SL_PB_TYPE_OF(MakeCallableResponse), &answer);
        else sl_rpc_call_fail(call, code, err.message);
    }
    sl_arena_clear(&arena);
}

static sl_code forget(struct sl_master *master, const struct sl_pb_ReleaseCallableRequest *request,
                      struct sl_error *err) {
    struct sl_master_session *s;
    SL_TRY(sl_master_find(&s, master, request->session_handle, err));
    sl_mutex_lock(&s->mutex);
    struct sl_master_callable **at = &s->callables;
    while (*at && (*at)->handle != request->handle) at = &(*at)->next;
    struct sl_master_callable *c = *at;
    if (c) *at = c->next;
    sl_mutex_unlock(&s->mutex);
    sl_master_callable_unref(c);
    sl_master_session_unref(s);
    return SL_OK;
}

void sl_master_release_callable(void *master, struct sl_rpc_call *call) {
    struct sl_pb_ReleaseCallableRequest request;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(ReleaseCallableRequest), call, &arena))
        sl_service_close(call, forget(master, &request, &err), &err);
    sl_arena_clear(&arena);
}
