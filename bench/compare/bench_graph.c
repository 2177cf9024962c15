/* Runs graphs through a library with libtensorflow's C ABI, named on the command line, and tells how long it took:
 * the same program for Sluice and for TensorFlow. It is driven by bench/compare over its standard input, a case a
 * line:
 *
 *     FILE  FEEDS  FETCHES  TARGETS  MILLISECONDS  CALLERS  INIT  CONFIG  [OUTPUTS]      with tabs between
 *
 * FEEDS: "name:dtype:dims[:below[:width]]" separated by spaces; dims "2,3" or empty for a scalar; floats lie in
 * [0.1, 1.1), with a width in [-width, width); integers in [0, below). FETCHES: "name:index"; TARGETS: names. With
 * MILLISECONDS 0 the first run is the only one. CALLERS threads call TF_SessionRun on one session. INIT: a target
 * that is run once before, for variables; or empty. CONFIG: the session's ConfigProto, in hexadecimal; or empty.
 * Answer: "ok IMPORT_NS FIRST_NS MEDIAN_NS LEAST_NS P90_NS CPU_NS RUNS", times of one run as a caller sees it but
 * for CPU_NS, what all threads of the process computed, by run; or "error TEXT".
 *
 * With OUTPUTS nothing is timed: one run, of which the fetches and all outputs of the targets go to that file,
 * each as dtype and rank (int32), dims (int64), size (int64) and elements. Answer: "ok".
 *
 * With --once FILE FETCH the first result of a graph without feeds is computed and the program ends, telling how
 * many kB it had resident: for start-up time. */
#include <dlfcn.h>
#include <pthread.h>

#include "measure.h"
#include "tensorflow/c/c_api.h"

/* clang-format off */
#define NAMES(M) \
    M(NewGraph) M(NewStatus) M(NewBuffer) M(DeleteBuffer) M(NewImportGraphDefOptions) \
    M(DeleteImportGraphDefOptions) M(GraphImportGraphDef) M(NewSessionOptions) M(SetConfig) M(DeleteSessionOptions) \
    M(NewSession) M(CloseSession) M(DeleteSession) M(SessionRun) M(GetCode) M(Message) \
    M(GraphOperationByName) M(OperationNumOutputs) M(OperationOutputType) M(TensorType) \
    M(NumDims) M(Dim) M(AllocateTensor) M(DeleteTensor) M(TensorData) M(TensorByteSize) M(DataTypeSize) \
    M(DeleteGraph) M(DeleteStatus) M(Version)
/* clang-format on */

static struct {
#define POINTER(name) __typeof__(&TF_##name) name;
    NAMES(POINTER)
} tf;

static void load(const char *path) {
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "bench_graph: %s\n", dlerror());
        exit(2);
    }
#define FIND(name)                                                                                                     \
    *(void **)&tf.name = dlsym(library, "TF_" #name);                                                                  \
    if (!tf.name) {                                                                                                    \
        fprintf(stderr, "bench_graph: %s has no TF_%s\n", path, #name);                                                \
        exit(2);                                                                                                       \
    }
    NAMES(FIND)
}

enum { MOST_PORTS = 64, MOST_RUNS = 100000, LEAST_RUNS = 5, MOST_CALLERS = 16 };

struct bench {
    TF_Graph *graph;
    TF_Session *session;
    TF_Status *status;
    TF_Output feeds[MOST_PORTS], fetches[MOST_PORTS];
    TF_Tensor *fed[MOST_PORTS];
    const TF_Operation *targets[MOST_PORTS];
    int n_feeds, n_fetches, n_targets;
    double milliseconds;
};

static void free_bytes(void *data, size_t size) {
    (void)size;
    free(data);
}

static TF_Buffer *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    TF_Buffer *buffer = tf.NewBuffer();
    char *data = malloc((size_t)size + 1);
    buffer->data = data;
    buffer->length = data ? fread(data, 1, (size_t)size, f) : 0;
    buffer->data_deallocator = free_bytes;
    fclose(f);
    return buffer;
}

