/* sluice ckpt: what is in checkpoints, whether they are sound, making others of them. Its first argument is one of
 * the rows below. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "foreign_file.h"
#include "nearest.h"
#include "npy.h"
#include "sluice/checkpoint_file.h"
#include "tensor_literal.h"

const struct option ckpt_options[] = {
    {"full", NULL, "cat: print large tensors in full"},
    {"json", NULL, "cat: print as JSON"},
    {"npy", "FILE", "cat: write the tensor to a NumPy file"},
    {NULL, NULL, NULL},
};

struct ckpt_job {
    TF_Status *status;
    char **arguments;
    int n;
    bool full, json;
    const char *npy;
};

/* ---- reading */

static struct sl_checkpoint_reader *open_checkpoint(struct ckpt_job *job, const char *path) {
    struct sl_checkpoint_reader *r = sl_checkpoint_reader_new(path, job->status);
    bool is_part = ends_with(path, ".index") || strstr(path, ".data-");
    if (!r && (is_part || !complain_foreign(path))) complain_status(job->status);
    return r;
}

static void shape_text(char text[SHAPE_TEXT], const struct sl_checkpoint_tensor *t) {
    int at = snprintf(text, SHAPE_TEXT, "%s [", type_name(t->type));
    for (int d = 0; d < t->num_dims && at < SHAPE_TEXT - 32; d++)
        at += snprintf(text + at, (size_t)(SHAPE_TEXT - at), "%s%" PRId64, d ? "," : "", t->dims[d]);
    snprintf(text + at, (size_t)(SHAPE_TEXT - at), "]");
}

static int64_t count_elements(const struct sl_checkpoint_tensor *t) {
    int64_t n = 1;
    for (int d = 0; d < t->num_dims; d++) n *= t->dims[d];
    return n;
}

static int list_tensors(struct ckpt_job *job) {
    struct sl_checkpoint_reader *r = open_checkpoint(job, job->arguments[0]);
    struct sl_checkpoint_tensor t;
    if (!r) return EXIT_FAILED;
    for (int i = 0; sl_checkpoint_reader_tensor(&t, r, i); i++) {
        char text[SHAPE_TEXT];
        shape_text(text, &t);
        printf("%-56s %s", t.name, text);
        if (t.num_slices) printf("  in %d slices", t.num_slices);
        putchar('\n');
    }
    sl_checkpoint_reader_delete(r);
    return EXIT_OK;
}

static int show_checkpoint(struct ckpt_job *job) {
    struct sl_checkpoint_reader *r = open_checkpoint(job, job->arguments[0]);
    struct sl_checkpoint_tensor t;
    int64_t elements = 0;
    double bytes = 0;
    int in_slices = 0;
    if (!r) return EXIT_FAILED;
    for (int i = 0; sl_checkpoint_reader_tensor(&t, r, i); i++) {
        elements += count_elements(&t);
        bytes += (double)count_elements(&t) * (double)(t.type == TF_STRING ? 0 : TF_DataTypeSize(t.type));
        in_slices += t.num_slices > 0;
    }
    printf("prefix    %s\nversion   %d\ntensors   %d, %" PRId64 " elements, %.0f bytes but for texts\n",
           sl_checkpoint_reader_prefix(r), sl_checkpoint_reader_version(r), sl_checkpoint_reader_count(r), elements,
           bytes);
    if (in_slices) printf("slices    %d of the tensors are stored in parts\n", in_slices);
    sl_checkpoint_reader_delete(r);
    return EXIT_OK;
}

/* Reads everything; each tensor that cannot be read gets a line. */
static int verify_checkpoint(struct ckpt_job *job) {
    struct sl_checkpoint_reader *r = open_checkpoint(job, job->arguments[0]);
    struct sl_checkpoint_tensor t;
    int bad = 0, n = 0;
    if (!r) return EXIT_FAILED;
    for (; sl_checkpoint_reader_tensor(&t, r, n); n++) {
        TF_Tensor *tensor = sl_checkpoint_reader_read(r, t.name, job->status);
        bad += complain_status(job->status);
        if (tensor) TF_DeleteTensor(tensor);
    }
    sl_checkpoint_reader_delete(r);
    printf("%d of %d tensors are sound\n", n - bad, n);
    return bad ? EXIT_FAILED : EXIT_OK;
}

static int write_npy(const TF_Tensor *tensor, const char *path) {
    char why[NPY_WHY];
    size_t size;
    void *bytes = npy_format(&size, tensor, why);
    if (!bytes) return complain("%s: %s", path, why);
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(bytes, 1, size, out) == size;
    if (out && fclose(out)) ok = false;
    free(bytes);
    return ok ? EXIT_OK : complain("%s: cannot be written", path);
}

