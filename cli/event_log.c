/* A ring of lines between those who say something and the thread that writes. */
#include "event_log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "quoted_text.h"

enum { LINES = 256, TEXT_MOST = 2048 };

static struct {
    pthread_mutex_t mutex; /* guards the rest but is_json */
    pthread_cond_t changed;
    pthread_t thread;
    bool is_json, has_thread, is_ending, is_writing;
    char *lines[LINES]; /* owned */
    unsigned first, n, lost;
} said = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* ---- lines */

static void put_time(FILE *out) {
    char when[32];
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
    if (said.is_json) fprintf(out, "{\"time\":\"%s.%03dZ\",\"event\":", when, (int)(now.tv_nsec / 1000000));
    else fprintf(out, "%sZ ", when);
}

/* A string of JSON; what is no UTF-8 becomes question marks. */
static void put_string(FILE *out, const char *text) {
    char copy[TEXT_MOST];
    size_t n = strlen(text), length;
    if (n > sizeof copy) n = sizeof copy;
    for (size_t at = 0; at < n; at += length ? length : 1) {
        length = text_character(text + at, n - at);
        if (length) memcpy(copy + at, text + at, length);
        else copy[at] = '?';
    }
    text_print(out, copy, n);
}

static FILE *open_line(char **line, size_t *size, const char *event) {
    FILE *out = must_have(open_memstream(line, size));
    put_time(out);
    if (said.is_json) put_string(out, event);
    else fputs(event, out);
    return out;
}

/* Takes the line's memory. */
static void add(char *line) {
    pthread_mutex_lock(&said.mutex);
    if (said.n == LINES) {
        said.lost++;
        free(line);
    } else {
        said.lines[(said.first + said.n++) % LINES] = line;
    }
    pthread_cond_broadcast(&said.changed);
    pthread_mutex_unlock(&said.mutex);
}

static void close_line(FILE *out, char **line) {
    fputs(said.is_json ? "}\n" : "\n", out);
    if (fclose(out) == 0) add(*line);
}

void event_log(const char *event, const char *format, ...) {
    char text[TEXT_MOST], *line;
    size_t size;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    FILE *out = open_line(&line, &size, event);
    if (said.is_json) {
        fputs(",\"text\":", out);
        put_string(out, text);
    } else {
        fprintf(out, " %s", text);
    }
    close_line(out, &line);
}

void event_log_numbers(const char *event, const struct event_number *numbers, int n) {
    char *line;
    size_t size;
    FILE *out = open_line(&line, &size, event);
    for (int i = 0; i < n; i++) {
        const struct event_number *one = &numbers[i];
        if (said.is_json) fprintf(out, ",\"%s\":%lld", one->name, (long long)one->value);
        else fprintf(out, "%s %s %lld", i ? "," : "", one->name, (long long)one->value);
    }
    close_line(out, &line);
}

/* ---- the thread */

/* Not by stdio, whose lock would keep the process from ending while nobody reads. */
static void write_line(const char *line) {
    size_t left = strlen(line);
    while (left) {
        ssize_t n = write(STDOUT_FILENO, line, left);
        if (n < 0 && errno != EINTR) return; /* nobody reads any more */
        if (n <= 0) continue;
        line += n;
        left -= (size_t)n;
    }
}

/* With the mutex, which it releases while it writes. */
static void write_one(void) {
    char *line = said.lines[said.first];
    unsigned lost = said.lost;
    said.first = (said.first + 1) % LINES;
    said.n--;
    said.lost = 0;
    said.is_writing = true;
    pthread_mutex_unlock(&said.mutex);
    write_line(line);
    free(line);
    if (lost) event_log("lost", "%u lines, which could not be written in time", lost);
    pthread_mutex_lock(&said.mutex);
    said.is_writing = false;
    pthread_cond_broadcast(&said.changed);
}

static void *write_all(void *arg) {
    pthread_mutex_lock(&said.mutex);
    while (said.n || !said.is_ending) {
        if (said.n) write_one();
        else pthread_cond_wait(&said.changed, &said.mutex);
    }
    pthread_mutex_unlock(&said.mutex);
    return arg;
}

void event_log_start(bool is_json) {
    said.is_json = is_json;
    said.has_thread = pthread_create(&said.thread, NULL, write_all, NULL) == 0;
    if (!said.has_thread) complain("no thread for the log");
}

void event_log_end(void) {
    struct timespec end;
    int failed = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    pthread_mutex_lock(&said.mutex);
    said.is_ending = true;
    pthread_cond_broadcast(&said.changed);
    while (said.has_thread && (said.n || said.is_writing) && !failed)
        failed = pthread_cond_timedwait(&said.changed, &said.mutex, &end);
    pthread_mutex_unlock(&said.mutex);
    if (said.has_thread && !failed) pthread_join(said.thread, NULL);
}
