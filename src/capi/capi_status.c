/* TF_Status: code, message, payloads; and how errors of the library become one. The TSL_ names are the same
 * functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error_place.h"
#include "capi/handles.h"
#include "capi/status_place.h"
#include "os/file.h"

static char *copy_text(const char *text) {
    size_t n = strlen(text) + 1;
    char *copy = sl_malloc(n);
    if (copy) memcpy(copy, text, n);
    return copy;
}

static void drop_payloads(TF_Status *status) {
    for (size_t i = 0; i < status->payloads.n; i++) {
        sl_free(status->payloads.items[i].key);
        sl_free(status->payloads.items[i].value);
    }
    sl_vec_free(&status->payloads);
}

void sl_status_set(TF_Status *status, sl_code code, const char *message) {
    if (!status || (code == SL_OK && status->code == SL_OK && !status->message && !status->payloads.n)) return;
    char *copy = code != SL_OK && message && *message ? copy_text(message) : NULL; /* `message` may be our own */
    sl_free(status->message);
    status->message = copy;
    status->code = code;
    drop_payloads(status);
}

void sl_status_fail(TF_Status *status, sl_code code, const char *format, ...) {
    struct sl_error err;
    va_list args;
    va_start(args, format);
    sl_fail_v(&err, code, format, args);
    va_end(args);
    sl_status_set(status, code, err.message);
}

bool sl_status_take_slowly(TF_Status *status, sl_code code, const struct sl_error *err) {
    sl_status_set(status, code, code == SL_OK ? NULL : err->message);
    if (code != SL_OK && *sl_error_place(err)) TF_SetPayload(status, SL_PLACE_PAYLOAD, sl_error_place(err));
    return code == SL_OK;
}

const char *sl_status_place(const TF_Status *status) {
    for (size_t i = 0; status && i < status->payloads.n; i++)
        if (!strcmp(status->payloads.items[i].key, SL_PLACE_PAYLOAD)) return status->payloads.items[i].value;
    return "";
}

sl_code sl_status_give(const TF_Status *status, struct sl_error *err) {
    if (!status || status->code == SL_OK) return SL_OK;
    sl_fail(err, status->code, "%s", TF_Message(status));
    sl_error_add_place(err, "%s", sl_status_place(status));
    return status->code;
}

TF_Status *TF_NewStatus(void) { return sl_calloc(1, sizeof(TF_Status)); }

void TF_DeleteStatus(TF_Status *status) {
    if (!status) return;
    drop_payloads(status);
    sl_free(status->message);
    sl_free(status);
}

void TF_SetStatus(TF_Status *status, TF_Code code, const char *message) {
    sl_status_set(status, (sl_code)code, message);
}

void TF_SetPayload(TF_Status *status, const char *key, const char *value) {
    if (!status || status->code == SL_OK || !key || !value) return;
    char *copy = copy_text(value);
    if (!copy) return;
    for (size_t i = 0; i < status->payloads.n; i++) {
        struct sl_payload *payload = &status->payloads.items[i];
        if (strcmp(payload->key, key) == 0) {
            sl_free(payload->value);
            payload->value = copy;
            return;
        }
    }
    struct sl_payload payload = {copy_text(key), copy};
    if (payload.key && sl_vec_push(&status->payloads, payload) == 0) return;
    sl_free(payload.key);
    sl_free(copy);
}

void TF_ForEachPayload(const TF_Status *status, TF_PayloadVisitor visitor, void *capture) {
    for (size_t i = 0; status && i < status->payloads.n; i++)
        visitor(status->payloads.items[i].key, status->payloads.items[i].value, capture);
}

void TF_SetStatusFromIOError(TF_Status *status, int error_code, const char *context) {
    if (error_code == 0) {
        sl_status_set(status, SL_OK, NULL);
        return;
    }
    struct sl_error err;
    sl_fail_errno(&err, context ? context : "", error_code);
    sl_status_set(status, err.code, err.message);
}

TF_Code TF_GetCode(const TF_Status *status) { return status ? (TF_Code)status->code : TF_OK; }

const char *TF_Message(const TF_Status *status) { return status && status->message ? status->message : ""; }

TSL_Status *TSL_NewStatus(void) { return TF_NewStatus(); }
void TSL_DeleteStatus(TSL_Status *status) { TF_DeleteStatus(status); }
void TSL_SetStatus(TSL_Status *status, TSL_Code code, const char *message) { TF_SetStatus(status, code, message); }
void TSL_SetPayload(TSL_Status *status, const char *key, const char *value) { TF_SetPayload(status, key, value); }
void TSL_ForEachPayload(const TSL_Status *status, TSL_PayloadVisitor visitor, void *capture) {
    TF_ForEachPayload(status, visitor, capture);
}
void TSL_SetStatusFromIOError(TSL_Status *status, int error_code, const char *context) {
    TF_SetStatusFromIOError(status, error_code, context);
}
TSL_Code TSL_GetCode(const TSL_Status *status) { return TF_GetCode(status); }
const char *TSL_Message(const TSL_Status *status) { return TF_Message(status); }
