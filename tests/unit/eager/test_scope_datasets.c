/* Input pipelines by sluice/dataset.h: the same functions in a scope that runs ops at once and in one of a graph give the
 * same elements; what is wrong is told. */
#include <stdio.h>

#include "sluice/dataset.h"
#include "sluice/eager.h"
#include "sluice/ops.h"
#include "sluice/tensors.h"
#include "unit/unit.h"

enum { TEXT = 512 };

static void times_factor(struct sl_scope *s, TF_Output *outputs, const TF_Output *element, void *factor) {
    outputs[0] = sl_mul(s, element[0], *(const TF_Output *)factor);
    outputs[1] = sl_neg(s, element[0]);
}
static void is_below_8(struct sl_scope *s, TF_Output *outputs, const TF_Output *element, void *arg) {
    (void)arg;
    outputs[0] = sl_less(s, element[0], sl_scalar_like(s, element[0], 8));
}

/* 0, 2, 4 ... scaled by 3 and negated, in twos; then the first two batches again, unbatched. */
static struct sl_data pipeline(struct sl_scope *s) {
    const int64_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const TF_Output numbers = sl_constant_of(s, TF_INT64, SL_SHAPE(10), all);
    TF_Output factor = sl_scalar(s, TF_INT64, 3);
    struct sl_data d = sl_data_slices(s, &numbers, 1);
    d = sl_data_filter(s, sl_data_shard(s, d, 2, 0), "below", is_below_8, NULL);
    d = sl_data_map(s, d, "scale", times_factor, 2, &factor);
    d = sl_data_batch(s, d, 2, true);
    return sl_data_prefetch(s, sl_data_unbatch(s, sl_data_concatenate(s, d, sl_data_take(s, d, 1))), 2);
}
static const char all_elements[] = "0,0 6,-2 12,-4 18,-6 0,0 6,-2 ";

static void an_eager_scope_takes_elements(void **state) {
    (void)state;
    char text[TEXT] = "";
    struct sl_scope *s = sl_eager_scope_new(NULL, NULL);
    struct sl_data_iterator it = sl_data_iterate(s, NULL, pipeline(s));
    TF_Output element[2];
    while (sl_data_next(s, element, it))
        snprintf(text + strlen(text), TEXT - strlen(text), "%g,%g ", sl_number_of(s, element[0]),
                 sl_number_of(s, element[1]));
    assert_string_equal(sl_scope_message(s), "");
    assert_string_equal(text, all_elements);
    assert_false(sl_data_next(s, element, it)); /* the end stays the end */
    assert_true(sl_scope_ok(s));
    sl_scope_delete(s);
}

static void a_graph_has_an_element_a_step(void **state) {
    (void)state;
    char text[TEXT] = "";
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_scope_new(graph);
    struct sl_data_iterator it = sl_data_iterate(s, "numbers", pipeline(s));
    TF_Output element[2];
    const bool is_there = sl_data_next(s, element, it);
    assert_string_equal(sl_scope_message(s), "");
    assert_true(is_there);
    assert_int_equal(sl_rank_of(s, element[0]), 0);
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    for (int pass = 0; pass < 2; pass++) {
        const TF_Operation *begin = it.initialise;
        TF_Tensor *got[2];
        *text = 0;
        TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &begin, 1, NULL, status);
        while (TF_SessionRun(session, NULL, NULL, NULL, 0, element, got, 2, NULL, 0, NULL, status),
               TF_GetCode(status) == TF_OK) {
            snprintf(text + strlen(text), TEXT - strlen(text), "%d,%d ", (int)*(const int64_t *)TF_TensorData(got[0]),
                     (int)*(const int64_t *)TF_TensorData(got[1]));
            for (int i = 0; i < 2; i++) TF_DeleteTensor(got[i]);
        }
        assert_int_equal(TF_GetCode(status), TF_OUT_OF_RANGE);
        assert_string_equal(text, all_elements);
    }
    TF_CloseSession(session, status);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
}

static void shuffles_follow_the_seed(void **state) {
    (void)state;
    char text[2][TEXT] = {"", ""};
    for (int run = 0; run < 2; run++) {
        struct sl_scope *s = sl_eager_scope_new(NULL, NULL);
        sl_seed(s, 7);
        struct sl_data d = sl_data_repeat(s, sl_data_shuffle(s, sl_data_range(s, 0, 20, 1), 20), 2);
        struct sl_data_iterator it = sl_data_iterate(s, NULL, sl_data_zip(s, (const struct sl_data[]){d, d}, 2));
        TF_Output element[2];
        while (sl_data_next(s, element, it))
            snprintf(text[run] + strlen(text[run]), TEXT - strlen(text[run]), "%g ", sl_number_of(s, element[0]));
        assert_true(sl_scope_ok(s));
        sl_scope_delete(s);
    }
    assert_string_equal(text[0], text[1]);
    assert_null(strstr(text[0], "0 1 2 3 4 5"));
}

static void nothing(struct sl_scope *s, TF_Output *outputs, const TF_Output *element, void *arg) {
    (void)s, (void)outputs, (void)element, (void)arg;
}

static void what_is_wrong_is_told(void **state) {
    (void)state;
    for (int which = 0; which < 5; which++) {
        struct sl_scope *s = sl_eager_scope_new(NULL, NULL);
        const struct sl_data d = sl_data_range(s, 0, 3, 1);
        TF_Output element[1];
        const char *message = NULL;
        switch (which) {
        case 0: sl_data_batch(s, d, 0, false), message = "Batch size must be greater than zero."; break;
        case 1: sl_data_map(s, d, "none", nothing, 1, NULL), message = "gave no value 0"; break;
        case 2: sl_data_unbatch(s, d), message = "a component is a scalar"; break;
        case 3: sl_data_iterate(s, NULL, (struct sl_data){{NULL, 0}, NULL}), message = "There is no dataset"; break;
        default:
            sl_data_next(s, element, sl_data_iterate(s, NULL, sl_data_lines(s, sl_string_scalar(s, "/no/file"), NULL)));
            message = "/no/file";
        }
        assert_false(sl_scope_ok(s));
        if (!strstr(sl_scope_message(s), message)) fail_msg("%s: %s", message, sl_scope_message(s));
        sl_scope_delete(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eager_scope_takes_elements),
        cmocka_unit_test(a_graph_has_an_element_a_step),
        cmocka_unit_test(shuffles_follow_the_seed),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
