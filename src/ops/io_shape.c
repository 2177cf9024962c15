/* Shape functions of checkpoints, files, readers and summaries. */
#include "ops/shape_functions.h"

SL_SHAPE_RULE(sharded_filename, "[] [] [] -> []")
SL_SHAPE_RULE(sharded_filespec, "[] [] -> []")
SL_SHAPE_RULE(read_file, "[] -> []")
SL_SHAPE_RULE(write_file, "[] [] ->")

sl_code sl_shape_matching_files(struct sl_shape_ctx *c) {
    struct sl_shape pattern;
    SL_TRY(sl_infer_with_rank_at_most(&pattern, c, sl_infer_in(c, 0), 1));
    return sl_infer_set_dims(c, 0, 1, (int64_t[]){-1});
}

SL_SHAPE_RULE(merge_checkpoints, "[n] [] ->")

/* Prefix, names and slices of as many tensors. */
sl_code sl_shape_restore_v2(struct sl_shape_ctx *c) {
    struct sl_shape names, slices;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(sl_infer_with_rank(&names, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank(&slices, c, sl_infer_in(c, 2), 1));
    return sl_infer_merge(&names, c, names, slices);
}

SL_SHAPE_RULE(restore_slice, "[] [] [] -> *")

static sl_code check_saved(struct sl_shape_ctx *c, bool has_slices) {
    struct sl_shape s;
    int64_t n = c->n_in - 2 - has_slices;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    for (int i = 1; i < 2 + has_slices; i++) {
        SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
        SL_TRY(sl_infer_with_value(&n, c, s.dims[0], n));
    }
    return SL_OK;
}

sl_code sl_shape_save(struct sl_shape_ctx *c) { return check_saved(c, true); }

/* ---- readers: a handle is a scalar resource, or a pair of strings in old graphs */
SL_SHAPE_RULE(reader_read_v2, "[] [] -> [] []")
