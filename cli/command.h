/* The commands of `sluice`, one row each in main.c, and what they share. One thread. */
#ifndef SLUICE_CLI_COMMAND_H
#define SLUICE_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* An option of a command: "--name" or "--name=VALUE" / "--name VALUE". */
struct option {
    const char *name;  /* without the dashes; NULL ends a table */
    const char *value; /* what the value is called in the help; NULL: a switch */
    const char *help;
};

struct command {
    const char *name, *arguments, *summary;
    const struct option *options;
    int (*run)(int argc, char **argv); /* argv[0] is the first argument after the command's name */
};
extern const struct command commands[];
/* NULL when there is none of this name. */
const struct command *find_command(const char *name);

/* Steps through arguments: `option` gets the option (NULL for a plain argument) and `value` its value or the
 * argument. False at the end, and after an error, which has been printed (`failed` is then set). */
struct arguments {
    const struct command *command;
    int argc, at;
    char **argv;
    bool only_plain, failed;
};
bool next_argument(struct arguments *a, const struct option **option, char **value);

/* Prints "sluice: ..." on stderr. Returns EXIT_FAILED. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints what a call said, if it is an error; true when there was one. */
bool complain_status(TF_Status *status);
/* After a failure: where devices come from, when one was asked for that is not there. */
void hint_devices(TF_Status *status);
/* A wrong use of the command: says so, and where the help is. Returns EXIT_USAGE. */
int complain_usage(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* malloc and realloc that end the program with a message when memory is out. */
void *must_allocate(void *old, size_t bytes);
/* What the library made; ends the program in the same way when it is NULL. */
void *must_have(void *made);
/* Ends the command when that is why something failed: else what is not known would look like what is not there. */
void must_have_memory(const TF_Status *status);
/* On a clock that runs evenly, for differences. */
double seconds_now(void);
/* Whole decimal number in range: false when `text` is anything else. */
bool parse_number(int64_t *out, const char *text, int64_t least, int64_t most);
/* "0.5" as 500 milliseconds (job.c). False when it is anything else. */
bool parse_seconds(int64_t *ms, const char *text);
/* "500M" as 500 * 2^20 bytes, from 1; K, M, G. */
bool parse_size(size_t *bytes, const char *text);
bool ends_with(const char *text, const char *end);
/* Options for sessions with so many threads, 0: as many as there are processors, which with `is_soft` use another device
 * for one that is not there (threads.c). The caller's. */
TF_SessionOptions *threads_options(int64_t threads, bool is_soft);

/* ---- graphs (graph_view.c) */
/* A graph from a file; NULL after an error, which has been printed. */
TF_Graph *open_graph(const char *path);
/* "name" or "name:index" in the graph; false, or NULL, after an error, which has been printed with the nearest names of
 * the graph and of `signature`, which may be NULL or have no name. */
struct sl_model_signature;
bool find_output(TF_Output *out, TF_Graph *graph, const struct sl_model_signature *signature, const char *text);
TF_Operation *find_node(TF_Graph *graph, const struct sl_model_signature *signature, const char *name);
bool is_placeholder(TF_Operation *op);
/* Whether its outputs come once for each iteration of a loop. */
bool is_in_loop(TF_Operation *op);
bool is_result(
    TF_Operation *op); /* has outputs that nobody reads, not inside a loop; neither a constant nor a placeholder */
/* "float [?,28,28,1]": type and inferred shape of an output. */
enum { SHAPE_TEXT = 256 };
const char *output_text(char text[SHAPE_TEXT], TF_Graph *graph, TF_Output output);
const char *type_name(TF_DataType type);

int run_command(int argc, char **argv);
int train_command(int argc, char **argv);
int show_command(int argc, char **argv);
int ckpt_command(int argc, char **argv);
int freeze_command(int argc, char **argv);
int ops_command(int argc, char **argv);
int serve_command(int argc, char **argv);
int launch_command(int argc, char **argv);
int diff_command(int argc, char **argv);
int profile_command(int argc, char **argv);
int reduce_command(int argc, char **argv);
extern const struct option run_options[], train_options[], show_options[], ckpt_options[], freeze_options[],
    ops_options[], serve_options[], launch_options[], diff_options[], profile_options[], reduce_options[];

#endif
