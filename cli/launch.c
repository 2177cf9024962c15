/* sluice launch: the tasks of a cluster as processes of this machine, or one task whose place the environment says. Each
 * child is a process group of its own, so that what it started ends with it. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "task_environment.h"

const struct option launch_options[] = {
    {"n", "N", "so many workers, each a process of this machine; default: 1"},
    {"ps", "N", "and so many parameter servers, which end when the workers have ended; default: 0"},
    {"here", NULL, "one process: the task that Slurm, MPI or a StatefulSet says in the environment"},
    {"restarts", "N", "how many times in all a worker that failed is started again; default: 0"},
    {"grace", "SECONDS", "how long tasks have to end once one has failed; then they are killed; default: 10"},
    {NULL, NULL, NULL},
};

enum { MOST_CHILDREN = 256, LINE_BYTES = 1 << 13 };

struct launch_request {
    int64_t workers, servers, restarts, grace;
    bool is_here;
    char **program; /* with its arguments, ended by NULL */
};

/* Lines of one stream of a child, which are passed on whole. */
struct lines {
    int from; /* -1: at its end */
    FILE *to;
    size_t n;
    char text[LINE_BYTES];
};

struct child {
    char name[32]; /* "worker/0" */
    char *config;  /* TF_CONFIG */
    bool is_server, is_running;
    pid_t pid;
    struct lines streams[2];
};

struct launch {
    const struct launch_request *request;
    struct child *children;
    int n, running_workers;
    int64_t restarts;
    bool ends;     /* no task is started any more */
    time_t killed; /* when those that are left are killed; 0: not yet known */
    int result;
};

/* ---- arguments */

static bool read_request(struct launch_request *r, const struct command *self, int argc, char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    while (!r->program && next_argument(&a, &option, &value)) {
        if (!option) {
            r->program = argv + a.at - 1;
            continue;
        }
        if (!strcmp(option->name, "here")) {
            r->is_here = true;
            continue;
        }
        int64_t *number = !strcmp(option->name, "n")          ? &r->workers
                          : !strcmp(option->name, "ps")       ? &r->servers
                          : !strcmp(option->name, "restarts") ? &r->restarts
                                                              : &r->grace;
        const bool is_time = number == &r->restarts || number == &r->grace;
        if (!parse_number(number, value, number == &r->workers, is_time ? INT32_MAX : MOST_CHILDREN)) {
            complain_usage(self, "--%s wants a number, not '%s'", option->name, value);
            return false;
        }
    }
    if (a.failed) return false;
    if (!r->program) {
        complain_usage(self, "say which program to start");
        return false;
    }
    if (r->workers + r->servers <= MOST_CHILDREN) return true;
    complain_usage(self, "more than %d tasks", MOST_CHILDREN);
    return false;
}

/* ---- where tasks listen */

/* Ports of this machine that nobody has now; all are held until all are known, so that they differ. */
static bool find_ports(int *ports, int n) {
    int sockets[MOST_CHILDREN], have = 0;
    bool ok = true;
    for (; have < n && ok; have++) {
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t size = sizeof at;
        sockets[have] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        ok = sockets[have] >= 0 && !bind(sockets[have], (struct sockaddr *)&at, size) &&
             !getsockname(sockets[have], (struct sockaddr *)&at, &size);
        ports[have] = ntohs(at.sin_port);
    }
    if (!ok) complain("no free port: %s", strerror(errno));
    while (have--)
        if (sockets[have] >= 0) close(sockets[have]);
    return ok;
}

static size_t put_job(char *text, size_t at, size_t size, const char *job, const int *ports, int64_t n) {
    if (!n) return at;
    at += (size_t)snprintf(text + at, size - at, "%s\"%s\": [", text[at - 1] == '{' ? "" : ", ", job);
    for (int64_t i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, size - at, "%s\"127.0.0.1:%d\"", i ? ", " : "", ports[i]);
    return at + (size_t)snprintf(text + at, size - at, "]");
}

