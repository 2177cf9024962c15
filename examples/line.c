/* Training in its smallest form: a line through points, by gradient descent. */
#include <stdio.h>

#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"
#include "sluice/training.h"

int main(void) {
    static const float xs[] = {0, 1, 2, 3}, ys[] = {1, 3, 5, 7};
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_scope_new(graph);
    struct sl_var slope = sl_variable(s, "slope", sl_initial_zeros(s, TF_FLOAT, SL_SCALAR));
    struct sl_var height = sl_variable(s, "height", sl_initial_zeros(s, TF_FLOAT, SL_SCALAR));
    TF_Output x = sl_constant_of(s, TF_FLOAT, SL_SHAPE(4), xs), y = sl_constant_of(s, TF_FLOAT, SL_SHAPE(4), ys);
    TF_Output guess = sl_add_v2(s, sl_mul(s, slope.value, x), height.value);
    TF_Output loss = sl_loss_squares(s, guess, y);
    struct sl_var step = sl_step_counter(s);
    TF_Operation *train = sl_minimize(s, &SL_OPTIONS(sl_optimizer, .kind = SL_SGD, .rate = .1), loss, &step);

    const struct sl_training_options options =
        SL_OPTIONS(sl_training_options, .step = step, .train = train, .loss = loss, .last_step = 300);
    TF_Output fetches[] = {slope.value, height.value, loss};
    TF_Tensor *got[3] = {NULL, NULL, NULL};
    struct sl_training *t = sl_training_new(s, &options, status);
    while (t && sl_training_goes_on(t, status)) {
        for (int i = 0; i < 3; i++) TF_DeleteTensor(got[i]);
        sl_training_run(t, NULL, NULL, 0, fetches, got, 3, status);
    }
    float end[3] = {0, 0, 1};
    for (int i = 0; i < 3 && got[i]; i++) end[i] = *(float *)TF_TensorData(got[i]);
    printf("%sy = %.3f x + %.3f, loss %.1e\n", TF_Message(status), (double)end[0], (double)end[1], (double)end[2]);

    for (int i = 0; i < 3; i++) TF_DeleteTensor(got[i]);
    sl_training_delete(t);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return end[2] < 1e-6f ? 0 : 1;
}
