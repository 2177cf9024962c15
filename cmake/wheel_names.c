/* The same functions under the version node of TensorFlow's Python wheel. Programs that were linked against the
 * wheel's libtensorflow_cc.so.2 ask for NAME@tensorflow, those linked against the archives of libtensorflow for
 * NAME@VERS_1.0. One definition cannot carry both, so here is a jump for each row of exports.def. Part of the shared
 * library alone. Where the jump is not known below, such programs are not served. */
#if defined __x86_64__
#define SL_JUMP "jmp "
#define SL_PLT  "@PLT"
#define SL_PAD  ".p2align 4, 0xcc"
#elif defined __aarch64__
#define SL_JUMP "b "
#define SL_PLT  ""
#define SL_PAD  ".p2align 2"
#endif

#ifdef SL_JUMP
#define TF_API(group, type, name, parameters)                                                                          \
    __asm__(".text\n\t" SL_PAD "\n\t"                                                                                  \
            ".globl wheel_" #name "\n\t.type wheel_" #name ", %function\n"                                             \
            "wheel_" #name ":\n\t" SL_JUMP #name SL_PLT "\n\t"                                                         \
            ".size wheel_" #name ", . - wheel_" #name "\n\t"                                                           \
            ".symver wheel_" #name ", " #name "@tensorflow");
#include "capi/exports.def"
#else
typedef int sl_no_wheel_names;
#endif
