/* Macros shared by all public headers: symbol visibility, the old boolean type, struct sizes for plug-ins. */
#ifndef TENSORFLOW_C_C_API_MACROS_H_
#define TENSORFLOW_C_C_API_MACROS_H_

#include <stddef.h>

/* Marks a function of the library. Define TF_CAPI_WEAK to make every reference weak: a program can then start without
 * the library and test a function's address before it calls it. */
#if defined(SWIG)
#define TF_CAPI_EXPORT
#elif defined(TF_CAPI_WEAK)
#define TF_CAPI_EXPORT __attribute__((visibility("default"))) __attribute__((weak))
#else
#define TF_CAPI_EXPORT __attribute__((visibility("default")))
#endif

#ifndef TF_EXPORT
#define TF_EXPORT __attribute__((visibility("default")))
#endif

/* A truth value in functions and structs older than stdbool.h here: 0 or 1. */
#ifndef TF_Bool
#define TF_Bool unsigned char
#endif

/* Bytes of TYPE up to and with MEMBER: what `struct_size` fields hold, so that a newer library can tell which fields an
 * older plug-in knows. */
#ifndef TF_OFFSET_OF_END
#define TF_OFFSET_OF_END(TYPE, MEMBER) (offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))
#endif

#endif
