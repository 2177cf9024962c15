/* Handwritten digits: pictures.gz and labels.gz in the MNIST format. */
#ifndef DIGIT_FILES_H
#define DIGIT_FILES_H

#include <stdint.h>

#include "tensorflow/c/c_api.h"

enum { DIGITS = 10000, TRAINED = 9000, SIDE = 28 };

struct dataset {
    TF_Tensor *pictures; /* uint8 [DIGITS, SIDE, SIDE, 1] */
    TF_Tensor *labels;   /* int32 [DIGITS] */
    int32_t order[TRAINED];
    int64_t round; /* that `order` is of */
};

/* Reads the files of a folder, unpacked by a graph. False, with a status that says why. */
int dataset_read(struct dataset *data, const char *folder, TF_Status *status);
void dataset_clear(struct dataset *data);
/* Which digits to learn from in a step, `n` of them: the first TRAINED in another order each round, which follows
 * from the number of the step alone. Valid until the next call. */
const int32_t *dataset_batch(struct dataset *data, int64_t step, int n);

#endif
