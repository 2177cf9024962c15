/* Points of Sobol's sequence, in the order of Antonov and Saleev (USSR Comput. Maths. Math. Phys. 19, 1979): point n
 * is point n - 1 with one direction, that of the lowest set bit of n, added bit by bit. The point 0 is left out. */
#include <inttypes.h>

#include "backends/cpu/cpu_kernels.h"

struct first_directions {
    uint64_t high, low;
    uint32_t polynomial;
};

#define S(polynomial, high, low) {high, low, polynomial},
static const struct first_directions table[] = {
#include "backends/cpu/random/sobol_table.inc"
};
#undef S

enum { BITS = 32, DIMENSIONS = 1 + sizeof table / sizeof *table, DIMENSIONS_KNOWN = 21200 };

/* Directions of dimension d (from 0), as fractions of 2^32. */
static void directions(uint32_t v[BITS], int64_t d) {
    if (d == 0) {
        for (int i = 0; i < BITS; i++) v[i] = UINT32_C(1) << (31 - i);
        return;
    }
    const struct first_directions *t = &table[d - 1];
    const uint32_t p = t->polynomial;
    const int degree = 31 - __builtin_clz(p);
    uint64_t low = t->low, high = t->high;
    for (int i = 0; i < degree; i++) {
        uint32_t m = (uint32_t)(low & ((UINT64_C(1) << i) - 1)) << 1 | 1;
        if (i > 0) {
            low = low >> i | high << (64 - i);
            high >>= i;
        }
        v[i] = m << (31 - i);
    }
    for (int i = degree; i < BITS; i++) {
        v[i] = v[i - degree] ^ v[i - degree] >> degree;
        for (int b = 1; b < degree; b++)
            if (p >> (degree - b) & 1) v[i] ^= v[i - b];
    }
}

struct points {
    struct sl_view out; /* [points, dimensions] */
    uint32_t first;     /* number of the first point */
};

static void fill_dimensions(void *arg, int64_t begin, int64_t end) {
    const struct points *p = arg;
    const int64_t rows = p->out.dims[0], columns = p->out.dims[1];
    for (int64_t d = begin; d < end; d++) {
        uint32_t v[BITS], x = 0, n = p->first, gray = n ^ n >> 1;
        directions(v, d);
        for (int i = 0; i < BITS; i++)
            if (gray >> i & 1) x ^= v[i];
        for (int64_t r = 0; r < rows; r++) {
            if (p->out.dtype == SL_FLOAT) ((float *)p->out.data)[r * columns + d] = (float)((double)x * 0x1p-32);
            else ((double *)p->out.data)[r * columns + d] = (double)x * 0x1p-32;
            x ^= v[__builtin_ctz(++n)];
        }
    }
}

static sl_code sobol_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"dim", "num_results", "skip"};
    int64_t given[3];
    for (int i = 0; i < 3; i++) {
        if (sl_in(k, i).rank != 0) return sl_invalid(k, "%s must be a scalar", names[i]);
        SL_TRY(sl_in_int(&given[i], k, i, names[i]));
    }
    int64_t n = given[0], rows = given[1], skip = given[2];
    if (n < 1) return sl_invalid(k, "dim must be at least one");
    if (rows < 1) return sl_invalid(k, "num_results must be at least one");
    if (skip < 0) return sl_invalid(k, "skip must be non-negative");
    if (rows + skip >= INT32_MAX) return sl_invalid(k, "num_results+skip must be less than %d", INT32_MAX);
    if (rows * n >= INT32_MAX) return sl_invalid(k, "num_results*dim must be less than %d", INT32_MAX);
    if (n > DIMENSIONS_KNOWN) return sl_invalid(k, "dim must be at most %d", DIMENSIONS_KNOWN);
    if (n > DIMENSIONS)
        return sl_fail(k->err, SL_UNIMPLEMENTED, "SobolSample of more than %d dimensions, got %" PRId64,
                       (int)DIMENSIONS, n);
    const int64_t dims[2] = {rows, n};
    struct points p = {.first = (uint32_t)skip + 1};
    SL_TRY(sl_out_new(&p.out, k, 0, (struct sl_shape){2, dims}));
    sl_kernel_split(k, n, 500 + 2 * (double)rows, fill_dimensions, &p);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_sobol_rows[] = {
    KERNEL("SobolSample", RULE("dtype", SL_SET(FLOAT) | SL_SET(DOUBLE)), .run = sobol_run, .cost_element = 2)
    SL_ROWS_END
};
/* clang-format on */
