/* Wrappers of the signal ops, made by tools/gen_ops.py from src/ops/signal.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_SIGNAL_OPS_H
#define SLUICE_GEN_SIGNAL_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_audio_microfrontend_attrs {
    int64_t sample_rate; /* 16000 */
    int64_t window_size; /* 25 */
    int64_t window_step; /* 10 */
    int64_t num_channels; /* 32 */
    float upper_band_limit; /* 7500 */
    float lower_band_limit; /* 125 */
    int64_t smoothing_bits; /* 10 */
    float even_smoothing; /* 0.025 */
    float odd_smoothing; /* 0.06 */
    float min_signal_remaining; /* 0.05 */
    bool enable_pcan; /* false */
    float pcan_strength; /* 0.95 */
    float pcan_offset; /* 80 */
    int64_t gain_bits; /* 21 */
    enum sl_choice enable_log; /* true */
    int64_t scale_shift; /* 6 */
    int64_t left_context; /* 0 */
    int64_t right_context; /* 0 */
    int64_t frame_stride; /* 1 */
    bool zero_padding; /* false */
    int64_t out_scale; /* 1 */
    TF_DataType out_type; /* DT_UINT16 */
};
/* AudioMicrofrontend: audio: int16 -> filterbanks: out_type */
static inline TF_Output sl_audio_microfrontend_with(struct sl_scope *scope, TF_Output audio, struct sl_audio_microfrontend_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&audio, -1}};
    const struct sl_attr_given attrs_[] = {{"sample_rate", SL_GIVEN_INT, &attrs.sample_rate}, {"window_size", SL_GIVEN_INT, &attrs.window_size}, {"window_step", SL_GIVEN_INT, &attrs.window_step}, {"num_channels", SL_GIVEN_INT, &attrs.num_channels}, {"upper_band_limit", SL_GIVEN_FLOAT, &attrs.upper_band_limit}, {"lower_band_limit", SL_GIVEN_FLOAT, &attrs.lower_band_limit}, {"smoothing_bits", SL_GIVEN_INT, &attrs.smoothing_bits}, {"even_smoothing", SL_GIVEN_FLOAT, &attrs.even_smoothing}, {"odd_smoothing", SL_GIVEN_FLOAT, &attrs.odd_smoothing}, {"min_signal_remaining", SL_GIVEN_FLOAT, &attrs.min_signal_remaining}, {"enable_pcan", SL_GIVEN_BOOL, &attrs.enable_pcan}, {"pcan_strength", SL_GIVEN_FLOAT, &attrs.pcan_strength}, {"pcan_offset", SL_GIVEN_FLOAT, &attrs.pcan_offset}, {"gain_bits", SL_GIVEN_INT, &attrs.gain_bits}, {"enable_log", SL_GIVEN_CHOICE, &attrs.enable_log}, {"scale_shift", SL_GIVEN_INT, &attrs.scale_shift}, {"left_context", SL_GIVEN_INT, &attrs.left_context}, {"right_context", SL_GIVEN_INT, &attrs.right_context}, {"frame_stride", SL_GIVEN_INT, &attrs.frame_stride}, {"zero_padding", SL_GIVEN_BOOL, &attrs.zero_padding}, {"out_scale", SL_GIVEN_INT, &attrs.out_scale}, {"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "AudioMicrofrontend", inputs_, 1, attrs_, 22));
}
static inline TF_Output sl_audio_microfrontend(struct sl_scope *scope, TF_Output audio) {
    const struct sl_audio_microfrontend_attrs attrs = SL_DEFAULTS;
    return sl_audio_microfrontend_with(scope, audio, attrs);
}

struct sl_audio_spectrogram_attrs {
    int64_t window_size; /* must be given */
    int64_t stride; /* must be given */
    bool magnitude_squared; /* false */
};
/* AudioSpectrogram: input: float -> spectrogram: float */
static inline TF_Output sl_audio_spectrogram(struct sl_scope *scope, TF_Output input, struct sl_audio_spectrogram_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"window_size", SL_GIVEN_INT_NEEDED, &attrs.window_size}, {"stride", SL_GIVEN_INT_NEEDED, &attrs.stride}, {"magnitude_squared", SL_GIVEN_BOOL, &attrs.magnitude_squared}};
    return sl_op_first(sl_op(scope, "AudioSpectrogram", inputs_, 1, attrs_, 3));
}

