/* Slurm's node lists: names with ranges in brackets, "n[01-03,07]-ib"; its counts: "2(x3),1" is 2, 2, 2, 1. The formats are
 * those of scontrol's and srun's manual pages. */
#include "task_environment.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

enum { MOST_TASKS = 100000, MOST_DIGITS = 9 };

/* ---- text that grows */
struct text {
    char *p;
    size_t n, room;
};

static void put(struct text *t, const char *p, size_t n) {
    if (t->n + n + 1 > t->room) {
        t->room = 2 * (t->n + n + 64);
        t->p = must_allocate(t->p, t->room);
    }
    memcpy(t->p + t->n, p, n);
    t->n += n;
    t->p[t->n] = '\0';
}

static char *copy(const char *p, size_t n) {
    struct text t = {NULL, 0, 0};
    put(&t, p, n);
    return t.p;
}

/* ---- hosts, each with its tasks */
struct hosts {
    struct text cluster; /* "worker=" and what was put so far */
    const char *counts;
    int64_t count, repeats; /* of the host that comes; `repeats` hosts have it yet */
    int64_t each, port, tasks;
};

static int64_t digits(const char **at, int *n_digits) {
    int64_t n = 0;
    int have = 0;
    for (; isdigit((unsigned char)**at) && have < MOST_DIGITS; (*at)++, have++) n = 10 * n + (**at - '0');
    if (n_digits) *n_digits = have;
    return have ? n : -1;
}

/* How many tasks the next host has; 0 when the text is wrong or at its end. */
static int64_t next_count(struct hosts *h) {
    if (!h->counts) return h->each;
    if (!h->repeats) {
        if (*h->counts == ',') h->counts++;
        h->count = digits(&h->counts, NULL);
        h->repeats = 1;
        if (!strncmp(h->counts, "(x", 2)) {
            h->counts += 2;
            h->repeats = digits(&h->counts, NULL);
            if (*h->counts == ')') h->counts++;
        }
        if (h->count < 1 || h->repeats < 1) return h->repeats = 0;
    }
    h->repeats--;
    return h->count;
}

static bool put_host(struct hosts *h, const char *name, size_t n) {
    const int64_t count = next_count(h);
    const char *colon = memchr(name, ':', n);
    int64_t port = h->port;
    if (colon) {
        const char *at = colon + 1;
        port = digits(&at, NULL);
        n = (size_t)(colon - name);
    }
    if (!n || count < 1 || port < 1 || port + count > 65536 || h->tasks + count > MOST_TASKS) return false;
    for (int64_t i = 0; i < count; i++) {
        char end[32];
        (void)snprintf(end, sizeof end, ":%d", (int)(port + i));
        if (h->tasks++) put(&h->cluster, ",", 1);
        else put(&h->cluster, "worker=", 7);
        put(&h->cluster, name, n);
        put(&h->cluster, end, strlen(end));
    }
    return true;
}

/* `head`, then what the item at `at` stands for: a name to its end, or ranges. Moves `at` behind the item. */
static bool put_item(struct hosts *h, const char *head, size_t n_head, const char **at, int depth) {
    const size_t plain = strcspn(*at, ",[");
    struct text name = {NULL, 0, 0};
    bool ok = depth < 4;
    put(&name, head, n_head);
    put(&name, *at, plain);
    *at += plain;
    if (**at != '[') {
        ok = ok && put_host(h, name.p, name.n);
        free(name.p);
        return ok;
    }
    const char *tail = strchr(*at, ']');
    const size_t n_name = name.n;
    const char *end = tail;
    while (ok && tail && *at < tail) {
        (*at)++; /* '[' or ',' */
        int width;
        const int64_t from = digits(at, &width);
        int64_t to = from;
        if (**at == '-') {
            (*at)++;
            to = digits(at, NULL);
        }
        ok = from >= 0 && to >= from && to - from < MOST_TASKS && (**at == ',' || **at == ']');
        for (int64_t i = from; ok && i <= to; i++) {
            char number[32];
            (void)snprintf(number, sizeof number, "%0*lld", width, (long long)i);
            name.n = n_name;
            put(&name, number, strlen(number));
            end = tail + 1;
            ok = put_item(h, name.p, name.n, &end, depth + 1);
        }
    }
    free(name.p);
    *at = end ? end : "";
    return ok && tail;
}

char *cluster_of_hosts(const char *hosts, const char *counts, int64_t each, int64_t port) {
    struct hosts h = {.counts = counts, .each = each, .port = port};
    bool ok = *hosts;
    for (const char *at = hosts; ok && *at; at += *at == ',') ok = put_item(&h, "", 0, &at, 0);
    if (ok) return h.cluster.p;
    free(h.cluster.p);
    complain("the hosts '%s'%s%s are none that can be read", hosts, counts ? " with tasks " : "", counts ? counts : "");
    return NULL;
}

/* ---- what the environment says */

static const char *variable(const char *first, const char *second) {
    const char *value = getenv(first);
    return value || !second ? value : getenv(second);
}

static bool number_of(int64_t *out, const char *name, int64_t least, int64_t most) {
    const char *value = getenv(name);
    if (value && parse_number(out, value, least, most)) return true;
    complain("%s is '%s', which is no number from %lld to %lld", name, value ? value : "", (long long)least,
             (long long)most);
    return false;
}

static bool first_port(int64_t *out) {
    *out = FIRST_TASK_PORT;
    return !getenv("SLUICE_PORT") || number_of(out, "SLUICE_PORT", 1, 65535);
}

