/* Runs files of op rows: op_harness [--plain] [--only TEXT] [--device FAKE] FILE...   or lists the kernels:
 * op_harness --kernels
 *
 * Rows run in a child process that notes in shared memory how far it is; when it dies, the row is told and another
 * child goes on behind it. Then the rows run again, plainly, in children with SLUICE_ISA set to each lesser
 * instruction set. With --device they run on a device with memory of its own, those of ops that it has kernels for. */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "ops/op_rows.h"
#include "os/cpu.h"
#include "root/root.h"
#include "unit/fake/fake_device.h"

enum { ROW_SECONDS = 60 };

struct line {
    const char *file;
    int number;
    char *text;
};

struct job {
    SL_VEC(struct line) lines;
    SL_VEC(char *) no_shapes; /* "Op": its shape function may contradict the results */
    bool is_plain, has_limit;
    const struct sl_registries *registries;
    const struct sl_device_type *device_type; /* NULL: the host's */
    struct sl_device_set devices;             /* of the child, with one of that type */
    struct row_place where;
};

/* Shared by the processes. */
struct progress {
    size_t at;       /* the line that runs */
    bool has_failed; /* the line that runs */
    bool has_run;    /* the line that runs; false: the device has no kernel for it */
    size_t n_left_out;
    char doing[128];
    const char *isa; /* NULL: the best there is */
    bool lines[];    /* that failed: said once */
};

/* Where a row stands, for messages. */
struct place {
    const struct line *line;
    struct progress *progress;
    struct op_row *row;
};

