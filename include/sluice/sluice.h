/* Sluice's own API, beside the TensorFlow C API of tensorflow/c/c_api.h.
 *
 * The headers in this folder add what the C API lacks: a function for each op, loops and conditionals in one call,
 * gradients, optimisers, layers, a training loop, saving and restoring, files. They use the same handles (TF_Graph,
 * TF_Operation, TF_Output, TF_Session, TF_Status ...), so a program can mix both APIs.
 *
 * Names begin with sl_ or SL_. Ownership, errors and threads follow tensorflow/c/c_api.h. */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Marks a function of the library. */
#define SL_API __attribute__((visibility("default")))

/* Sluice's version, as in "0.1.0"; TF_Version tells that of the C API. Static string; thread-safe. */
SL_API const char *sl_version(void);

#ifdef __cplusplus
}
#endif

#endif
