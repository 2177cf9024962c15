/* Products of bfloat16 and of bytes by the processor's tiles (AMX), or by its vectors (AVX512-BF16, AVX512-VNNI): what each of them rounds and in
 * which order is the processor's own. Numbers of bfloat16 below the normal ones are zeros for both. */
#include "backends/cpu/product/tile_loops.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "backends/cpu/isa.h"
#include "os/tiles.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- packing */
INLINE __mmask16 first(int64_t n) { return n >= 16 ? 0xffff : n <= 0 ? 0 : (__mmask16)((1u << n) - 1); }

static void pack_row(char *to, const void *row, int64_t n, uint8_t turn) {
    const float *from = row;
    (void)turn;
    for (; n >= 32; n -= 32, from += 32, to += SL_TILE_BYTES)
        _mm512_store_si512(to, (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(from + 16), _mm512_loadu_ps(from)));
    if (n <= 0) return;
    const __m512 low = _mm512_maskz_loadu_ps(first(n), from), high = _mm512_maskz_loadu_ps(first(n - 16), from + 16);
    _mm512_store_si512(to, (__m512i)_mm512_cvtne2ps_pbh(high, low));
}

static void pack_columns(char *to, const void *rows, int64_t row, int n, int64_t k, uint8_t turn) {
    const float *from = rows;
    (void)turn;
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

static void pack_row_bytes(char *to, const void *row, int64_t n, uint8_t turn) {
    const __m512i turns = _mm512_set1_epi8((char)turn);
    const char *from = row;
    for (; n > 0; n -= 64, from += 64, to += SL_TILE_BYTES) {
        const __mmask64 some = n >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << n) - 1;
        _mm512_store_si512(to, _mm512_maskz_add_epi8(some, _mm512_maskz_loadu_epi8(some, from), turns));
    }
}

/* Four rows of bytes: those of a column side by side. */
static void pack_columns_bytes(char *to, const void *rows, int64_t row, int n, int64_t k, uint8_t turn) {
    const char *from = rows;
    const __m128i turns = _mm_set1_epi8((char)turn);
    const int64_t lines = (k + 63) / 64 * SL_TILE_SIDE;
    for (int64_t i = 0; i < lines; i++, to += SL_TILE_ROW_BYTES, from += 4 * row) {
        __m128i x[4];
        for (int q = 0; q < 4; q++) {
            const __mmask16 columns = 4 * i + q < k ? first(n) : 0;
            x[q] = columns ? _mm_maskz_loadu_epi8(columns, from + q * row) : _mm_setzero_si128();
            x[q] = _mm_maskz_add_epi8(columns, x[q], turns);
        }
        const __m128i low = _mm_unpacklo_epi8(x[0], x[1]), low_2 = _mm_unpacklo_epi8(x[2], x[3]);
        const __m128i high = _mm_unpackhi_epi8(x[0], x[1]), high_2 = _mm_unpackhi_epi8(x[2], x[3]);
        _mm_store_si128((__m128i *)(void *)to, _mm_unpacklo_epi16(low, low_2));
        _mm_store_si128((__m128i *)(void *)(to + 16), _mm_unpackhi_epi16(low, low_2));
        _mm_store_si128((__m128i *)(void *)(to + 32), _mm_unpacklo_epi16(high, high_2));
        _mm_store_si128((__m128i *)(void *)(to + 48), _mm_unpackhi_epi16(high, high_2));
    }
}

static void row_sums(int32_t sums[SL_TILE_SIDE], const char *a, int64_t k) {
    const __m512i ones = _mm512_set1_epi8(1);
    for (int r = 0; r < SL_TILE_SIDE; r++) {
        __m512i sum = _mm512_setzero_si512();
        for (int64_t t = 0; t < k; t++)
            sum = _mm512_dpbusd_epi32(sum, _mm512_load_si512(a + t * SL_TILE_BYTES + r * SL_TILE_ROW_BYTES), ones);
        sums[r] = _mm512_reduce_add_epi32(sum);
    }
}
static void column_sums(int32_t sums[SL_TILE_SIDE], const char *b, int64_t k) {
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i sum = _mm512_setzero_si512();
    for (int64_t i = 0; i < k * SL_TILE_SIDE; i++)
        sum = _mm512_dpbusd_epi32(sum, ones, _mm512_load_si512(b + i * SL_TILE_ROW_BYTES));
    _mm512_storeu_si512(sums, sum);
}

