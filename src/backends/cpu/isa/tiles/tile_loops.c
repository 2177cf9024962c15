/* Products of bfloat16 by the processor's tiles (AMX), or by its vectors (AVX512-BF16): what each of them rounds and in
 * which order is the processor's own. Numbers below the normal ones are zeros for both. */
#include "backends/cpu/product/tile_loops.h"

#include <immintrin.h>
#include <stddef.h>
#include <string.h>

#include "backends/cpu/isa.h"
#include "os/tiles.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- packing */
INLINE __mmask16 first(int64_t n) { return n >= 16 ? 0xffff : n <= 0 ? 0 : (__mmask16)((1u << n) - 1); }

static void pack_row(char *to, const float *from, int64_t n) {
    for (; n >= 32; n -= 32, from += 32, to += SL_TILE_BYTES)
        _mm512_store_si512(to, (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(from + 16), _mm512_loadu_ps(from)));
    if (n <= 0) return;
    const __m512 low = _mm512_maskz_loadu_ps(first(n), from), high = _mm512_maskz_loadu_ps(first(n - 16), from + 16);
    _mm512_store_si512(to, (__m512i)_mm512_cvtne2ps_pbh(high, low));
}

static void pack_columns(char *to, const float *from, int64_t row, int n, int64_t k) {
    static const uint16_t order[32] = {0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                                       8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    const __m512i pairs = _mm512_loadu_si512(order);
    const __mmask16 columns = first(n);
    const int64_t lines = (k + 31) / 32 * SL_TILE_SIDE;
    for (int64_t i = 0; i < lines; i++, to += SL_TILE_ROW_BYTES, from += 2 * row) {
        const __m512 even = _mm512_maskz_loadu_ps(2 * i < k ? columns : 0, from);
        const __m512 odd = _mm512_maskz_loadu_ps(2 * i + 1 < k ? columns : 0, from + row);
        _mm512_store_si512(to, _mm512_permutexvar_epi16(pairs, (__m512i)_mm512_cvtne2ps_pbh(odd, even)));
    }
}

static void flip(char *to, int64_t tiles) {
    const __m512i lines = _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                                             _mm512_set1_epi32(SL_TILE_SIDE));
    for (; tiles > 0; tiles--, to += SL_TILE_BYTES) {
        char from[SL_TILE_BYTES];
        memcpy(from, to, sizeof from);
        for (int i = 0; i < SL_TILE_SIDE; i++)
            _mm512_store_si512(to + i * SL_TILE_ROW_BYTES, _mm512_i32gather_epi32(lines, from + 4 * i, 4));
    }
}

/* ---- by tiles */
struct tile_config {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
};
static void begin_tiles(void) {
    static const struct tile_config config = {.palette = 1,
                                              .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
                                              .rows = {16, 16, 16, 16, 16, 16, 16, 16}};
    _tile_loadconfig(&config);
}
static void end_tiles(void) { _tile_release(); }

/* Tiles 0 to 3: sums; 4 and 5 A; 6 and 7 B. */
static void multiply_tiles(int rows, int columns, int64_t k, const char *a, const char *b, void *c, int64_t c_row) {
    char *const to = c;
    const char *const a2 = a + k * SL_TILE_BYTES, *const b2 = b + k * SL_TILE_BYTES;
    const ptrdiff_t line = c_row * 4, lower = 16 * line, right = 16 * 4;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    if (rows == 2 && columns == 2)
        for (int64_t at = 0; at < k * SL_TILE_BYTES; at += SL_TILE_BYTES) {
            _tile_loadd(4, a + at, 64);
            _tile_loadd(6, b + at, 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_loadd(7, b2 + at, 64);
            _tile_dpbf16ps(1, 4, 7);
            _tile_loadd(5, a2 + at, 64);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
        }
    else
        for (int64_t at = 0; at < k * SL_TILE_BYTES; at += SL_TILE_BYTES) {
            _tile_loadd(4, a + at, 64);
            _tile_loadd(6, b + at, 64);
            _tile_dpbf16ps(0, 4, 6);
            if (columns == 2) {
                _tile_loadd(7, b2 + at, 64);
                _tile_dpbf16ps(1, 4, 7);
            }
            if (rows == 2) {
                _tile_loadd(5, a2 + at, 64);
                _tile_dpbf16ps(2, 5, 6);
            }
        }
    _tile_stored(0, to, line);
    if (columns == 2) _tile_stored(1, to + right, line);
    if (rows == 2) _tile_stored(2, to + lower, line);
    if (rows == 2 && columns == 2) _tile_stored(3, to + lower + right, line);
}

/* ---- by vectors: eight rows of C at a time */
static void nothing(void) {}

INLINE void multiply_eight(int columns, int64_t k, const char *a, const char *b, float *c, int64_t c_row) {
    __m512 sums[8][2];
    for (int r = 0; r < 8; r++) sums[r][0] = sums[r][1] = _mm512_setzero_ps();
    for (int64_t t = 0; t < k; t++)
        for (int p = 0; p < SL_TILE_SIDE; p++) {
            const char *const line = b + t * SL_TILE_BYTES + p * SL_TILE_ROW_BYTES;
            const __m512bh left = (__m512bh)_mm512_load_si512(line);
            const __m512bh right = columns == 2 ? (__m512bh)_mm512_load_si512(line + k * SL_TILE_BYTES) : left;
            for (int r = 0; r < 8; r++) {
                int32_t pair;
                memcpy(&pair, a + t * SL_TILE_BYTES + r * SL_TILE_ROW_BYTES + p * 4, 4);
                const __m512bh x = (__m512bh)_mm512_set1_epi32(pair);
                sums[r][0] = _mm512_dpbf16_ps(sums[r][0], x, left);
                if (columns == 2) sums[r][1] = _mm512_dpbf16_ps(sums[r][1], x, right);
            }
        }
    for (int r = 0; r < 8; r++)
        for (int j = 0; j < columns; j++) _mm512_storeu_ps(c + r * c_row + j * SL_TILE_SIDE, sums[r][j]);
}
static void multiply_vectors(int rows, int columns, int64_t k, const char *a, const char *b, void *c, int64_t c_row) {
    float *to = c;
    for (int i = 0; i < rows; i++, a += k * SL_TILE_BYTES)
        for (int half = 0; half < 2; half++, to += 8 * c_row)
            if (columns == 2) multiply_eight(2, k, a + half * 8 * SL_TILE_ROW_BYTES, b, to, c_row);
            else multiply_eight(1, k, a + half * 8 * SL_TILE_ROW_BYTES, b, to, c_row);
}

const struct sl_tile_loops *sl_tile_loops_bf16(void) {
    static const struct sl_tile_loops by_tiles = {32,       begin_tiles,  end_tiles, multiply_tiles,
                                                  pack_row, pack_columns, flip};
    static const struct sl_tile_loops by_vectors = {32,       nothing,      nothing, multiply_vectors,
                                                    pack_row, pack_columns, flip};
    if (sl_isa_chosen() != SL_ISA_AVX512) return NULL;
    return sl_tiles_are_there() ? &by_tiles : sl_cpu_features()->avx512_bf16 ? &by_vectors : NULL;
}
