/* Stopping what a thread runs, from another thread.
 *
 *     TFE_CancellationManager *manager = TFE_NewCancellationManager();      -- the thread that works
 *     sl_thread_stops_with(manager);
 *     TF_SessionRun(session, ...);                                          -- CANCELLED, once it is cancelled
 *
 *     TFE_CancellationManagerStartCancel(manager);                          -- another thread, meanwhile
 *
 * A manager cancels once: afterwards the thread needs a new one. The session and the context stay usable. */
#ifndef SLUICE_CANCEL_H
#define SLUICE_CANCEL_H

#include "sluice/sluice.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the calling thread begins from here on and waits for - steps of sessions, parts of partial runs, eager ops and
 * functions, gradients of tapes - stops when `manager` is cancelled, and fails with CANCELLED. NULL, as at the start:
 * nobody stops them so. An eager op with a manager of its own stops with that alone; ops that wait in an asynchronous
 * executor are not stopped. The manager is borrowed: it is there until another one, or NULL, takes its place. */
SL_API void sl_thread_stops_with(TFE_CancellationManager *manager);

#ifdef __cplusplus
}
#endif

#endif
