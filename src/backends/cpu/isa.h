/* One body, several instruction sets. A file isa/NAME.inc is compiled in each of isa/{base,avx2,avx512,neon}/NAME.c
 * (which only includes it), with that folder's compiler flags and SL_ISA; what it shares with the rest it names by
 * SL_ISA_NAME. Everybody else declares with SL_ISA_DECLARE and asks for the best one this processor has:
 *
 *     isa/matmul.inc   void SL_ISA_NAME(sl_gemm)(float *c, ...) { ... }
 *     matmul_cpu.c     SL_ISA_DECLARE(void, sl_gemm, (float *c, ...))
 *                      SL_ISA_PICK(sl_gemm)(c, ...); */
#ifndef SL_BACKENDS_CPU_ISA_H
#define SL_BACKENDS_CPU_ISA_H

#include "os/cpu.h"

/* What sl_cpu_isa said at the first call: kernels ask in every step, and that one reads the environment
 * (isa_chosen.c). */
enum sl_isa sl_isa_chosen(void);

#define SL_ISA_PASTE_TOKENS(name, isa) name##_##isa
#define SL_ISA_PASTE(name, isa)        SL_ISA_PASTE_TOKENS(name, isa)
#define SL_ISA_NAME(name)              SL_ISA_PASTE(name, SL_ISA)

#if defined(__x86_64__)
#define SL_ISA_DECLARE(result, name, parameters)                                                                       \
    result name##_base parameters;                                                                                     \
    result name##_avx2 parameters;                                                                                     \
    result name##_avx512 parameters;
#define SL_ISA_PICK(name)                                                                                              \
    (sl_isa_chosen() == SL_ISA_AVX512 ? name##_avx512 : sl_isa_chosen() == SL_ISA_AVX2 ? name##_avx2 : name##_base)
#elif defined(__aarch64__)
#define SL_ISA_DECLARE(result, name, parameters)                                                                       \
    result name##_base parameters;                                                                                     \
    result name##_neon parameters;
#define SL_ISA_PICK(name) (sl_isa_chosen() == SL_ISA_NEON ? name##_neon : name##_base)
#else
#define SL_ISA_DECLARE(result, name, parameters) result name##_base parameters;
#define SL_ISA_PICK(name)                        name##_base
#endif

#endif
