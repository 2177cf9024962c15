/* Sound as a RIFF/WAVE file of 16-bit samples. Pure; thread-safe. */
#ifndef SL_FORMATS_WAV_H
#define SL_FORMATS_WAV_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

/* The samples of a file: `data` holds frames * channels of them, 16 bits each, little-endian. Borrowed from the
 * file. */
struct sl_wav {
    const unsigned char *data;
    int64_t frames, channels;
    uint32_t rate;
};
/* INVALID_ARGUMENT when it is no file of 16-bit samples, or not whole. */
sl_code sl_wav_decode(struct sl_wav *wav, struct sl_str file, struct sl_error *err);
/* Sample i, in [-1, 1). */
float sl_wav_sample(const struct sl_wav *wav, int64_t i);

/* Encodes `frames` frames of `channels` interleaved samples in [-1, 1], louder ones cut off, into `*out`, in `arena`.
 * INVALID_ARGUMENT when there is no channel, or the file's 32- and 16-bit fields cannot hold the sizes. */
sl_code sl_wav_encode(struct sl_str *out, const float *samples, int64_t frames, int64_t channels, int64_t rate,
                      struct sl_arena *arena, struct sl_error *err);

#endif
