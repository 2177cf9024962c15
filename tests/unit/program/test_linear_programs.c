/* What graphs are compiled to, as SLUICE_DUMP=program prints it: when values end, who may take them over, what stands
 * in no program at all. That programs compute the same in every form is shown by test_random_programs. */
#include <stdio.h>
#include <stdlib.h>

#include "unit/runtime/runtime_fixture.h"

/* The program that fetches `fetch`, without its first line. */
static char *program_of(struct graph_fixture *f, const char *text, const char *feed, const char *fetch) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:localhost/replica:0/task:0", 1);
    struct sl_front front;
    char *printed = NULL;
    size_t n;
    import_client(f, text);
    front_of(&front, f, runtime, feed, fetch, NULL);
    struct sl_program *program = back_of(f, runtime, &front.parts[0]);
    FILE *out = open_memstream(&printed, &n);
    sl_program_print(program, out);
    fclose(out);
    sl_front_clear(&front);
    sl_program_free(program);
    sl_runtime_free(runtime);
    char *rest = strchr(printed, '\n') + 1;
    memmove(printed, rest, strlen(rest) + 1);
    return printed;
}

#define EXPECT(text, feed, fetch, wanted)                                                                              \
    do {                                                                                                               \
        char *got = program_of(f, text, feed, fetch);                                                                  \
        if (strcmp(got, wanted)) fail_msg("got\n%s\nwanted\n%s", got, wanted);                                         \
        free(got);                                                                                                     \
    } while (0)

#define MATRIX "dtype type: DT_FLOAT; shape shape { dim { size: 64 } dim { size: 64 } }\n"

GRAPH_TEST(what_strands_share_ends_behind_the_fork) {
    EXPECT("x = Placeholder() " MATRIX "y = Neg(x) " OF_FLOAT "a = MatMul(y, y) " OF_FLOAT
           "b = MatMul(y, y) T type: DT_FLOAT; transpose_a b: true\n z = Sub(a, b) " OF_FLOAT,
           "x", "z",
           "s1 = argument 0\n"
           "region \n"
           "  s2 = scalar Neg(take s1)  release s1   # y\n"
           "  fork 1, 1  release s2\n"
           "  s3 = MatMul(s2, s2)   # a\n"
           "  s4 = MatMul(s2, s2)   # b\n"
           "  s5 = scalar Sub(take s3, take s4)  release s4 s3   # z\n"
           "result 0 = take s5\n");
}

GRAPH_TEST(what_the_condition_makes_ends_with_the_loop) {
    EXPECT("x = Placeholder() dtype type: DT_FLOAT\n"
           "e = Enter(x) T type: DT_FLOAT; frame_name s: 'f'\n m = Merge(e, n) T type: DT_FLOAT; N i: 2\n"
           "c = Square(m) " OF_FLOAT "l = Less(c, t) " OF_FLOAT
           "t = Enter(x) T type: DT_FLOAT; frame_name s: 'f'; is_constant b: true\n"
           "p = LoopCond(l)\n s = Switch(m, p) " OF_FLOAT "a = Add(s:1, cs:1) " OF_FLOAT "cs = Switch(c, p) " OF_FLOAT
           "n = NextIteration(a) " OF_FLOAT "z = Exit(s) " OF_FLOAT,
           "x", "z",
           "s1 = argument 0\n"
           "region \n"
           "  loop\n"
           "    enter s2 = s1\n"
           "    region \n"
           "      s3 = scalar Square(s2)   # c\n"
           "      s4 = scalar Less(s3, s1)   # l\n"
           "    while s4\n"
           "      region \n"
           "        s5 = scalar Add(take s2, take s3)  release s3 s2   # a\n"
           "      next s2 = take s5\n"
           "    exit s6 = take s2\n"
           "    end  back s5 s4  release s4 s3 s2  release s1\n"
           "result 0 = take s6\n");
}

GRAPH_TEST(what_nobody_reads_ends_at_once) {
    EXPECT("x = Placeholder() dtype type: DT_FLOAT; shape shape { dim { size: 9 } }\n u = Unique(x) " OF_FLOAT
           "z = Neg(u) " OF_FLOAT,
           "x", "z",
           "s1 = argument 0\n"
           "region \n"
           "  s2, s3 = Unique(take s1)  release s3 s1   # u\n"
           "  s4 = scalar Neg(take s2)  release s2   # z\n"
           "result 0 = take s4\n");
}

GRAPH_TEST(branches_of_one_index_exclude_each_other) {
    EXPECT("x = Placeholder() dtype type: DT_FLOAT\n i = Placeholder() dtype type: DT_INT32\n"
           "s = _SwitchN(x, i) T type: DT_FLOAT; num_outs i: 3\n never = Add(s, s:1) " OF_FLOAT
           "z = Merge(never, s:2) T type: DT_FLOAT; N i: 2\n",
           "x", "z",
           "s1 = argument 0\n"
           "region \n"
           "  s2 = Placeholder()   # i\n"
           "region if s2 is 2\n"
           "  s3 = merge s0 if s0 is live, s1 if   release s4 s1   # z\n"
           "result 0 = take s3\n");
}

/* A loop over scalars is machine code where there is an emitter; one with something else in it is not. */
static bool is_code(struct graph_fixture *f, const char *body) {
    char text[1024];
    snprintf(text, sizeof text,
             "x = Placeholder() dtype type: DT_FLOAT\n"
             "e = Enter(x) T type: DT_FLOAT; frame_name s: 'f'\n m = Merge(e, n) T type: DT_FLOAT; N i: 2\n"
             "l = Less(m, t) " OF_FLOAT "t = Enter(x) T type: DT_FLOAT; frame_name s: 'f'; is_constant b: true\n"
             "p = LoopCond(l)\n s = Switch(m, p) " OF_FLOAT "%s n = NextIteration(a) " OF_FLOAT "z = Exit(s) " OF_FLOAT,
             body);
    char *got = program_of(f, text, "x", "z");
    const bool is = strstr(got, "loop, as machine code") != NULL;
    free(got);
    return is;
}

GRAPH_TEST(loops_over_scalars_are_machine_code) {
    unsetenv("SLUICE_JIT");
    assert_int_equal(is_code(f, "a = Square(s:1) " OF_FLOAT), sl_jit_is_there());
    assert_int_equal(is_code(f, "b = Square(s:1) " OF_FLOAT "c = Sin(b) " OF_FLOAT "a = Add(c, t) " OF_FLOAT),
                     sl_jit_is_there()); /* one kernel, of three scalar entries */
    assert_false(is_code(f, "r = Shape(s:1) " OF_FLOAT "c = Fill(r, t) " OF_FLOAT "a = Add(c, s:1) " OF_FLOAT));
    setenv("SLUICE_JIT", "off", 1);
    assert_false(is_code(f, "a = Square(s:1) " OF_FLOAT));
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(what_strands_share_ends_behind_the_fork),
                                       graph_unit_test(what_the_condition_makes_ends_with_the_loop),
                                       graph_unit_test(what_nobody_reads_ends_at_once),
                                       graph_unit_test(branches_of_one_index_exclude_each_other),
                                       graph_unit_test(loops_over_scalars_are_machine_code)};
    setenv("SLUICE_JIT", "off", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
