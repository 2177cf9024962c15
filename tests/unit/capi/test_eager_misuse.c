/* Calls of the eager C API in any order, with whatever there is: the target of fuzz/fuzz_eager.c, driven by numbers that
 * are the same each time, so that every build with sanitizers sees it. Two threads share a context, each with executors
 * of its own. Whatever comes back is right; a crash, a race, a leak or a hang is not. */
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#include "../fuzz/fuzz_eager.c"
#include "unit/unit.h"

enum { LENGTH = 400 };

static void fill(uint8_t *bytes, uint64_t seed) {
    for (int i = 0; i < LENGTH; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bytes[i] = (uint8_t)(seed >> 56);
    }
}

struct range {
    uint64_t first, n;
};

static void *run_sequences(void *arg) {
    const struct range *r = arg;
    uint8_t bytes[LENGTH];
    for (uint64_t seed = r->first; seed < r->first + r->n; seed++) {
        fill(bytes, seed * UINT64_C(0x9e3779b97f4a7c15));
        LLVMFuzzerTestOneInput(bytes, sizeof bytes);
    }
    return NULL;
}

static void any_order_of_calls(void **state) {
    (void)state;
    run_sequences(&(struct range){0, 2000});
}

static void any_order_of_calls_by_two_threads(void **state) {
    (void)state;
    pthread_t thread;
    struct range other = {10000, 1000};
    start_context();
    assert_int_equal(pthread_create(&thread, NULL, run_sequences, &other), 0);
    run_sequences(&(struct range){20000, 1000});
    pthread_join(thread, NULL);
}

/* The context is the target's, which never deletes it. */
static int delete_context(void **state) {
    (void)state;
    if (context) TFE_DeleteContext(context);
    context = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_calls),
        cmocka_unit_test(any_order_of_calls_by_two_threads),
    };
    return cmocka_run_group_tests(tests, NULL, delete_context);
}
