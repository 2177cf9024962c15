/* Loops over one plane of a move. Vectors are 16 bytes, which every processor has; memory is what bounds these loops.
 * Called by move.c. */
#include "backends/cpu/array/move_tiles.h"

#include <string.h>

/* Elements by size. May stand anywhere and alias anything. */
typedef uint8_t element_1 __attribute__((may_alias));
typedef uint16_t element_2 __attribute__((may_alias, aligned(1)));
typedef uint32_t element_4 __attribute__((may_alias, aligned(1)));
typedef uint64_t element_8 __attribute__((may_alias, aligned(1)));

/* Vectors of 16 bytes with as many elements. */
typedef uint8_t vector_1 __attribute__((vector_size(16)));
typedef uint16_t vector_2 __attribute__((vector_size(16)));
typedef uint32_t vector_4 __attribute__((vector_size(16)));
typedef uint64_t vector_8 __attribute__((vector_size(16)));
typedef vector_8 element_16 __attribute__((may_alias, aligned(1)));

#define LOW_1(a, b)  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_1(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_2(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_2(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_4(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_8(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH_8(a, b) __builtin_shufflevector(a, b, 1, 3)

/* Rows of a tile are to stay in registers: these loops must go. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* A square tile, one vector a side: interleaving row i with row i + half, once for each bit of the side, transposes
 * it. */
#define TILE(size)                                                                                                     \
    static inline void tile_##size(void *to, int64_t to_step, const void *from, int64_t from_step) {                   \
        enum { SIDE = 16 / size };                                                                                     \
        vector_##size a[SIDE], b[SIDE];                                                                                \
        UNROLL for (int i = 0; i < SIDE; i++) memcpy(&a[i], (const char *)from + i * from_step * size, 16);            \
        UNROLL for (int bit = 1; bit < SIDE; bit *= 2) {                                                               \
            UNROLL for (int i = 0; i < SIDE / 2; i++) {                                                                \
                b[2 * i] = LOW_##size(a[i], a[i + SIDE / 2]);                                                          \
                b[2 * i + 1] = HIGH_##size(a[i], a[i + SIDE / 2]);                                                     \
            }                                                                                                          \
            memcpy(a, b, sizeof a);                                                                                    \
        }                                                                                                              \
        UNROLL for (int i = 0; i < SIDE; i++) memcpy((char *)to + i * to_step * size, &a[i], 16);                      \
    }
TILE(1)
TILE(2)
TILE(4)
TILE(8)

#define WALK(size)                                                                                                     \
    static void walk_##size(void *to, const void *from, const struct sl_plane *p) {                                    \
        for (int64_t i1 = 0; i1 < p->n1; i1++) {                                                                       \
            element_##size *restrict t = (element_##size *)to + i1 * p->to1;                                           \
            const element_##size *restrict f = (const element_##size *)from + i1 * p->from1;                           \
            const int64_t to0 = p->to0, from0 = p->from0, n0 = p->n0;                                                  \
            if (to0 == 1 && from0 == -1)                                                                               \
                for (int64_t i0 = 0; i0 < n0; i0++) t[i0] = f[-i0];                                                    \
            else                                                                                                       \
                for (int64_t i0 = 0; i0 < n0; i0++) t[i0 * to0] = f[i0 * from0];                                       \
        }                                                                                                              \
    }
WALK(1)
WALK(2)
WALK(4)
WALK(8)
WALK(16)

/* Short runs are not worth a call of memcpy. */
#define COPY(size)                                                                                                     \
    static void copy_##size(void *to, const void *from, const struct sl_plane *p) {                                    \
        const int64_t n0 = p->n0;                                                                                      \
        for (int64_t i1 = 0; i1 < p->n1; i1++) {                                                                       \
            element_##size *restrict t = (element_##size *)to + i1 * p->to1;                                           \
            const element_##size *restrict f = (const element_##size *)from + i1 * p->from1;                           \
            if (n0 * size <= 64)                                                                                       \
                for (int64_t i0 = 0; i0 < n0; i0++) t[i0] = f[i0];                                                     \
            else memcpy(t, f, (size_t)n0 *size);                                                                       \
        }                                                                                                              \
    }
COPY(1)
COPY(2)
COPY(4)
COPY(8)
COPY(16)

static vector_1 splat(const void *element, int size) {
    switch (size) {
    case 1: return (vector_1){0} + *(const element_1 *)element;
    case 2: return (vector_1)((vector_2){0} + *(const element_2 *)element);
    case 4: return (vector_1)((vector_4){0} + *(const element_4 *)element);
    case 8: return (vector_1)((vector_8){0} + *(const element_8 *)element);
    default: return (vector_1) * (const element_16 *)element;
    }
}

