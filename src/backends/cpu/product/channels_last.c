/* Conversion and transposition of images, each only where needed. */
#include "backends/cpu/product/channels_last.h"

#include "backends/cpu/array/move.h"

static int64_t points(const struct sl_window *w, struct sl_view v) {
    struct sl_image image = sl_image_of(w, v.dims);
    return sl_image_points(&image);
}

/* [batch][rows][columns] to [batch][columns][rows]. */
static void transpose(struct sl_kernel_context *k, int dtype, void *to, const void *from, int64_t batch, int64_t rows,
                      int64_t columns) {
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, batch, rows * columns, rows * columns);
    sl_move_dim(&m, columns, rows, 1);
    sl_move_dim(&m, rows, 1, columns);
    sl_move_run(k, &m, dtype, to, from); /* of plain elements: cannot fail */
}

/* Room for the transposed elements when there is something to transpose. */
static sl_code make_room(struct sl_channels_last *c, struct sl_kernel_context *k, const struct sl_window *w,
                         struct sl_view v) {
    c->data = c->wide.data;
    if (!w->channels_first || v.count == 0 || v.dims[1] == 1 || points(w, v) == 1) return SL_OK;
    size_t bytes = (size_t)v.count * sl_dtype_size(c->wide.dtype);
    void *data = sl_scratch_new(bytes);
    if (!data) return sl_fail_memory(k->err, bytes);
    c->data = data;
    c->scratch = bytes;
    return SL_OK;
}

sl_code sl_channels_last_in(struct sl_channels_last *c, struct sl_kernel_context *k, const struct sl_window *w,
                            struct sl_view v) {
    *c = (struct sl_channels_last){0};
    SL_TRY(sl_wide_in(&c->wide, k, v));
    sl_code code = make_room(c, k, w, v);
    if (code == SL_OK && c->scratch)
        transpose(k, c->wide.dtype, c->data, c->wide.data, v.dims[0], v.dims[1], points(w, v));
    if (code != SL_OK) sl_wide_free(&c->wide);
    return code;
}

sl_code sl_channels_last_out(struct sl_channels_last *c, struct sl_kernel_context *k, const struct sl_window *w,
                             struct sl_view v) {
    *c = (struct sl_channels_last){0};
    SL_TRY(sl_wide_out(&c->wide, k, v));
    sl_code code = make_room(c, k, w, v);
    if (code != SL_OK) sl_wide_free(&c->wide);
    return code;
}

void sl_channels_last_store(const struct sl_channels_last *c, struct sl_kernel_context *k, const struct sl_window *w,
                            struct sl_view v) {
    if (c->scratch) transpose(k, c->wide.dtype, c->wide.data, c->data, v.dims[0], points(w, v), v.dims[1]);
    sl_wide_store(&c->wide, k, v);
}

void sl_channels_last_free(struct sl_channels_last *c) {
    if (c->scratch) sl_scratch_free(c->data, c->scratch);
    c->scratch = 0;
    sl_wide_free(&c->wide);
}
