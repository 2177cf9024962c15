/* Processor features from cpuid or the kernel's hardware capabilities, and the number of usable processors. The
 * features are the one thing kept: cpuid is slow in virtual machines. */
#include "os/cpu.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "os/once.h"

#if defined(__linux__)
#include <sched.h>
#endif

#if defined(__x86_64__)

#include <cpuid.h>

static uint64_t enabled_registers(void) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

/* Bits as in the processor vendors' manuals: leaf 1 ecx, leaf 7 ebx/ecx/edx, leaf 7.1 eax. */
static void detect(struct sl_cpu_features *f) {
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return;
    bool osxsave = c >> 27 & 1, avx = c >> 28 & 1, fma = c >> 12 & 1, f16c = c >> 29 & 1;
    if (!osxsave || !avx) return;
    uint64_t saved = enabled_registers();
    if ((saved & 0x6) != 0x6) return; /* XMM, YMM */
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
    f->avx2_fma_f16c = (b >> 5 & 1) && fma && f16c;
    if ((saved & 0xe6) != 0xe6 || !f->avx2_fma_f16c) return; /* and the mask and ZMM registers */
    f->avx512 = (b >> 16 & 1) && (b >> 17 & 1) && (b >> 30 & 1) && (b >> 31 & 1);
    if (!f->avx512) return;
    f->avx512_vnni = c >> 11 & 1;
    f->avx512_fp16 = d >> 23 & 1;
    if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d)) f->avx512_bf16 = a >> 5 & 1;
}

#elif defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

/* Bits of AT_HWCAP and AT_HWCAP2 as in the kernel's arm64 ELF hwcaps document. */
static void detect(struct sl_cpu_features *f) {
    unsigned long caps = getauxval(AT_HWCAP), caps2 = getauxval(AT_HWCAP2);
    f->neon = caps >> 1 & 1;
    f->neon_fp16 = (caps >> 9 & 1) && (caps >> 10 & 1);
    f->neon_dotprod = caps >> 20 & 1;
    f->neon_bf16 = caps2 >> 14 & 1;
}

#elif defined(__aarch64__)

static void detect(struct sl_cpu_features *f) { f->neon = true; } /* part of the base architecture */

#else

static void detect(struct sl_cpu_features *f) { (void)f; }

#endif

static sl_code detect_once(void *features, struct sl_error *err) {
    (void)err;
    detect(features);
    return SL_OK;
}

const struct sl_cpu_features *sl_cpu_features(void) {
    static struct sl_cpu_features features;
    static struct sl_once once = SL_ONCE_INIT;
    sl_once_run(&once, detect_once, &features, NULL);
    return &features;
}

static const char *const isa_names[SL_ISA_COUNT] = {"base", "avx2", "avx512", "neon"};

const char *sl_isa_name(enum sl_isa isa) { return isa_names[isa]; }

enum sl_isa sl_cpu_isa(void) {
    const struct sl_cpu_features *f = sl_cpu_features();
    enum sl_isa best = f->avx512 ? SL_ISA_AVX512 : f->avx2_fma_f16c ? SL_ISA_AVX2 : f->neon ? SL_ISA_NEON : SL_ISA_BASE;
    const char *cap = sl_env_text(SL_ENV_ISA);
    if (!cap) return best;
    for (int i = 0; i < SL_ISA_COUNT; i++)
        if (strcmp(cap, isa_names[i]) == 0 && i < (int)best && (best != SL_ISA_NEON || i == SL_ISA_BASE))
            return (enum sl_isa)i;
    return best;
}

/* ---- usable processors ---- */

