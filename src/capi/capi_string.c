/* The exported twins of the inline TF_TString functions, and the strings of older headers: a varint length, then the
 * bytes. */
#include "tensorflow/c/tf_tstring.h"

#include <string.h>

#include "capi/handles.h"
#include "ckpt/coding.h"

void TF_StringInit(TF_TString *string) { TF_TString_Init(string); }
void TF_StringCopy(TF_TString *dst, const char *src, size_t size) { TF_TString_Copy(dst, src, size); }
void TF_StringAssignView(TF_TString *dst, const char *src, size_t size) { TF_TString_AssignView(dst, src, size); }
const char *TF_StringGetDataPointer(const TF_TString *string) { return TF_TString_GetDataPointer(string); }
TF_TString_Type TF_StringGetType(const TF_TString *string) { return TF_TString_GetType(string); }
size_t TF_StringGetSize(const TF_TString *string) { return TF_TString_GetSize(string); }
size_t TF_StringGetCapacity(const TF_TString *string) { return TF_TString_GetCapacity(string); }
void TF_StringDealloc(TF_TString *string) { TF_TString_Dealloc(string); }

size_t TF_StringEncodedSize(size_t len) {
    char room[SL_VARINT_MAX];
    return sl_put_varint(room, len) + len;
}

size_t TF_StringEncode(const char *src, size_t src_len, char *dst, size_t dst_len, TF_Status *status) {
    char length[SL_VARINT_MAX];
    size_t n = sl_put_varint(length, src_len);
    if (dst_len < n || dst_len - n < src_len) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "dst_len (%zu) is too small to encode a string of %zu bytes",
                       dst_len, src_len);
        return 0;
    }
    memcpy(dst, length, n);
    if (src_len) memcpy(dst + n, src, src_len);
    sl_status_set(status, SL_OK, NULL);
    return n + src_len;
}

size_t TF_StringDecode(const char *src, size_t src_len, const char **dst, size_t *dst_len, TF_Status *status) {
    const char *at = src;
    uint64_t n;
    if (!sl_get_varint(&n, &at, src + src_len) || n > src_len - (size_t)(at - src)) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "invalid string encoding or truncated src buffer");
        return 0;
    }
    *dst = at;
    *dst_len = (size_t)n;
    sl_status_set(status, SL_OK, NULL);
    return (size_t)(at - src) + (size_t)n;
}
