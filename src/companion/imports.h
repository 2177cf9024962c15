/* How a companion calls the library: each function that it calls is a jump through the library's table. The build
 * writes a list of SL_IMPORT, one for each row of the table, and compiles it into every companion; the linker keeps
 * those that are called. */
#ifndef SL_COMPANION_IMPORTS_H
#define SL_COMPANION_IMPORTS_H

/* The table of the library that the companion is bound to; set once, before anything else of the companion runs
 * (cmake/companion_entry.c). */
extern void (*const *sl_core_functions)(void);

#if defined __x86_64__
#define SL_IMPORT_JUMP(offset) "movq sl_core_functions(%rip), %r11\n\tjmp *" offset "(%r11)\n\t"
#elif defined __aarch64__
#define SL_IMPORT_JUMP(offset)                                                                                         \
    "adrp x16, sl_core_functions\n\tldr x16, [x16, :lo12:sl_core_functions]\n\tldr x16, [x16, " offset "]\n\tbr "      \
    "x16\n\t"
#endif

/* `offset`: bytes from the table's start, as text. */
#define SL_IMPORT(name, offset)                                                                                        \
    __asm__(".section .text." #name ", \"ax\", %progbits\n\t.p2align 4\n\t"                                            \
            ".globl " #name "\n\t.hidden " #name "\n\t.type " #name ", %function\n" #name                              \
            ":\n\t" SL_IMPORT_JUMP(offset) ".size " #name ", . - " #name "\n\t.previous");

#endif