/* BatchFFT: input: complex64 -> output: complex64 */
static inline TF_Output sl_batch_fft(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchFFT", inputs_, 1, NULL, 0));
}

/* BatchFFT2D: input: complex64 -> output: complex64 */
static inline TF_Output sl_batch_fft2d(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchFFT2D", inputs_, 1, NULL, 0));
}

/* BatchFFT3D: input: complex64 -> output: complex64 */
static inline TF_Output sl_batch_fft3d(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchFFT3D", inputs_, 1, NULL, 0));
}

/* BatchIFFT: input: complex64 -> output: complex64 */
static inline TF_Output sl_batch_ifft(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchIFFT", inputs_, 1, NULL, 0));
}

/* BatchIFFT2D: input: complex64 -> output: complex64 */
static inline TF_Output sl_batch_ifft2d(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchIFFT2D", inputs_, 1, NULL, 0));
}

/* BatchIFFT3D: input: complex64 -> output: complex64 */
static inline TF_Output sl_batch_ifft3d(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "BatchIFFT3D", inputs_, 1, NULL, 0));
}

struct sl_decode_wav_outputs {
    TF_Output audio, sample_rate;
};
struct sl_decode_wav_attrs {
    int64_t desired_channels; /* -1 */
    int64_t desired_samples; /* -1 */
};
/* DecodeWav: contents: string -> audio: float, sample_rate: int32 */
static inline struct sl_decode_wav_outputs sl_decode_wav_with(struct sl_scope *scope, TF_Output contents, struct sl_decode_wav_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    const struct sl_attr_given attrs_[] = {{"desired_channels", SL_GIVEN_INT, &attrs.desired_channels}, {"desired_samples", SL_GIVEN_INT, &attrs.desired_samples}};
    TF_Operation *const op_ = sl_op(scope, "DecodeWav", inputs_, 1, attrs_, 2);
    const struct sl_decode_wav_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_decode_wav_outputs sl_decode_wav(struct sl_scope *scope, TF_Output contents) {
    const struct sl_decode_wav_attrs attrs = SL_DEFAULTS;
    return sl_decode_wav_with(scope, contents, attrs);
}

/* EncodeWav: audio: float, sample_rate: int32 -> contents: string */
static inline TF_Output sl_encode_wav(struct sl_scope *scope, TF_Output audio, TF_Output sample_rate) {
    const struct sl_op_input inputs_[] = {{&audio, -1}, {&sample_rate, -1}};
    return sl_op_first(sl_op(scope, "EncodeWav", inputs_, 2, NULL, 0));
}

/* FFT: input: Tcomplex -> output: Tcomplex */
static inline TF_Output sl_fft(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "FFT", inputs_, 1, NULL, 0));
}

/* FFT2D: input: Tcomplex -> output: Tcomplex */
static inline TF_Output sl_fft2d(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "FFT2D", inputs_, 1, NULL, 0));
}

/* FFT3D: input: Tcomplex -> output: Tcomplex */
static inline TF_Output sl_fft3d(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "FFT3D", inputs_, 1, NULL, 0));
}

/* FFTND: input: Tcomplex, fft_length: int32, axes: int32 -> output: Tcomplex */
static inline TF_Output sl_fftnd(struct sl_scope *scope, TF_Output input, TF_Output fft_length, TF_Output axes) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}, {&axes, -1}};
    return sl_op_first(sl_op(scope, "FFTND", inputs_, 3, NULL, 0));
}

/* IFFT: input: Tcomplex -> output: Tcomplex */
static inline TF_Output sl_ifft(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "IFFT", inputs_, 1, NULL, 0));
}

/* IFFT2D: input: Tcomplex -> output: Tcomplex */
static inline TF_Output sl_ifft2d(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "IFFT2D", inputs_, 1, NULL, 0));
}

/* IFFT3D: input: Tcomplex -> output: Tcomplex */
static inline TF_Output sl_ifft3d(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "IFFT3D", inputs_, 1, NULL, 0));
}

