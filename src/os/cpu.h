/* What the processor and its operating system offer. Detected once; thread-safe. */
#ifndef SL_OS_CPU_H
#define SL_OS_CPU_H

#include <stdbool.h>

/* Kernel variants, one folder each in the CPU backend. On x86-64 higher numbers include the lower ones. */
enum sl_isa {
    SL_ISA_BASE,   /* what the compiler's default target has */
    SL_ISA_AVX2,   /* x86-64: AVX2, FMA, F16C */
    SL_ISA_AVX512, /* x86-64: AVX-512 F, DQ, BW, VL and all of SL_ISA_AVX2 */
    SL_ISA_NEON,   /* aarch64: Advanced SIMD */
    SL_ISA_COUNT
};

/* True only when the processor has it and the operating system saves its registers. */
struct sl_cpu_features {
    bool avx2_fma_f16c;
    bool avx512; /* F, DQ, BW, VL */
    bool avx512_vnni;
    bool avx512_bf16;
    bool avx512_fp16;
    bool neon;
    bool neon_fp16; /* half-precision arithmetic */
    bool neon_bf16;
    bool neon_dotprod;
};

/* Never changes in a process. */
const struct sl_cpu_features *sl_cpu_features(void);
/* The best variant of this processor, but at most what SLUICE_ISA says ("base", "avx2", "avx512", "neon"; anything
 * else is ignored). */
enum sl_isa sl_cpu_isa(void);
/* "base", "avx2", "avx512", "neon". Static string. */
const char *sl_isa_name(enum sl_isa isa);

/* Processors this process may use, at least 1: the affinity mask, cut by the cgroup's CPU quota (rounded up). */
int sl_cpu_count(void);
/* The part of it that reads control groups (both versions), for tests: processors that the groups of the process allow,
 * 0 for no limit. `cgroup_root` is "/sys/fs/cgroup", `membership` "/proc/self/cgroup". */
int sl_cpu_quota(const char *cgroup_root, const char *membership);

#endif
