/* Clusters as text. Both forms are names, each followed by its addresses: the marks between them tell which is which, so
 * that one loop reads both. */
#include "cluster_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "file_bytes.h"

struct reader {
    const char *at;
    char *out;
    size_t n, room;
    char *first_job;
    int tasks; /* of the job that is being read; -1: none is */
};

static void put(struct reader *r, const char *text, size_t n) {
    if (r->n + n + 1 > r->room) {
        r->room = 2 * (r->n + n + 64);
        r->out = must_allocate(r->out, r->room);
    }
    memcpy(r->out + r->n, text, n);
    r->n += n;
    r->out[r->n] = '\0';
}

static void put_text(struct reader *r, const char *text) { put(r, text, strlen(text)); }

static bool is_mark(char c) { return !c || strchr("=,;[]{}\"", c) || isspace((unsigned char)c); }

/* Up to the next mark. In an object a name ends with its quotation mark; in the short form with '='. */
static size_t word(const char *at) {
    size_t n = 0;
    while (!is_mark(at[n]) && at[n] != '\'') n++;
    return n;
}

static bool begins_job(const char *after) {
    while (*after == '"' || isspace((unsigned char)*after)) after++;
    return *after == '=' || (*after == ':' && isspace((unsigned char)after[1])) || (*after == ':' && after[1] == '[');
}

static void put_job(struct reader *r, size_t n) {
    if (r->tasks >= 0) put_text(r, "} ");
    put_text(r, "job { name: '");
    put(r, r->at, n);
    put_text(r, "' ");
    r->tasks = 0;
    if (r->first_job) return;
    r->first_job = must_allocate(NULL, n + 1);
    memcpy(r->first_job, r->at, n);
    r->first_job[n] = '\0';
}

static void put_task(struct reader *r, size_t n) {
    char key[64];
    (void)snprintf(key, sizeof key, "tasks { key: %d value: '", r->tasks++);
    put_text(r, key);
    put(r, r->at, n);
    put_text(r, "' } ");
}

static bool read_words(struct reader *r) {
    while (*r->at) {
        size_t n = word(r->at);
        if (!n) {
            if (*r->at == '\'') return false;
            r->at++;
            continue;
        }
        if (n == 1 && *r->at == ':') { /* behind the name of an object */
            r->at++;
            continue;
        }
        if (begins_job(r->at + n)) put_job(r, n);
        else if (r->tasks >= 0) put_task(r, n);
        else return false;
        r->at += n;
    }
    if (r->tasks > 0) put_text(r, "}");
    return r->tasks > 0;
}

bool cluster_text_read(struct cluster_text *out, const char *text) {
    struct reader r = {.tasks = -1};
    char *file = NULL;
    if (!strpbrk(text, "={")) {
        size_t n;
        file = file_read(text, &n);
        if (!file) return false;
        file = must_allocate(file, n + 1);
        file[n] = '\0';
    }
    r.at = file ? file : text;
    bool is_read = read_words(&r);
    free(file);
    *out = (struct cluster_text){r.out, r.first_job};
    if (!is_read) complain("'%s' is no cluster: \"worker=HOST:PORT,HOST:PORT;ps=HOST:PORT\" is one", text);
    return is_read;
}

void cluster_text_clear(struct cluster_text *cluster) {
    free(cluster->proto);
    free(cluster->first_job);
}
