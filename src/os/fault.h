/* Fault injection for files and sockets. Every system call of file.c and socket.c asks here first. Off, it costs one
 * load and branch.
 *
 *   SLUICE_IO_FAIL=n         the n-th system call (from 1) fails with EIO, once
 *   SLUICE_IO_FAIL=n:ENOSPC  … with that error (EIO, ENOSPC, EACCES, EMFILE, EINTR, ENOENT)
 *   SLUICE_IO_KILL=n         the process ends in place of the n-th system call, with status SL_FAULT_EXIT
 *
 * Thread-safe; which call is the n-th is only determined when one thread does all of them. */
#ifndef SL_OS_FAULT_H
#define SL_OS_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SL_FAULT_EXIT = 86 };

/* 0: off. Anything else: ask `sl_fault_hit`. Internal to `sl_fault`. */
extern _Atomic int32_t sl_fault_state;
bool sl_fault_hit(void);

/* True when the system call about to be made must fail: errno is set. */
static inline bool sl_fault(void) {
    return __builtin_expect(atomic_load_explicit(&sl_fault_state, memory_order_relaxed) != 0, 0) && sl_fault_hit();
}

/* For tests, instead of the environment: counts calls from now on; the `fail_at`-th fails with `error_number` (0: none
 * does), the `kill_at`-th ends the process (0: none does). */
void sl_fault_arm(int64_t fail_at, int error_number, int64_t kill_at);
/* Stops counting; returns how many system calls were made since `sl_fault_arm`. */
int64_t sl_fault_disarm(void);

#endif
