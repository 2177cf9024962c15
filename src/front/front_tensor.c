/* Tensors out of arrays and back (sluice/tensors.h): types, shapes and counts are checked before a byte is copied. */
#include <string.h>

#include "front/front.h"
#include "sluice/tensors.h"

/* An empty tensor of the shape, whose elements the caller fills. */
static sl_code make(struct sl_tensor **out, int dtype, struct sl_dims dims, struct sl_error *err) {
    char text[SL_SHAPE_TEXT];
    struct sl_shape shape = {dims.dims ? dims.n : -1, dims.dims};
    if (!sl_dtype_is_valid(dtype) || (dtype != SL_STRING && !sl_dtype_is_plain(dtype)))
        return sl_fail(err, SL_INVALID_ARGUMENT, "sl_tensor_of: elements of type %s do not lie in arrays",
                       sl_dtype_name(dtype));
    if (!sl_shape_is_known(shape))
        return sl_fail(err, SL_INVALID_ARGUMENT, "sl_tensor_of: the shape must be known, and is %s",
                       sl_shape_text(text, shape));
    return sl_tensor_new(out, dtype, shape, err);
}

static sl_code fill_texts(struct sl_tensor *tensor, const char *const *texts, struct sl_error *err) {
    TF_TString *strings = tensor->data;
    for (int64_t i = 0; i < tensor->count && texts; i++)
        SL_TRY(sl_string_set(&strings[i], sl_str_of(texts[i] ? texts[i] : ""), err));
    return SL_OK;
}

static sl_code fill_strings(struct sl_tensor *tensor, const TF_StringView *views, struct sl_error *err) {
    TF_TString *strings = tensor->data;
    for (int64_t i = 0; i < tensor->count && views; i++)
        SL_TRY(sl_string_set(&strings[i], (struct sl_str){views[i].data, views[i].len}, err));
    return SL_OK;
}

static TF_Tensor *hand_out(sl_code code, struct sl_tensor *tensor, struct sl_error *err, TF_Status *status) {
    TF_Tensor *handle = NULL;
    if (code == SL_OK) code = sl_tensor_handle_try(&handle, tensor, err);
    else sl_tensor_unref(tensor);
    sl_status_take(status, code, err);
    return handle;
}

SL_API TF_Tensor *sl_tensor_of(TF_DataType type, struct sl_dims shape, const void *elements, TF_Status *status) {
    struct sl_error err;
    struct sl_tensor *tensor = NULL;
    sl_code code = make(&tensor, (int)type, shape, &err);
    if (code == SL_OK && type == TF_STRING) code = fill_texts(tensor, elements, &err);
    else if (code == SL_OK && tensor->bytes && elements) memcpy(tensor->data, elements, tensor->bytes);
    else if (code == SL_OK && tensor->bytes) memset(tensor->data, 0, tensor->bytes);
    return hand_out(code, tensor, &err, status);
}

SL_API TF_Tensor *sl_tensor_of_strings(struct sl_dims shape, const TF_StringView *strings, TF_Status *status) {
    struct sl_error err;
    struct sl_tensor *tensor = NULL;
    sl_code code = make(&tensor, SL_STRING, shape, &err);
    if (code == SL_OK) code = fill_strings(tensor, strings, &err);
    return hand_out(code, tensor, &err, status);
}

SL_API void sl_tensor_read(void *elements, const TF_Tensor *tensor, TF_DataType type, int64_t count,
                           TF_Status *status) {
    char text[SL_SHAPE_TEXT];
    const struct sl_tensor *t = tensor ? tensor->tensor : NULL;
    if (!t) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "sl_tensor_read: there is no tensor");
        return;
    }
    if (t->dtype != (int)type || t->count != count || (type != TF_STRING && !sl_dtype_is_plain(t->dtype))) {
        sl_status_fail(status, SL_INVALID_ARGUMENT,
                       "sl_tensor_read: the tensor is %s %s, and %lld elements of type %s were asked for",
                       sl_dtype_name(t->dtype), sl_shape_text(text, sl_tensor_shape(t)), (long long)count,
                       sl_dtype_name((int)type));
        return;
    }
    for (int64_t i = 0; i < count && type == TF_STRING; i++) {
        struct sl_str string = sl_string_get((const TF_TString *)t->data + i);
        ((TF_StringView *)elements)[i] = (TF_StringView){string.p, string.n};
    }
    if (type != TF_STRING && t->bytes) memcpy(elements, t->data, t->bytes);
    sl_status_set(status, SL_OK, "");
}
