#include "dist/task_processes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/text_format.h"
#include "root/root.h"
#include "unit/unit.h"

enum { MOST_WORDS = 32 };

bool tasks_may_run(void) {
#if SL_HAVE_NGHTTP2
    return true;
#else
    return false;
#endif
}

/* In the new process: its output goes into the pipe, and it ends with the test. */
static void become_server(const struct task_processes *tasks, int i, int out) {
    char number[16];
    const char *words[MOST_WORDS] = {SL_SLUICE, "serve", "--cluster", tasks->spec, "--task", number};
    int n = 6;
    (void)snprintf(number, sizeof number, "%d", i);
    for (int w = 0; tasks->options && tasks->options[w] && n + 1 < MOST_WORDS; w++) words[n++] = tasks->options[w];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(out, STDOUT_FILENO) < 0) _exit(126);
    execv(words[0], (char *const *)words);
    _exit(127);
}

void task_start(struct task_processes *tasks, int i) {
    int ends[2];
    char line[512];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        become_server(tasks, i, ends[1]);
    }
    close(ends[1]);
    tasks->said[i] = fdopen(ends[0], "r");
    bool listens = fgets(line, sizeof line, tasks->said[i]) && strstr(line, " listens ");
    tasks->pids[i] = pid;
    if (!listens) fail_msg("task %d does not listen", i);
}

void tasks_start(struct task_processes *tasks, int n, const char *const *options) {
    *tasks = (struct task_processes){.n = n, .options = options, .folder = "/tmp/sluice-tasks-XXXXXX"};
    assert_non_null(mkdtemp(tasks->folder));
    size_t at = (size_t)snprintf(tasks->spec, sizeof tasks->spec, "worker=");
    for (int i = 0; i < n; i++)
        at +=
            (size_t)snprintf(tasks->spec + at, sizeof tasks->spec - at, "%sunix:%s/%d", i ? "," : "", tasks->folder, i);
    for (int i = 0; i < n; i++) task_start(tasks, i);
}

void task_signal(struct task_processes *tasks, int i, int signal_number) {
    int status;
    assert_int_equal(kill(tasks->pids[i], signal_number), 0);
    if (signal_number != SIGKILL && signal_number != SIGTERM) return;
    assert_int_equal(waitpid(tasks->pids[i], &status, 0), tasks->pids[i]);
    fclose(tasks->said[i]);
    tasks->pids[i] = 0;
    if (signal_number == SIGTERM && (!WIFEXITED(status) || WEXITSTATUS(status)))
        fail_msg("task %d ended with status %x", i, (unsigned)status);
}

void tasks_end(struct task_processes *tasks) {
    char path[96];
    for (int i = 0; i < tasks->n; i++) {
        if (tasks->pids[i]) task_signal(tasks, i, SIGTERM);
        (void)snprintf(path, sizeof path, "%s/%d", tasks->folder, i);
        unlink(path);
    }
    rmdir(tasks->folder);
}

struct sl_session *tasks_session(const struct task_processes *tasks, const char *config) {
    const struct sl_registries *registries;
    struct sl_pb_ConfigProto read;
    struct sl_session *session;
    struct sl_arena arena;
    struct sl_error err;
    char target[128];
    (void)snprintf(target, sizeof target, "grpc://unix:%s/0", tasks->folder);
    sl_arena_init(&arena);
    assert_ok(err, sl_root_registries(&registries, &err));
    assert_ok(err, sl_pb_text_parse(&read, SL_PB_TYPE(ConfigProto), sl_str_of(config), &arena, &err));
    const struct sl_session_options options = {.config = &read, .target = sl_str_of(target)};
    assert_ok(err, sl_session_new(&session, sl_root_targets(), registries, &options, &err));
    sl_arena_clear(&arena);
    return session;
}
