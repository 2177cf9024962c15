/* How long nets would take on more threads than this machine has. Reads cases as bench/compare/make_graphs.py writes them
 * (build/bench/graphs/cases.tsv) over its standard input, those with one caller, floats and no initialiser:
 *
 *     GROUP  NAME  FILE  FEEDS  FETCHES ...      with tabs between
 *
 * A net runs on one thread; every job that a kernel splits for the pool (sl_pool_parallel_as, which the linker has us wrap)
 * runs its parts one after another, and each is timed. How a job is split hangs on sizes alone, so it is the same on any number
 * of threads. Then the time of a run on N threads is that of what is not split, and for each job that of its parts dealt out
 * as the pool does: the caller and N - 1 helpers claim them one by one, from a counter that one thread at a time can reach,
 * helpers begin late, and the caller sees the last part's end late. Those delays come with --pickup NS and --claim NS; their
 * defaults are what two threads of a Sapphire Rapids need.
 *
 * What is left out: that threads share memory's bandwidth and the last cache, that clocks fall when more cores compute, and
 * nodes that run side by side. So it tells what splitting and waking allow, not what memory does. */
#include <math.h>
#include <stdbool.h>

#include "measure.h"
#include "os/pool.h"
#include "tensorflow/c/c_api.h"

enum { MOST_JOBS = 20000, MOST_PARTS = 400000, MOST_THREADS = 64, RUNS = 30, MOST_FEEDS = 16 };

static double pickup_ns = 400, claim_ns = 40;

/* ---- recording */

static struct {
    int n_jobs, n_parts;
    int first[MOST_JOBS + 1];
    double parts[MOST_PARTS]; /* ns */
} now, best;
static bool records;
static _Thread_local int depth;

void __real_sl_pool_parallel_as(struct sl_pool *pool, int64_t parts, void (*fn)(void *arg, int64_t part), void *arg,
                                unsigned manner);
void __wrap_sl_pool_parallel_as(struct sl_pool *pool, int64_t parts, void (*fn)(void *arg, int64_t part), void *arg,
                                unsigned manner);
void __wrap_sl_pool_parallel_as(struct sl_pool *pool, int64_t parts, void (*fn)(void *arg, int64_t part), void *arg,
                                unsigned manner) {
    (void)pool, (void)manner;
    const bool is_outer = records && depth == 0 && now.n_jobs < MOST_JOBS && now.n_parts + parts <= MOST_PARTS;
    depth++;
    for (int64_t p = 0; p < parts; p++) {
        const double begin = is_outer ? measure_now() : 0;
        fn(arg, p);
        if (is_outer) now.parts[now.n_parts++] = measure_now() - begin;
    }
    depth--;
    if (is_outer) now.first[++now.n_jobs] = now.n_parts;
}

/* ---- dealing out */

static double job_ns(const double *parts, int n, int threads) {
    double free_at[MOST_THREADS], counter = 0, end = 0;
    for (int t = 0; t < threads; t++) free_at[t] = t ? pickup_ns : 0;
    for (int p = 0; p < n; p++) {
        int first = 0;
        for (int t = 1; t < threads; t++)
            if (free_at[t] < free_at[first]) first = t;
        counter = (counter > free_at[first] ? counter : free_at[first]) + (threads > 1 ? claim_ns : 0);
        free_at[first] = counter + parts[p];
        if (first && free_at[first] + pickup_ns > end) end = free_at[first] + pickup_ns;
        if (!first && free_at[first] > end) end = free_at[first];
    }
    return end;
}

static double run_ns(double total, int threads) {
    double ns = total;
    for (int j = 0; j < best.n_jobs; j++) {
        const double *parts = best.parts + best.first[j];
        const int n = best.first[j + 1] - best.first[j];
        for (int p = 0; p < n; p++) ns -= parts[p];
        ns += job_ns(parts, n, threads);
    }
    return ns;
}

/* ---- running */

struct net {
    TF_Graph *graph;
    TF_Session *session;
    TF_Output feeds[MOST_FEEDS], fetches[MOST_FEEDS];
    TF_Tensor *fed[MOST_FEEDS];
    int n_feeds, n_fetches;
};

static void check(const TF_Status *s) {
    if (TF_GetCode(s) == TF_OK) return;
    fprintf(stderr, "thread_simulation: %s\n", TF_Message(s));
    exit(1);
}

static TF_Output port(TF_Graph *graph, char *text) {
    char *colon = strchr(text, ':');
    if (colon) *colon = 0;
    return (TF_Output){TF_GraphOperationByName(graph, text), colon ? atoi(colon + 1) : 0};
}

