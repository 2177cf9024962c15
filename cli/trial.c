/* The child writes its outcome, or a value, into a pipe. */
#include "trial.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "compare_values.h"
#include "sluice/explain.h"

enum { MOST_MS = 20000, MOST_RANK = 32 };

/* ---- in the child */

struct running {
    const struct library *l;
    TF_Graph *graph;
    TF_Session *session;
    TF_Status *status;
    TF_Tensor **results;
    int *places; /* by fetch: its result; -1: it is a target */
};

static bool find(TF_Output *out, const struct running *r, const char *text) {
    char name[1024];
    const char *colon = strrchr(text, ':');
    snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
    *out = (TF_Output){r->l->TF_GraphOperationByName(r->graph, name), colon ? atoi(colon + 1) : 0};
    return out->oper != NULL;
}

static TF_Tensor *copy_tensor(const struct library *l, const TF_Tensor *t) {
    int64_t dims[MOST_RANK];
    const int rank = TF_NumDims(t);
    for (int d = 0; d < rank && d < MOST_RANK; d++) dims[d] = TF_Dim(t, d);
    TF_Tensor *copy = must_have(l->TF_AllocateTensor(TF_TensorType(t), dims, rank, TF_TensorByteSize(t)));
    if (TF_TensorType(t) != TF_STRING) {
        memcpy(l->TF_TensorData(copy), TF_TensorData(t), TF_TensorByteSize(t));
        return copy;
    }
    for (int64_t i = 0; i < TF_TensorElementCount(t); i++) {
        const TF_TString *from = (const TF_TString *)TF_TensorData(t) + i;
        TF_TString *to = (TF_TString *)l->TF_TensorData(copy) + i;
        l->TF_StringInit(to);
        l->TF_StringCopy(to, TF_StringGetDataPointer(from), TF_StringGetSize(from));
    }
    return copy;
}

static bool open_run(struct running *r, const struct trial *t, const TF_Buffer *graph) {
    TF_ImportGraphDefOptions *options = must_have(r->l->TF_NewImportGraphDefOptions());
    TF_Buffer *bytes = must_have(r->l->TF_NewBufferFromString(graph->data, graph->length));
    r->status = must_have(r->l->TF_NewStatus());
    r->graph = must_have(r->l->TF_NewGraph());
    r->l->TF_GraphImportGraphDef(r->graph, bytes, options, r->status);
    if (r->l->TF_GetCode(r->status) != TF_OK) return false;
    TF_SessionOptions *session = must_have(r->l->TF_NewSessionOptions());
    if (t->wants_numbers && !r->l->is_other) sl_watch_numerics(session, SL_WATCH_NANS | SL_WATCH_INFINITIES);
    r->session = r->l->TF_NewSession(r->graph, session, r->status);
    return r->l->TF_GetCode(r->status) == TF_OK;
}

static TF_Buffer *timeout_of(const struct running *r, int64_t ms) {
    uint8_t bytes[16] = {2 << 3}; /* RunOptions.timeout_in_ms */
    size_t n = 1;
    if (!ms) return NULL;
    for (uint64_t rest = (uint64_t)ms; rest; rest >>= 7) bytes[n++] = (uint8_t)((rest & 127) | (rest > 127 ? 128 : 0));
    return must_have(r->l->TF_NewBufferFromString(bytes, n));
}

/* False when a name is not there; else the status says how it went. */
static bool run_names(struct running *r, const struct trial *t, const char *const *names, int n, bool are_targets) {
    TF_Output *feeds = must_allocate(NULL, ((size_t)t->n_feeds + 1) * sizeof *feeds);
    TF_Tensor **values = must_allocate(NULL, ((size_t)t->n_feeds + 1) * sizeof *values);
    TF_Output *fetches = must_allocate(NULL, ((size_t)n + 1) * sizeof *fetches);
    const TF_Operation **targets = must_allocate(NULL, ((size_t)n + 1) * sizeof *targets);
    int n_feeds = 0, n_fetches = 0, n_targets = 0;
    for (int i = 0; i < t->n_feeds; i++)
        if (find(&feeds[n_feeds], r, t->feeds[i].name)) values[n_feeds++] = copy_tensor(r->l, t->feeds[i].value);
    r->results = must_allocate(NULL, ((size_t)n + 1) * sizeof *r->results);
    memset(r->results, 0, ((size_t)n + 1) * sizeof *r->results);
    r->places = must_allocate(NULL, ((size_t)n + 1) * sizeof *r->places);
    for (int i = 0; i < n; i++) {
        TF_Output o;
        if (!find(&o, r, names[i])) return false;
        r->places[i] = -1;
        const int outputs = r->l->TF_OperationNumOutputs(o.oper);
        if (are_targets || !outputs) targets[n_targets++] = o.oper;
        else if (o.index >= outputs) return false;
        else fetches[r->places[i] = n_fetches++] = o;
    }
    r->l->TF_SessionRun(r->session, timeout_of(r, t->timeout_ms), feeds, values, n_feeds, fetches, r->results,
                        n_fetches, (const TF_Operation *const *)targets, n_targets, NULL, r->status);
    return true;
}

