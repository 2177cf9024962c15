/* Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a counter of 128 bits and
 * a key of 64 give four words, and the counter goes up by one. Everything random of TensorFlow comes from it, so its
 * words are part of an op's meaning. Plain values; one owner. */
#ifndef SL_KERNEL_PHILOX_H
#define SL_KERNEL_PHILOX_H

#include <stdint.h>
#include <string.h>

struct sl_philox {
    uint32_t counter[4]; /* least significant word first */
    uint32_t key[2];
};

/* The generator with this key, at this position of its sequence: low word first in both. */
static inline struct sl_philox sl_philox_at(uint64_t key, uint64_t low, uint64_t high) {
    return (struct sl_philox){{(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)},
                              {(uint32_t)key, (uint32_t)(key >> 32)}};
}
static inline uint64_t sl_philox_low(const struct sl_philox *p) {
    return p->counter[0] | (uint64_t)p->counter[1] << 32;
}
static inline uint64_t sl_philox_high(const struct sl_philox *p) {
    return p->counter[2] | (uint64_t)p->counter[3] << 32;
}
static inline uint64_t sl_philox_key(const struct sl_philox *p) { return p->key[0] | (uint64_t)p->key[1] << 32; }

/* Leaves out `blocks` blocks of four words. */
static inline void sl_philox_skip(struct sl_philox *p, uint64_t blocks) {
    uint64_t low = sl_philox_low(p) + blocks, high = sl_philox_high(p) + (low < blocks);
    *p = sl_philox_at(sl_philox_key(p), low, high);
}

/* The next four words. */
void sl_philox_next(uint32_t words[4], struct sl_philox *p);

/* The same, word by word, in order. Starts with `at` 4. */
struct sl_philox_words {
    struct sl_philox source;
    uint32_t words[4];
    int at;
};
static inline struct sl_philox_words sl_philox_words_at(struct sl_philox source) {
    return (struct sl_philox_words){.source = source, .at = 4};
}
static inline uint32_t sl_philox_word(struct sl_philox_words *w) {
    if (w->at == 4) {
        sl_philox_next(w->words, &w->source);
        w->at = 0;
    }
    return w->words[w->at++];
}
static inline uint64_t sl_philox_word64(struct sl_philox_words *w) {
    uint64_t low = sl_philox_word(w);
    return low | (uint64_t)sl_philox_word(w) << 32;
}

/* ---- numbers in [0, 1): the fraction's bits from the word, less one. 23 bits of it, and 52 of two */
static inline float sl_uniform_float(uint32_t word) {
    uint32_t bits = (word & 0x7fffff) | 0x3f800000;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x - 1.0f;
}
static inline double sl_uniform_double(uint32_t first, uint32_t second) {
    uint64_t bits = (uint64_t)(first & 0xfffff) << 32 | second | UINT64_C(0x3ff) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x - 1.0;
}
static inline double sl_philox_double(struct sl_philox_words *w) {
    uint32_t first = sl_philox_word(w);
    return sl_uniform_double(first, sl_philox_word(w));
}
/* A number below n > 0, every one as likely: words that would favour some are thrown away. */
static inline uint32_t sl_philox_below(struct sl_philox_words *w, uint32_t n) {
    if ((n & (n - 1)) == 0) return sl_philox_word(w) & (n - 1);
    uint32_t surplus = UINT32_MAX % n + 1, word;
    do word = sl_philox_word(w);
    while (word < surplus);
    return word % n;
}
static inline uint64_t sl_philox_below64(struct sl_philox_words *w, uint64_t n) {
    if ((n & (n - 1)) == 0) return sl_philox_word64(w) & (n - 1);
    uint64_t surplus = UINT64_MAX % n + 1, word;
    do word = sl_philox_word64(w);
    while (word < surplus);
    return word % n;
}

/* Two independent normal numbers from two uniform ones (Box and Muller). */
void sl_normal_floats(float pair[2], uint32_t first, uint32_t second);
void sl_normal_doubles(double pair[2], const uint32_t words[4]);

/* Uniform or normal doubles one at a time, drawn in pairs, the second of a pair first. Starts zeroed. */
struct sl_double_pairs {
    double pair[2];
    int left;
};
static inline double sl_next_uniform(struct sl_double_pairs *d, struct sl_philox *p) {
    if (d->left == 0) {
        uint32_t w[4];
        sl_philox_next(w, p);
        d->pair[0] = sl_uniform_double(w[0], w[1]);
        d->pair[1] = sl_uniform_double(w[2], w[3]);
        d->left = 2;
    }
    return d->pair[--d->left];
}
static inline double sl_next_normal(struct sl_double_pairs *d, struct sl_philox *p) {
    if (d->left == 0) {
        uint32_t w[4];
        sl_philox_next(w, p);
        sl_normal_doubles(d->pair, w);
        d->left = 2;
    }
    return d->pair[--d->left];
}

#endif
