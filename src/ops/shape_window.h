/* Windows that move over space: layouts of images and volumes, attrs of convolutions and pools, sizes of their
 * outputs. One owner; not thread-safe, like the context. */
#ifndef SL_OPS_SHAPE_WINDOW_H
#define SL_OPS_SHAPE_WINDOW_H

#include "ops/shape_rules.h"

/* Where the dims of a tensor of `n` spatial dims stand, by attr data_format: channels last (NHWC, NDHWC; also when
 * the op has no such attr), channels first (NCHW, NCDHW), or channels first with packs of four in a dim of their own
 * at the end (NCHW_VECT_C). */
struct sl_layout {
    int n, rank, depth, space; /* batch is dim 0; spatial dims are space .. space+n-1 */
    bool is_packed;
};
sl_code sl_infer_layout(struct sl_layout *out, struct sl_shape_ctx *c, int n);
/* Channels of a tensor of that layout (packs counted out), -1 when unknown. */
sl_code sl_infer_depth(int64_t *out, struct sl_shape_ctx *c, const struct sl_layout *l, struct sl_shape s);
/* Sets output o from batch, spatial dims and channels. */
sl_code sl_infer_set_layout(struct sl_shape_ctx *c, int o, const struct sl_layout *l, int64_t batch,
                            const int64_t *space, int64_t depth);

enum sl_padding { SL_PADDING_VALID, SL_PADDING_SAME, SL_PADDING_EXPLICIT };
enum { SL_SPACE_MAX = 3 };

/* How a window moves; arrays are by spatial dim. */
struct sl_shape_window {
    enum sl_padding padding;
    int64_t size[SL_SPACE_MAX], stride[SL_SPACE_MAX], dilation[SL_SPACE_MAX], before[SL_SPACE_MAX], after[SL_SPACE_MAX];
    int64_t depth_size, depth_stride;
    bool may_be_short; /* an input a little shorter than the window gives no output, where it else is an error */
};
/* Reads attr `padding`, and explicit_paddings when the op has it. */
sl_code sl_infer_padding(struct sl_shape_window *w, struct sl_shape_ctx *c, const struct sl_layout *l);
/* Reads an attr with a value for each dim of the layout into a field of `w`: `space` for its spatial dims, `depth`
 * (may be NULL). Fails unless it has as many. */
sl_code sl_infer_window_list(int64_t *space, int64_t *depth, struct sl_shape_ctx *c, const struct sl_layout *l,
                             const char *attr);
/* Windows that fit: for VALID and EXPLICIT ceil((size + before + after - (window - 1) * dilation) / stride), for SAME
 * ceil(size / stride). -1 when size or window is unknown. */
sl_code sl_infer_windows(int64_t *out, struct sl_shape_ctx *c, const struct sl_shape_window *w, int i, int64_t size,
                         int64_t window);

#endif