static int affinity_count(void) {
#if defined(__linux__)
    /* The kernel refuses a set smaller than its own; machines with more than 1024 processors exist. */
    for (size_t room = 1024; room <= 1 << 20; room *= 4) {
        cpu_set_t *set = CPU_ALLOC(room);
        if (!set) break;
        size_t bytes = CPU_ALLOC_SIZE(room);
        int rc = sched_getaffinity(0, bytes, set), n = rc == 0 ? CPU_COUNT_S(bytes, set) : 0, why = errno;
        CPU_FREE(set);
        if (rc == 0 && n > 0) return n;
        if (rc != 0 && why != EINVAL) break;
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < INT32_MAX ? (int)online : 1;
}

/* The start of a small file as a string, "" when it cannot be read. */
static void read_start(char *text, size_t room, const char *path) {
    text[0] = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t n = read(fd, text, room - 1);
    close(fd);
    text[n > 0 ? n : 0] = 0;
}

/* "quota period" in microseconds, or "max period": the processors that makes, rounded up; 0 for no limit. */
static int quota_of(const char *text) {
    char *end;
    long long quota = strtoll(text, &end, 10);
    if (end == text || quota <= 0) return 0;
    long long period = strtoll(end, NULL, 10);
    if (period <= 0) return 0;
    long long n = quota / period + (quota % period != 0);
    return n < INT32_MAX ? (int)n : 0;
}

/* Version 2 has both numbers in one file, version 1 in two. */
static int quota_of_group(const char *root, const char *group, bool is_first_version) {
    char text[128], file[4400];
    snprintf(file, sizeof file, "%s%s/%s", root, group, is_first_version ? "cpu.cfs_quota_us" : "cpu.max");
    read_start(text, sizeof text, file);
    if (is_first_version) {
        size_t n = strcspn(text, "\n");
        if (n > sizeof text / 2) return 0;
        snprintf(file, sizeof file, "%s%s/cpu.cfs_period_us", root, group);
        text[n++] = ' ';
        read_start(text + n, sizeof text - n, file);
    }
    return quota_of(text);
}

/* The least of a group and of those above it, each of which limits those below. In a container the group's folder may
 * be out of sight; what limits the container is then at the root. */
static int least_quota(const char *root, const char *group, bool is_first_version) {
    char path[4096];
    int least = 0;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(group, "\n"), group);
    for (;;) {
        int n = quota_of_group(root, strcmp(path, "/") == 0 ? "" : path, is_first_version);
        if (n > 0 && (least == 0 || n < least)) least = n;
        char *slash = strrchr(path, '/');
        if (!slash || strcmp(path, "/") == 0) return least;
        slash[slash == path ? 1 : 0] = 0;
    }
}

/* Whether "cpu" is among the controllers of a line "4:cpu,cpuacct:/group"; `*group` is where the last part begins. */
static bool is_of_cpu(const char **group, const char *line) {
    const char *at = strchr(line, ':'), *end = at ? strchr(at + 1, ':') : NULL;
    if (!end || end[1] != '/') return false;
    *group = end + 1;
    for (at++; at < end; at += strcspn(at, ",:") + 1)
        if (strncmp(at, "cpu", 3) == 0 && (at[3] == ',' || at[3] == ':')) return true;
    return false;
}

int sl_cpu_quota(const char *cgroup_root, const char *membership) {
    char text[4096], root[256];
    int least = 0;
    read_start(text, sizeof text, membership);
    for (const char *line = text, *group; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        bool is_second = strncmp(line, "0::/", 4) == 0, is_first = !is_second && is_of_cpu(&group, line);
        if (!is_first && !is_second) continue;
        snprintf(root, sizeof root, "%s%s", cgroup_root, is_first ? "/cpu" : "");
        int n = least_quota(root, is_second ? line + 3 : group, is_first);
        if (n > 0 && (least == 0 || n < least)) least = n;
    }
    return least;
}

int sl_cpu_count(void) {
    int n = affinity_count();
#if defined(__linux__)
    int quota = sl_cpu_quota("/sys/fs/cgroup", "/proc/self/cgroup");
    if (quota > 0 && quota < n) n = quota;
#endif
    return n;
}
