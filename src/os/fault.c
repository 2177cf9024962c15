/* Counting system calls until the one that must fail. -1: the environment is not read yet; 0: off; 1: counting. */
#include "os/fault.h"

#include "base/env.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Atomic int32_t sl_fault_state = -1;

static _Atomic int64_t calls, fail_at, kill_at;
static _Atomic int fail_errno;

static const struct {
    const char *name;
    int number;
} error_names[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EACCES", EACCES},
                   {"EMFILE", EMFILE}, {"EINTR", EINTR},   {"ENOENT", ENOENT}};

static void arm(int64_t fail, int error_number, int64_t kill) {
    atomic_store(&calls, 0);
    atomic_store(&fail_at, fail);
    atomic_store(&fail_errno, error_number);
    atomic_store(&kill_at, kill);
}

static void read_environment(void) {
    const char *fail = sl_env_text(SL_ENV_IO_FAIL);
    int64_t fail_n = 0, kill_n = sl_env_number(SL_ENV_IO_KILL, 0);
    int number = EIO;
    if (fail) {
        char *end;
        fail_n = strtoll(fail, &end, 10);
        for (size_t i = 0; *end == ':' && i < sizeof error_names / sizeof *error_names; i++)
            if (strcmp(end + 1, error_names[i].name) == 0) number = error_names[i].number;
    }
    arm(fail_n, number, kill_n);
    /* Loses against a concurrent `sl_fault_arm` or another thread that read the same. */
    int32_t unread = -1;
    atomic_compare_exchange_strong(&sl_fault_state, &unread, fail_n > 0 || kill_n > 0 ? 1 : 0);
}

bool sl_fault_hit(void) {
    if (atomic_load(&sl_fault_state) < 0) read_environment();
    if (atomic_load(&sl_fault_state) == 0) return false;
    int64_t n = atomic_fetch_add(&calls, 1) + 1;
    if (n == atomic_load(&kill_at)) _exit(SL_FAULT_EXIT);
    if (n != atomic_load(&fail_at)) return false;
    errno = atomic_load(&fail_errno);
    return true;
}

void sl_fault_arm(int64_t fail, int error_number, int64_t kill) {
    arm(fail, error_number, kill);
    atomic_store(&sl_fault_state, 1);
}

int64_t sl_fault_disarm(void) {
    atomic_store(&sl_fault_state, 0);
    return atomic_load(&calls);
}
