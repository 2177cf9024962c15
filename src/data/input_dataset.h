/* Datasets: immutable descriptions of input pipelines, held by variants and shared by reference.
 *
 *     spec (of a node: kind, types, functions)  ◄──  dataset (inputs, arguments)  ◄──  iterator (data/iterator.h)
 *
 * Making a dataset reads no data. A kind (struct sl_dataset_kind) is a constant table of functions; all kinds are
 * listed in data/kinds.h. Threads: specs and datasets are immutable and counted; a state that iterators share (seeds,
 * a cache) locks itself. */
#ifndef SL_DATA_INPUT_DATASET_H
#define SL_DATA_INPUT_DATASET_H

#include "base/arena.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "ops/attr.h"

struct sl_dataset;
struct sl_iterator;
struct sl_rows;
struct sl_state;
struct sl_data_walk;

enum { SL_INFINITE_CARDINALITY = -1, SL_UNKNOWN_CARDINALITY = -2 };
enum { SL_DATASET_FUNCTIONS = 4, SL_DATASET_DEPTH_MAX = 1000 };

/* A function of a dataset. Its arguments are the element's components (or what the kind says), then what it captured:
 * `n_captured` arguments of the dataset from `captured` on. */
struct sl_dataset_function {
    struct sl_function *function; /* which the spec holds */
    struct sl_str name;
    const uint8_t *arg_types, *ret_types;
    int n_args, n_rets;
    bool keeps_states;         /* each walk calls an instance of its own */
    const uint8_t *row_groups; /* one call serves many elements (is_rowwise of kernel/functions.h); NULL: it does not */
    const char *stateful_op;   /* one of its ops that has effects or a memory; NULL: none */
    int captured, n_captured;
};

/* What is fixed about the node that makes a dataset. Counted; immutable once made. */
struct sl_dataset_spec {
    atomic_uint refs;
    struct sl_arena arena;
    const struct sl_dataset_kind *kind;
    const char *name;      /* in paths, where it is not the kind's; static, or NULL */
    struct sl_str op;      /* of the node, for who writes the pipeline as a graph; none: nobody made it by a node */
    struct sl_attrs attrs; /* of the node */
    int n;                 /* components, as the node declares them; 0: it does not */
    const uint8_t *types;
    const struct sl_shape *shapes;
    void (*release)(struct sl_function *f); /* NULL: they are somebody else's. The spec may outlive the runtime */
    struct sl_dataset_function functions[SL_DATASET_FUNCTIONS];
    int n_functions;
    int n_state;          /* arguments that are a state: the first ones */
    bool flag;            /* the bool attr that the kind asks for */
    const void *settings; /* what else of the node's attrs the kind asks for; in `arena`, or static */
};
/* One that no node describes, for datasets that kinds make: types and shapes are copied, `name` (NULL: the kind's), too.
 * Unref'd by the caller, also after a failure. */
sl_code sl_dataset_spec_new(struct sl_dataset_spec **out, const struct sl_dataset_kind *kind, const char *name, int n,
                            const uint8_t *types, const struct sl_shape *shapes, struct sl_error *err);
void sl_dataset_spec_unref(struct sl_dataset_spec *spec);