/* IFFTND: input: Tcomplex, fft_length: int32, axes: int32 -> output: Tcomplex */
static inline TF_Output sl_ifftnd(struct sl_scope *scope, TF_Output input, TF_Output fft_length, TF_Output axes) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}, {&axes, -1}};
    return sl_op_first(sl_op(scope, "IFFTND", inputs_, 3, NULL, 0));
}

struct sl_irfft_attrs {
    TF_DataType Treal; /* DT_FLOAT */
};
/* IRFFT: input: Tcomplex, fft_length: int32 -> output: Treal */
static inline TF_Output sl_irfft_with(struct sl_scope *scope, TF_Output input, TF_Output fft_length, struct sl_irfft_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}};
    const struct sl_attr_given attrs_[] = {{"Treal", SL_GIVEN_TYPE, &attrs.Treal}};
    return sl_op_first(sl_op(scope, "IRFFT", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_irfft(struct sl_scope *scope, TF_Output input, TF_Output fft_length) {
    const struct sl_irfft_attrs attrs = SL_DEFAULTS;
    return sl_irfft_with(scope, input, fft_length, attrs);
}

struct sl_irfft2d_attrs {
    TF_DataType Treal; /* DT_FLOAT */
};
/* IRFFT2D: input: Tcomplex, fft_length: int32 -> output: Treal */
static inline TF_Output sl_irfft2d_with(struct sl_scope *scope, TF_Output input, TF_Output fft_length, struct sl_irfft2d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}};
    const struct sl_attr_given attrs_[] = {{"Treal", SL_GIVEN_TYPE, &attrs.Treal}};
    return sl_op_first(sl_op(scope, "IRFFT2D", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_irfft2d(struct sl_scope *scope, TF_Output input, TF_Output fft_length) {
    const struct sl_irfft2d_attrs attrs = SL_DEFAULTS;
    return sl_irfft2d_with(scope, input, fft_length, attrs);
}

struct sl_irfft3d_attrs {
    TF_DataType Treal; /* DT_FLOAT */
};
/* IRFFT3D: input: Tcomplex, fft_length: int32 -> output: Treal */
static inline TF_Output sl_irfft3d_with(struct sl_scope *scope, TF_Output input, TF_Output fft_length, struct sl_irfft3d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}};
    const struct sl_attr_given attrs_[] = {{"Treal", SL_GIVEN_TYPE, &attrs.Treal}};
    return sl_op_first(sl_op(scope, "IRFFT3D", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_irfft3d(struct sl_scope *scope, TF_Output input, TF_Output fft_length) {
    const struct sl_irfft3d_attrs attrs = SL_DEFAULTS;
    return sl_irfft3d_with(scope, input, fft_length, attrs);
}

struct sl_irfftnd_attrs {
    TF_DataType Treal; /* DT_FLOAT */
};
/* IRFFTND: input: Tcomplex, fft_length: int32, axes: int32 -> output: Treal */
static inline TF_Output sl_irfftnd_with(struct sl_scope *scope, TF_Output input, TF_Output fft_length, TF_Output axes, struct sl_irfftnd_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}, {&axes, -1}};
    const struct sl_attr_given attrs_[] = {{"Treal", SL_GIVEN_TYPE, &attrs.Treal}};
    return sl_op_first(sl_op(scope, "IRFFTND", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_irfftnd(struct sl_scope *scope, TF_Output input, TF_Output fft_length, TF_Output axes) {
    const struct sl_irfftnd_attrs attrs = SL_DEFAULTS;
    return sl_irfftnd_with(scope, input, fft_length, axes, attrs);
}

struct sl_mfcc_attrs {
    float upper_frequency_limit; /* 4000 */
    float lower_frequency_limit; /* 20 */
    int64_t filterbank_channel_count; /* 40 */
    int64_t dct_coefficient_count; /* 13 */
};
/* Mfcc: spectrogram: float, sample_rate: int32 -> output: float */
static inline TF_Output sl_mfcc_with(struct sl_scope *scope, TF_Output spectrogram, TF_Output sample_rate, struct sl_mfcc_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&spectrogram, -1}, {&sample_rate, -1}};
    const struct sl_attr_given attrs_[] = {{"upper_frequency_limit", SL_GIVEN_FLOAT, &attrs.upper_frequency_limit}, {"lower_frequency_limit", SL_GIVEN_FLOAT, &attrs.lower_frequency_limit}, {"filterbank_channel_count", SL_GIVEN_INT, &attrs.filterbank_channel_count}, {"dct_coefficient_count", SL_GIVEN_INT, &attrs.dct_coefficient_count}};
    return sl_op_first(sl_op(scope, "Mfcc", inputs_, 2, attrs_, 4));
}
static inline TF_Output sl_mfcc(struct sl_scope *scope, TF_Output spectrogram, TF_Output sample_rate) {
    const struct sl_mfcc_attrs attrs = SL_DEFAULTS;
    return sl_mfcc_with(scope, spectrogram, sample_rate, attrs);
}

struct sl_rfft_attrs {
    TF_DataType Tcomplex; /* DT_COMPLEX64 */
};
/* RFFT: input: Treal, fft_length: int32 -> output: Tcomplex */
static inline TF_Output sl_rfft_with(struct sl_scope *scope, TF_Output input, TF_Output fft_length, struct sl_rfft_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}};
    const struct sl_attr_given attrs_[] = {{"Tcomplex", SL_GIVEN_TYPE, &attrs.Tcomplex}};
    return sl_op_first(sl_op(scope, "RFFT", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_rfft(struct sl_scope *scope, TF_Output input, TF_Output fft_length) {
    const struct sl_rfft_attrs attrs = SL_DEFAULTS;
    return sl_rfft_with(scope, input, fft_length, attrs);
}

struct sl_rfft2d_attrs {
    TF_DataType Tcomplex; /* DT_COMPLEX64 */
};
/* RFFT2D: input: Treal, fft_length: int32 -> output: Tcomplex */
static inline TF_Output sl_rfft2d_with(struct sl_scope *scope, TF_Output input, TF_Output fft_length, struct sl_rfft2d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}};
    const struct sl_attr_given attrs_[] = {{"Tcomplex", SL_GIVEN_TYPE, &attrs.Tcomplex}};
    return sl_op_first(sl_op(scope, "RFFT2D", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_rfft2d(struct sl_scope *scope, TF_Output input, TF_Output fft_length) {
    const struct sl_rfft2d_attrs attrs = SL_DEFAULTS;
    return sl_rfft2d_with(scope, input, fft_length, attrs);
}

struct sl_rfft3d_attrs {
    TF_DataType Tcomplex; /* DT_COMPLEX64 */
};
/* RFFT3D: input: Treal, fft_length: int32 -> output: Tcomplex */
static inline TF_Output sl_rfft3d_with(struct sl_scope *scope, TF_Output input, TF_Output fft_length, struct sl_rfft3d_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}};
    const struct sl_attr_given attrs_[] = {{"Tcomplex", SL_GIVEN_TYPE, &attrs.Tcomplex}};
    return sl_op_first(sl_op(scope, "RFFT3D", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_rfft3d(struct sl_scope *scope, TF_Output input, TF_Output fft_length) {
    const struct sl_rfft3d_attrs attrs = SL_DEFAULTS;
    return sl_rfft3d_with(scope, input, fft_length, attrs);
}

struct sl_rfftnd_attrs {
    TF_DataType Tcomplex; /* DT_COMPLEX64 */
};
/* RFFTND: input: Treal, fft_length: int32, axes: int32 -> output: Tcomplex */
static inline TF_Output sl_rfftnd_with(struct sl_scope *scope, TF_Output input, TF_Output fft_length, TF_Output axes, struct sl_rfftnd_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&fft_length, -1}, {&axes, -1}};
    const struct sl_attr_given attrs_[] = {{"Tcomplex", SL_GIVEN_TYPE, &attrs.Tcomplex}};
    return sl_op_first(sl_op(scope, "RFFTND", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_rfftnd(struct sl_scope *scope, TF_Output input, TF_Output fft_length, TF_Output axes) {
    const struct sl_rfftnd_attrs attrs = SL_DEFAULTS;
    return sl_rfftnd_with(scope, input, fft_length, axes, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