static bool make_children(struct launch *l) {
    const struct launch_request *r = l->request;
    int ports[MOST_CHILDREN];
    const size_t size = 256 + 32 * (size_t)l->n;
    if (!find_ports(ports, l->n)) return false;
    char *cluster = must_allocate(NULL, size);
    size_t at = (size_t)snprintf(cluster, size, "{\"cluster\": {");
    at = put_job(cluster, at, size, "worker", ports, r->workers);
    at = put_job(cluster, at, size, "ps", ports + r->workers, r->servers);
    for (int i = 0; i < l->n; i++) {
        struct child *c = &l->children[i];
        const int64_t number = i < r->workers ? i : i - r->workers;
        c->is_server = i >= r->workers;
        (void)snprintf(c->name, sizeof c->name, "%s/%d", c->is_server ? "ps" : "worker", (int)number);
        c->config = must_allocate(NULL, size + 64);
        (void)snprintf(c->config, size + 64, "%.*s}, \"task\": {\"type\": \"%s\", \"index\": %d}}", (int)at, cluster,
                       c->is_server ? "ps" : "worker", (int)number);
    }
    free(cluster);
    return true;
}

/* ---- processes */

static _Noreturn void become(const struct child *c, char **program, const int *ends) {
    setpgid(0, 0);
    setenv("TF_CONFIG", c->config, 1);
    dup2(ends[0], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(program[0], program);
    complain("cannot start '%s': %s", program[0], strerror(errno));
    _exit(127);
}

static bool start(struct launch *l, struct child *c) {
    int pipes[2][2];
    for (int i = 0; i < 2; i++)
        if (pipe2(pipes[i], O_CLOEXEC)) {
            complain("no pipe: %s", strerror(errno));
            if (i) close(pipes[0][0]), close(pipes[0][1]);
            return false;
        }
    fflush(NULL);
    c->pid = fork();
    if (c->pid == 0) become(c, l->request->program, (int[]){pipes[0][1], pipes[1][1]});
    for (int i = 0; i < 2; i++) {
        close(pipes[i][1]);
        fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
        c->streams[i] = (struct lines){.from = pipes[i][0], .to = i ? stderr : stdout};
    }
    c->is_running = c->pid > 0;
    if (c->is_running) l->running_workers += !c->is_server;
    else complain("cannot start a process: %s", strerror(errno));
    return c->is_running;
}

static void signal_all(const struct launch *l, int number) {
    for (int i = 0; i < l->n; i++)
        if (l->children[i].is_running && kill(-l->children[i].pid, number)) kill(l->children[i].pid, number);
}

static void end_all(struct launch *l) {
    if (l->ends) return;
    l->ends = true;
    l->killed = time(NULL) + l->request->grace;
    signal_all(l, SIGTERM);
}

/* ---- what they print */

static void pass_line(const struct child *c, struct lines *s, size_t n) {
    fprintf(s->to, "[%s] %.*s\n", c->name, (int)n, s->text);
    fflush(s->to);
}

static void pass_lines(const struct child *c, struct lines *s) {
    char *end;
    while ((end = memchr(s->text, '\n', s->n))) {
        const size_t n = (size_t)(end - s->text);
        pass_line(c, s, n);
        memmove(s->text, end + 1, s->n -= n + 1);
    }
    if (s->n < sizeof s->text) return;
    pass_line(c, s, s->n); /* in pieces, when it is very long */
    s->n = 0;
}

/* Until the stream has nothing more yet, or ends. */
static void read_lines(const struct child *c, struct lines *s) {
    while (s->from >= 0) {
        const ssize_t n = read(s->from, s->text + s->n, sizeof s->text - s->n);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n > 0) {
            s->n += (size_t)n;
            pass_lines(c, s);
            continue;
        }
        if (s->n) pass_line(c, s, s->n);
        s->n = 0;
        close(s->from);
        s->from = -1;
    }
}

/* ---- what becomes of them */

