/* Putting messages together. */
#include "net/grpc_message.h"

#include "base/alloc.h"
#include "base/memory_limit.h"
#include "os/page.h"

struct sl_grpc_block {
    struct sl_rpc_body body;
    unsigned char *memory; /* of its own, or NULL: behind this */
    size_t held;           /* bytes of that memory */
    size_t lead;           /* those before the message */
    size_t room;           /* for the message */
};

enum { ALIGNMENT = 64 };
static const size_t first_room = (size_t)64 << 10, second_room = (size_t)4 << 20;

void sl_grpc_prefix_write(unsigned char out[SL_GRPC_PREFIX], size_t size) {
    out[0] = 0;
    for (int i = 0; i < 4; i++) out[1 + i] = (unsigned char)(size >> (24 - 8 * i));
}

/* ---- blocks */

static void free_block(struct sl_rpc_body *body) {
    struct sl_grpc_block *block = (struct sl_grpc_block *)body;
    sl_free(block->memory);
    sl_memory_give(block->held);
    sl_free(block);
}

static unsigned char *data_of(struct sl_grpc_block *block) {
    return block->memory ? block->memory + block->lead : (unsigned char *)(block + 1);
}

/* Memory for `room` bytes behind the lead, with the first `filled` of the old one. */
static sl_code move_block(struct sl_grpc_block *block, size_t room, size_t filled, struct sl_error *err) {
    bool is_large = room >= second_room;
    size_t alignment = is_large ? SL_LARGE_PAGE : ALIGNMENT;
    size_t bytes = (block->lead + room + alignment - 1) / alignment * alignment;
    if (!sl_memory_take(bytes))
        return sl_fail(err, SL_RESOURCE_EXHAUSTED,
                       "a message of %zu bytes: the process may hold %zu bytes, and holds %zu", block->body.bytes.n,
                       sl_memory_limit(), sl_memory_held());
    unsigned char *memory = sl_alloc_aligned(alignment, bytes);
    if (!memory) {
        sl_memory_give(bytes);
        return sl_fail_memory(err, bytes);
    }
    if (is_large) sl_pages_prefer_large(memory, bytes);
    if (filled) memcpy(memory + block->lead, data_of(block), filled);
    sl_free(block->memory);
    sl_memory_give(block->held);
    block->memory = memory;
    block->held = bytes;
    block->room = room;
    block->body.bytes.p = (const char *)data_of(block);
    return SL_OK;
}

static sl_code new_block(struct sl_grpc_block **out, size_t size, struct sl_error *err) {
    bool is_small = size < SL_GRPC_ALIGNED;
    struct sl_grpc_block *block = sl_malloc(sizeof *block + (is_small ? size : 0));
    if (!block) return sl_fail_memory(err, sizeof *block + size);
    *block = (struct sl_grpc_block){.body = {.free = free_block}, .room = size};
    atomic_init(&block->body.refs, 1);
    block->body.bytes = (struct sl_str){(const char *)data_of(block), size};
    if (!is_small) {
        block->lead = (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
        sl_code code = move_block(block, size < first_room ? size : first_room, 0, err);
        if (code != SL_OK) {
            sl_free(block);
            return code;
        }
    }
    *out = block;
    return SL_OK;
}

/* ---- filling them */

void sl_grpc_assembler_clear(struct sl_grpc_assembler *a) {
    if (a->block) sl_rpc_body_unref(&a->block->body);
    a->block = NULL;
    a->n_prefix = 0;
    a->size = a->filled = 0;
}

static sl_code begin(struct sl_grpc_assembler *a, struct sl_error *err) {
    if (a->prefix[0] > 1) return sl_fail(err, SL_INTERNAL, "a message begins with byte %d", a->prefix[0]);
    if (a->prefix[0] == 1 && !a->encoding)
        return sl_fail(err, SL_INTERNAL, "a message is compressed, but no grpc-encoding was given");
    if (a->prefix[0] == 1)
        return sl_fail(err, SL_UNIMPLEMENTED, "messages compressed by %s are not supported", a->encoding);
    a->size = (size_t)a->prefix[1] << 24 | (size_t)a->prefix[2] << 16 | (size_t)a->prefix[3] << 8 | a->prefix[4];
    if (a->size > a->most)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "Received message larger than max (%zu vs. %zu)", a->size, a->most);
    return new_block(&a->block, a->size, err);
}

static sl_code take_prefix(struct sl_grpc_assembler *a, const unsigned char **data, size_t *n, struct sl_error *err) {
    while (*n && a->n_prefix < SL_GRPC_PREFIX) {
        a->prefix[a->n_prefix++] = *(*data)++;
        --*n;
    }
    return a->n_prefix == SL_GRPC_PREFIX ? begin(a, err) : SL_OK;
}

/* Room for at least one more byte. */
static sl_code make_room(struct sl_grpc_assembler *a, struct sl_error *err) {
    if (a->filled < a->block->room) return SL_OK;
    size_t room = a->block->room < second_room && a->size > second_room ? second_room : a->size;
    return move_block(a->block, room, a->filled, err);
}

static sl_code fill(struct sl_grpc_assembler *a, const unsigned char **data, size_t *n, struct sl_error *err) {
    while (*n && a->filled < a->size) {
        SL_TRY(make_room(a, err));
        unsigned char *to = data_of(a->block) + a->filled;
        size_t room = a->block->room - a->filled, part = *n < room ? *n : room;
        if (to != *data) memmove(to, *data, part);
        a->filled += part;
        *data += part;
        *n -= part;
    }
    return SL_OK;
}

sl_code sl_grpc_assembler_take(struct sl_rpc_body **body, struct sl_grpc_assembler *a, const unsigned char **data,
                               size_t *n, struct sl_error *err) {
    *body = NULL;
    if (!a->block) SL_TRY(take_prefix(a, data, n, err));
    if (!a->block) return SL_OK;
    SL_TRY(fill(a, data, n, err));
    if (a->filled < a->size) return SL_OK;
    *body = &a->block->body;
    a->block = NULL;
    sl_grpc_assembler_clear(a);
    return SL_OK;
}

void *sl_grpc_assembler_place(size_t *room, struct sl_rpc_body **owner, struct sl_grpc_assembler *a) {
    if (!a->block || make_room(a, NULL) != SL_OK) return NULL;
    *room = a->block->room - a->filled;
    *owner = sl_rpc_body_ref(&a->block->body);
    return data_of(a->block) + a->filled;
}
