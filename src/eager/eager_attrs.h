/* Attrs of an op that is being built: those that the caller has set and those that follow from its inputs. Of an attr
 * that is set twice the first value stays.
 *
 * Types, numbers and truth values of declared attrs are kept as words, so that most calls are told apart without a look
 * at a message. One owner. */
#ifndef SL_EAGER_EAGER_ATTRS_H
#define SL_EAGER_EAGER_ATTRS_H

#include "base/vec.h"
#include "ops/attr.h"

/* A declared attr. */
struct sl_eager_attr {
    int which;                           /* SL_PB_AttrValue_...; 0: not set, -1: set to a value without a kind */
    uint64_t word;                       /* the bits of a type, int, float or bool; else a hash */
    const struct sl_pb_AttrValue *value; /* NULL where the word says it all */
};

enum { SL_EAGER_FEW_ATTRS = 12 };

struct sl_eager_attrs {
    const struct sl_op *op;
    struct sl_eager_attr few[SL_EAGER_FEW_ATTRS], *items; /* by position in op->attrs; `items` is `few` or in `arena` */
    SL_VEC(struct sl_attr) others;                        /* that the op does not declare */
    SL_VEC(struct sl_tensor *) tensors;                   /* references to those that values borrow elements from */
    struct sl_arena arena;                                /* of values and names; empty for most ops */
};

/* `attrs` is zeroed, or cleared. */
sl_code sl_eager_attrs_init(struct sl_eager_attrs *attrs, const struct sl_op *op, struct sl_error *err);
void sl_eager_attrs_clear(struct sl_eager_attrs *attrs);

/* Sets the attr at a position, unless it is set. */
static inline void sl_eager_attrs_put_word(struct sl_eager_attrs *attrs, int at, int which, uint64_t word) {
    if (!attrs->items[at].which) attrs->items[at] = (struct sl_eager_attr){which, word, NULL};
}
/* The same by name. `value` lives in `attrs->arena` or longer; the name is copied. */
sl_code sl_eager_attrs_put(struct sl_eager_attrs *attrs, struct sl_str name, const struct sl_pb_AttrValue *value,
                           struct sl_error *err);

/* As others read them: what is set, in any order. The array and values for words are in `arena`. */
sl_code sl_eager_attrs_given(struct sl_attrs *out, struct sl_arena *arena, const struct sl_eager_attrs *attrs,
                             struct sl_error *err);
/* A copy on its own, for a key: `to` is zeroed. */
sl_code sl_eager_attrs_copy(struct sl_eager_attrs *to, const struct sl_eager_attrs *from, struct sl_error *err);
bool sl_eager_attrs_equal(const struct sl_eager_attrs *a, const struct sl_eager_attrs *b);
uint64_t sl_eager_attrs_hash(const struct sl_eager_attrs *attrs);

#endif
