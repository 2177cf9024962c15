/* Shape functions of Fourier transforms and audio. */
#include <inttypes.h>

#include "ops/shape_functions.h"

/* ---- Fourier transforms over the last n dims */
static sl_code at_least(struct sl_shape_ctx *c, int n) {
    struct sl_shape s;
    SL_TRY(sl_infer_with_rank_at_least(&s, c, sl_infer_in(c, 0), n));
    return sl_infer_set(c, 0, s);
}

sl_code sl_shape_fft(struct sl_shape_ctx *c) { return at_least(c, 1); }
sl_code sl_shape_fft2d(struct sl_shape_ctx *c) { return at_least(c, 2); }
sl_code sl_shape_fft3d(struct sl_shape_ctx *c) { return at_least(c, 3); }

/* Lengths of the real side are in vector input 1; forward transforms keep half of the last dim and one. */
static sl_code real_fft(struct sl_shape_ctx *c, int n, bool is_forward) {
    struct sl_shape out, lengths;
    int64_t count;
    const int64_t *values;
    SL_TRY(sl_infer_with_rank_at_least(&out, c, sl_infer_in(c, 0), n));
    SL_TRY(sl_infer_with_rank(&lengths, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_value(&count, c, lengths.dims[0], n));
    bool is_known = sl_infer_constant_ints(&values, &count, c, 1) && count == n;
    for (int i = 0; i < n; i++) {
        int64_t length = is_known ? values[i] : -1;
        if (is_forward && i == n - 1 && is_known && length != 0) length = length / 2 + 1;
        SL_TRY(sl_infer_replace_dim(&out, c, out, i - n, length));
    }
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_rfft(struct sl_shape_ctx *c) { return real_fft(c, 1, true); }
sl_code sl_shape_rfft2d(struct sl_shape_ctx *c) { return real_fft(c, 2, true); }
sl_code sl_shape_rfft3d(struct sl_shape_ctx *c) { return real_fft(c, 3, true); }
sl_code sl_shape_irfft(struct sl_shape_ctx *c) { return real_fft(c, 1, false); }
sl_code sl_shape_irfft2d(struct sl_shape_ctx *c) { return real_fft(c, 2, false); }
sl_code sl_shape_irfft3d(struct sl_shape_ctx *c) { return real_fft(c, 3, false); }

/* ---- audio: [samples, channels] */
SL_SHAPE_RULE(mfcc, "[a,b,f] [] -> [a,b,@dct_coefficient_count]")
SL_SHAPE_RULE(encode_wav, "[s,c] [] -> []")

sl_code sl_shape_decode_wav(struct sl_shape_ctx *c) {
    int64_t channels, samples;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(sl_infer_int(&channels, c, "desired_channels"));
    SL_TRY(sl_infer_int(&samples, c, "desired_samples"));
    if (channels < -1) return sl_infer_fail(c, "channels must be non-negative, got %" PRId64, channels);
    if (samples < -1) return sl_infer_fail(c, "samples must be non-negative, got %" PRId64, samples);
    SL_TRY(sl_infer_set_dims(c, 0, 2, (int64_t[]){samples, channels}));
    return sl_infer_set(c, 1, SL_SHAPE_SCALAR);
}

/* [channels, windows, frequencies]; a window's length is made up to a power of two. */
sl_code sl_shape_spectrogram(struct sl_shape_ctx *c) {
    struct sl_shape in;
    int64_t window, stride, frequencies = 1, n = -1;
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_int(&window, c, "window_size"));
    SL_TRY(sl_infer_int(&stride, c, "stride"));
    if (window < 2 || window > INT32_MAX) return sl_infer_fail(c, "window size must be > 1, got %" PRId64, window);
    while (frequencies < window) frequencies *= 2;
    if (stride < 1) return sl_infer_fail(c, "stride must be strictly positive, got %" PRId64, stride);
    if (in.dims[0] >= 0) n = in.dims[0] < window ? 0 : 1 + (in.dims[0] - window) / stride;
    return sl_infer_set_dims(c, 0, 3, (int64_t[]){in.dims[1], n, 1 + frequencies / 2});
}
