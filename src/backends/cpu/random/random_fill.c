/* Random numbers of each kind and type, in groups: a group is what one block of four words gives (four numbers, or
 * two of 64 bits), and group g is made from block g. Truncated normals draw again until a group is full; group g
 * then starts at a block of its own, far enough from the others. Called by the random kernels. */
#include "backends/cpu/random/random_fill.h"

#include <math.h>

#include "backends/cpu/isa/float16.inc"
#include "backends/cpu/random/random_loops.h"
#include "backends/cpu/random/random_parameters.h"
#include "backends/cpu/random/random_source.h"

/* Truncated normals are nearer to 0 than this. */
#define TRUNCATED_AT 2.0

void sl_normal_floats(float pair[2], uint32_t first, uint32_t second) {
    float u = sl_uniform_float(first);
    float angle = (float)(2.0 * M_PI * (double)sl_uniform_float(second));
    if (u < SL_LEAST_UNIFORM) u = SL_LEAST_UNIFORM;
    float radius = sqrtf(-2.0f * logf(u));
    pair[0] = sinf(angle) * radius;
    pair[1] = cosf(angle) * radius;
}

void sl_normal_doubles(double pair[2], const uint32_t words[4]) {
    double u = sl_uniform_double(words[0], words[1]);
    double angle = 2.0 * M_PI * sl_uniform_double(words[2], words[3]);
    if (u < 1.0e-7) u = 1.0e-7;
    double radius = sqrt(-2.0 * log(u));
    pair[0] = sin(angle) * radius;
    pair[1] = cos(angle) * radius;
}

struct fill {
    struct sl_philox from;
    char *to;
    int64_t count; /* elements of `to` */
    int per_group;
    size_t size; /* of an element */
    int dtype;
    uint64_t low, range;
    const struct sl_random_loops *loops;
    /* Makes groups of their blocks' words; NULL: `draw`. */
    void (*convert)(void *to, const struct fill *f, const uint32_t *words, int64_t groups);
    /* Makes one group, of as many blocks as it takes. */
    void (*draw)(void *to, const struct fill *f, struct sl_philox *p);
    uint64_t blocks; /* from group to group */
};
enum { STRETCH = 64 }; /* groups that are made together */

/* ---- groups of each kind */

static void uniform_float(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    f->loops->uniforms(to, words, 4 * groups);
}
static void uniform_double(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    double *x = to;
    (void)f;
    for (int64_t i = 0; i < 2 * groups; i++) x[i] = sl_uniform_double(words[2 * i], words[2 * i + 1]);
}
/* The fraction of a 16-bit float takes as many low bits as it has. */
static void uniform_half(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    uint16_t *x = to;
    (void)f;
    for (int64_t i = 0; i < 4 * groups; i++)
        x[i] = half_of_float(float_of_half((uint16_t)(15 << 10 | (words[i] & 0x3ff))) - 1.0f);
}
static void uniform_bfloat16(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    uint16_t *x = to;
    (void)f;
    for (int64_t i = 0; i < 4 * groups; i++)
        x[i] = bfloat16_of_float(float_of_bfloat16((uint16_t)(127 << 7 | (words[i] & 0x7f))) - 1.0f);
}

/* Floats as `dtype`: float, half or bfloat16. */
static void store_floats(void *to, const float *x, int64_t n, int dtype) {
    uint16_t *h = to;
    if (dtype == SL_FLOAT) memcpy(to, x, (size_t)n * sizeof *x);
    else if (dtype == SL_HALF)
        for (int64_t i = 0; i < n; i++) h[i] = half_of_float(x[i]);
    else
        for (int64_t i = 0; i < n; i++) h[i] = bfloat16_of_float(x[i]);
}

static void normal_float(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    float x[4 * STRETCH];
    f->loops->normals(x, words, 4 * groups);
    store_floats(to, x, 4 * groups, f->dtype);
}
static void normal_double(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    (void)f;
    for (int64_t g = 0; g < groups; g++) sl_normal_doubles((double *)to + 2 * g, words + 4 * g);
}

static void truncated_float(void *to, const struct fill *f, struct sl_philox *p) {
    float x[4], pair[2];
    for (int n = 0; n < 4;) {
        uint32_t w[4];
        sl_philox_next(w, p);
        for (int half = 0; half < 4; half += 2) {
            sl_normal_floats(pair, w[half], w[half + 1]);
            for (int i = 0; i < 2; i++)
                if (n < 4 && fabsf(pair[i]) < (float)TRUNCATED_AT) x[n++] = pair[i];
        }
    }
    store_floats(to, x, 4, f->dtype);
}
static void truncated_double(void *to, const struct fill *f, struct sl_philox *p) {
    double *x = to, pair[2];
    (void)f;
    for (int n = 0; n < 2;) {
        uint32_t w[4];
        sl_philox_next(w, p);
        sl_normal_doubles(pair, w);
        for (int i = 0; i < 2; i++)
            if (n < 2 && fabs(pair[i]) < TRUNCATED_AT) x[n++] = pair[i];
    }
}