static void complain(struct place *place, const char *format, ...) SL_PRINTF(2, 3);
static void complain(struct place *place, const char *format, ...) {
    va_list args;
    printf("%s:%d: %.*s", place->line->file, place->line->number,
           SL_STR_ARG(place->row->op ? place->row->op->name : SL_STR("")));
    if (place->progress->isa) printf(" (%s)", place->progress->isa);
    for (int s = 0; s < place->row->n_stars; s++)
        printf(" %.*s=%s", SL_STR_ARG(place->row->stars[s].attr), sl_dtype_name(place->row->stars[s].dtype));
    printf(": ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    place->progress->has_failed = true;
}

/* ---- one row with its dtypes chosen */

/* "no_shapes Op" stands in the file. */
static bool shapes_count(const struct job *job, const struct sl_op *op) {
    for (size_t i = 0; i < job->no_shapes.n; i++)
        if (sl_str_is(op->name, job->no_shapes.items[i])) return false;
    return true;
}

static void compare_results(struct place *place, const struct row_node *node, const char *what,
                            struct sl_tensor *const *out) {
    const struct op_row *row = place->row;
    char message[ROW_MESSAGE], got[ROW_MESSAGE];
    if (row->kind != ROW_GIVES) return;
    if (row->n_want != node->signature.n_outputs)
        complain(place, "the row has %d results, the op %d", row->n_want, node->signature.n_outputs);
    for (int o = 0; o < row->n_want && o < node->signature.n_outputs; o++)
        if (row_difference(message, &row->want[o], out[o]))
            complain(place, "%s, output %d: %s\n    got %s", what, o, message, row_print(got, out[o]));
}

static void compare_variant(struct place *place, struct row_node *node, const struct sl_kernel_def *def,
                            struct sl_tensor *const *plain, unsigned variant, const char *name) {
    struct sl_tensor *out[ROW_TENSORS];
    char a[ROW_MESSAGE], b[ROW_MESSAGE];
    snprintf(place->progress->doing, sizeof place->progress->doing, "%s", name);
    if (row_run(out, node, def, place->row->in, variant) != SL_OK)
        complain(place, "%s: fails, the plain run does not: %s", name, node->err.message);
    else
        for (int o = 0; o < node->signature.n_outputs; o++)
            if (!row_same_bits(plain[o], out[o]))
                complain(place, "%s: output %d has other bits\n    plain %s\n    now   %s", name, o,
                         row_print(a, plain[o]), row_print(b, out[o]));
    row_drop(out, ROW_TENSORS);
}

static bool inputs_changed(struct op_row *row, struct sl_tensor *const *before) {
    for (int i = 0; i < row->n_in; i++)
        if (!row_same_bits(row->in[i], before[i])) return true;
    return false;
}

static void check_variants(struct place *place, struct row_node *node, const struct sl_kernel_def *def,
                           struct sl_tensor *const *plain) {
    static const struct {
        unsigned variant;
        const char *name;
    } variants[] = {{ROW_TAKEN, "inputs taken over"},
                    {ROW_ALIASED, "equal inputs in one slot"},
                    {ROW_ALIASED | ROW_TAKEN, "equal inputs one tensor, taken over"},
                    {ROW_THREADS, "four threads"}};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        if (!node->place->device || !(variants[v].variant & ROW_THREADS)) /* a device has threads of its own, or none */
            compare_variant(place, node, def, plain, variants[v].variant, variants[v].name);
}

static void check_error(struct place *place, struct row_node *node, sl_code code) {
    const struct op_row *row = place->row;
    char kernel_says[SL_ERROR_MESSAGE_MAX];
    char *part = (char *)(uintptr_t)(row->part.p ? row->part.p : "");
    if (code == SL_OK) {
        complain(place, "succeeds, expected %s \"%s\"", sl_code_name(row->code), part);
        return;
    }
    snprintf(kernel_says, sizeof kernel_says, "%s", node->err.message);
    bool is_text_its_own = node->place->device != NULL; /* rows have the words of the host's kernels */
    if (code == row->code && (is_text_its_own || strstr(kernel_says, part))) return;
    if (node->in_types && row_infer(node) == row->code && strstr(node->err.message, part)) return;
    complain(place, "expected %s \"%s\", got %s \"%s\"", sl_code_name(row->code), part, sl_code_name(code),
             kernel_says);
}

/* Runs one kernel in every way. */
static void check_candidate(struct place *place, struct row_node *node, const struct sl_kernel_def *def, int n,
                            const struct job *job) {
    struct sl_tensor *out[ROW_TENSORS], *before[ROW_TENSORS];
    char message[ROW_MESSAGE], what[32];
    struct op_row *row = place->row;
    snprintf(what, sizeof what, n ? "kernel %d" : "plain run", n);
    snprintf(place->progress->doing, sizeof place->progress->doing, "%s", what);
    for (int i = 0; i < row->n_in; i++)
        if (sl_tensor_copy(&before[i], row->in[i], NULL) != SL_OK) abort();
    sl_code code = row_run(out, node, def, row->in, ROW_PLAIN);
    bool is_left_out = code == SL_UNIMPLEMENTED && strstr(node->err.message, "not built in");
    if (inputs_changed(row, before)) complain(place, "%s: changes an input that is not its own", what);
    if (is_left_out) {
        /* an optional library */
    } else if (row->kind == ROW_FAILS) check_error(place, node, code);
    else if (code != SL_OK) complain(place, "%s: %s: %s", what, sl_code_name(code), node->err.message);
    else {
        compare_results(place, node, what, out);
        if (shapes_count(job, row->op) && !row_shapes_agree(message, node, out)) complain(place, "%s", message);
        if (!job->is_plain) check_variants(place, node, def, out);
    }
    row_drop(out, ROW_TENSORS);
    for (int i = 0; i < row->n_in; i++) sl_tensor_unref(before[i]);
}

static void check_row(struct place *place, const struct job *job) {
    struct op_row *row = place->row;
    struct row_node node;
    const struct sl_kernel_def *def;
    sl_code code = row_node_make(&node, row, &job->where);
    if (code == SL_OK)
        code = sl_op_check_version(row->op, row->op->deprecated ? row->op->deprecated - 1 : 0, &node.err);
    if (code != SL_OK) {
        if (row->kind == ROW_FAILS) check_error(place, &node, code);
        else complain(place, "no node: %s", node.err.message);
        return;
    }
    if (job->device_type && !row_candidate(&node, 0)) return;
    place->progress->has_run = true;
    for (int n = 0; (def = row_candidate(&node, n)); n++) check_candidate(place, &node, def, n, job);
    if (!row_candidate(&node, 0)) {
        code =
            sl_kernel_find(&def, job->registries->kernels, row->op->name, SL_STR("row"), "CPU", &node.attrs, &node.err);
        if (row->kind == ROW_FAILS) check_error(place, &node, code);
        else complain(place, "no kernel: %s", node.err.message);
        return;
    }
    snprintf(place->progress->doing, sizeof place->progress->doing, "wrong inputs");
    if (!job->is_plain && job->has_limit) row_run_wrong(&node);
}

/* ---- every type */

/* Types that some kernel serves there for an attr and the op allows; all the op allows when no kernel says. */
static sl_dtype_set types_of(struct op_row *row, const struct job *job, const struct row_star *star) {
    struct sl_kernel_table *kernels = job->registries->kernels;
    const struct sl_op_attr *attr = &row->op->attrs[sl_op_attr_index(row->op, star->attr)];
    sl_dtype_set served = 0, allowed = attr->types ? attr->types : SL_SET_ALL;
    const struct sl_kernel_def *def;
    size_t at = 0;
    while ((def = sl_kernel_table_next(kernels, row->op->name, &at))) {
        sl_dtype_set of_row = SL_SET_ALL;
        if (!row_serves(def, &job->where)) continue;
        for (int r = 0; r < SL_KERNEL_RULES && def->types[r].attr; r++)
            if (sl_str_is(star->attr, def->types[r].attr)) of_row = def->types[r].allowed;
        served |= of_row;
    }
    sl_dtype_set writable = SL_SET_NUMBERS | SL_SET(BOOL) | SL_SET_QUANTIZED;
    return served & allowed & star->types & writable;
}

/* The next combination of the stars' types after this one; false when there is none. Start with dtypes of 0. */
static bool next_types(struct op_row *row, const sl_dtype_set types[ROW_STARS]) {
    for (int s = 0; s < row->n_stars; s++) {
        int dtype = row->stars[s].dtype + 1;
        while (dtype < SL_DTYPE_COUNT && !sl_set_has(types[s], dtype)) dtype++;
        row->stars[s].dtype = dtype;
        if (dtype < SL_DTYPE_COUNT) return true;
        for (row->stars[s].dtype = 1; !sl_set_has(types[s], row->stars[s].dtype); row->stars[s].dtype++) {}
    }
    return false;
}

static void read_and_check(struct place *place, const struct job *job) {
    struct op_row *row = place->row;
    if (row_read(row, place->line->text) != SL_OK) complain(place, "%s", row->err.message);
    else if (row->kind != ROW_UNFILLED) check_row(place, job);
    row_clear(row);
}

static void check_every_type(struct place *place, const struct job *job) {
    struct op_row *row = place->row;
    sl_dtype_set types[ROW_STARS];
    for (int s = 0; s < row->n_stars; s++) {
        types[s] = types_of(row, job, &row->stars[s]);
        if (!types[s] && job->device_type) return;
        if (!types[s]) {
            complain(place, "no kernel serves any type of attr %.*s", SL_STR_ARG(row->stars[s].attr));
            return;
        }
        for (row->stars[s].dtype = 1; !sl_set_has(types[s], row->stars[s].dtype); row->stars[s].dtype++) {}
    }
    do read_and_check(place, job);
    while (row->kind != ROW_UNFILLED && next_types(row, types));
    if (row->kind == ROW_UNFILLED) complain(place, "not filled in: tests/ops/fill does");
}

static void check_line(const struct line *line, const struct job *job, struct progress *progress) {
    struct sl_arena arena;
    struct op_row row;
    struct place place = {line, progress, &row};
    sl_arena_init(&arena);
    if (row_start(&row, &arena, job->registries->ops, line->text) != SL_OK) complain(&place, "%s", row.err.message);
    else check_every_type(&place, job);
    row_clear(&row);
    sl_arena_clear(&arena);
}

/* ---- processes */

/* Wrong sizes ask for much: more than this is refused. False where there are no limits: under an emulator. */
#if defined(__SANITIZE_ADDRESS__)
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1:max_allocation_size_mb=512"; }
static bool limit_memory(void) { return true; }
#else
static bool limit_memory(void) {
    struct rlimit limit = {UINT64_C(1) << 30, UINT64_C(1) << 30};
    setrlimit(RLIMIT_DATA, &limit);
    void *beyond = mmap(NULL, limit.rlim_cur, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (beyond == MAP_FAILED) return true;
    munmap(beyond, limit.rlim_cur);
    return false;
}
#endif

/* Opened by who uses it, since threads do not outlive a fork. */
static void open_device(struct job *job) {
    struct sl_error err = {0};
    const struct sl_device_request requests[] = {{&sl_host_device_type, 1}, {job->device_type, 1}};
    struct sl_str task = SL_STR("/job:localhost/replica:0/task:0");
    if (sl_device_set_open(&job->devices, task, requests, 2, 1, &err) != SL_OK) {
        printf("%s\n", err.message);
        abort();
    }
    job->where.devices = &job->devices;
    job->where.device = &job->devices.items[1];
}

static void run_child(struct job *job, struct progress *progress) {
    job->has_limit = limit_memory();
    if (job->device_type) open_device(job);
    for (; progress->at < job->lines.n; progress->at++) {
        if (progress->lines[progress->at]) continue;
        progress->has_failed = progress->has_run = false;
        alarm(ROW_SECONDS);
        check_line(&job->lines.items[progress->at], job, progress);
        progress->lines[progress->at] = progress->has_failed;
        progress->n_left_out += !progress->has_run && !progress->has_failed;
        fflush(stdout);
    }
    sl_device_set_clear(&job->devices);
    exit(0);
}

/* Every line, in as many children as it takes. */
static void run_all(struct job *job, struct progress *progress, const char *isa) {
    progress->at = 0;
    progress->isa = isa;
    while (progress->at < job->lines.n) {
        int status;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            if (isa) setenv("SLUICE_ISA", isa, 1);
            run_child(job, progress);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) abort();
        if (progress->at >= job->lines.n && !WIFSIGNALED(status) && WEXITSTATUS(status) == 0) break;
        const struct line *line = &job->lines.items[progress->at < job->lines.n ? progress->at : job->lines.n - 1];
        bool is_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
        printf("%s:%d: %.60s: %s in: %s\n", line->file, line->number, line->text,
               is_late               ? "does not end"
               : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                     : "the process ends",
               progress->doing);
        if (progress->at < job->lines.n) progress->lines[progress->at] = true;
        progress->at++;
    }
}

static void read_file(struct job *job, const char *path, const char *only) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (!file) {
        perror(path);
        exit(2);
    }
    for (int number = 1; getline(&text, &room, file) >= 0; number++) {
        text[strcspn(text, "\r\n")] = '\0';
        const char *start = text + strspn(text, " \t");
        if (strncmp(start, "no_shapes ", 10) == 0) {
            char *op = strdup(start + 10);
            if (!op || sl_vec_push(&job->no_shapes, op)) abort();
            continue;
        }
        if (!*start || *start == '#' || (only && !strstr(start, only))) continue;
        struct line line = {path, number, strdup(start)};
        if (!line.text || sl_vec_push(&job->lines, line)) abort();
    }
    free(text);
    fclose(file);
}

