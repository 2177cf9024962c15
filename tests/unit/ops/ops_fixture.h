/* What the tests of ops share: a registry, and nodes and definitions written in protobuf's text format. */
#ifndef SL_TESTS_OPS_FIXTURE_H
#define SL_TESTS_OPS_FIXTURE_H

#include "ops/attr.h"
#include "ops/op.h"
#include "ops/op_signature.h"
#include "unit/unit.h"

struct ops_fixture {
    struct sl_op_registry *registry;
    struct sl_arena arena;
    struct sl_error err;
};

int ops_setup(void **state);
int ops_teardown(void **state);

const struct sl_op *find_op(struct ops_fixture *f, const char *name);
/* Messages from text, in the fixture's arena. */
struct sl_pb_OpDef *op_def(struct ops_fixture *f, const char *text);
struct sl_pb_AttrValue *attr_value(struct ops_fixture *f, const char *text);
/* "T type: DT_FLOAT; N i: 2": the attrs of a node, separated by "; ". */
struct sl_attrs attrs_of(struct ops_fixture *f, const char *text);
/* The OpDef of one attr, input or output text, printed on one line. */
const char *print_op_def(struct ops_fixture *f, const struct sl_pb_OpDef *def);
const char *print_value(struct ops_fixture *f, const struct sl_pb_AttrValue *value);

#define assert_text(got, wanted)                                                                                       \
    do {                                                                                                               \
        const char *got_ = (got), *wanted_ = (wanted);                                                                 \
        if (strcmp(got_, wanted_) != 0) fail_msg("got    %s\nwanted %s", got_, wanted_);                               \
    } while (0)

#endif
