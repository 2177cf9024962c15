/* Sluice's own API, beside the TensorFlow C API of tensorflow/c/c_api.h.
 *
 * The headers in this folder add what the C API lacks: a function for each op, loops and conditionals in one call,
 * gradients, optimisers, layers, a training loop, saving and restoring, files. They use the same handles (TF_Graph,
 * TF_Operation, TF_Output, TF_Session, TF_Status ...), so a program can mix both APIs.
 *
 * Names begin with sl_ or SL_. Unless a header says otherwise:
 *   errors    a function with a TF_Status sets it, TF_OK on success; one that returns a pointer returns NULL on failure
 *   ownership arguments are borrowed for the call; what sl_..._new returns is freed by sl_..._delete
 *   threads   several threads may use different objects; TF_Graph and TF_Session are thread-safe, as in the C API */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks a function of the library. */
#define SL_API __attribute__((visibility("default")))

/* ---- structs of options, such as struct sl_optimizer. A later version may add members at their end. `size`, the first
 * member of each, says how much of it a program knows, so that a program built with older headers works with a newer
 * library. SL_OPTIONS sets it:
 *
 *     sl_minimize(s, &SL_OPTIONS(sl_optimizer, .kind = SL_ADAM, .rate = .001), loss, NULL);
 *
 * A `size` of 0 stands for the members of version 0.1. A member that the library is too old to know must be 0, else the
 * call fails with INVALID_ARGUMENT. Other structs, such as the attributes in sluice/ops.h, do not grow. */
#ifndef __cplusplus
#define SL_OPTIONS(type, ...) ((struct type){.size = sizeof(struct type), __VA_ARGS__})
#endif

/* Sluice's version, as in "0.1.0"; TF_Version gives that of the C API. A static string; thread-safe. */
SL_API const char *sl_version(void);

#ifdef __cplusplus
}
#endif

#endif
