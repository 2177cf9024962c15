/* The fields of a GraphDef's bytes, for the two that read them: import_read.c and import_straight.c. Private to
 * these. */
#ifndef SL_GRAPH_IMPORT_BYTES_H
#define SL_GRAPH_IMPORT_BYTES_H

#include "graph/import_index.h"

/* Tags as bytes: field << 3 | 2, a length follows. */
enum {
    SL_GRAPH_NODE = 0x0a,
    SL_GRAPH_LIBRARY = 0x12,
    SL_LIBRARY_FUNCTION = 0x0a,
    SL_NODE_NAME = 0x0a,
    SL_NODE_OP = 0x12,
    SL_NODE_INPUT = 0x1a,
    SL_NODE_DEVICE = 0x22,
    SL_NODE_ATTR = 0x2a,
    SL_NODE_DEBUG_INFO = 0x32,
    SL_NODE_FULL_TYPE = 0x3a
};

struct sl_import_reader {
    const uint8_t *p, *end;
};

static inline struct sl_import_reader sl_import_reader_of(struct sl_str bytes) {
    const uint8_t *p = (const uint8_t *)bytes.p;
    return (struct sl_import_reader){p, bytes.n ? p + bytes.n : p};
}

/* The bytes of a field that has `tag`, and `r` behind them; false when another follows, or it is cut. */
static inline bool sl_import_field(struct sl_str *out, struct sl_import_reader *r, uint8_t tag) {
    if (r->end - r->p < 2 || *r->p != tag) return false;
    const uint8_t *p = r->p + 1;
    size_t n = *p++;
    if (n >= 0x80) {
        n &= 0x7f;
        for (int shift = 7;; shift += 7) {
            if (p == r->end || shift > 28) return false;
            n |= (size_t)(*p & 0x7f) << shift;
            if (*p++ < 0x80) break;
        }
    }
    if (n > (size_t)(r->end - p)) return false;
    *out = (struct sl_str){(const char *)p, n};
    r->p = p + n;
    return true;
}

static inline bool sl_import_is_control(struct sl_str input) { return input.n && input.p[0] == '^'; }

#define SL_IMPORT_DIFFERS(type, at)                                                                                    \
    ({                                                                                                                 \
        type of_a_, of_b_;                                                                                             \
        memcpy(&of_a_, a.p + (at), sizeof of_a_);                                                                      \
        memcpy(&of_b_, b.p + (at), sizeof of_b_);                                                                      \
        of_a_ != of_b_;                                                                                                \
    })
/* sl_str_eq without a call: for texts of a few bytes, of which an import compares hundreds of thousands. From the
 * end, where names differ; pieces overlap. */
static inline bool sl_import_same(struct sl_str a, struct sl_str b) {
    size_t n = a.n;
    if (n != b.n) return false;
    if (n < 4) return !n || (a.p[0] == b.p[0] && a.p[n / 2] == b.p[n / 2] && a.p[n - 1] == b.p[n - 1]);
    if (n < 8) return !SL_IMPORT_DIFFERS(uint32_t, n - 4) && !SL_IMPORT_DIFFERS(uint32_t, 0);
    for (; n >= 8; n -= 8)
        if (SL_IMPORT_DIFFERS(uint64_t, n - 8)) return false;
    return !SL_IMPORT_DIFFERS(uint64_t, 0);
}
#undef SL_IMPORT_DIFFERS

static inline bool sl_import_is_of(const struct sl_import_kind *kind, struct sl_str op, struct sl_str device,
                                   struct sl_str rest) {
    return sl_import_same(kind->rest, rest) && sl_import_same(kind->op_name, op) &&
           sl_import_same(kind->wanted_device, device);
}

/* The kinds read so far. */
enum { SL_IMPORT_SHARED = 512 /* by hash; a newer one takes the place of an older */ };
struct sl_import_kinds {
    struct sl_import *im;
    struct sl_import_kind *last; /* NULL before the first node */
    struct sl_import_kind *shared[SL_IMPORT_SHARED];
    bool is_out_of_memory;
};
struct sl_import_kinds *sl_import_new_kinds(struct sl_import *im); /* NULL when memory is out */
/* The kind of a node that is not of the `last`; shared when it has been read before; NULL when its bytes are not as
 * usual, or memory is out. */
struct sl_import_kind *sl_import_other_kind(struct sl_import_kinds *kinds, struct sl_str op, struct sl_str device,
                                            struct sl_str rest);

/* The same, also of the last. */
static inline struct sl_import_kind *sl_import_kind_of(struct sl_import_kinds *kinds, struct sl_str op,
                                                       struct sl_str device, struct sl_str rest) {
    if (kinds->last && sl_import_is_of(kinds->last, op, device, rest)) return kinds->last;
    return sl_import_other_kind(kinds, op, device, rest);
}

#endif
