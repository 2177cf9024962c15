/* TF_Buffer, and messages as buffers. What this library puts into a buffer comes from sl_malloc. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "proto/wire.h"

static void free_bytes(void *data, size_t length) {
    (void)length;
    sl_free(data);
}

void sl_buffer_own(TF_Buffer *buffer, struct sl_str bytes) { *buffer = (TF_Buffer){bytes.p, bytes.n, free_bytes}; }

sl_code sl_buffer_check_empty(const TF_Buffer *buffer, struct sl_error *err) {
    if (!buffer) return sl_fail(err, SL_INVALID_ARGUMENT, "A TF_Buffer is NULL");
    if (buffer->data) return sl_fail(err, SL_INVALID_ARGUMENT, "Passing non-empty TF_Buffer is invalid.");
    return SL_OK;
}

sl_code sl_buffer_encode(TF_Buffer *buffer, const struct sl_pb_message *type, const void *message,
                         struct sl_error *err) {
    struct sl_str bytes;
    SL_TRY(sl_buffer_check_empty(buffer, err));
    SL_TRY(sl_pb_encode(&bytes, type, message, 0, NULL, err));
    sl_buffer_own(buffer, bytes);
    return SL_OK;
}

sl_code sl_buffer_new_encoded(TF_Buffer **out, const struct sl_pb_message *type, const void *message,
                              struct sl_error *err) {
    TF_Buffer *buffer = TF_NewBuffer();
    if (!buffer) return sl_fail_memory(err, sizeof *buffer);
    sl_code code = sl_buffer_encode(buffer, type, message, err);
    if (code == SL_OK) *out = buffer;
    else TF_DeleteBuffer(buffer);
    return code;
}

TF_Buffer *TF_NewBufferFromString(const void *proto, size_t proto_len) {
    TF_Buffer *buffer = TF_NewBuffer();
    char *copy = sl_malloc(proto_len ? proto_len : 1);
    if (!buffer || !copy) {
        sl_free(buffer);
        sl_free(copy);
        return NULL;
    }
    if (proto_len) memcpy(copy, proto, proto_len);
    sl_buffer_own(buffer, (struct sl_str){copy, proto_len});
    return buffer;
}

TF_Buffer *TF_NewBuffer(void) { return sl_calloc(1, sizeof(TF_Buffer)); }

void TF_DeleteBuffer(TF_Buffer *buffer) {
    if (!buffer) return;
    if (buffer->data_deallocator && buffer->data) buffer->data_deallocator((void *)buffer->data, buffer->length);
    sl_free(buffer);
}

TF_Buffer TF_GetBuffer(TF_Buffer *buffer) { return buffer ? *buffer : (TF_Buffer){NULL, 0, NULL}; }