/* What stands behind "key": in an object; NULL when it has none. */
static const char *member(const char *object, const char *key) {
    const size_t n = strlen(key);
    for (const char *at = object; (at = strchr(at, '"')); at++) {
        if (strncmp(at + 1, key, n) != 0 || at[n + 1] != '"') continue;
        at += n + 2 + strspn(at + n + 2, " \t\r\n");
        if (*at == ':') return at + 1 + strspn(at + 1, " \t\r\n");
        at--;
    }
    return NULL;
}

/* The object or string at `at`, with its marks; 0 for anything else. */
static size_t extent(const char *at) {
    int depth = 0;
    if (*at == '"') {
        const char *end = strchr(at + 1, '"');
        return end ? (size_t)(end + 1 - at) : 0;
    }
    for (const char *p = at; *p; p++) {
        if (*p == '{') depth++;
        if (*p == '}') depth--;
        if (!depth) return *at == '{' ? (size_t)(p + 1 - at) : 0;
    }
    return 0;
}

static bool read_config(struct task_environment *out, const char *config) {
    const char *cluster = member(config, "cluster"), *task = member(config, "task");
    const char *type = task ? member(task, "type") : NULL, *index = task ? member(task, "index") : NULL;
    const size_t n_cluster = cluster ? extent(cluster) : 0, n_type = type ? extent(type) : 0;
    if (index && *index == '"') index++;
    const int64_t at = index ? digits(&index, NULL) : -1;
    if (n_cluster < 2 || n_type < 3 || *type != '"' || at < 0) {
        complain(
            "TF_CONFIG has no \"%s\": {\"cluster\": {\"worker\": [\"HOST:PORT\"]}, \"task\": {\"type\": \"worker\", "
            "\"index\": 0}} is one",
            n_cluster < 2 ? "cluster" : "task");
        return false;
    }
    out->cluster = copy(cluster, n_cluster);
    out->job = copy(type + 1, n_type - 2);
    out->task = at;
    return true;
}

static bool read_slurm(struct task_environment *out) {
    const char *nodes = variable("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST");
    const char *counts = variable("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE");
    int64_t port;
    if (!nodes) {
        complain("SLURM_PROCID is set, and neither SLURM_STEP_NODELIST nor SLURM_JOB_NODELIST");
        return false;
    }
    if (!first_port(&port) || !number_of(&out->task, "SLURM_PROCID", 0, MOST_TASKS)) return false;
    out->job = copy("worker", 6);
    return (out->cluster = cluster_of_hosts(nodes, counts, 1, port));
}

static bool read_mpi(struct task_environment *out) {
    const bool is_open = getenv("OMPI_COMM_WORLD_RANK");
    const char *hosts = getenv("SLUICE_HOSTS");
    const char *here = is_open ? "OMPI_COMM_WORLD_LOCAL_SIZE" : "MPI_LOCALNRANKS";
    int64_t size, port, each;
    if (!first_port(&port) || !number_of(&size, is_open ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE", 1, MOST_TASKS) ||
        !number_of(&out->task, is_open ? "OMPI_COMM_WORLD_RANK" : "PMI_RANK", 0, size - 1))
        return false;
    each = hosts ? 1 : size;
    if (getenv(here) && !number_of(&each, here, 1, size)) return false;
    if (!hosts && each < size) {
        complain("of %lld ranks %lld are on this host: SLUICE_HOSTS says on which the others are", (long long)size,
                 (long long)each);
        return false;
    }
    out->job = copy("worker", 6);
    return (out->cluster = cluster_of_hosts(hosts ? hosts : "127.0.0.1", NULL, each, port));
}

static bool read_stateful_set(struct task_environment *out) {
    char host[256] = "";
    int64_t replicas, port;
    const char *named = getenv("HOSTNAME");
    if (named) (void)snprintf(host, sizeof host, "%s", named);
    else if (gethostname(host, sizeof host - 1)) host[0] = '\0';
    char *dash = strrchr(host, '-');
    if (!first_port(&port) || !number_of(&replicas, "SLUICE_REPLICAS", 1, MOST_TASKS)) return false;
    if (!dash || !parse_number(&out->task, dash + 1, 0, replicas - 1)) {
        complain("SLUICE_REPLICAS is %lld, and the host '%s' does not end in -0 to -%lld", (long long)replicas, host,
                 (long long)replicas - 1);
        return false;
    }
    *dash = '\0';
    const char *service = getenv("SLUICE_SERVICE");
    struct text cluster = {NULL, 0, 0};
    for (int64_t i = 0; i < replicas; i++) {
        char address[600];
        int n = snprintf(address, sizeof address, "%s%s-%lld.%s:%d", i ? "," : "worker=", host, (long long)i,
                         service ? service : host, (int)port);
        put(&cluster, address, (size_t)n < sizeof address ? (size_t)n : sizeof address - 1);
    }
    out->cluster = cluster.p;
    out->job = copy("worker", 6);
    return true;
}

bool task_environment_read(struct task_environment *out) {
    const char *config = getenv("TF_CONFIG");
    *out = (struct task_environment){.source = "TF_CONFIG"};
    if (config && *config) return read_config(out, config);
    out->source = "Slurm";
    if (getenv("SLURM_PROCID")) return read_slurm(out);
    out->source = "MPI";
    if (getenv("OMPI_COMM_WORLD_RANK") || getenv("PMI_RANK")) return read_mpi(out);
    out->source = "a StatefulSet";
    if (getenv("SLUICE_REPLICAS")) return read_stateful_set(out);
    complain("the environment says nothing of a cluster: TF_CONFIG, SLURM_PROCID, OMPI_COMM_WORLD_RANK, PMI_RANK or "
             "SLUICE_REPLICAS would");
    return false;
}

void task_environment_clear(struct task_environment *e) {
    free(e->cluster);
    free(e->job);
}
