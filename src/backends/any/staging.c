/* Staging areas in common. Called by stage_any.c and map_stage_any.c. */
#include "backends/any/staging.h"

#include <inttypes.h>

#include "base/alloc.h"

sl_code sl_staging_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_staging_state *s = sl_calloc(1, sizeof *s);
    const int32_t *types;
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = sl_attr_int(&s->capacity, setup->attrs, "capacity", setup->err);
    if (code == SL_OK) code = sl_attr_int(&s->memory_limit, setup->attrs, "memory_limit", setup->err);
    if (code == SL_OK) code = sl_attr_type_list(&types, &s->n_types, setup->attrs, "dtypes", setup->err);
    if (code == SL_OK) code = sl_session_maker_init(&s->maker, setup, SL_NAMED_BY_NODE);
    s->is_ordered = sl_str_starts(setup->op->name, SL_STR("Ordered"));
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

void sl_staging_destroy(void *state) {
    struct sl_staging_state *s = state;
    sl_session_maker_clear(&s->maker);
    sl_free(s);
}

void sl_staging_init(struct sl_staging *s, const struct sl_object_type *type, const struct sl_staging_state *state) {
    sl_object_init(&s->base.object, type);
    sl_lines_init(&s->lines, true);
    s->capacity = state->capacity;
    s->memory_limit = state->memory_limit;
}

void sl_staging_clear(struct sl_staging *s) {
    sl_lines_clear(&s->lines);
    sl_session_object_clear(&s->base);
}

sl_code sl_staging_check(struct sl_kernel_context *k, const struct sl_staging *s, int64_t bytes) {
    if (s->memory_limit <= 0 || bytes <= s->memory_limit) return SL_OK;
    return sl_fail(k->err, SL_RESOURCE_EXHAUSTED,
                   "Attempted to insert tensors with combined size of '%" PRId64
                   "' bytes into Staging Area with a memory limit of '%" PRId64 "'.",
                   bytes, s->memory_limit);
}

bool sl_staging_has_room(const struct sl_staging *s, int64_t n, int64_t bytes) {
    return (s->capacity <= 0 || n < s->capacity) && (s->memory_limit <= 0 || s->bytes + bytes <= s->memory_limit);
}

sl_code sl_staging_give(struct sl_kernel_context *k, int o, struct sl_value value) {
    if (value.dtype == sl_out_type(k, o)) {
        *sl_out_value(k, o) = value;
        return sl_out_settle(k, o);
    }
    sl_code code = sl_invalid(k, "Output %d is of type %s but %s was staged", o, sl_dtype_name(sl_out_type(k, o)),
                              sl_dtype_name(value.dtype));
    sl_value_clear(&value);
    return code;
}