/* What a kind of dataset does. */
struct sl_dataset_kind {
    const char *name;      /* "Map": as in the paths of messages */
    bool keeps_types;      /* components are those of input 0, not those that the node declares */
    bool opens_input;      /* an iterator begins with one over input 0, in `input` */
    size_t state_bytes;    /* of a dataset: zeroed, `state` */
    size_t iterator_bytes; /* of an iterator, whose first member is struct sl_iterator; zeroed */
    /* Checks arguments and makes the state; NULL: nothing to do. After a failure `clear` is called. */
    sl_code (*init)(struct sl_dataset *d, struct sl_error *err);
    void (*clear)(struct sl_dataset *d);
    int64_t (*cardinality)(const struct sl_dataset *d); /* NULL: unknown */
    /* Element `index`, which is at least 0 and, where the cardinality is known, below that; NULL: no random access.
     * Calls sl_data_walk_element of its inputs. Thread-safe. */
    sl_code (*element)(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index, struct sl_value *element,
                       struct sl_error *err);
    bool finds_last; /* `element` also serves where the cardinality is not known: OUT_OF_RANGE behind the last */
    /* Of iterators; data/iterator.h. `begin` and `end` may be NULL. */
    sl_code (*begin)(struct sl_iterator *it, struct sl_error *err);
    sl_code (*next)(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err);
    /* As sl_iterator_pull_rows of an iterator over it, where that takes less than `next` for each; may be NULL. */
    sl_code (*next_rows)(struct sl_iterator *it, struct sl_rows *rows, int64_t n, bool *is_end, struct sl_error *err);
    void (*end)(struct sl_iterator *it);
    /* What they call themselves in paths; NULL: `name`. Writes to `text`, of `size` bytes. */
    void (*path_name)(const struct sl_iterator *it, char *text, size_t size);
    /* Writes where it is, and goes there after `begin`; data/state.h. Both NULL: its input's state is its own. */
    sl_code (*save)(const struct sl_iterator *it, struct sl_state *state, struct sl_error *err);
    sl_code (*restore)(struct sl_iterator *it, const struct sl_state *state, struct sl_error *err);
};

struct sl_dataset {
    struct sl_object object;
    struct sl_dataset_spec *spec;
    const struct sl_dataset_kind *kind;
    struct sl_arena arena;
    int n; /* components of an element, 1 or more */
    const uint8_t *types;
    const struct sl_shape *shapes; /* partly known */
    struct sl_dataset **inputs;
    int n_inputs;
    struct sl_value *values; /* the other inputs of the op, in order */
    int n_values;
    int depth; /* of datasets in datasets */
    void *state;
};

extern const struct sl_object_type sl_dataset_type;

/* A dataset of this spec. `inputs` and `values` are borrowed and shared. INVALID_ARGUMENT as the kind says. */
sl_code sl_dataset_new(struct sl_dataset **out, struct sl_dataset_spec *spec, struct sl_dataset *const *inputs,
                       int n_inputs, const struct sl_value *values, int n_values, struct sl_error *err);
static inline struct sl_dataset *sl_dataset_ref(struct sl_dataset *d) {
    sl_object_ref(&d->object);
    return d;
}
static inline void sl_dataset_unref(struct sl_dataset *d) {
    if (d) sl_object_unref(&d->object);
}
/* The dataset that a variant holds, borrowed from it. INVALID_ARGUMENT when it holds something else. */
sl_code sl_dataset_of_value(struct sl_dataset **out, const struct sl_value *value, struct sl_error *err);
/* Number of elements, or one of the two above. */
int64_t sl_dataset_cardinality(const struct sl_dataset *d);
/* Replaces the declared components: for `init`. Both arrays are `n` long and live as long as the dataset. */
void sl_dataset_set_components(struct sl_dataset *d, int n, const uint8_t *types, const struct sl_shape *shapes);

/* Argument i as a scalar integer or bool, and as a string; INVALID_ARGUMENT naming `what`. */
sl_code sl_dataset_int(int64_t *out, const struct sl_dataset *d, int i, const char *what, struct sl_error *err);
sl_code sl_dataset_string(struct sl_str *out, const struct sl_dataset *d, int i, const char *what,
                          struct sl_error *err);
/* Whether function `which` fits a dataset whose elements it takes behind `n_before` other arguments: INVALID_ARGUMENT
 * when it takes or gives another number of values. `n_rets` -1: any. */
sl_code sl_dataset_check_function(const struct sl_dataset *d, int which, int n_args, int n_rets, struct sl_error *err);

/* An op with effects or a memory in a function of the dataset or of those that it reads or holds; NULL: there is none. */
const char *sl_dataset_stateful_op(const struct sl_dataset *d);

/* A dataset as a variant, which takes over the reference. */
struct sl_value sl_dataset_value(struct sl_dataset *d);
/* The cardinality of input 0, for kinds that keep it. */
int64_t sl_dataset_input_cardinality(const struct sl_dataset *d);

#endif
