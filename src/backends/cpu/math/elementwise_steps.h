/* What the two ways of running an _ElementwiseProgram share: elementwise_program_cpu.c goes over it block by block,
 * elementwise_program_rows.c row by row, when steps fold rows. A program is read-only once made; a run belongs to
 * one call. */
#ifndef SL_BACKENDS_CPU_MATH_ELEMENTWISE_STEPS_H
#define SL_BACKENDS_CPU_MATH_ELEMENTWISE_STEPS_H

#include "backends/cpu/math/broadcast_plan.h"
#include "backends/cpu/math/elementwise.h"
#include "backends/cpu/reduce/reduce.h"
#include "ops/elementwise_program.h"

/* Head of a function that does nothing but ask for lines: gcc takes it for one without effects, and would drop calls
 * of it. */
#define SL_FETCHES inline __attribute__((always_inline))

/* Values are numbered: inputs, then steps. */
enum { SL_ELEMENTWISE_VALUES = SL_ELEMENTWISE_INPUTS + SL_ELEMENTWISE_STEPS };

struct sl_elementwise_program_step {
    const struct sl_kernel_def *def; /* NULL: `fold` */
    sl_loop_fn loop;
    sl_scalar_fn scalar;
    struct sl_row_fold fold;
    int64_t axis;    /* that is folded, as the op has it; it stays as a dim of 1 */
    int operands[2]; /* values */
    int n_operands;
    int tile; /* where its blocks go; steps share tiles when their lives allow */
    struct sl_str name;
};

struct sl_elementwise_program {
    int n_inputs, n_steps, n_tiles, n_folds;
    int64_t size; /* bytes of an element */
    bool is_double, has_scalars;
    bool is_strict;                     /* some step takes no scalar beside a tensor */
    double ns;                          /* an element through all steps */
    struct sl_elementwise_codes *codes; /* elementwise_code.h; NULL: there are none */
    struct sl_elementwise_program_step steps[SL_ELEMENTWISE_STEPS];
    char names[];
};

/* What a value is to rows of n elements. */
enum sl_row_kind {
    SL_ROW_ONE,    /* one element for all */
    SL_ROW_SAME,   /* the same n elements for each row */
    SL_ROW_COLUMN, /* one element a row */
    SL_ROW_FULL    /* n elements a row */
};

struct sl_elementwise_program_run {
    const struct sl_elementwise_program *p;
    bool by_rows, has_early, fetches;    /* fetches: blocks are asked for ahead */
    bool is_early[SL_ELEMENTWISE_STEPS]; /* run before the others, each as a whole */
    /* Inputs and steps: shapes of all, data of inputs and of steps that ran before. */
    struct sl_broadcast_map_input values[SL_ELEMENTWISE_VALUES];
    uint8_t kinds[SL_ELEMENTWISE_VALUES]; /* by rows: enum sl_row_kind */
    int64_t row, rows;                    /* by rows: elements of a row, rows */
    int64_t *dims;                        /* rank_limit for each step, and then for the plan */
    int rank_limit;
    int64_t count; /* of the result */
    /* Values that blocks are read from, in the order of the plan's inputs; value -> its place there. */
    int external[SL_ELEMENTWISE_VALUES], n_external, input_of[SL_ELEMENTWISE_VALUES];
    struct sl_plan plan;
    enum sl_plan_mode modes[SL_ELEMENTWISE_VALUES];
    const struct sl_elementwise_code *code; /* of the blocks; NULL: they run by loops */
    char *small, *to;                       /* results of the steps that run before; the program's result */
    int64_t small_bytes;
};

/* A step of a program that is run by rows. */
struct sl_elementwise_program_task {
    uint8_t action;
    int8_t operands[5]; /* values; -1: none */
};

struct sl_elementwise_program_rows {
    const struct sl_elementwise_program_run *r;
    const struct sl_elementwise_program *p;
    int64_t block;      /* rows that are taken together */
    int64_t tile_bytes; /* with a line to spare: tiles should not lie a page apart */
    struct sl_elementwise_program_task tasks[SL_ELEMENTWISE_STEPS];
    int8_t uses[SL_ELEMENTWISE_VALUES];
    int8_t tile[SL_ELEMENTWISE_VALUES]; /* of results of n elements a row, and of copies of shorter values; -1: none */
    int ones, zeros;                    /* tiles of 1 and -0, neutral factors and summands; -1: not needed */
    int n_tiles, n_long;                /* n_long: tasks of n elements a row */
};

/* For a program with folds: how it is run by rows; false when shapes or sizes do not allow it. Sets `kinds`, `row`,
 * `rows` of the run, whose values must have shapes. */
bool sl_elementwise_program_rows_plan(struct sl_elementwise_program_rows *w, struct sl_elementwise_program_run *r);
/* Runs it so; steps of the kinds ONE and SAME have run. */
void sl_elementwise_program_rows_run(struct sl_elementwise_program_rows *w, struct sl_kernel_context *k);

#endif