/* Numbers that depend on nothing but their place. */
static void fill(TF_Tensor *t, TF_DataType dtype, unsigned below, float width) {
    uint32_t x = 12345;
    size_t size = tf.DataTypeSize(dtype), n = tf.TensorByteSize(t) / size;
    char *p = tf.TensorData(t);
    for (size_t i = 0; i < n; i++, p += size) {
        x = x * 1664525u + 1013904223u;
        float real = (float)(x >> 8) / 16777216.0f;
        real = width > 0 ? (2 * real - 1) * width : real + 0.1f;
        uint32_t whole = (x >> 8) % below, bits;
        memcpy(&bits, &real, 4);
        switch (dtype) {
        case TF_FLOAT: memcpy(p, &real, 4); break;
        case TF_DOUBLE: *(double *)(void *)p = (double)real; break;
        case TF_BFLOAT16: *(uint16_t *)(void *)p = (uint16_t)(bits >> 16); break;
        case TF_HALF: *(uint16_t *)(void *)p = (uint16_t)(((bits >> 13) & 0x3ff) | 0x3800); break; /* [0.5, 1) */
        case TF_COMPLEX64: memcpy(p, &real, 4), memcpy(p + 4, &real, 4); break;
        case TF_INT64: *(int64_t *)(void *)p = whole; break;
        case TF_INT32: memcpy(p, &whole, 4); break;
        default: memset(p, (int)whole, size); break;
        }
    }
}

/* "name:index" or "name". */
static int find(TF_Output *out, struct bench *b, char *text) {
    char *colon = strchr(text, ':');
    if (colon) *colon = 0;
    out->oper = tf.GraphOperationByName(b->graph, text);
    out->index = colon ? atoi(colon + 1) : 0;
    return out->oper != NULL;
}

static const char *add_feed(struct bench *b, char *text) {
    char *parts[5] = {0};
    for (int i = 0; i < 5; i++) parts[i] = strsep(&text, ":");
    int64_t dims[8];
    int rank = 0;
    if (!parts[2] || b->n_feeds == MOST_PORTS) return "a feed is malformed";
    for (char *dim; rank < 8 && parts[2] && *parts[2] && (dim = strsep(&parts[2], ","));) dims[rank++] = atoll(dim);
    TF_DataType dtype = (TF_DataType)atoi(parts[1]);
    int64_t count = 1;
    for (int i = 0; i < rank; i++) count *= dims[i];
    if (!find(&b->feeds[b->n_feeds], b, parts[0])) return "a feed is not in the graph";
    TF_Tensor *t = tf.AllocateTensor(dtype, dims, rank, (size_t)count * tf.DataTypeSize(dtype));
    if (!t) return "out of memory";
    fill(t, dtype, parts[3] ? (unsigned)atoi(parts[3]) : 2, parts[4] ? (float)atof(parts[4]) : 0);
    b->fed[b->n_feeds++] = t;
    return NULL;
}

static const char *add_ports(struct bench *b, char *feeds, char *fetches, char *targets) {
    for (char *word; (word = strsep(&feeds, " "));) {
        const char *wrong = *word ? add_feed(b, word) : NULL;
        if (wrong) return wrong;
    }
    for (char *word; (word = strsep(&fetches, " "));)
        if (*word && !find(&b->fetches[b->n_fetches++], b, word)) return "a fetch is not in the graph";
    for (char *word; (word = strsep(&targets, " "));)
        if (*word && !(b->targets[b->n_targets++] = tf.GraphOperationByName(b->graph, word)))
            return "a target is not in the graph";
    return NULL;
}

static bool run(struct bench *b, TF_Status *status) {
    TF_Tensor *got[MOST_PORTS] = {0};
    tf.SessionRun(b->session, NULL, b->feeds, b->fed, b->n_feeds, b->fetches, got, b->n_fetches, b->targets,
                  b->n_targets, NULL, status);
    for (int i = 0; i < b->n_fetches; i++)
        if (got[i]) tf.DeleteTensor(got[i]);
    return tf.GetCode(status) == TF_OK;
}

static const char *initialise(struct bench *b, const char *name) {
    if (!*name) return NULL;
    const TF_Operation *init = tf.GraphOperationByName(b->graph, name);
    if (!init) return "the initialising operation is not in the graph";
    tf.SessionRun(b->session, NULL, NULL, NULL, 0, NULL, NULL, 0, &init, 1, NULL, b->status);
    return tf.GetCode(b->status) == TF_OK ? NULL : tf.Message(b->status);
}