/* "Op<tab>number of kernels<tab>T: float double; Tidx: int32": one line an op that has any. */
static void list_kernels(const struct sl_registries *registries, const struct sl_op *op) {
    const struct sl_kernel_def *def;
    int n = 0;
    for (size_t at = 0; (def = sl_kernel_table_next(registries->kernels, op->name, &at));) n++;
    if (!n) return;
    printf("%.*s\t%d\t", SL_STR_ARG(op->name), n);
    const char *semicolon = "";
    for (int a = 0; a < op->n_attrs; a++) {
        sl_dtype_set types = 0;
        for (size_t at = 0; (def = sl_kernel_table_next(registries->kernels, op->name, &at));)
            for (int r = 0; r < SL_KERNEL_RULES && def->types[r].attr; r++)
                if (sl_str_is(op->attrs[a].name, def->types[r].attr)) types |= def->types[r].allowed;
        if (!types) continue;
        printf("%s%.*s:", semicolon, SL_STR_ARG(op->attrs[a].name));
        for (int d = 1; d < SL_DTYPE_COUNT; d++)
            if (sl_set_has(types, d)) printf(" %s", sl_dtype_name(d));
        semicolon = "; ";
    }
    printf("\n");
}

static void list_all_kernels(void) {
    const struct sl_registries *registries;
    const struct sl_op *op;
    if (sl_root_registries(&registries, NULL) != SL_OK) abort();
    for (size_t i = 0; i < sl_op_count(registries->ops); i++)
        if (sl_op_at(&op, registries->ops, i, NULL) == SL_OK) list_kernels(registries, op);
}

