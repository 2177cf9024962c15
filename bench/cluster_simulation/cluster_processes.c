/* What cluster_simulation.c simulates, by processes of this machine: each is a task that joins and adds up with the others. A line
 * of CSV for each size, the least of some runs.
 *
 *     cluster_processes [TASKS]...         default: 2 4 8 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cluster_simulation/cluster_member.h"
#include "dist/dist_server.h"
#include "net/http2_net.h"
#include "os/clock.h"
#include "os/mutex.h"
#include "proto/text_format.h"
#include "root/root.h"

struct waiting {
    struct sl_mutex mutex;
    struct sl_condition ended;
    bool has_ended;
    sl_code code;
};

static void check(sl_code code, const struct sl_error *err) {
    if (code == SL_OK) return;
    fprintf(stderr, "cluster_processes: %s\n", err->message);
    _exit(1);
}

static void ended(struct member *m, sl_code code, const struct sl_error *err) {
    struct waiting *w = m->arg;
    (void)err;
    sl_mutex_lock(&w->mutex);
    w->has_ended = true;
    w->code = code;
    sl_condition_signal(&w->ended);
    sl_mutex_unlock(&w->mutex);
}

static int64_t timed(struct member *m, void (*begin)(void *member)) {
    struct waiting *w = m->arg;
    const int64_t began = sl_clock_ns();
    w->has_ended = false;
    begin(m);
    sl_mutex_lock(&w->mutex);
    while (!w->has_ended) sl_condition_wait(&w->ended, &w->mutex);
    sl_mutex_unlock(&w->mutex);
    return sl_clock_ns() - began;
}

static void task(int n, int number, const char *folder) {
    static const int64_t sizes[] = {1000, 100000, 1000000, 10000000, 100000000};
    const struct sl_registries *registries;
    struct sl_pb_ServerDef def;
    struct sl_arena arena;
    struct sl_error err;
    struct sl_net *net;
    struct sl_dist_server *server;
    char text[4096], address[256];
    size_t at =
        (size_t)snprintf(text, sizeof text,
                         "job_name: 'worker' task_index: %d protocol: 'grpc' cluster { job { name: 'worker' ", number);
    for (int t = 0; t < n; t++)
        at += (size_t)snprintf(text + at, sizeof text - at, "tasks { key: %d value: 'unix:%s/%d' } ", t, folder, t);
    (void)snprintf(text + at, sizeof text - at, "} }");
    (void)snprintf(address, sizeof address, "unix:%s/%d", folder, number);
    sl_arena_init(&arena);
    check(sl_pb_text_parse(&def, SL_PB_TYPE(ServerDef), sl_str_of(text), &arena, &err), &err);
    check(sl_root_registries(&registries, &err), &err);
    check(sl_http2_net_new(&net, &err), &err);
    const struct sl_server_options listening = {.listen = address};
    const struct sl_dist_server_options how = {.registries = registries, .net = net, .def = &def, .how = &listening};
    check(sl_dist_server_new(&server, &how, &err), &err);
    struct waiting w = {.mutex = SL_MUTEX_INIT, .ended = SL_CONDITION_INIT};
    struct member m = {.n = n, .task = number, .peers = sl_dist_server_peers(server), .ended = ended, .arg = &w};
    do {
        usleep(20000);
        (void)timed(&m, member_join);
    } while (w.code != SL_OK); /* the first task is not there yet */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t least = INT64_MAX;
        m.dims[0] = sizes[i] / 4;
        for (int again = 0; again < (sizes[i] > 1000000 ? 7 : 100); again++) {
            const int64_t ns = timed(&m, member_sum);
            if (w.code != SL_OK) _exit(1);
            if (ns < least) least = ns;
        }
        if (number == 0) printf("processes,sum of %lld bytes,%d,%.0f\n", (long long)sizes[i], n, (double)least / 1000);
        fflush(stdout);
    }
    m.dims[0] = 1;
    (void)timed(&m, member_sum); /* nobody goes before all have the last one */
    usleep(300000);
    _exit(0);
}

static int measure(int n) {
    char folder[] = "/tmp/sluice-processes-XXXXXX", path[64];
    int failed = 0, status;
    if (!mkdtemp(folder)) return 1;
    for (int t = 0; t < n; t++)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            task(n, t, folder);
        }
    while (wait(&status) > 0) failed += status != 0;
    for (int t = 0; t < n; t++) {
        (void)snprintf(path, sizeof path, "%s/%d", folder, t);
        unlink(path);
    }
    rmdir(folder);
    return failed;
}

int main(int argc, char **argv) {
    int failed = 0;
    if (argc < 2)
        for (int n = 2; n <= 8; n *= 2) failed += measure(n);
    for (int i = 1; i < argc; i++) failed += measure(atoi(argv[i]));
    return failed != 0;
}
