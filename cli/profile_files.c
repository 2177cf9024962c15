/* Files for other programs: collapsed stacks (Brendan Gregg's flame graphs, speedscope), trace events, and an XSpace as
 * TensorBoard's profiler reads it: FOLDER/plugins/profile/RUN/HOST.xplane.pb, fields by TensorFlow's messages. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "profile.h"
#include "quoted_text.h"
#include "written_message.h"

static FILE *create(const char *path) {
    FILE *out = fopen(path, "w");
    if (!out) complain("%s: %s", path, strerror(errno));
    return out;
}

static bool finish(FILE *out, const char *path) {
    const bool failed = ferror(out) != 0;
    if (!fclose(out) && !failed) return true;
    complain("%s: %s", path, strerror(errno));
    return false;
}

bool profile_write_collapsed(const char *path, const struct profile *p) {
    FILE *out = create(path);
    if (!out) return false;
    for (size_t i = 0; i < p->nodes.n; i++) {
        const struct profile_row *row = &p->nodes.items[i];
        if (row->own_us < 0.5) continue;
        for (const char *at = row->name; *at; at++) fputc(*at == '/' ? ';' : *at == ' ' || *at == ';' ? '_' : *at, out);
        fprintf(out, " (%s) %.0f\n", row->op, row->own_us);
    }
    return finish(out, path);
}

bool profile_write_timeline(const char *path, const struct profile *p) {
    FILE *out = create(path);
    if (!out) return false;
    fputs("[", out);
    for (size_t i = 0; i < p->trace.n; i++) {
        const struct trace_event *e = &p->trace.items[i];
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
        text_print_json(out, e->name, strlen(e->name));
        fputs(",\"cat\":", out);
        text_print_json(out, e->op, strlen(e->op));
        if (e->is_wait)
            fprintf(out,
                    ",\"ph\":\"b\",\"id\":%zu,\"pid\":1,\"tid\":%ld,\"ts\":%.3f},\n{\"name\":\"\",\"cat\":\"wait\","
                    "\"ph\":\"e\",\"id\":%zu,\"pid\":1,\"tid\":%ld,\"ts\":%.3f}",
                    i, e->thread, e->start, i, e->thread, e->start + e->length);
        else
            fprintf(out,
                    ",\"ph\":\"X\",\"pid\":1,\"tid\":%ld,\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"step\":%" PRIu64
                    ",\"bytes\":%" PRId64,
                    e->thread, e->start, e->length, e->step, e->bytes);
        const char *line = e->is_wait ? NULL : sl_source_line_of(p->lines, e->name);
        if (line) {
            fputs(",\"line\":", out);
            text_print_json(out, line, strlen(line));
        }
        if (!e->is_wait) fputs("}}", out);
    }
    fputs("\n]\n", out);
    return finish(out, path);
}

/* ---- XSpace */

enum { STAT_BYTES = 1, STAT_STEP, STAT_SOURCE };

/* An entry of a map from numbers to messages with an id and a name, in field `field` of the plane. */
static void put_named(struct message *plane, int field, int64_t id, const char *name, const char *shown) {
    struct message inner = {0}, entry = {0};
    message_number(&inner, 1, (uint64_t)id);
    message_text(&inner, 2, name);
    if (shown) message_text(&inner, 4, shown);
    message_number(&entry, 1, (uint64_t)id);
    message_message(&entry, 2, &inner);
    message_message(plane, field, &entry);
}

static void put_stat(struct message *event, int64_t id, const char *text, int64_t number) {
    struct message stat = {0};
    message_number(&stat, 1, (uint64_t)id);
    if (text) message_text(&stat, 5, text);
    else message_number(&stat, 4, (uint64_t)number);
    message_message(event, 4, &stat);
}

static void put_event(struct message *line, const struct profile *p, const struct trace_event *e) {
    struct message event = {0};
    message_number(&event, 1, e->row + 1);
    message_number(&event, 2, (uint64_t)(e->start * 1e6));
    message_number(&event, 3, (uint64_t)(e->length * 1e6));
    put_stat(&event, STAT_BYTES, NULL, e->bytes);
    put_stat(&event, STAT_STEP, NULL, (int64_t)e->step);
    if (p->nodes.items[e->row].line) put_stat(&event, STAT_SOURCE, p->nodes.items[e->row].line, 0);
    message_message(line, 4, &event);
}

static void put_lines(struct message *plane, const struct profile *p) {
    for (size_t i = 0; i < p->trace.n;) {
        const long thread = p->trace.items[i].thread;
        struct message line = {0};
        char name[48];
        if (p->trace.items[i].is_wait) break;
        snprintf(name, sizeof name, "thread %ld", thread);
        message_number(&line, 1, (uint64_t)thread);
        message_text(&line, 2, name);
        for (; i < p->trace.n && !p->trace.items[i].is_wait && p->trace.items[i].thread == thread; i++)
            put_event(&line, p, &p->trace.items[i]);
        message_message(plane, 3, &line);
    }
}

static void put_plane(struct message *space, const struct profile *p) {
    struct message plane = {0};
    char name[2048];
    message_number(&plane, 1, 1);
    message_text(&plane, 2, "/host:CPU");
    put_lines(&plane, p);
    for (size_t i = 0; i < p->nodes.n; i++) {
        snprintf(name, sizeof name, "%s:%s", p->nodes.items[i].name, p->nodes.items[i].op);
        put_named(&plane, 4, (int64_t)i + 1, name, p->nodes.items[i].op);
    }
    put_named(&plane, 5, STAT_BYTES, "bytes_accessed", NULL);
    put_named(&plane, 5, STAT_STEP, "step_num", NULL);
    put_named(&plane, 5, STAT_SOURCE, "source", NULL);
    message_message(space, 1, &plane);
}

static bool make_folders(char *path) {
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        const bool failed = mkdir(path, 0777) && errno != EEXIST;
        if (failed) complain("%s: %s", path, strerror(errno));
        *at = '/';
        if (failed) return false;
    }
    return true;
}

bool profile_write_xspace(const char *folder, const struct profile *p) {
    char host[256] = "localhost", when[64], path[4096];
    struct message space = {0};
    const time_t now = time(NULL);
    struct tm parts;
    gethostname(host, sizeof host - 1);
    strftime(when, sizeof when, "%Y_%m_%d_%H_%M_%S", gmtime_r(&now, &parts));
    snprintf(path, sizeof path, "%s/plugins/profile/%s/%s.xplane.pb", folder, when, host);
    if (!make_folders(path)) return false;
    FILE *out = create(path);
    if (!out) return false;
    put_plane(&space, p);
    message_text(&space, 4, host);
    fwrite(space.p, 1, space.n, out);
    free(space.p);
    return finish(out, path);
}