static struct outcome failure(const struct running *r) {
    struct outcome o = {.kind = FAILED, .code = (int)r->l->TF_GetCode(r->status)};
    snprintf(o.text, sizeof o.text, "%s", r->l->TF_Message(r->status));
    return o;
}

static struct seen_value see(const struct library *l, TF_Tensor *t) {
    struct seen_value v = {.type = l->TF_TensorType(t), .rank = l->TF_NumDims(t), .count = 1};
    for (int d = 0; d < v.rank; d++) v.count *= v.dims[d] = l->TF_Dim(t, d);
    v.data = l->TF_TensorData(t);
    return v;
}

static struct outcome run_side(struct running *r, const struct trial *t, const TF_Buffer *graph) {
    struct outcome ok = {.kind = RAN}, unusable = {.kind = UNUSABLE};
    if (!open_run(r, t, graph)) {
        struct outcome o = failure(r);
        o.kind = UNUSABLE;
        return o;
    }
    for (int i = 0; i < t->n_first; i++) {
        if (!run_names(r, t, &t->first[i], 1, true)) return unusable;
        if (r->l->TF_GetCode(r->status) != TF_OK) return failure(r);
    }
    if (!run_names(r, t, t->fetches, t->n_fetches, false)) return unusable;
    return r->l->TF_GetCode(r->status) == TF_OK ? ok : failure(r);
}

static struct outcome compare_sides(const struct running *a, const struct outcome *x, const struct running *b,
                                    const struct outcome *y, const struct trial *t) {
    struct outcome o = {.kind = RAN};
    if (x->kind == UNUSABLE || y->kind == UNUSABLE) return x->kind == UNUSABLE ? *x : *y;
    if (x->kind != y->kind || x->code != y->code) {
        o.kind = DIFFERS;
        o.code = 1;
        snprintf(o.text, sizeof o.text, "%s: %.900s", x->kind == FAILED ? "only this library fails" : "only B fails",
                 x->kind == FAILED ? x->text : y->text);
        return o;
    }
    for (int i = 0; i < t->n_fetches && x->kind == RAN; i++) {
        if (a->places[i] < 0) continue;
        TF_Tensor *left = a->results[a->places[i]], *right = b->results[b->places[i]];
        if (TF_TensorType(left) == TF_RESOURCE || TF_TensorType(left) == TF_VARIANT) continue;
        const struct seen_value u = see(a->l, left), v = see(b->l, right);
        const struct difference d = compare_values(&u, &v, t->tolerance);
        if (!d.is_shape && !d.n) continue;
        o.kind = DIFFERS;
        if (d.is_shape) snprintf(o.text, sizeof o.text, "other shapes");
        else
            snprintf(o.text, sizeof o.text, "%lld of %lld elements differ, by %.3g at most", (long long)d.n,
                     (long long)u.count, d.largest);
        return o;
    }
    return *x;
}

static struct outcome run_child(const struct trial *t, const TF_Buffer *graph) {
    struct library own;
    library_open(&own, NULL);
    struct running a = {.l = &own}, b = {.l = t->other};
    struct outcome o = run_side(&a, t, graph);
    if (t->other) {
        const struct outcome other = run_side(&b, t, graph);
        return compare_sides(&a, &o, &b, &other, t);
    }
    return o;
}

/* ---- processes */

static bool write_all(int fd, const void *bytes, size_t n) {
    for (size_t at = 0; at < n;) {
        const ssize_t wrote = write(fd, (const char *)bytes + at, n - at);
        if (wrote <= 0) return false;
        at += (size_t)wrote;
    }
    return true;
}

static void send_value(int fd, const struct trial *t, const TF_Buffer *graph, const char *output, size_t most) {
    struct library own;
    library_open(&own, NULL);
    struct running r = {.l = &own};
    struct trial one = *t;
    one.fetches = &output;
    one.n_fetches = 1;
    int64_t head[2 + MOST_RANK] = {-1};
    const struct outcome o = run_side(&r, &one, graph);
    TF_Tensor *v = o.kind == RAN && r.places[0] >= 0 ? r.results[0] : NULL;
    if (!v || !TF_DataTypeSize(TF_TensorType(v)) || TF_TensorType(v) == TF_RESOURCE || TF_NumDims(v) > MOST_RANK ||
        TF_TensorByteSize(v) > most)
        return;
    head[0] = TF_TensorType(v);
    head[1] = TF_NumDims(v);
    for (int d = 0; d < TF_NumDims(v); d++) head[2 + d] = TF_Dim(v, d);
    if (write_all(fd, head, sizeof head)) write_all(fd, TF_TensorData(v), TF_TensorByteSize(v));
}

