/* The nodes of a GraphDef as an import sees them, from a message or from its bytes.
 *
 * Bytes are read once, in the order that every serializer keeps: name, op, inputs, device, then attrs and the rest, all of which stay
 * bytes. Most nodes of a large graph say the same from the attrs on as others of their op: such nodes are of one kind, and only the
 * first of a kind has its attrs decoded, checked and kept, for all of them. What is not in this order, or not known here, is left
 * to those who decode the whole message. */
#include "graph/import_index.h"

#include "base/hash.h"
#include "os/page.h"
#include "proto/wire.h"

enum {
    MOST_SHARED = 256, /* bytes of a kind that is looked for among those there are */
    SHARED_SLOTS = 512 /* of kinds by hash; a newer one takes the place of an older */
};

/* Tags as bytes: field << 3 | 2, a length follows. */
enum {
    GRAPH_NODE = 0x0a,
    NODE_NAME = 0x0a,
    NODE_OP = 0x12,
    NODE_INPUT = 0x1a,
    NODE_DEVICE = 0x22,
    NODE_ATTR = 0x2a,
    NODE_DEBUG_INFO = 0x32,
    NODE_FULL_TYPE = 0x3a
};

static bool is_control(struct sl_str input) { return input.n && input.p[0] == '^'; }

/* ---- a message */
sl_code sl_import_read_message(struct sl_import *im, const struct sl_pb_GraphDef *def) {
    im->n = def->node.n;
    im->library = def->library;
    im->versions = def->versions;
    im->entries = SL_ARENA_ARRAY(&im->scratch, struct sl_import_entry, im->n);
    struct sl_import_kind *kinds = SL_ARENA_ARRAY(&im->scratch, struct sl_import_kind, im->n);
    if (!im->entries || !kinds) return sl_fail_memory(im->err, im->n * sizeof *kinds);
    for (size_t i = 0; i < im->n; i++) {
        const struct sl_pb_NodeDef *node = &def->node.items[i];
        if (node->input.n > INT32_MAX)
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "The GraphDef has more than %d inputs", INT32_MAX);
        im->entries[i] = (struct sl_import_entry){.name = node->name,
                                                  .kind = &kinds[i],
                                                  .inputs = node->input.items,
                                                  .n_inputs = (uint32_t)node->input.n & INT32_MAX};
        for (size_t k = 1; k < node->input.n; k++)
            im->entries[i].is_mixed |= is_control(node->input.items[k - 1]) && !is_control(node->input.items[k]);
        kinds[i] = (struct sl_import_kind){.def = node,
                                           .op_name = node->op,
                                           .wanted_device = node->device,
                                           .is_merge = sl_str_is(node->op, "Merge") || sl_str_is(node->op, "RefMerge"),
                                           .is_next = sl_str_is(node->op, "NextIteration") ||
                                                      sl_str_is(node->op, "RefNextIteration")};
    }
    return SL_OK;
}

/* ---- bytes */
struct reader {
    const uint8_t *p, *end;
};

