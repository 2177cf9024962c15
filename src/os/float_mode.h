/* How the processor treats denormal floats. While kernels run they are zero, as inputs and as results, like in
 * TensorFlow: they would cost a hundred times as much as other numbers, and results must not depend on who computes
 * them. So every thread that runs kernels, or parts of them, does so between these two calls. Per thread; they nest. */
#ifndef SL_OS_FLOAT_MODE_H
#define SL_OS_FLOAT_MODE_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* Denormals are zero from here on. What it returns goes to sl_float_mode_leave. */
static inline uint64_t sl_float_mode_enter(void) {
#if defined(__x86_64__)
    unsigned before = _mm_getcsr(), zero = 0x8040; /* results, inputs */
    if ((before & zero) != zero) _mm_setcsr(before | zero);
    return before;
#elif defined(__aarch64__)
    uint64_t before, zero = UINT64_C(1) << 24;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    if (!(before & zero)) __asm__ volatile("msr fpcr, %0" ::"r"(before | zero));
    return before;
#else
    return 0;
#endif
}
static inline void sl_float_mode_leave(uint64_t before) {
#if defined(__x86_64__)
    unsigned zero = 0x8040, kept = (unsigned)before & zero;
    if (kept != zero) _mm_setcsr((_mm_getcsr() & ~zero) | kept);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" ::"r"(before));
#else
    (void)before;
#endif
}

/* What instructions of this thread have met since the marks were cleared: a NaN made of numbers that were none, or
 * compared with; an infinity made of finite numbers. Processors keep such marks anyway. */
enum { SL_FLOAT_MET_NAN = 1, SL_FLOAT_MET_INFINITY = 2 };
static inline void sl_float_marks_clear(void) {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() & ~0x3fu);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpsr, %0" ::"r"(UINT64_C(0)) : "memory");
#endif
}
static inline unsigned sl_float_marks(void) {
#if defined(__x86_64__)
    const unsigned marks = _mm_getcsr();
#elif defined(__aarch64__)
    uint64_t marks;
    __asm__ volatile("mrs %0, fpsr" : "=r"(marks)::"memory");
    marks = (marks & 1) | (marks & 6) << 1; /* invalid, divided by zero, overflow: as on the other processor */
#else
    const unsigned marks = 0x0d;
#endif
    return (marks & 0x01 ? SL_FLOAT_MET_NAN : 0) | (marks & 0x0c ? SL_FLOAT_MET_INFINITY : 0);
}

#endif
