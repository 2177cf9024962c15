/* Structs of options of other sizes: of older and newer headers, and of nobody's. What lies behind a struct is junk. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sluice/flow.h"
#include "sluice/ops.h"
#include "sluice/saved_model_file.h"
#include "sluice/saver.h"
#include "sluice/train.h"
#include "sluice/training.h"
#include "unit/capi/front_fixture.h"

enum { ROOM = 512, SIZE_ONLY = sizeof(size_t) };

/* Room in which a struct of `known` bytes is a struct of `size`: the rest is `filler`. */
struct room {
    union {
        char bytes[ROOM];
        max_align_t align;
    };
};
static const void *resized(struct room *room, const void *known, size_t n, size_t size, int filler) {
    memset(room->bytes, filler, ROOM);
    memcpy(room->bytes, known, n < size || size < SIZE_ONLY ? n : size);
    memcpy(room->bytes, &size, sizeof size);
    return room->bytes;
}

/* What one step with the optimiser makes of 1, NaN when it is refused. */
static float step_from_one(const struct sl_optimizer *o, TF_Code code) {
    struct front f = front_new();
    float got = NAN;
    struct sl_var w = sl_variable(f.s, "w", sl_scalar(f.s, TF_FLOAT, 1));
    TF_Operation *train = sl_minimize(f.s, o, sl_square(f.s, w.value), NULL);
    assert_int_equal(sl_scope_code(f.s), code);
    if (train) {
        front_open(&f);
        front_do(&f, train);
        front_floats(&f, w.value, &got, 1);
    }
    front_delete(&f);
    return got;
}

static void a_struct_may_be_shorter_or_longer(void **state) {
    (void)state;
    struct room room;
    const struct sl_optimizer sgd = SL_OPTIONS(sl_optimizer, .kind = SL_SGD, .rate = .25),
                              heavy = SL_OPTIONS(sl_optimizer, .kind = SL_MOMENTUM, .rate = .25, .momentum = .5);
    enum { WHOLE = sizeof sgd, SHORT = offsetof(struct sl_optimizer, momentum) };
    assert_int_equal(sgd.size, WHOLE);
    assert_true(step_from_one(&sgd, TF_OK) == .5f);
    assert_true(step_from_one(resized(&room, &heavy, SHORT, SHORT, 0xff), TF_OK) == .5f);
    assert_true(step_from_one(resized(&room, &sgd, WHOLE, 0, 0xff), TF_OK) == .5f);
    assert_true(step_from_one(resized(&room, &sgd, WHOLE, WHOLE + 64, 0), TF_OK) == .5f);
    assert_true(isnan(step_from_one(resized(&room, &sgd, WHOLE, WHOLE + 64, 1), TF_INVALID_ARGUMENT)));
    assert_true(isnan(step_from_one(resized(&room, &sgd, WHOLE, 7, 0), TF_INVALID_ARGUMENT)));
    assert_true(isnan(step_from_one(resized(&room, &sgd, WHOLE, (size_t)-1, 0), TF_INVALID_ARGUMENT)));
}

static TF_Output below_ten(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], sl_scalar(s, TF_FLOAT, 10));
}
static void doubled(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], v[0]);
}

/* Of each struct nothing but its size: all else is as if there were no options. */
static void all_structs_may_be_short(void **state) {
    (void)state;
    const size_t size = SIZE_ONLY;
    char folder[] = "/tmp/sluice-options-XXXXXX", export[64], command[64];
    assert_non_null(mkdtemp(folder));
    snprintf(export, sizeof export, "%s/model", folder);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    struct room room;
    const void *empty = resized(&room, &size, size, size, 0xff);
    struct front f = front_new();
    TF_Status *status = TF_NewStatus();
    struct sl_var w = sl_variable(f.s, "w", sl_scalar(f.s, TF_FLOAT, 1));
    TF_Output start = sl_scalar(f.s, TF_FLOAT, 3), end;
    sl_while(f.s, &end, &start, 1, below_ten, doubled, NULL, empty);
    struct sl_slices dw;
    TF_Output y = sl_square(f.s, w.value);
    sl_add_gradients(f.graph, &y, NULL, 1, &w.value, 1, empty, &dw, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    front_open(&f);
    expect_floats(&f, end, 12);
    expect_floats(&f, dw.values, 2);
    struct sl_saver *saver = sl_saver_new(f.graph, empty, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    sl_saver_delete(saver);
    sl_model_write(export, f.session, empty, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    assert_null(sl_training_new(f.s, empty, status));
    assert_non_null(strstr(TF_Message(status), "there must be a counter"));
    assert_int_equal(system(command), 0);
    TF_DeleteStatus(status);
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_struct_may_be_shorter_or_longer),
        cmocka_unit_test(all_structs_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
