/* Set-up and text forms for the tests of ops. */
#include "unit/ops/ops_fixture.h"

#include <stdlib.h>

#include "proto/text_format.h"

int ops_setup(void **state) {
    struct ops_fixture *f = calloc(1, sizeof *f);
    if (!f || sl_op_registry_new(&f->registry, &f->err)) return -1;
    sl_arena_init(&f->arena);
    *state = f;
    return 0;
}

int ops_teardown(void **state) {
    struct ops_fixture *f = *state;
    sl_op_registry_free(f->registry);
    sl_arena_clear(&f->arena);
    free(f);
    return 0;
}

const struct sl_op *find_op(struct ops_fixture *f, const char *name) {
    const struct sl_op *op = NULL;
    assert_ok(f->err, sl_op_find(&op, f->registry, sl_str_of(name), &f->err));
    return op;
}

static void *parse(struct ops_fixture *f, const struct sl_pb_message *type, const char *text) {
    void *message = sl_arena_alloc(&f->arena, type->size);
    assert_ok(f->err, sl_pb_text_parse(message, type, sl_arena_str(&f->arena, sl_str_of(text)), &f->arena, &f->err));
    return message;
}

struct sl_pb_OpDef *op_def(struct ops_fixture *f, const char *text) {
    return parse(f, SL_PB_TYPE(OpDef), text);
}

struct sl_pb_AttrValue *attr_value(struct ops_fixture *f, const char *text) {
    return parse(f, SL_PB_TYPE(AttrValue), text);
}

struct sl_attrs attrs_of(struct ops_fixture *f, const char *text) {
    struct sl_attr *items = SL_ARENA_ARRAY(&f->arena, struct sl_attr, 64);
    int n = 0;
    for (const char *at = sl_arena_str(&f->arena, sl_str_of(text)).p; *at;) {
        const char *end = strstr(at, "; "), *space = strchr(at, ' ');
        size_t length = end ? (size_t)(end - at) : strlen(at);
        size_t name = space && (size_t)(space - at) < length ? (size_t)(space - at) : length;
        items[n].name = (struct sl_str){at, name};
        items[n++].value = attr_value(f, sl_arena_format(&f->arena, "%.*s", (int)(length - name), at + name));
        at += length + (end ? 2 : 0);
    }
    return (struct sl_attrs){items, n};
}

const char *print_op_def(struct ops_fixture *f, const struct sl_pb_OpDef *def) {
    struct sl_str text;
    assert_ok(f->err, sl_pb_text_print(&text, SL_PB_TYPE(OpDef), def, SL_PB_ONE_LINE, &f->arena, &f->err));
    return text.p;
}

const char *print_value(struct ops_fixture *f, const struct sl_pb_AttrValue *value) {
    struct sl_str text;
    assert_ok(f->err, sl_pb_text_print(&text, SL_PB_TYPE(AttrValue), value, SL_PB_ONE_LINE, &f->arena, &f->err));
    return text.p;
}