static void suggest_tensor(const struct sl_checkpoint_reader *r, const char *name) {
    struct nearest nearest = {.wanted = name};
    struct sl_checkpoint_tensor t;
    for (int i = 0; sl_checkpoint_reader_tensor(&t, r, i); i++) nearest_offer(&nearest, t.name);
    nearest_say(&nearest);
}

static int print_tensor(struct ckpt_job *job) {
    struct sl_checkpoint_reader *r = open_checkpoint(job, job->arguments[0]);
    if (!r) return EXIT_FAILED;
    TF_Tensor *tensor = sl_checkpoint_reader_read(r, job->arguments[1], job->status);
    int result = complain_status(job->status) ? EXIT_FAILED : EXIT_OK;
    if (!tensor) {
        suggest_tensor(r, job->arguments[1]);
        complain("'sluice ckpt ls %s' lists the tensors", job->arguments[0]);
    } else if (job->npy) {
        result = write_npy(tensor, job->npy);
    } else {
        if (job->json) value_print_json(stdout, tensor);
        else value_print(stdout, tensor, job->full);
        putchar('\n');
    }
    if (tensor) TF_DeleteTensor(tensor);
    sl_checkpoint_reader_delete(r);
    return result;
}

/* ---- writing */

static int merge_checkpoints(struct ckpt_job *job) {
    sl_checkpoint_merge((const char *const *)job->arguments + 1, job->n - 1, job->arguments[0], job->status);
    return complain_status(job->status) ? EXIT_FAILED : EXIT_OK;
}

/* Copies all tensors of a checkpoint of either version, one at a time. */
static int convert_checkpoint(struct ckpt_job *job) {
    struct sl_checkpoint_reader *r = open_checkpoint(job, job->arguments[0]);
    if (!r) return EXIT_FAILED;
    struct sl_checkpoint_writer *w = sl_checkpoint_writer_new(job->arguments[1], job->status);
    bool failed = complain_status(job->status);
    struct sl_checkpoint_tensor t;
    for (int i = 0; !failed && sl_checkpoint_reader_tensor(&t, r, i); i++) {
        TF_Tensor *tensor = sl_checkpoint_reader_read(r, t.name, job->status);
        if (tensor) sl_checkpoint_writer_add(w, t.name, tensor, job->status);
        if (tensor) TF_DeleteTensor(tensor);
        failed = complain_status(job->status);
    }
    if (failed) {
        sl_checkpoint_writer_delete(w);
    } else {
        sl_checkpoint_writer_finish(w, job->status);
        failed = complain_status(job->status);
    }
    sl_checkpoint_reader_delete(r);
    return failed ? EXIT_FAILED : EXIT_OK;
}

/* ---- the actions */

static const struct ckpt_action {
    const char *name, *arguments;
    int least, most;
    int (*run)(struct ckpt_job *job);
} actions[] = {
    {"ls", "CHECKPOINT", 1, 1, list_tensors},
    {"show", "CHECKPOINT", 1, 1, show_checkpoint},
    {"verify", "CHECKPOINT", 1, 1, verify_checkpoint},
    {"cat", "CHECKPOINT TENSOR", 2, 2, print_tensor},
    {"merge", "NEW CHECKPOINT...", 2, 1 << 20, merge_checkpoints},
    {"convert", "CHECKPOINT NEW", 2, 2, convert_checkpoint},
};

static const struct ckpt_action *find_action(const char *name) {
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (!strcmp(actions[i].name, name)) return &actions[i];
    return NULL;
}

static void suggest_action(const char *name) {
    struct nearest nearest = {.wanted = name};
    complain("there is no action '%s'", name);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) nearest_offer(&nearest, actions[i].name);
    nearest_say(&nearest);
}

int ckpt_command(int argc, char **argv) {
    const struct command *self = find_command("ckpt");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    struct ckpt_job job = {.arguments = must_allocate(NULL, (size_t)(argc + 1) * sizeof(char *))};
    const struct ckpt_action *action = NULL;
    const struct option *option;
    char *value;
    int result = EXIT_USAGE;
    while (next_argument(&a, &option, &value)) {
        if (option && !strcmp(option->name, "full")) job.full = true;
        else if (option && !strcmp(option->name, "json")) job.json = true;
        else if (option) job.npy = value;
        else if (action) job.arguments[job.n++] = value;
        else if (!(action = find_action(value))) {
            suggest_action(value);
            break;
        }
    }
    if (!a.failed && !action) {
        complain_usage(self, "say what to do: ls, show, verify, cat, merge or convert");
    } else if (!a.failed && (job.n < action->least || job.n > action->most)) {
        complain_usage(self, "sluice ckpt %s wants %s", action->name, action->arguments);
    } else if (!a.failed) {
        job.status = must_have(TF_NewStatus());
        result = action->run(&job);
        TF_DeleteStatus(job.status);
    }
    free(job.arguments);
    return result;
}