static void finish(void *c, int64_t n, uint32_t more, const int32_t *less, const float *scales) {
    const __m512i all = _mm512_set1_epi32((int32_t)more);
    int32_t *to = c;
    for (int64_t j = 0; j < n; j += 16) {
        const __mmask16 some = first(n - j);
        const __m512i sum = _mm512_add_epi32(_mm512_maskz_loadu_epi32(some, to + j), all);
        const __m512i y = _mm512_sub_epi32(sum, _mm512_maskz_loadu_epi32(some, less + j));
        if (!scales) _mm512_mask_storeu_epi32(to + j, some, y);
        else
            _mm512_mask_storeu_ps(to + j, some,
                                  _mm512_mul_ps(_mm512_cvtepi32_ps(y), _mm512_maskz_loadu_ps(some, scales + j)));
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

#define DOT(c, a, b)                                                                                                   \
    do {                                                                                                               \
        if (is_bf16) _tile_dpbf16ps(c, a, b);                                                                          \
        else _tile_dpbusd(c, a, b);                                                                                    \
    } while (0)
/* Tiles 0 to 3: sums; 4 and 5 A; 6 and 7 B. */
INLINE void multiply_tiles(bool is_bf16, int rows, int columns, int64_t k, const char *a, const char *b, void *c,
                           int64_t c_row) {
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
            DOT(0, 4, 6);
            _tile_loadd(7, b2 + at, 64);
            DOT(1, 4, 7);
            _tile_loadd(5, a2 + at, 64);
            DOT(2, 5, 6);
            DOT(3, 5, 7);
        }
    else
        for (int64_t at = 0; at < k * SL_TILE_BYTES; at += SL_TILE_BYTES) {
            _tile_loadd(4, a + at, 64);
            _tile_loadd(6, b + at, 64);
            DOT(0, 4, 6);
            if (columns == 2) {
                _tile_loadd(7, b2 + at, 64);
                DOT(1, 4, 7);
            }
            if (rows == 2) {
                _tile_loadd(5, a2 + at, 64);
                DOT(2, 5, 6);
            }
        }
    _tile_stored(0, to, line);
    if (columns == 2) _tile_stored(1, to + right, line);
    if (rows == 2) _tile_stored(2, to + lower, line);
    if (rows == 2 && columns == 2) _tile_stored(3, to + lower + right, line);
}
static void multiply_bf16_tiles(int rows, int columns, int64_t k, const char *a, const char *b, void *c,
                                int64_t c_row) {
    multiply_tiles(true, rows, columns, k, a, b, c, c_row);
}
static void multiply_byte_tiles(int rows, int columns, int64_t k, const char *a, const char *b, void *c,
                                int64_t c_row) {
    multiply_tiles(false, rows, columns, k, a, b, c, c_row);
}

/* ---- by vectors: eight rows of C at a time */
static void nothing(void) {}

INLINE __m512i dot(bool is_bf16, __m512i sum, __m512i a, __m512i b) {
    return is_bf16 ? (__m512i)_mm512_dpbf16_ps((__m512)sum, (__m512bh)a, (__m512bh)b) : _mm512_dpbusd_epi32(sum, a, b);
}
INLINE void multiply_eight(bool is_bf16, int columns, int64_t k, const char *a, const char *b, int32_t *c,
                           int64_t c_row) {
    __m512i sums[8][2];
    for (int r = 0; r < 8; r++) sums[r][0] = sums[r][1] = _mm512_setzero_si512();
    for (int64_t t = 0; t < k; t++)
        for (int p = 0; p < SL_TILE_SIDE; p++) {
            const char *const line = b + t * SL_TILE_BYTES + p * SL_TILE_ROW_BYTES;
            const __m512i left = _mm512_load_si512(line);
            const __m512i right = columns == 2 ? _mm512_load_si512(line + k * SL_TILE_BYTES) : left;
            for (int r = 0; r < 8; r++) {
                int32_t some;
                memcpy(&some, a + t * SL_TILE_BYTES + r * SL_TILE_ROW_BYTES + p * 4, 4);
                const __m512i x = _mm512_set1_epi32(some);
                sums[r][0] = dot(is_bf16, sums[r][0], x, left);
                if (columns == 2) sums[r][1] = dot(is_bf16, sums[r][1], x, right);
            }
        }
    for (int r = 0; r < 8; r++)
        for (int j = 0; j < columns; j++) _mm512_storeu_si512(c + r * c_row + j * SL_TILE_SIDE, sums[r][j]);
}
INLINE void multiply_vectors(bool is_bf16, int rows, int columns, int64_t k, const char *a, const char *b, void *c,
                             int64_t c_row) {
    int32_t *to = c;
    for (int i = 0; i < rows; i++, a += k * SL_TILE_BYTES)
        for (int half = 0; half < 2; half++, to += 8 * c_row)
            if (columns == 2) multiply_eight(is_bf16, 2, k, a + half * 8 * SL_TILE_ROW_BYTES, b, to, c_row);
            else multiply_eight(is_bf16, 1, k, a + half * 8 * SL_TILE_ROW_BYTES, b, to, c_row);
}
static void multiply_bf16_vectors(int rows, int columns, int64_t k, const char *a, const char *b, void *c,
                                  int64_t c_row) {
    multiply_vectors(true, rows, columns, k, a, b, c, c_row);
}
static void multiply_byte_vectors(int rows, int columns, int64_t k, const char *a, const char *b, void *c,
                                  int64_t c_row) {
    multiply_vectors(false, rows, columns, k, a, b, c, c_row);
}

const struct sl_tile_loops *sl_tile_loops_bf16(void) {
    static const struct sl_tile_loops by_tiles = {32,       begin_tiles,  end_tiles, multiply_bf16_tiles,
                                                  pack_row, pack_columns, flip,      NULL,
                                                  NULL,     NULL};
    static const struct sl_tile_loops by_vectors = {32,       nothing,      nothing, multiply_bf16_vectors,
                                                    pack_row, pack_columns, flip,    NULL,
                                                    NULL,     NULL};
    if (sl_isa_chosen() != SL_ISA_AVX512 || !sl_cpu_features()->avx512_bf16) return NULL;
    return sl_tiles_are_there() ? &by_tiles : &by_vectors;
}

/* Processors that have tiles of bfloat16 have those of bytes. */
const struct sl_tile_loops *sl_tile_loops_bytes(void) {
    static const struct sl_tile_loops by_tiles = {
        64,       begin_tiles, end_tiles, multiply_byte_tiles, pack_row_bytes, pack_columns_bytes, flip,
        row_sums, column_sums, finish};
    static const struct sl_tile_loops by_vectors = {
        64,       nothing,     nothing, multiply_byte_vectors, pack_row_bytes, pack_columns_bytes, flip,
        row_sums, column_sums, finish};
    if (sl_isa_chosen() != SL_ISA_AVX512 || !sl_cpu_features()->avx512_vnni) return NULL;
    return sl_tiles_are_there() ? &by_tiles : &by_vectors;
}