/* What the child sends, until it ends or it took too long. */
static char *read_all(size_t *n, int fd, pid_t child, int limit_ms, int *status) {
    char *bytes = NULL;
    size_t room = 0;
    *n = 0;
    *status = 0;
    struct pollfd end = {.fd = fd, .events = POLLIN};
    for (;;) {
        const int ready = poll(&end, 1, limit_ms);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) kill(child, SIGKILL);
        if (room - *n < 65536) bytes = must_allocate(bytes, room = 2 * room + 131072);
        const ssize_t got = ready > 0 ? read(fd, bytes + *n, room - *n) : 0;
        if (got <= 0) break;
        *n += (size_t)got;
    }
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
    return bytes;
}

/* `output` NULL: the outcome is sent. */
static char *run_process(size_t *n, int *status, const struct trial *t, const TF_Buffer *graph, const char *output,
                         size_t most) {
    int ends[2];
    if (pipe(ends)) {
        complain("%s", strerror(errno));
        exit(EXIT_FAILED);
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) {
        complain("%s", strerror(errno));
        exit(EXIT_FAILED);
    }
    if (child == 0) {
        close(ends[0]);
        if (!freopen("/dev/null", "w", stderr)) _exit(3);
        if (output) {
            send_value(ends[1], t, graph, output, most);
        } else {
            const struct outcome o = run_child(t, graph);
            write_all(ends[1], &o, sizeof o);
        }
        _exit(0); /* no session is closed: that might hang, too */
    }
    close(ends[1]);
    char *bytes = read_all(n, ends[0], child, t->limit_ms ? (int)t->limit_ms : MOST_MS, status);
    close(ends[0]);
    return bytes;
}

struct outcome trial_run(const struct trial *t, const TF_Buffer *graph) {
    struct outcome o = {.kind = HUNG};
    size_t n;
    int status;
    char *bytes = run_process(&n, &status, t, graph, NULL, 0);
    if (n == sizeof o) memcpy(&o, bytes, sizeof o);
    else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) o = (struct outcome){CRASHED, WTERMSIG(status), ""};
    else if (WIFEXITED(status)) o = (struct outcome){CRASHED, 0, ""};
    if (o.kind == CRASHED) snprintf(o.text, sizeof o.text, "the process ends by signal %d", o.code);
    if (o.kind == HUNG) snprintf(o.text, sizeof o.text, "the run does not end");
    free(bytes);
    return o;
}

TF_Tensor *trial_value(const struct trial *t, const TF_Buffer *graph, const char *output, size_t most) {
    int64_t head[2 + MOST_RANK];
    size_t n;
    int status;
    TF_Tensor *v = NULL;
    char *bytes = run_process(&n, &status, t, graph, output, most);
    if (n >= sizeof head) {
        memcpy(head, bytes, sizeof head);
        const size_t size = n - sizeof head;
        v = must_have(TF_AllocateTensor((TF_DataType)head[0], head + 2, (int)head[1], size));
        if (size) memcpy(TF_TensorData(v), bytes + sizeof head, size);
    }
    free(bytes);
    return v;
}

/* ---- the same failure */

/* The message's first line without what is in quotes, braces and brackets, and without digits. Of numbers that are watched
 * no more than which op makes what. */
static void normalise(char out[1024], const char *text) {
    const char *end = !strncmp(text, "Watching numbers: ", 18) ? strstr(text, ": of the ") : NULL;
    size_t n = 0;
    char closes = 0;
    for (; text != end && *text && *text != '\n' && n < 1023; text++) {
        if (closes) {
            if (*text == closes) closes = 0;
        } else if (*text == '\'' || *text == '"') closes = *text;
        else if (*text == '{') closes = '}';
        else if (*text == '[') closes = ']';
        else if (!isdigit((unsigned char)*text) && *text != '-') out[n++] = *text;
    }
    out[n] = 0;
}

/* Whether an op that waits in `b` waits in `a`: a run that is slow for another reason has none. */
static bool same_wait(const char *a, const char *b) {
    const char *begin = strstr(b, "' ("), *end = begin ? strchr(begin, ')') : NULL;
    if (!strstr(b, "Waiting: ")) return !strstr(a, "Waiting: ");
    if (!end) return strstr(b, " goes round") && strstr(a, " goes round");
    return memmem(a, strlen(a), begin, (size_t)(end - begin) + 1) != NULL;
}

bool outcome_same(const struct outcome *a, const struct outcome *b) {
    char left[1024], right[1024];
    if (a->kind != b->kind || a->code != b->code) return false;
    if (a->kind == FAILED && a->code == TF_DEADLINE_EXCEEDED) return same_wait(b->text, a->text);
    if (a->kind != FAILED) return true;
    normalise(left, a->text);
    normalise(right, b->text);
    return !strcmp(left, right);
}