static const char *open_graph(struct bench *b, const char *file) {
    TF_Buffer *bytes = read_file(file);
    if (!bytes) return "the graph cannot be read";
    TF_ImportGraphDefOptions *options = tf.NewImportGraphDefOptions();
    tf.GraphImportGraphDef(b->graph, bytes, options, b->status);
    tf.DeleteImportGraphDefOptions(options);
    tf.DeleteBuffer(bytes);
    return tf.GetCode(b->status) == TF_OK ? NULL : tf.Message(b->status);
}

/* Options with the ConfigProto that `hex` spells. */
static TF_SessionOptions *session_options(struct bench *b, const char *hex) {
    TF_SessionOptions *options = tf.NewSessionOptions();
    unsigned char config[1024];
    size_t n = 0;
    for (unsigned byte; n < sizeof config && sscanf(hex, "%2x", &byte) == 1; hex += 2)
        config[n++] = (unsigned char)byte;
    if (n) tf.SetConfig(options, config, n, b->status);
    return options;
}

/* What all threads of the process have computed. */
static double cpu_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct caller {
    struct bench *bench;
    double *taken;
    int n, most;
    bool failed;
};
static void *call(void *arg) {
    struct caller *c = arg;
    TF_Status *status = tf.NewStatus();
    const double start = measure_now();
    for (double end = start; c->n < c->most && (c->n < LEAST_RUNS || end - start < c->bench->milliseconds * 1e6);
         c->n++) {
        double from = measure_now();
        if (!run(c->bench, status)) c->failed = true;
        end = measure_now();
        c->taken[c->n] = end - from;
    }
    tf.DeleteStatus(status);
    return NULL;
}

/* Times of all callers, sorted; how many; what a run computed. */
static int call_all(double *taken, double *cpu, struct bench *b, int callers) {
    const double begin = cpu_now();
    struct caller c[MOST_CALLERS];
    pthread_t threads[MOST_CALLERS];
    for (int i = 0; i < callers; i++) {
        c[i] = (struct caller){.bench = b, .taken = taken + i * (MOST_RUNS / callers), .most = MOST_RUNS / callers};
        if (callers > 1) pthread_create(&threads[i], NULL, call, &c[i]);
        else call(&c[i]);
    }
    int n = 0;
    for (int i = 0; i < callers; i++) {
        if (callers > 1) pthread_join(threads[i], NULL);
        memmove(taken + n, c[i].taken, (size_t)c[i].n * sizeof *taken);
        n += c[i].n;
    }
    *cpu = (cpu_now() - begin) / n;
    qsort(taken, (size_t)n, sizeof *taken, measure_compare);
    return n;
}

/* ---- outputs */

/* The outputs of targets become fetches, too. */
static void fetch_targets(struct bench *b) {
    for (int t = 0; t < b->n_targets; t++)
        for (int i = 0; i < tf.OperationNumOutputs((TF_Operation *)b->targets[t]) && b->n_fetches < MOST_PORTS; i++) {
            TF_Output out = {(TF_Operation *)b->targets[t], i};
            if (tf.DataTypeSize(tf.OperationOutputType(out))) b->fetches[b->n_fetches++] = out;
        }
}

static void write_output(FILE *f, TF_Tensor *t) {
    const int32_t head[2] = {tf.TensorType(t), tf.NumDims(t)};
    const int64_t size = tf.DataTypeSize(tf.TensorType(t)) ? (int64_t)tf.TensorByteSize(t) : 0;
    fwrite(head, sizeof head, 1, f);
    for (int i = 0; i < head[1]; i++) fwrite(&(int64_t){tf.Dim(t, i)}, sizeof(int64_t), 1, f);
    fwrite(&size, sizeof size, 1, f);
    if (size) fwrite(tf.TensorData(t), (size_t)size, 1, f);
}

static const char *write_outputs(struct bench *b, const char *file) {
    TF_Tensor *got[MOST_PORTS] = {0};
    fetch_targets(b);
    FILE *f = fopen(file, "wb");
    if (!f) return "the outputs cannot be written";
    tf.SessionRun(b->session, NULL, b->feeds, b->fed, b->n_feeds, b->fetches, got, b->n_fetches, b->targets,
                  b->n_targets, NULL, b->status);
    for (int i = 0; i < b->n_fetches; i++)
        if (got[i]) {
            write_output(f, got[i]);
            tf.DeleteTensor(got[i]);
        }
    if (fclose(f)) return "the outputs cannot be written";
    return tf.GetCode(b->status) == TF_OK ? NULL : tf.Message(b->status);
}

