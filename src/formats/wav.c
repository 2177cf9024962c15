/* A WAVE file: a header of 44 bytes with one format and one data chunk, then the samples, all little-endian. Format:
 * Microsoft's and IBM's "Multimedia Programming Interface and Data Specifications 1.0", chapter 3. */
#include "formats/wav.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"

enum { HEADER = 44, SAMPLE = 2, NAME = 4, PLAIN = 1 };

/* ---- reading */

static uint32_t get(const char *from, int bytes) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint32_t)(unsigned char)from[i] << 8 * i;
    return value;
}

/* Takes the next `n` bytes off the file. */
static sl_code take(struct sl_str *out, struct sl_str *file, size_t n, struct sl_error *err) {
    if (n > file->n) return sl_fail(err, SL_INVALID_ARGUMENT, "Data too short when trying to read string");
    *out = (struct sl_str){file->p, n};
    *file = (struct sl_str){file->p + n, file->n - n};
    return SL_OK;
}
static sl_code take_name(struct sl_str *file, const char *name, struct sl_error *err) {
    struct sl_str found = {0};
    SL_TRY(take(&found, file, NAME, err));
    if (sl_str_is(found, name)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Header mismatch: Expected %s but found %.*s", name, SL_STR_ARG(found));
}
/* Name and length of the next chunk. */
static sl_code take_chunk(struct sl_str *name, size_t *n, struct sl_str *file, struct sl_error *err) {
    struct sl_str length = {0};
    SL_TRY(take(name, file, NAME, err));
    SL_TRY(take(&length, file, 4, err));
    *n = get(length.p, 4);
    if (*n <= INT32_MAX) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "WAV data chunk '%.*s' is too large: %zu bytes, but the limit is %d",
                   SL_STR_ARG(*name), *n, INT32_MAX);
}

/* Chunks that may stand before the format. */
static bool is_skipped(struct sl_str name) {
    static const char names[][NAME + 1] = {"JUNK", "bext", "iXML", "qlty", "mext", "levl", "link", "axml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_str_is(name, names[i])) return true;
    return false;
}

static sl_code check_format(struct sl_wav *wav, struct sl_str f, struct sl_error *err) {
    const uint32_t kind = get(f.p, 2), channels = get(f.p + 2, 2), rate = get(f.p + 4, 4), second = get(f.p + 8, 4),
                   frame = get(f.p + 12, 2), bits = get(f.p + 14, 2);
    const uint64_t frame_wanted = (uint64_t)channels * SAMPLE, second_wanted = frame_wanted * rate;
    if (kind != PLAIN)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Bad audio format for WAV: Expected 1 (PCM), but got %" PRIu32, kind);
    if (channels == 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Bad number of channels for WAV: Expected at least 1, but got 0");
    if (bits != SAMPLE * 8)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Can only read 16-bit WAV files, but received %" PRIu32, bits);
    if (frame != frame_wanted)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Bad bytes per sample in WAV header: Expected %" PRIu64 " but got %" PRIu32, frame_wanted,
                       frame);
    if (second != second_wanted)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Bad bytes per second in WAV header: Expected %" PRIu64 " but got %" PRIu32, second_wanted,
                       second);
    *wav = (struct sl_wav){.channels = channels, .rate = rate};
    return SL_OK;
}

static sl_code take_format(struct sl_wav *wav, struct sl_str *file, struct sl_error *err) {
    struct sl_str name = {0}, body = {0};
    size_t n;
    SL_TRY(take_chunk(&name, &n, file, err));
    while (is_skipped(name)) {
        SL_TRY(take(&body, file, n, err));
        SL_TRY(take_chunk(&name, &n, file, err));
    }
    if (!sl_str_is(name, "fmt ")) return sl_fail(err, SL_INVALID_ARGUMENT, "Unexpected field %.*s", SL_STR_ARG(name));
    if (n != 16 && n != 18)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Bad format chunk size for WAV: Expected 16 or 18, but got %zu", n);
    SL_TRY(take(&body, file, n, err));
    return check_format(wav, body, err);
}

sl_code sl_wav_decode(struct sl_wav *wav, struct sl_str file, struct sl_error *err) {
    struct sl_str name = {0}, body = {0};
    size_t n;
    bool has_data = false;
    SL_TRY(take_name(&file, "RIFF", err));
    SL_TRY(take(&body, &file, 4, err)); /* the length of the file: often wrong, never needed */
    SL_TRY(take_name(&file, "WAVE", err));
    SL_TRY(take_format(wav, &file, err));
    const size_t frame = (size_t)wav->channels * SAMPLE;
    while (file.n) {
        SL_TRY(take_chunk(&name, &n, &file, err));
        if (!sl_str_is(name, "data")) { /* one that is cut off ends the file */
            SL_TRY(take(&body, &file, n < file.n ? n : file.n, err));
            continue;
        }
        if (has_data) return sl_fail(err, SL_INVALID_ARGUMENT, "More than one data chunk found in WAV");
        has_data = true;
        SL_TRY(take(&body, &file, n / frame * frame, err));
        wav->data = (const unsigned char *)body.p;
        wav->frames = (int64_t)(n / frame);
    }
    return has_data ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "No data chunk found in WAV");
}

float sl_wav_sample(const struct sl_wav *wav, int64_t i) {
    const unsigned char *at = wav->data + i * SAMPLE;
    return (float)(int16_t)(uint16_t)(at[0] | at[1] << 8) / 32768;
}

/* ---- writing */

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
    at = put(at, PLAIN, 2);
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
    if (channels <= 0 || channels > UINT16_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "num_channels must be in (0, 2^16), got: %" PRId64, channels);
    if (rate <= 0 || rate > UINT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "sample_rate must be in (0, 2^32), got: %" PRId64, rate);
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
