/* The rows of all.def as constant data. Names and texts are members of two structs of character arrays and are found by
 * offset, so that the tables hold no pointers for the loader to relocate; names stand together, because looking one up
 * reads them all once. */
#include "ops/op_row.h"

#include "ops/op_effects.h"
#include "ops/op_words.inc"
#include "ops/shape_functions.h"

static const struct names {
#define OP(name, ...)          char name[sizeof #name];
#define OP_AS(name, text, ...) char name[sizeof text];
#include "ops/all.def"
} names = {
#define OP(name, ...)          #name,
#define OP_AS(name, text, ...) text,
#include "ops/all.def"
};

#define TEXT(inputs, outputs, attrs) inputs "\0" outputs "\0" attrs
static const struct texts {
#define OP(name, inputs, outputs, attrs, shape, facts) char name[sizeof TEXT(inputs, outputs, attrs)];
#include "ops/all.def"
} texts = {
#define OP(name, inputs, outputs, attrs, shape, facts) TEXT(inputs, outputs, attrs),
#include "ops/all.def"
};

static const struct explanations {
#define OP(...)
#define DEPRECATED(name, version, explanation) char name[sizeof explanation];
#include "ops/all.def"
} explanations = {
#define OP(...)
#define DEPRECATED(name, version, explanation) explanation,
#include "ops/all.def"
};

static const struct {
    uint32_t text, facts;
    uint16_t name, reads, writes;
    uint8_t name_length;
} rows[SL_ROW_COUNT] = {
#define OP(name, inputs, outputs, attrs, shape, facts)                                                                 \
    {offsetof(struct texts, name),                                                                                     \
     (uint32_t)(facts),                                                                                                \
     offsetof(struct names, name),                                                                                     \
     (uint16_t)((uint64_t)(facts) >> 32),                                                                              \
     (uint16_t)((uint64_t)(facts) >> (32 + SL_OP_MASK_BITS)),                                                          \
     sizeof names.name - 1},
#include "ops/all.def"
};
_Static_assert(sizeof names <= UINT16_MAX, "offsets of names have become too large");
_Static_assert(sizeof *rows == 16, "a row is small");

static const struct {
    uint16_t row, explanation;
    int version;
} deprecations[] = {
#define OP(...)
#define DEPRECATED(name, version, explanation) {SL_ROW_##name, offsetof(struct explanations, name), version},
#include "ops/all.def"
};

/* clang-format off */
/* A switch, not a table: the compiler makes a jump table of it, which needs no relocation either. */
static sl_shape_function *shape_of(uint32_t row) {
    switch (row) {
#define OP(name, inputs, outputs, attrs, shape, facts) case SL_ROW_##name: return sl_shape_##shape;
#include "ops/all.def"
    default: return NULL;
    }
}
/* clang-format on */

struct sl_str sl_row_name(uint32_t row) {
    return (struct sl_str){(const char *)&names + rows[row].name, rows[row].name_length};
}

struct sl_row_text sl_row_text(uint32_t row) {
    const char *inputs = (const char *)&texts + rows[row].text;
    const char *outputs = inputs + strlen(inputs) + 1;
    struct sl_row_text text = {.name = sl_row_name(row),
                               .inputs = inputs,
                               .outputs = outputs,
                               .attrs = outputs + strlen(outputs) + 1,
                               .facts = rows[row].facts,
                               .reads = rows[row].reads,
                               .writes = rows[row].writes,
                               .explanation = "",
                               .shape = shape_of(row)};
    for (size_t i = 0; i < sizeof deprecations / sizeof *deprecations; i++)
        if (deprecations[i].row == row) {
            text.deprecated = deprecations[i].version;
            text.explanation = (const char *)&explanations + deprecations[i].explanation;
        }
    return text;
}
