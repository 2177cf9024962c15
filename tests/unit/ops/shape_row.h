/* Shape inference told in rows:
 *
 *     [name = ] Op | attrs | inputs -> outputs
 *     Reshape | T type: DT_FLOAT | [2,?] int32[2]{3,-1} -> [3,?]
 *     Reshape | T type: DT_FLOAT | [2] [] -> ! Shape must be rank 1 but is rank 0
 *
 * Attrs are as attrs_of reads them; the op's defaults are added. An input is a shape (`?`: unknown rank), a constant
 * `type[dims]{elements}`, or the output `name:1` of a row before (`name`: output 0), whose handle data come along.
 * Outputs are shapes, or `!` and what the message holds. */
#ifndef SL_TESTS_SHAPE_ROW_H
#define SL_TESTS_SHAPE_ROW_H

#include "ops/shape_ctx.h"
#include "unit/ops/ops_fixture.h"

enum { SHAPE_ROW_NODES = 64, SHAPE_ROW_TENSORS = 64 };

struct shape_node {
    char name[32];
    int n_out;
    struct sl_shape *shapes;
    struct sl_handle_data *handles;
};

/* What a story of rows knows so far. */
struct shape_story {
    struct ops_fixture *f;
    struct shape_node nodes[SHAPE_ROW_NODES];
    int n_nodes;
    const struct sl_tensor *constants[SHAPE_ROW_TENSORS]; /* by input, of the row that runs */
    struct sl_tensor *owned[256];
    int n_owned;
    char message[1024]; /* what was wrong with the last row */
};

void shape_story_start(struct shape_story *story, struct ops_fixture *f);
void shape_story_end(struct shape_story *story);
/* Runs one row: false when it does not come out as it says; then `message` says how. */
bool shape_row_holds(struct shape_story *story, const char *row);

/* For tests that tell a story in C: every row must hold. */
#define shape_rows_hold(f, ...)                                                                                        \
    do {                                                                                                               \
        static const char *const rows_[] = {__VA_ARGS__};                                                              \
        struct shape_story story_;                                                                                     \
        shape_story_start(&story_, f);                                                                                 \
        for (size_t i_ = 0; i_ < sizeof rows_ / sizeof *rows_; i_++)                                                   \
            if (!shape_row_holds(&story_, rows_[i_])) fail_msg("%s\n%s", rows_[i_], story_.message);                   \
        shape_story_end(&story_);                                                                                      \
    } while (0)

#endif
