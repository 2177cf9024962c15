/* Op rows: one line of tests/ops/FAMILY.cases read into tensors, attrs and what is expected (grammar: README.md),
 * run in all its variants, and compared. One owner; the program forks, so nothing here starts threads before
 * row_check. */
#ifndef SL_TESTS_OP_ROWS_H
#define SL_TESTS_OP_ROWS_H

#include "kernel/instance_cache.h"
#include "ops/op_signature.h"
#include "session/session.h"
#include "tensor/tensor.h"

enum { ROW_TENSORS = 64, ROW_STARS = 3, ROW_MESSAGE = 4096 };

enum row_kind {
    ROW_GIVES,    /* -> (tensors) */
    ROW_ANYTHING, /* -> * */
    ROW_UNFILLED, /* -> ? */
    ROW_FAILS     /* !! CODE "part" */
};

/* An attr written as * or {a, b}: the row is run once for each of these types. */
struct row_star {
    struct sl_str attr;
    sl_dtype_set types; /* as written; all for * */
    int dtype;          /* of this run */
};

struct row_want {
    struct sl_tensor *t; /* values, or the samples as a vector; NULL: any values */
    int dtype;
    struct sl_shape shape;
    bool is_sample;
};

struct op_row {
    struct sl_arena *arena;
    struct sl_op_registry *ops;
    const struct sl_op *op;
    struct row_star stars[ROW_STARS];
    int n_stars;
    struct sl_attrs given;
    struct sl_given_input arguments[ROW_TENSORS];
    int n_arguments;
    struct sl_tensor *in[ROW_TENSORS]; /* one reference each */
    int n_in;
    enum row_kind kind;
    struct row_want want[ROW_TENSORS];
    int n_want;
    sl_code code;
    struct sl_str part;
    struct sl_error err; /* why a line cannot be read */
};

/* ---- row_read.c */
/* Finds op and stars of a line. Then, with the stars' dtypes chosen, row_read reads the rest; it may be called again
 * with others. All memory but tensors is in the arena. */
sl_code row_start(struct op_row *row, struct sl_arena *arena, struct sl_op_registry *ops, const char *line);
sl_code row_read(struct op_row *row, const char *line);
/* Drops the tensors. */
void row_clear(struct op_row *row);

/* ---- row_tensor.c */
/* A place in a line. `star` of T, when the row has one, is what the word T stands for. */
struct row_text {
    const char *at;
    struct op_row *row;
};
void row_skip_blanks(struct row_text *text);
/* Letters, digits and underscores; empty when there are none. */
struct sl_str row_word(struct row_text *text);
/* A type by name or star; 0: none. */
int row_dtype(const struct op_row *row, struct sl_str word);
sl_code row_string(struct sl_str *out, struct row_text *text); /* "..." with escapes, in the arena */
/* "[2,3]" or "<2,-1>" by the bracket it starts with. */
sl_code row_shape(struct sl_shape *out, struct row_text *text);
sl_code row_tensor(struct row_want *out, struct row_text *text, bool is_result);
/* Prints a value in the grammar, cut with "..." where it is long. Returns `text`. */
const char *row_print(char text[ROW_MESSAGE], const struct sl_tensor *t);
/* The difference in words, or NULL. `how` exact: the same bits. */
const char *row_difference(char text[ROW_MESSAGE], const struct row_want *want, const struct sl_tensor *got);
bool row_same_bits(const struct sl_tensor *a, const struct sl_tensor *b);

/* ---- row_node.c: a node of the row's op, and its kernels */

/* Where kernels run: on the host, or on a device with memory of its own. Then inputs are put there and results
 * fetched, as ports lie (kernel/ports.h). */
struct row_place {
    struct sl_kernel_cache *instances;
    const struct sl_device_set *devices; /* NULL: the host's */
    struct sl_device *device;            /* one of these; NULL: the host */
};
bool row_serves(const struct sl_kernel_def *def, const struct row_place *place); /* whatever the types */

struct row_node {
    struct sl_attrs attrs;
    struct sl_signature signature;
    uint8_t *in_types, *out_types; /* base types */
    struct op_row *row;
    const struct row_place *place;
    struct sl_error err;
};
/* INVALID_ARGUMENT (in node->err) when the inputs do not fit the op. */
sl_code row_node_make(struct row_node *node, struct op_row *row, const struct row_place *place);
/* The n-th row of the table that serves the node there, or NULL. On a device with memory of its own: its own rows,
 * and those of no device that touch no elements. */
const struct sl_kernel_def *row_candidate(const struct row_node *node, int n);

enum row_variant {
    ROW_PLAIN = 0,
    ROW_TAKEN = 1,   /* the kernel is the only holder of its inputs and may take them */
    ROW_ALIASED = 2, /* equal inputs are one tensor */
    ROW_THREADS = 4  /* four threads */
};
/* Runs one kernel on `in`; on success `out` has the outputs, the caller's; NULL where the kernel gave none. INTERNAL
 * when inputs in a device's memory are others afterwards and were not to be taken. */
sl_code row_run(struct sl_tensor *out[ROW_TENSORS], struct row_node *node, const struct sl_kernel_def *def,
                struct sl_tensor *const *in, unsigned variant);
void row_drop(struct sl_tensor *tensors[ROW_TENSORS], int n);

/* ---- row_shapes.c */
/* Whether the shape function agrees with the outputs, whatever is known of the inputs; else says how not. */
bool row_shapes_agree(char message[ROW_MESSAGE], struct row_node *node, struct sl_tensor *const *out);
/* The shape function's answer when everything is known; its message is in node->err. */
sl_code row_infer(struct row_node *node);

/* ---- row_wrong.c */
/* Runs the row with wrong inputs. It comes back, or the process does not live. */
void row_run_wrong(struct row_node *node);

#endif
