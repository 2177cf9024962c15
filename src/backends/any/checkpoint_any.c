/* Saving and restoring: what the inputs mean. The files are ckpt's business. */
#include "backends/any/any_kernels.h"

#include "backends/any/path_input.h"
#include "base/alloc.h"
#include "ckpt/checkpoint.h"
#include "ckpt/checkpoint_v1.h"

static struct sl_str name_at(struct sl_view names, int64_t i) {
    return sl_string_get((const TF_TString *)names.data + i);
}

/* The slice that text `spec` asks for; "" asks for all, and `*slice` is NULL then. */
struct wanted_slice {
    bool is_part;
    struct sl_shape full;
    int64_t dims[SL_MAX_RANK];
    struct sl_tensor_slice slice;
};

static sl_code parse_wanted(struct wanted_slice *out, struct sl_str spec, struct sl_error *err) {
    out->is_part = spec.n > 0;
    return out->is_part ? sl_shape_and_slice_parse(&out->full, out->dims, &out->slice, spec, err) : SL_OK;
}

/* ---- saving */

/* What to save: input `first + i` under name i. `slices` has no elements when everything is whole. */
struct to_save {
    struct sl_view names, slices;
    int first;
    int64_t n;
};

static sl_code read_to_save(struct to_save *s, struct sl_kernel_context *k, bool has_slices) {
    s->first = has_slices ? 3 : 2;
    s->n = sl_in_count(k) - s->first;
    s->slices = (struct sl_view){0};
    SL_TRY(sl_in_string_vector(&s->names, k, 1, "tensor_names", s->n));
    if (has_slices) SL_TRY(sl_in_string_vector(&s->slices, k, 2, "shape_and_slices", s->n));
    return SL_OK;
}

/* Tensor i, with a reference, and what of a whole it is. */
static sl_code take_to_save(struct sl_tensor **t, struct wanted_slice *part, const struct to_save *s,
                            struct sl_kernel_context *k, int64_t i) {
    part->is_part = false;
    if (s->slices.count) SL_TRY(parse_wanted(part, name_at(s->slices, i), k->err));
    return sl_in_tensor(t, k, s->first + (int)i);
}

static sl_code save_bundle(struct sl_bundle_writer *w, struct sl_kernel_context *k, const struct to_save *s) {
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < s->n; i++) {
        struct sl_tensor *t;
        struct wanted_slice part;
        SL_TRY(take_to_save(&t, &part, s, k, i));
        struct sl_str name = name_at(s->names, i);
        code = part.is_part ? sl_bundle_writer_add_slice(w, name, part.full, &part.slice, t, k->err)
                            : sl_bundle_writer_add(w, name, t, k->err);
        sl_tensor_unref(t);
    }
    return code;
}

static sl_code save_v2_run(struct sl_kernel_context *k) {
    struct to_save s;
    struct sl_arena arena;
    struct sl_bundle_writer *w;
    char *prefix;
    SL_TRY(read_to_save(&s, k, true));
    sl_arena_init(&arena);
    sl_code code = sl_in_path(&prefix, k, 0, "prefix", &arena);
    struct sl_bundle_writer_options options = {.pool = k->env->pool};
    if (code == SL_OK) code = sl_bundle_writer_open(&w, prefix, &options, k->err);
    sl_arena_clear(&arena);
    if (code != SL_OK) return code;
    code = save_bundle(w, k, &s);
    if (code == SL_OK) return sl_bundle_writer_finish(w, k->err);
    sl_bundle_writer_abandon(w);
    return code;
}

static sl_code save_v1(struct sl_v1_writer *w, struct sl_kernel_context *k, const struct to_save *s) {
    sl_code code = SL_OK;
    for (int64_t i = 0; code == SL_OK && i < s->n; i++) {
        struct sl_tensor *t;
        struct wanted_slice part;
        SL_TRY(take_to_save(&t, &part, s, k, i));
        code = sl_v1_writer_add(w, name_at(s->names, i), part.is_part ? part.full : sl_tensor_shape(t),
                                part.is_part ? &part.slice : NULL, t, k->err);
        sl_tensor_unref(t);
    }
    return code;
}

static sl_code save_v1_as(struct sl_kernel_context *k, bool has_slices) {
    struct to_save s;
    struct sl_arena arena;
    struct sl_v1_writer *w;
    char *path;
    SL_TRY(read_to_save(&s, k, has_slices));
    sl_arena_init(&arena);
    sl_code code = sl_in_path(&path, k, 0, "filename", &arena);
    if (code == SL_OK) code = sl_v1_writer_open(&w, path, k->err);
    sl_arena_clear(&arena);
    if (code != SL_OK) return code;
    code = save_v1(w, k, &s);
    if (code == SL_OK) return sl_v1_writer_finish(w, k->err);
    sl_v1_writer_abandon(w);
    return code;
}

static sl_code save_run(struct sl_kernel_context *k) { return save_v1_as(k, false); }
static sl_code save_slices_run(struct sl_kernel_context *k) { return save_v1_as(k, true); }

/* ---- restoring */