static void bits(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    (void)f;
    memcpy(to, words, (size_t)(4 * groups) * sizeof *words);
}
static void range32(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    uint32_t *x = to, range = (uint32_t)f->range;
    for (int64_t i = 0; i < 4 * groups; i++) x[i] = (uint32_t)f->low + words[i] % range;
}
static void range64(void *to, const struct fill *f, const uint32_t *words, int64_t groups) {
    uint64_t *x = to;
    for (int64_t i = 0; i < 2 * groups; i++)
        x[i] = f->low + (words[2 * i] | (uint64_t)words[2 * i + 1] << 32) % f->range;
}

/* ---- all groups */

static void make_groups(void *to, const struct fill *f, struct sl_philox p, int64_t groups) {
    uint32_t words[4 * STRETCH];
    if (f->convert) {
        f->loops->words(words, p, groups);
        f->convert(to, f, words, groups);
        return;
    }
    for (int64_t g = 0; g < groups; g++, sl_philox_skip(&p, f->blocks)) {
        struct sl_philox here = p;
        f->draw((char *)to + (size_t)(g * f->per_group) * f->size, f, &here);
    }
}

static void fill_groups(void *arg, int64_t begin, int64_t end) {
    const struct fill *f = arg;
    struct sl_philox p = f->from;
    uint64_t last[4];
    const int64_t whole = f->count / f->per_group < end ? f->count / f->per_group : end;
    sl_philox_skip(&p, (uint64_t)begin * f->blocks);
    for (int64_t n, g = begin; g < end; g += n, sl_philox_skip(&p, (uint64_t)n * f->blocks)) {
        char *to = f->to + (size_t)(g * f->per_group) * f->size;
        n = whole - g > STRETCH ? STRETCH : whole > g ? whole - g : 1;
        make_groups(g < whole ? (void *)to : last, f, p, n);
        if (g >= whole) memcpy(to, last, (size_t)(f->count - g * f->per_group) * f->size);
    }
}

/* What makes a group of `kind`, and how far apart groups are. */
static void choose_group(struct fill *f, enum sl_random_kind kind) {
    bool is_64 = f->size == 8;
    f->per_group = is_64 ? 2 : 4;
    f->blocks = 1;
    f->loops = SL_ISA_PICK(sl_random_loops)();
    switch (kind) {
    case SL_RANDOM_UNIFORM:
        f->convert = is_64                  ? uniform_double
                     : f->dtype == SL_FLOAT ? uniform_float
                     : f->dtype == SL_HALF  ? uniform_half
                                            : uniform_bfloat16;
        break;
    case SL_RANDOM_NORMAL: f->convert = is_64 ? normal_double : normal_float; break;
    case SL_RANDOM_TRUNCATED:
        f->draw = is_64 ? truncated_double : truncated_float;
        f->blocks = SL_RANDOM_BLOCKS_EACH * (uint64_t)f->per_group / 4;
        break;
    case SL_RANDOM_BITS: f->convert = bits; break;
    case SL_RANDOM_RANGE: f->convert = is_64 ? range64 : range32; break;
    }
}

void sl_random_fill(struct sl_kernel_context *k, struct sl_view to, enum sl_random_kind kind, struct sl_philox from,
                    uint64_t low, uint64_t range) {
    struct fill f = {
        .from = from, .to = to.data, .count = to.count, .size = sl_dtype_size(to.dtype), .dtype = to.dtype};
    f.low = low;
    f.range = range;
    choose_group(&f, kind);
    double ns_each = kind == SL_RANDOM_TRUNCATED ? 60 : kind == SL_RANDOM_NORMAL ? f.size == 8 ? 60 : 10 : 3;
    sl_kernel_split(k, (to.count + f.per_group - 1) / f.per_group, ns_each, fill_groups, &f);
}

int sl_random_group(double to[4], enum sl_random_kind kind, int dtype, struct sl_philox *p) {
    struct fill f = {.dtype = dtype, .size = sl_dtype_size(dtype)};
    uint64_t numbers[4];
    choose_group(&f, kind);
    if (f.convert) {
        make_groups(numbers, &f, *p, 1);
        sl_philox_skip(p, 1);
    } else {
        f.draw(numbers, &f, p);
    }
    struct sl_view v = {.data = numbers, .dtype = dtype};
    for (int i = 0; i < f.per_group; i++) to[i] = sl_number_get(v, i);
    return f.per_group;
}
