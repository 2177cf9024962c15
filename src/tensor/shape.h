/* Shapes: fully known ones of tensors and partly known ones of inference. Plain values; the dims are borrowed from an
 * arena, a tensor or a table. */
#ifndef SL_TENSOR_SHAPE_H
#define SL_TENSOR_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum { SL_MAX_RANK = 254 };

/* rank -1: nothing is known. A dim of -1: not known. */
struct sl_shape {
    int rank;
    const int64_t *dims; /* `rank` of them, borrowed; NULL when rank <= 0 */
};

#define SL_SHAPE_UNKNOWN ((struct sl_shape){-1, NULL})
#define SL_SHAPE_SCALAR  ((struct sl_shape){0, NULL})

static inline bool sl_shape_is_known(struct sl_shape s) {
    for (int i = 0; i < s.rank; i++)
        if (s.dims[i] < 0) return false;
    return s.rank >= 0;
}
bool sl_shape_equal(struct sl_shape a, struct sl_shape b);
/* Product of the dims: INVALID_ARGUMENT on overflow, on a negative dim, or on unknown rank. */
sl_code sl_shape_count(int64_t *count, struct sl_shape s, struct sl_error *err);
/* Copies the dims into the arena: `.rank` is -2 when memory is out. */
struct sl_shape sl_shape_copy(struct sl_arena *arena, struct sl_shape s);
/* Whether two partly known shapes can be the same. */
bool sl_shape_is_compatible(struct sl_shape a, struct sl_shape b);

enum { SL_SHAPE_TEXT = 256 };
/* "[2,?,3]", "<unknown>", "[]"; cut with "..." when longer. Returns `text`. */
const char *sl_shape_text(char text[SL_SHAPE_TEXT], struct sl_shape s);
/* "[1,0]": the indices of element `place`, row-major, of a tensor with this known shape; "" in a scalar. Returns
 * `text`. */
const char *sl_index_text(char text[SL_SHAPE_TEXT], int64_t place, struct sl_shape s);

#endif