/* Output o is the tensor `name`, or the part of it that `spec` says. */
static sl_code restore_one(struct sl_kernel_context *k, int o, struct sl_checkpoint *c, struct sl_str name,
                           struct sl_str spec, struct sl_arena *arena) {
    struct sl_bundle_entry e;
    struct wanted_slice wanted;
    struct sl_tensor *t;
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    SL_TRY(sl_checkpoint_find(&e, c, name, arena, k->err));
    if (e.dtype != sl_out_type(k, o))
        return sl_invalid(k, "tensor_name = %.*s; expected dtype %s does not equal original dtype %s", SL_STR_ARG(name),
                          sl_dtype_name(sl_out_type(k, o)), sl_dtype_name(e.dtype));
    SL_TRY(parse_wanted(&wanted, spec, k->err));
    if (wanted.is_part && !sl_shape_equal(wanted.full, e.shape))
        return sl_invalid(k,
                          "tensor_name = %.*s; shape in shape_and_slice spec %s does not match the shape stored in "
                          "checkpoint: %s",
                          SL_STR_ARG(name), sl_shape_text(a, wanted.full), sl_shape_text(b, e.shape));
    SL_TRY(sl_checkpoint_read(&t, c, name, wanted.is_part ? &wanted.slice : NULL, k->err));
    sl_out_tensor(k, o, t);
    return SL_OK;
}

static sl_code open_input(struct sl_checkpoint **c, struct sl_kernel_context *k, const char *what) {
    struct sl_arena arena;
    char *prefix;
    sl_arena_init(&arena);
    sl_code code = sl_in_path(&prefix, k, 0, what, &arena);
    if (code == SL_OK) code = sl_checkpoint_open(c, prefix, k->env->pool, k->err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code restore_v2_run(struct sl_kernel_context *k) {
    struct sl_view names, slices;
    struct sl_checkpoint *c;
    int n = sl_out_count(k);
    SL_TRY(sl_in_string_vector(&names, k, 1, "tensor_names", n));
    SL_TRY(sl_in_string_vector(&slices, k, 2, "shape_and_slices", n));
    SL_TRY(open_input(&c, k, "prefix"));
    sl_code code = SL_OK;
    for (int i = 0; code == SL_OK && i < n; i++) {
        struct sl_arena arena;
        sl_arena_init(&arena);
        code = restore_one(k, i, c, name_at(names, i), name_at(slices, i), &arena);
        sl_arena_clear(&arena);
    }
    sl_checkpoint_close(c);
    return code;
}

/* Restore, RestoreSlice: one tensor. */
static sl_code restore_run(struct sl_kernel_context *k) {
    struct sl_view name = sl_in(k, 1), spec = {0};
    struct sl_checkpoint *c;
    struct sl_arena arena;
    if (name.count != 1) return sl_invalid(k, "Input 1 (tensor_name) must be a single string");
    if (sl_in_count(k) > 2) spec = sl_in(k, 2);
    if (sl_in_count(k) > 2 && spec.count != 1)
        return sl_invalid(k, "Input 2 (shape_and_slice) must be a single string");
    SL_TRY(open_input(&c, k, "file_pattern"));
    sl_arena_init(&arena);
    sl_code code = restore_one(k, 0, c, name_at(name, 0), spec.count ? name_at(spec, 0) : SL_STR(""), &arena);
    sl_arena_clear(&arena);
    sl_checkpoint_close(c);
    return code;
}

/* ---- MergeV2Checkpoints */

struct merge_state {
    bool delete_old_dirs, allow_missing_files;
};

static sl_code merge_create(void **state, struct sl_kernel_setup *setup) {
    struct merge_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = sl_attr_bool(&s->delete_old_dirs, setup->attrs, "delete_old_dirs", setup->err);
    if (code == SL_OK) code = sl_attr_bool(&s->allow_missing_files, setup->attrs, "allow_missing_files", setup->err);
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

static sl_code merge(struct sl_kernel_context *k, struct sl_arena *arena) {
    const struct merge_state *s = k->state;
    struct sl_view prefixes;
    char *destination;
    SL_TRY(sl_in_string_vector(&prefixes, k, 0, "checkpoint_prefixes", -1));
    SL_TRY(sl_in_path(&destination, k, 1, "destination_prefix", arena));
    char **paths = SL_ARENA_ARRAY(arena, char *, (size_t)prefixes.count + 1);
    if (!paths) return sl_fail_memory(k->err, (size_t)prefixes.count * sizeof *paths);
    for (int64_t i = 0; i < prefixes.count; i++)
        SL_TRY(sl_path_of_string(&paths[i], (const TF_TString *)prefixes.data + i, arena, k));
    return sl_bundle_merge((const char *const *)paths, (size_t)prefixes.count, destination, s->delete_old_dirs,
                           s->allow_missing_files, k->err);
}

static sl_code merge_run(struct sl_kernel_context *k) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = merge(k, &arena);
    sl_arena_clear(&arena);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_any_checkpoint_rows[] = {
    KERNEL("SaveV2", NO_RULE, .run = save_v2_run)
    KERNEL("Save", NO_RULE, .run = save_run)
    KERNEL("SaveSlices", NO_RULE, .run = save_slices_run)
    KERNEL("RestoreV2", NO_RULE, .run = restore_v2_run)
    KERNEL("Restore", NO_RULE, .run = restore_run)
    KERNEL("RestoreSlice", NO_RULE, .run = restore_run)
    KERNEL("MergeV2Checkpoints", NO_RULE, .run = merge_run, .create = merge_create, .destroy = sl_free)
    SL_ROWS_END
};
/* clang-format on */