/* ---- cases */

static const char *time_runs(struct bench *b, double imported, int callers) {
    static double taken[MOST_RUNS];
    const double ready = measure_now();
    double cpu = cpu_now();
    if (!run(b, b->status)) return tf.Message(b->status);
    const double first = measure_now() - ready;
    cpu = cpu_now() - cpu;
    int n = 1;
    taken[0] = first;
    if (b->milliseconds > 0) {
        run(b, b->status);
        n = call_all(taken, &cpu, b, callers);
    }
    printf("ok %.0f %.0f %.0f %.0f %.0f %.0f %d\n", imported, first, taken[n / 2], taken[0], taken[n * 9 / 10], cpu, n);
    return NULL;
}

static const char *run_case(char *line) {
    char *parts[9];
    for (int i = 0; i < 9; i++)
        if (!(parts[i] = strsep(&line, "\t")) && i < 8) return "a case has eight parts";
    static struct bench b; /* the text of an error lives as long as the status */
    if (b.status) tf.DeleteStatus(b.status);
    b = (struct bench){.graph = tf.NewGraph(), .status = tf.NewStatus(), .milliseconds = atof(parts[4])};
    int callers = atoi(parts[5]);
    const double begin = measure_now();
    const char *wrong =
        callers < 1 || callers > MOST_CALLERS ? "so many callers are not possible" : open_graph(&b, parts[0]);
    const double imported = measure_now() - begin;
    if (!wrong) wrong = add_ports(&b, parts[1], parts[2], parts[3]);
    TF_SessionOptions *options = session_options(&b, parts[7]);
    if (!wrong && tf.GetCode(b.status) != TF_OK) wrong = tf.Message(b.status);
    if (!wrong) b.session = tf.NewSession(b.graph, options, b.status);
    if (!wrong) wrong = initialise(&b, parts[6]);
    if (!wrong) wrong = parts[8] ? write_outputs(&b, parts[8]) : time_runs(&b, imported, callers);
    if (!wrong && parts[8]) puts("ok");
    TF_Status *status = tf.NewStatus();
    if (b.session) tf.CloseSession(b.session, status), tf.DeleteSession(b.session, status);
    tf.DeleteSessionOptions(options);
    for (int i = 0; i < b.n_feeds; i++) tf.DeleteTensor(b.fed[i]);
    tf.DeleteGraph(b.graph);
    tf.DeleteStatus(status);
    return wrong;
}

/* The most memory that was resident, in kB, as the system counts it for this program alone. */
static void print_memory(void) {
    char line[256];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "VmHWM:", 6)) printf("%ld\n", atol(line + 6));
    if (f) fclose(f);
}

static int run_once(const char *file, char *fetch) {
    struct bench b = {.graph = tf.NewGraph(), .status = tf.NewStatus()};
    const char *wrong = open_graph(&b, file);
    if (!wrong) wrong = add_ports(&b, NULL, fetch, NULL);
    TF_SessionOptions *options = tf.NewSessionOptions();
    if (!wrong) b.session = tf.NewSession(b.graph, options, b.status);
    if (!wrong && !run(&b, b.status)) wrong = tf.Message(b.status);
    if (wrong) fprintf(stderr, "bench_graph: %s\n", wrong);
    else print_memory();
    return wrong != NULL;
}

int main(int argc, char **argv) {
    if (argc < 3 || strcmp(argv[1], "--lib") != 0) {
        fprintf(stderr, "usage: bench_graph --lib LIBRARY [--once GRAPH FETCH]\n");
        return 2;
    }
    load(argv[2]);
    if (argc == 6 && !strcmp(argv[3], "--once")) return run_once(argv[4], argv[5]);
    char *line = NULL;
    size_t size = 0;
    for (ssize_t n; (n = getline(&line, &size, stdin)) > 0;) {
        if (line[n - 1] == '\n') line[n - 1] = 0;
        const char *wrong = run_case(line);
        if (wrong) {
            printf("error ");
            for (; *wrong; wrong++) putchar(*wrong == '\n' ? ' ' : *wrong);
            putchar('\n');
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