static void child_ended(struct launch *l, struct child *c, int status) {
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    c->is_running = false;
    l->running_workers -= !c->is_server;
    for (int i = 0; i < 2; i++) {
        read_lines(c, &c->streams[i]);
        if (c->streams[i].from >= 0) close(c->streams[i].from); /* somebody that it started has the other end */
        c->streams[i].from = -1;
    }
    if (l->ends) return;
    if (!code && !c->is_server) return;
    if (WIFSIGNALED(status))
        complain("%s ended by signal %d (%s)", c->name, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else complain("%s ended with status %d", c->name, code);
    if (l->restarts > 0) {
        l->restarts--;
        complain("%s is started again", c->name);
        if (start(l, c)) return;
    }
    l->result = code ? code : EXIT_FAILED;
    end_all(l);
}

static void reap(struct launch *l) {
    for (int i = 0; i < l->n; i++) {
        int status;
        struct child *c = &l->children[i];
        if (c->is_running && waitpid(c->pid, &status, WNOHANG) == c->pid) child_ended(l, c, status);
    }
    if (!l->running_workers) end_all(l);
}

static bool any_runs(const struct launch *l) {
    for (int i = 0; i < l->n; i++)
        if (l->children[i].is_running) return true;
    return false;
}

static int woken[2]; /* a pipe: the number of a signal, for the loop below */

static void wake(int number) {
    const int kept = errno;
    const char byte = (char)number;
    if (write(woken[1], &byte, 1) != 1) _exit(EXIT_FAILED);
    errno = kept;
}

static void take_signals(struct launch *l) {
    char number;
    while (read(woken[0], &number, 1) == 1) {
        if (number == SIGCHLD) continue;
        if (!l->ends) l->result = 128 + number;
        end_all(l);
    }
}

static void watch(struct launch *l) {
    struct pollfd *polled = must_allocate(NULL, (2 * (size_t)l->n + 1) * sizeof *polled);
    for (reap(l); any_runs(l); reap(l)) {
        nfds_t n = 0;
        polled[n++] = (struct pollfd){.fd = woken[0], .events = POLLIN};
        for (int i = 0; i < l->n; i++)
            for (int k = 0; k < 2; k++)
                polled[n++] = (struct pollfd){.fd = l->children[i].streams[k].from, .events = POLLIN};
        const time_t left = l->killed ? l->killed - time(NULL) : 0;
        if (l->killed && left <= 0) signal_all(l, SIGKILL);
        poll(polled, n, l->killed && left > 0 ? (int)(left > 3600 ? 3600 : left) * 1000 : -1);
        take_signals(l);
        for (int i = 0; i < l->n; i++)
            for (int k = 0; k < 2; k++) read_lines(&l->children[i], &l->children[i].streams[k]);
    }
    free(polled);
}

static int launch(const struct launch_request *r) {
    struct launch l = {.request = r, .n = (int)(r->workers + r->servers), .restarts = r->restarts};
    struct sigaction action = {.sa_flags = SA_RESTART};
    if (pipe2(woken, O_CLOEXEC | O_NONBLOCK)) return complain("no pipe: %s", strerror(errno));
    action.sa_handler = wake;
    sigaction(SIGCHLD, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    l.children = must_allocate(NULL, (size_t)l.n * sizeof *l.children);
    memset(l.children, 0, (size_t)l.n * sizeof *l.children);
    for (int i = 0; i < l.n; i++) l.children[i].streams[0].from = l.children[i].streams[1].from = -1;
    if (!make_children(&l)) l.result = EXIT_FAILED;
    for (int i = l.n - 1; i >= 0 && !l.result; i--) /* servers first */
        if (!start(&l, &l.children[i])) {
            l.result = EXIT_FAILED;
            end_all(&l);
        }
    watch(&l);
    for (int i = 0; i < l.n; i++) free(l.children[i].config);
    free(l.children);
    return l.result;
}

/* ---- the one task that this process is */

/* "worker=a:1,b:1" as JSON. */
static char *config_of(const struct task_environment *e) {
    const size_t size = 4 * strlen(e->cluster) + 128;
    char *text = must_allocate(NULL, size);
    const char *at = strchr(e->cluster, '=') + 1;
    size_t n = (size_t)snprintf(text, size, "{\"cluster\": {\"%s\": [\"", e->job);
    for (; *at; at++) n += (size_t)snprintf(text + n, size - n, *at == ',' ? "\", \"" : "%c", *at);
    (void)snprintf(text + n, size - n, "\"]}, \"task\": {\"type\": \"%s\", \"index\": %d}}", e->job, (int)e->task);
    return text;
}

static int launch_here(const struct launch_request *r) {
    struct task_environment e;
    if (!task_environment_read(&e)) {
        task_environment_clear(&e);
        return EXIT_FAILED;
    }
    if (e.cluster[0] != '{') { /* else TF_CONFIG is there */
        char *config = config_of(&e);
        setenv("TF_CONFIG", config, 1);
        free(config);
    }
    task_environment_clear(&e);
    execvp(r->program[0], r->program);
    return complain("cannot start '%s': %s", r->program[0], strerror(errno));
}

int launch_command(int argc, char **argv) {
    struct launch_request request = {.workers = 1, .grace = 10};
    if (!read_request(&request, find_command("launch"), argc, argv)) return EXIT_USAGE;
    return request.is_here ? launch_here(&request) : launch(&request);
}