/* There is one that is not built in. */
static const struct sl_device_type *device_called(const char *name) {
    struct sl_error err = {0};
    if (strcmp(name, FAKE_DEVICE) != 0 || sl_root_add_backend(&fake_backend, &err) != SL_OK) {
        fprintf(stderr, "no device type '%s' %s\n", name, err.message);
        exit(2);
    }
    return fake_backend.device;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--kernels") == 0) {
        list_all_kernels();
        return 0;
    }
    struct job job = {.is_plain = false};
    struct sl_error err;
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--plain") == 0) job.is_plain = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
        else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) job.device_type = device_called(argv[++i]);
        else read_file(&job, argv[i], only);
    }
    struct progress *progress =
        mmap(NULL, sizeof *progress + job.lines.n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED || sl_root_registries(&job.registries, &err) != SL_OK) abort();
    job.where.instances = job.registries->instances;
    run_all(&job, progress, NULL);
    bool is_plain = job.is_plain || job.device_type;
    job.is_plain = true;
    for (int isa = SL_ISA_BASE; !is_plain && isa < SL_ISA_COUNT; isa++) {
        const struct sl_cpu_features *features = sl_cpu_features();
        bool is_here = isa == SL_ISA_BASE || (isa == SL_ISA_AVX2 && features->avx2_fma_f16c && features->avx512);
        if (is_here && (features->avx2_fma_f16c || features->neon)) run_all(&job, progress, sl_isa_name(isa));
    }
    size_t failed = 0;
    for (size_t i = 0; i < job.lines.n; i++) {
        failed += progress->lines[i];
        free(job.lines.items[i].text);
    }
    size_t n_run = job.lines.n - (job.device_type ? progress->n_left_out : 0);
    printf("%zu passed, %zu failed", n_run - failed, failed);
    if (job.device_type) printf(", %zu without kernel on %s", progress->n_left_out, job.device_type->name);
    printf("\n");
    for (size_t i = 0; i < job.no_shapes.n; i++) free(job.no_shapes.items[i]);
    sl_vec_free(&job.no_shapes);
    sl_vec_free(&job.lines);
    return failed || !n_run ? 1 : 0;
}