/* The bytes of a field that has `tag`, and `r` behind them; false when another follows, or it is cut. */
static inline bool read_field(struct sl_str *out, struct reader *r, uint8_t tag) {
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

struct sl_str sl_import_input(const struct sl_import *im, const void **at) {
    if (!im->is_bytes) {
        const struct sl_str *input = *at;
        *at = input + 1;
        return *input;
    }
    const uint8_t *p = (const uint8_t *)*at + 1; /* all of it was read before: it has a tag, a length and an end */
    size_t n = *p & 0x7f;
    for (int shift = 7; *p++ >= 0x80; shift += 7) n |= (size_t)(*p & 0x7f) << shift;
    *at = p + n;
    return (struct sl_str){(const char *)p, n};
}

static bool is_rest(struct sl_str rest) {
    struct reader r = {(const uint8_t *)rest.p, (const uint8_t *)rest.p + rest.n};
    struct sl_str field;
    while (r.p < r.end)
        if (!read_field(&field, &r, NODE_ATTR) && !read_field(&field, &r, NODE_DEBUG_INFO) &&
            !read_field(&field, &r, NODE_FULL_TYPE))
            return false;
    return true;
}

struct reading {
    struct sl_import *im;
    struct sl_import_kind *last; /* NULL before the first node */
    struct sl_import_kind *shared[SHARED_SLOTS];
    bool is_out_of_memory;
};

static bool is_of(const struct sl_import_kind *kind, struct sl_str op, struct sl_str device, struct sl_str rest) {
    return sl_str_eq(kind->rest, rest) && sl_str_eq(kind->op_name, op) && sl_str_eq(kind->wanted_device, device);
}

static struct sl_import_kind *new_kind(struct reading *reading, struct sl_str op, struct sl_str device,
                                       struct sl_str rest) {
    if (!is_rest(rest)) return NULL;
    struct sl_import_kind *kind = SL_ARENA_NEW(&reading->im->scratch, struct sl_import_kind);
    reading->is_out_of_memory = !kind;
    if (!kind) return NULL;
    kind->op_name = op;
    kind->wanted_device = device;
    kind->rest = rest;
    kind->is_merge = sl_str_is(op, "Merge") || sl_str_is(op, "RefMerge");
    kind->is_next = sl_str_is(op, "NextIteration") || sl_str_is(op, "RefNextIteration");
    return kind;
}

/* The kind of a node, shared when it has been read before; NULL when its bytes are not as usual, or memory is out. */
static struct sl_import_kind *kind_of(struct reading *reading, struct sl_str op, struct sl_str device,
                                      struct sl_str rest) {
    if (reading->last && is_of(reading->last, op, device, rest)) return reading->last;
    if (rest.n > MOST_SHARED) return new_kind(reading, op, device, rest);
    uint32_t hash = sl_hash_name(rest.p, rest.n) ^ sl_hash_name(op.p, op.n);
    struct sl_import_kind **slot = &reading->shared[hash % SHARED_SLOTS];
    if (!*slot || !is_of(*slot, op, device, rest)) *slot = new_kind(reading, op, device, rest);
    return reading->last = *slot;
}

static bool read_node(struct sl_import_entry *entry, struct reading *reading, struct sl_str bytes) {
    struct reader r = {(const uint8_t *)bytes.p, (const uint8_t *)bytes.p + bytes.n};
    struct sl_str op, input, device = SL_STR("");
    *entry = (struct sl_import_entry){0};
    if (!read_field(&entry->name, &r, NODE_NAME) || !read_field(&op, &r, NODE_OP)) return false;
    entry->inputs = r.p;
    uint32_t n_inputs = 0;
    bool was_control = false;
    for (; read_field(&input, &r, NODE_INPUT); n_inputs++) {
        entry->is_mixed |= was_control && !is_control(input);
        was_control = is_control(input);
    }
    entry->n_inputs = n_inputs & INT32_MAX; /* the bytes are fewer */
    if (read_field(&device, &r, NODE_DEVICE) && !sl_utf8_valid(device)) return false;
    entry->kind = kind_of(reading, op, device, (struct sl_str){(const char *)r.p, (size_t)(r.end - r.p)});
    return entry->kind != NULL;
}

/* What follows the nodes: the library and the versions. */
static sl_code read_end(bool *is_usual, struct sl_import *im, struct sl_str bytes) {
    struct sl_pb_GraphDef *def = SL_ARENA_NEW(&im->scratch, struct sl_pb_GraphDef);
    if (!def) return sl_fail_memory(im->err, sizeof *def);
    *is_usual = sl_pb_decode(def, SL_PB_TYPE(GraphDef), bytes, &im->scratch, NULL) == SL_OK && !def->node.n;
    im->library = def->library;
    im->versions = def->versions;
    return SL_OK;
}

sl_code sl_import_read_bytes(bool *is_usual, struct sl_import *im, struct sl_str bytes) {
    struct reader r = {(const uint8_t *)bytes.p, (const uint8_t *)bytes.p + bytes.n};
    struct sl_str node;
    im->is_bytes = true;
    *is_usual = bytes.n <= INT32_MAX;
    if (!*is_usual) return SL_OK;
    while (read_field(&node, &r, GRAPH_NODE)) im->n++;
    SL_TRY(read_end(is_usual, im, (struct sl_str){(const char *)r.p, (size_t)(r.end - r.p)}));
    if (!*is_usual) return SL_OK;
    im->entries = sl_arena_alloc(&im->scratch, im->n * sizeof *im->entries); /* n is less than the bytes are */
    struct reading *reading = SL_ARENA_NEW(&im->scratch, struct reading);
    if (!im->entries || !reading) return sl_fail_memory(im->err, im->n * sizeof *im->entries);
    sl_pages_prepare(im->entries, im->n * sizeof *im->entries);
    reading->im = im;
    r.p = (const uint8_t *)bytes.p;
    for (size_t i = 0; i < im->n && *is_usual; i++)
        *is_usual = read_field(&node, &r, GRAPH_NODE) && read_node(&im->entries[i], reading, node);
    return reading->is_out_of_memory ? sl_fail_memory(im->err, sizeof(struct sl_import_kind)) : SL_OK;
}
