/* os/cpu and os/library: features agree with the compiler's own view, limits of control groups, loading and looking
 * up. */
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/cpu.h"
#include "os/library.h"
#include "scratch.h"
#include "unit/unit.h"

static struct sl_error err;

static void features_agree_with_the_compilers(void **state) {
    (void)state;
    const struct sl_cpu_features *f = sl_cpu_features();
    assert_ptr_equal(f, sl_cpu_features());
#if defined(__x86_64__)
    __builtin_cpu_init();
    assert_int_equal(f->avx2_fma_f16c, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
    assert_int_equal(f->avx512, f->avx2_fma_f16c && __builtin_cpu_supports("avx512f") &&
                                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                                    __builtin_cpu_supports("avx512vl"));
    if (f->avx512) {
        assert_int_equal(f->avx512_vnni, !!__builtin_cpu_supports("avx512vnni"));
        assert_int_equal(f->avx512_bf16, !!__builtin_cpu_supports("avx512bf16"));
    }
    assert_false(f->neon);
#elif defined(__aarch64__)
    assert_true(f->neon);
    assert_false(f->avx2_fma_f16c);
#endif
}

static void the_environment_lowers_the_level(void **state) {
    (void)state;
    unsetenv("SLUICE_ISA");
    enum sl_isa best = sl_cpu_isa();
    for (int i = 0; i < SL_ISA_COUNT; i++) {
        setenv("SLUICE_ISA", sl_isa_name((enum sl_isa)i), 1);
        enum sl_isa got = sl_cpu_isa();
        bool lower = i == SL_ISA_BASE || (best != SL_ISA_NEON && i < (int)best);
        assert_int_equal(got, lower ? i : (int)best);
    }
    setenv("SLUICE_ISA", "avx9", 1);
    assert_int_equal(sl_cpu_isa(), best);
    unsetenv("SLUICE_ISA");
    assert_string_equal(sl_isa_name(SL_ISA_AVX512), "avx512");
}

static void an_affinity_mask_counts(void **state) {
    (void)state;
    int n = sl_cpu_count();
    assert_true(n >= 1);
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_true(n <= CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &before)) {
            CPU_SET(i, &one);
            break;
        }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(sl_cpu_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

static void control_groups_limit(void **state) {
    (void)state;
    assert_int_equal(system("mkdir -p cg/a/b"), 0);
    scratch_write("self", "3:cpu:/old\n0::/a/b\n");
    assert_int_equal(sl_cpu_quota("cg", "self"), 0); /* no files, no limit */
    scratch_write("cg/a/b/cpu.max", "max 100000\n");
    assert_int_equal(sl_cpu_quota("cg", "self"), 0);
    scratch_write("cg/a/cpu.max", "350000 100000\n");
    assert_int_equal(sl_cpu_quota("cg", "self"), 4); /* 3.5, rounded up; of the group above */
    scratch_write("cg/cpu.max", "200000 100000\n");
    assert_int_equal(sl_cpu_quota("cg", "self"), 2); /* the least on the way up */
    scratch_write("cg/a/b/cpu.max", "1000 100000\n");
    assert_int_equal(sl_cpu_quota("cg", "self"), 1);
    scratch_write("self", "0::/\n");
    assert_int_equal(sl_cpu_quota("cg", "self"), 2);
    static const char *const nonsense[] = {"", "x", "100000", "100000 0", "-5 100000", "0 100000"};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        scratch_write("cg/cpu.max", nonsense[i]);
        assert_int_equal(sl_cpu_quota("cg", "self"), 0);
    }
    scratch_write("self", "1:cpu:/a\n");
    assert_int_equal(sl_cpu_quota("cg", "self"), 0);
}

/* Version 1, as containers have it: the group is named as the host sees it, its files are at the root. */
static void old_control_groups_limit(void **state) {
    (void)state;
    assert_int_equal(system("mkdir -p cg1/cpu/far/away"), 0);
    scratch_write("self", "9:name=systemd:/x\n5:cpuset:/\n2:cpuacct,cpu:/far/away\n0::/\n");
    assert_int_equal(sl_cpu_quota("cg1", "self"), 0);
    scratch_write("cg1/cpu/cpu.cfs_quota_us", "150000\n");
    assert_int_equal(sl_cpu_quota("cg1", "self"), 0); /* of what period? */
    scratch_write("cg1/cpu/cpu.cfs_period_us", "50000\n");
    assert_int_equal(sl_cpu_quota("cg1", "self"), 3);
    scratch_write("cg1/cpu/far/cpu.cfs_quota_us", "-1\n");
    scratch_write("cg1/cpu/far/cpu.cfs_period_us", "100000\n");
    assert_int_equal(sl_cpu_quota("cg1", "self"), 3);
    scratch_write("cg1/cpu/far/away/cpu.cfs_quota_us", "110000\n");
    scratch_write("cg1/cpu/far/away/cpu.cfs_period_us", "100000\n");
    assert_int_equal(sl_cpu_quota("cg1", "self"), 2);
    scratch_write("cg1/cpu.max", "100000 100000\n");
    assert_int_equal(sl_cpu_quota("cg1", "self"), 1);
    scratch_write("self", "2:cpuacct,cpus:/far/away\n1:xcpu:/\n3:cpu\n");
    assert_int_equal(sl_cpu_quota("cg1", "self"), 0);
    assert_int_equal(sl_cpu_quota("cg", "nothing"), 0);
}

static void a_library_is_loaded(void **state) {
    (void)state;
    struct sl_library library;
    void *symbol = NULL;
    assert_ok(err, sl_library_open(&library, "libm.so.6", &err));
    assert_ok(err, sl_library_symbol(&symbol, &library, "cos", &err));
    double (*cosine)(double);
    memcpy(&cosine, &symbol, sizeof cosine);
    assert_true(cosine(0) == 1);
    assert_fails(err, SL_NOT_FOUND, "no_such_symbol", sl_library_symbol(&symbol, &library, "no_such_symbol", &err));
    sl_library_close(&library);
    sl_library_close(&library);
    assert_fails(err, SL_FAILED_PRECONDITION, "cos", sl_library_symbol(&symbol, &library, "cos", &err));
    assert_fails(err, SL_NOT_FOUND, "libno_such.so", sl_library_open(&library, "libno_such.so", &err));
    scratch_write("broken.so", "this is no library");
    assert_fails(err, SL_NOT_FOUND, "broken.so", sl_library_open(&library, "./broken.so", &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_agree_with_the_compilers), cmocka_unit_test(the_environment_lowers_the_level),
        cmocka_unit_test(an_affinity_mask_counts),           cmocka_unit_test(control_groups_limit),
        cmocka_unit_test(old_control_groups_limit),          cmocka_unit_test(a_library_is_loaded),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
