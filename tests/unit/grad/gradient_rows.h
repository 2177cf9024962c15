/* Gradient rules as rows: an op, its attrs, its inputs. The gradient of each output by each input of type double (or
 * float, loosely) is compared with differences, and the gradient of that gradient too; what a tape gives, which runs
 * the rules at once, is compared with that.
 *
 *     {"MatMul", "transpose_a=true", {"double[3,2]", "double[3,4]"}},
 *
 * An input: type, dims in brackets, then its elements; without any they are made up, and never twice the same: "0.5..2"
 * between those bounds, 0.3 .. 1.7 when nothing is said. Of type complex128 both parts are made up or given alike, and
 * gradients are by each part. With '-' before it there is no gradient by it, with '+' it is a matrix that is added to
 * its transpose. With '~' before the op neither its second gradient nor its further outputs are looked at: they are not
 * there, or not smooth. Attrs: name=value with blanks between; lists in brackets. */
#ifndef SL_TESTS_GRADIENT_ROWS_H
#define SL_TESTS_GRADIENT_ROWS_H

#include "unit/unit.h"

enum { GRADIENT_ROW_INPUTS = 8 };

struct gradient_row {
    const char *op, *attrs;
    const char *in[GRADIENT_ROW_INPUTS]; /* up to the first NULL */
};

void check_gradient_rows(const struct gradient_row *rows, size_t n);
#define CHECK_GRADIENTS(rows) check_gradient_rows(rows, sizeof(rows) / sizeof *(rows))

/* Where differences say nothing, at a kink or at the edge of what the op takes: both inputs, and what the gradients by
 * them are; NULL: by the second there is none. */
struct gradient_values {
    const char *op;
    const char *in[2], *dx[2];
};

void check_gradient_values(const struct gradient_values *rows, size_t n);
#define CHECK_GRADIENT_VALUES(rows) check_gradient_values(rows, sizeof(rows) / sizeof *(rows))

#endif
