/* A WAVE file: a header of 44 bytes with one format and one data chunk, then the samples, all little-endian. Format: Microsoft's
 * and IBM's "Multimedia Programming Interface and Data Specifications 1.0", chapter 3. */
#include "backends/cpu/wav.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"

enum { HEADER = 44, SAMPLE = 2 };

static char *put(char *to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) *to++ = (char)(value >> 8 * i & 0xff);
    return to;
}
static char *put_name(char *to, const char *name) {
    memcpy(to, name, 4);
    return to + 4;
}

static char *put_header(char *at, uint64_t data, uint64_t channels, uint64_t rate) {
    at = put_name(at, "RIFF");
    at = put(at, HEADER - 8 + data, 4);
    at = put_name(put_name(at, "WAVE"), "fmt ");
    at = put(at, 16, 4);
    at = put(at, 1, 2); /* plain samples */
    at = put(at, channels, 2);
    at = put(at, rate, 4);
    at = put(at, rate * channels * SAMPLE, 4);
    at = put(at, channels * SAMPLE, 2);
    at = put(at, SAMPLE * 8, 2);
    return put(put_name(at, "data"), data, 4);
}

static int sample_of(float x) {
    float scaled = x * 32768;
    if (!(scaled > -32768)) return isnan(scaled) ? 0 : -32768;
    return scaled >= 32767 ? 32767 : (int)roundf(scaled);
}

sl_code sl_wav_encode(struct sl_str *out, const float *samples, int64_t frames, int64_t channels, int64_t rate,
                      struct sl_arena *arena, struct sl_error *err) {
    int64_t count, bytes_each_second, data;
    if (channels <= 0 || channels > UINT16_MAX / SAMPLE)
        return sl_fail(err, SL_INVALID_ARGUMENT, "num_channels must be in [1, %d], got %" PRId64, UINT16_MAX / SAMPLE,
                       channels);
    if (rate < 0 || rate > UINT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "sample_rate must be in [0, 2^32), got %" PRId64, rate);
    if (!sl_mul_i64(&bytes_each_second, rate, channels * SAMPLE) || bytes_each_second > UINT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "bytes per second do not fit 32 bits");
    if (!sl_mul_i64(&count, frames, channels) || !sl_mul_i64(&data, count, SAMPLE) || data > UINT32_MAX - HEADER)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Provided audio is too long to be encoded");
    char *file = sl_arena_alloc(arena, (size_t)(HEADER + data));
    if (!file) return sl_fail_memory(err, (size_t)(HEADER + data));
    char *at = put_header(file, (uint64_t)data, (uint64_t)channels, (uint64_t)rate);
    for (int64_t i = 0; i < count; i++) at = put(at, (uint16_t)sample_of(samples[i]), SAMPLE);
    *out = (struct sl_str){file, (size_t)(at - file)};
    return SL_OK;
}
