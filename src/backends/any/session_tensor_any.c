/* Tensors that a session keeps between runs under a handle: a string "NODE;NUMBER;DEVICE" that the client carries
 * from one to the other. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/resources.h"

struct kept {
    struct sl_object object;
    struct sl_value value;
};

static void kept_free(struct sl_object *object) {
    sl_value_clear(&((struct kept *)object)->value);
    sl_free(object);
}

static const struct sl_object_type kept_type = {.name = "tensorflow::SessionState", .free = kept_free};

#define CONTAINER SL_STR("_session_tensors")

static sl_code keep(struct sl_kernel_context *k, struct sl_str handle) {
    struct kept *kept = sl_calloc(1, sizeof *kept);
    if (!kept) return sl_fail_memory(k->err, sizeof *kept);
    sl_object_init(&kept->object, &kept_type);
    kept->value = sl_value_share(sl_in_value(k, 0));
    return sl_resources_add(k->env->session_resources, CONTAINER, handle, &kept->object, k->err);
}

static sl_code keep_run(struct sl_kernel_context *k) {
    enum { NUMBER = 24 };
    const char *device = k->env->device ? k->env->device : "";
    struct sl_view out;
    size_t room = k->node->name.n + strlen(device) + NUMBER;
    char *text = sl_malloc(room);
    if (!text) return sl_fail_memory(k->err, room);
    snprintf(text, room, "%.*s;%" PRIu64 ";%s", SL_STR_ARG(k->node->name),
             sl_resources_number(k->env->session_resources), device);
    sl_code code = sl_out_new(&out, k, 0, SL_SHAPE_SCALAR);
    if (code == SL_OK) code = sl_string_set(out.data, sl_str_of(text), k->err);
    if (code == SL_OK) code = keep(k, sl_str_of(text));
    sl_free(text);
    return code;
}

static sl_code read_handle(struct sl_str *out, struct sl_kernel_context *k) {
    struct sl_view v = sl_in(k, 0);
    if (v.dtype != SL_STRING || v.count != 1) return sl_invalid(k, "The handle of a session tensor must be a string");
    *out = sl_string_get(v.data);
    return SL_OK;
}

static sl_code not_there(struct sl_kernel_context *k, struct sl_str handle) {
    return sl_invalid(k, "The tensor with handle '%.*s' is not in the session store.", SL_STR_ARG(handle));
}

static sl_code get_run(struct sl_kernel_context *k) {
    struct sl_str handle;
    struct sl_object *found;
    SL_TRY(read_handle(&handle, k));
    if (sl_resources_find(&found, k->env->session_resources, CONTAINER, &kept_type, handle, NULL) != SL_OK)
        return not_there(k, handle);
    const struct sl_value *value = &((struct kept *)found)->value;
    sl_code code = SL_OK;
    if (value->dtype == sl_out_type(k, 0)) {
        *sl_out_value(k, 0) = sl_value_share(value);
        code = sl_out_settle(k, 0);
    } else {
        code = sl_invalid(k, "The tensor with handle '%.*s' is of type %s, not %s", SL_STR_ARG(handle),
                          sl_dtype_name(value->dtype), sl_dtype_name(sl_out_type(k, 0)));
    }
    sl_object_unref(found);
    return code;
}

static sl_code delete_run(struct sl_kernel_context *k) {
    struct sl_str handle;
    SL_TRY(read_handle(&handle, k));
    if (sl_resources_remove(k->env->session_resources, CONTAINER, &kept_type, handle, NULL) != SL_OK)
        return not_there(k, handle);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_any_session_tensor_rows[] = {
    KERNEL("GetSessionHandle", NO_RULE, .run = keep_run, .flags = SL_KERNEL_MOVES)
    KERNEL("GetSessionTensor", NO_RULE, .run = get_run, .flags = SL_KERNEL_MOVES)
    KERNEL("DeleteSessionTensor", NO_RULE, .run = delete_run)
    SL_ROWS_END
};
/* clang-format on */