/* "name:dtype:dims[:below]"; false: a type that is not filled here. */
static bool add_feed(struct net *net, char *text) {
    char *name = strsep(&text, ":"), *dtype = strsep(&text, ":"), *dims = strsep(&text, ":");
    int64_t shape[8], count = 1;
    int rank = 0;
    if (!dtype || !dims || net->n_feeds == MOST_FEEDS) return false;
    for (char *dim; rank < 8 && dims && *dims && (dim = strsep(&dims, ","));) count *= shape[rank++] = atoll(dim);
    const TF_DataType type = (TF_DataType)atoi(dtype);
    if (type != TF_FLOAT && type != TF_INT32) return false;
    TF_Tensor *t = TF_AllocateTensor(type, shape, rank, (size_t)count * 4);
    uint32_t x = 12345;
    for (int64_t i = 0; i < count; i++) {
        x = x * 1664525u + 1013904223u;
        if (type == TF_FLOAT) ((float *)TF_TensorData(t))[i] = (float)(x >> 8) / 16777216.0f;
        else ((int32_t *)TF_TensorData(t))[i] = (int32_t)(x >> 31);
    }
    net->feeds[net->n_feeds] = port(net->graph, name);
    net->fed[net->n_feeds++] = t;
    return true;
}

static bool open_net(struct net *net, const char *file, char *feeds, char *fetches, TF_Status *s) {
    FILE *f = fopen(file, "rb");
    if (!f) return false;
    fseek(f, 0, SEEK_END);
    const size_t size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(size + 1);
    const size_t read = bytes ? fread(bytes, 1, size, f) : 0;
    fclose(f);
    TF_Buffer *buffer = TF_NewBufferFromString(bytes, read);
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    net->graph = TF_NewGraph();
    TF_GraphImportGraphDef(net->graph, buffer, options, s);
    check(s);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(buffer);
    free(bytes);
    bool is_known = true;
    for (char *word; is_known && (word = strsep(&feeds, " "));) is_known = !*word || add_feed(net, word);
    for (char *word; (word = strsep(&fetches, " "));)
        if (*word && net->n_fetches < MOST_FEEDS) net->fetches[net->n_fetches++] = port(net->graph, word);
    TF_SessionOptions *session = TF_NewSessionOptions();
    net->session = TF_NewSession(net->graph, session, s);
    check(s);
    TF_DeleteSessionOptions(session);
    return is_known;
}

static void run_net(struct net *net, TF_Status *s) {
    TF_Tensor *out[MOST_FEEDS];
    TF_SessionRun(net->session, NULL, net->feeds, net->fed, net->n_feeds, net->fetches, out, net->n_fetches, NULL, 0,
                  NULL, s);
    check(s);
    for (int i = 0; i < net->n_fetches; i++) TF_DeleteTensor(out[i]);
}

static void close_net(struct net *net, TF_Status *s) {
    if (net->session) {
        TF_CloseSession(net->session, s);
        TF_DeleteSession(net->session, s);
    }
    for (int i = 0; i < net->n_feeds; i++) TF_DeleteTensor(net->fed[i]);
    if (net->graph) TF_DeleteGraph(net->graph);
}

static void simulate(const char *name, const char *file, char *feeds, char *fetches) {
    TF_Status *s = TF_NewStatus();
    struct net net = {.graph = NULL};
    double least = INFINITY;
    if (open_net(&net, file, feeds, fetches, s)) {
        for (int run = 0; run < RUNS; run++) {
            now.n_jobs = now.n_parts = 0;
            records = run >= 2;
            const double begin = measure_now();
            run_net(&net, s);
            const double ns = measure_now() - begin;
            if (!records || ns >= least) continue;
            least = ns;
            best = now;
        }
        double split = 0;
        for (int p = 0; p < best.n_parts; p++) split += best.parts[p];
        printf("%-28s %9.3f ms %5d jobs %6.1f parts each %5.1f %% split ", name, least / 1e6, best.n_jobs,
               best.n_jobs ? (double)best.n_parts / best.n_jobs : 0, 100 * split / least);
        for (int threads = 1; threads <= MOST_THREADS; threads *= 2)
            printf(" %6.2f", run_ns(least, 1) / run_ns(least, threads));
        printf("\n");
        fflush(stdout);
    }
    close_net(&net, s);
    TF_DeleteStatus(s);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--pickup")) pickup_ns = atof(argv[i + 1]);
        else if (!strcmp(argv[i], "--claim")) claim_ns = atof(argv[i + 1]);
    }
    printf("times as fast on 1, 2, 4 ... %d threads; a helper begins after %.0f ns, a claim takes %.0f ns\n",
           MOST_THREADS, pickup_ns, claim_ns);
    char line[8192];
    while (fgets(line, sizeof line, stdin)) {
        char *rest = line, *fields[5];
        line[strcspn(line, "\n")] = 0;
        for (int i = 0; i < 5; i++) fields[i] = strsep(&rest, "\t");
        if (fields[4]) simulate(fields[1], fields[2], fields[3], fields[4]);
    }
    return 0;
}