/* Four vectors at a time; the last one overlaps the one before, whole elements apart. */
void sl_elements_fill(void *to, const void *element, int size, int64_t n) {
    unsigned char *out = to;
    int64_t bytes = n * size, at = 0;
    const vector_1 v = splat(element, size);
    for (; at + 64 <= bytes; at += 64) {
        memcpy(out + at, &v, 16);
        memcpy(out + at + 16, &v, 16);
        memcpy(out + at + 32, &v, 16);
        memcpy(out + at + 48, &v, 16);
    }
    for (; at + 16 <= bytes; at += 16) memcpy(out + at, &v, 16);
    if (at < bytes && bytes >= 16) memcpy(out + bytes - 16, &v, 16);
    else memcpy(out + at, &v, (size_t)(bytes - at));
}

#define FILL(size)                                                                                                     \
    static void fill_##size(void *to, const void *from, const struct sl_plane *p) {                                    \
        for (int64_t i1 = 0; i1 < p->n1; i1++)                                                                         \
            sl_elements_fill((element_##size *)to + i1 * p->to1, (const element_##size *)from + i1 * p->from1, size,   \
                             p->n0);                                                                                   \
    }
FILL(1)
FILL(2)
FILL(4)
FILL(8)
FILL(16)

/* Rows of tiles: four beside each other fill a line of each of the target's rows, and the next one is asked for
 * meanwhile. The processor would not guess it. Lines of one block of i1 stay in the cache while i0 runs. */
#define TRANSPOSE(size)                                                                                                \
    static void transpose_##size(void *to, const void *from, const struct sl_plane *p) {                               \
        enum { SIDE = 16 / size, LINE = 64 / size };                                                                   \
        const int64_t whole1 = p->n1 & -SIDE, whole0 = p->n0 & -SIDE;                                                  \
        element_##size *t = to;                                                                                        \
        const element_##size *f = from;                                                                                \
        for (int64_t block = 0; block < whole1; block += 64) {                                                         \
            const int64_t end = block + 64 < whole1 ? block + 64 : whole1;                                             \
            int64_t i0 = 0;                                                                                            \
            for (; i0 + LINE <= whole0; i0 += LINE)                                                                    \
                for (int64_t i1 = block; i1 < end; i1 += SIDE) {                                                       \
                    for (int k = 0; k < SIDE; k++) __builtin_prefetch(t + (i1 + k) * p->to1 + i0 + LINE, 1);           \
                    for (int64_t t0 = i0; t0 < i0 + LINE; t0 += SIDE)                                                  \
                        tile_##size(t + i1 * p->to1 + t0, p->to1, f + i1 + t0 * p->from0, p->from0);                   \
                }                                                                                                      \
            for (; i0 < whole0; i0 += SIDE)                                                                            \
                for (int64_t i1 = block; i1 < end; i1 += SIDE)                                                         \
                    tile_##size(t + i1 * p->to1 + i0, p->to1, f + i1 + i0 * p->from0, p->from0);                       \
        }                                                                                                              \
        struct sl_plane right = *p, below = *p;                                                                        \
        right.n0 -= whole0;                                                                                            \
        right.n1 = whole1;                                                                                             \
        below.n1 -= whole1;                                                                                            \
        walk_##size(t + whole0, f + whole0 * p->from0, &right);                                                        \
        walk_##size(t + whole1 * p->to1, f + whole1, &below);                                                          \
    }
TRANSPOSE(1)
TRANSPOSE(2)
TRANSPOSE(4)
TRANSPOSE(8)

/* Nothing to shuffle: the order alone matters. */
static void transpose_16(void *to, const void *from, const struct sl_plane *p) {
    for (int64_t block = 0; block < p->n1; block += 16) {
        struct sl_plane part = {p->n1 - block < 16 ? p->n1 - block : 16, p->to1, p->from1, 16, 1, p->from0};
        for (int64_t i0 = 0; i0 < p->n0; i0 += 16) {
            if (p->n0 - i0 < 16) part.n0 = p->n0 - i0;
            walk_16((element_16 *)to + block * p->to1 + i0, (const element_16 *)from + block + i0 * p->from0, &part);
        }
    }
}

#define BY_SIZE(name)                                                                                                  \
    sl_plane_fn sl_plane_##name(int size) {                                                                            \
        return size == 1 ? name##_1 : size == 2 ? name##_2 : size == 4 ? name##_4 : size == 8 ? name##_8 : name##_16;  \
    }
BY_SIZE(copy)
BY_SIZE(fill)
BY_SIZE(transpose)
BY_SIZE(walk)
