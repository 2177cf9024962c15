/* sluice: the table of commands, help, and how arguments are read. A command is one file and one row here. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "nearest.h"
#include "sluice/sluice.h"

static int help_command(int argc, char **argv);
static int completion_command(int argc, char **argv);
static const struct option no_options[] = {{NULL, NULL, NULL}};

const struct command commands[] = {
    {"run", "GRAPH|MODEL", "run a graph or a SavedModel: feed inputs, fetch outputs", run_options, run_command},
    {"train", "GRAPH|MODEL", "run training steps: batches of examples, losses, checkpoints", train_options,
     train_command},
    {"show", "GRAPH|MODEL", "what is in a graph or a SavedModel: inputs, outputs, ops, what is missing", show_options,
     show_command},
    {"ckpt", "ACTION CHECKPOINT...", "checkpoints: ls, show, verify, cat, merge, convert", ckpt_options, ckpt_command},
    {"freeze", "GRAPH|MODEL OUT.pb", "a graph or a SavedModel as one graph without variables", freeze_options,
     freeze_command},
    {"diff", "A [B]", "the first node that gives other values in another graph, or in another library", diff_options,
     diff_command},
    {"reduce", "GRAPH OUT.pbtxt", "the smallest graph that still fails as this one does", reduce_options,
     reduce_command},
    {"profile", "GRAPH|MODEL", "where the time and the memory of runs go, and what limits them; also of a program",
     profile_options, profile_command},
    {"ops", "[NAME]", "the ops there are, or one op in full", ops_options, ops_command},
    {"serve", "[MODEL]",
     "a model behind REST and gRPC calls, or one task of a cluster for sessions at \"grpc://HOST:PORT\"", serve_options,
     serve_command},
    {"launch", "PROGRAM [ARGUMENT...]", "the tasks of a cluster as processes, each told its place by TF_CONFIG",
     launch_options, launch_command},
    {"completion", "bash|zsh", "a shell completion script for this command", no_options, completion_command},
    {"help", "[COMMAND]", "help on a command", no_options, help_command},
    {NULL, NULL, NULL, NULL, NULL},
};

int complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("sluice: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return EXIT_FAILED;
}

bool complain_status(TF_Status *status) {
    if (TF_GetCode(status) == TF_OK) return false;
    complain("%s", TF_Message(status));
    return true;
}

int complain_usage(const struct command *command, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("sluice: ", stderr);
    vfprintf(stderr, format, args);
    va_end(args);
    if (command) fprintf(stderr, "\nTry 'sluice %s --help'.\n", command->name);
    else fprintf(stderr, "\nTry 'sluice --help'.\n");
    return EXIT_USAGE;
}

void *must_have(void *made) {
    if (made) return made;
    complain("out of memory");
    exit(EXIT_FAILED);
}

void must_have_memory(const TF_Status *status) {
    if (TF_GetCode(status) != TF_RESOURCE_EXHAUSTED) return;
    complain("%s", TF_Message(status));
    exit(EXIT_FAILED);
}

void *must_allocate(void *old, size_t bytes) { return must_have(realloc(old, bytes ? bytes : 1)); }

bool parse_number(int64_t *out, const char *text, int64_t least, int64_t most) {
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (end == text || *end || errno == ERANGE || n < least || n > most) return false;
    *out = n;
    return true;
}

double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool parse_size(size_t *bytes, const char *text) {
    static const char units[] = "kmg";
    char *end;
    unsigned shift = 0;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || !number) return false;
    const char *unit = *end ? strchr(units, *end | 0x20) : NULL;
    if (unit) shift = 10 * (unsigned)(unit - units + 1);
    if ((*end && !unit) || (unit && end[1]) || number > SIZE_MAX >> shift) return false;
    *bytes = (size_t)number << shift;
    return true;
}

bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

/* ---- arguments */

bool next_argument(struct arguments *a, const struct option **option, char **value) {
    *option = NULL;
    if (a->at >= a->argc || a->failed) return false;
    char *text = a->argv[a->at++];
    if (!a->only_plain && !strcmp(text, "--")) {
        a->only_plain = true;
        return next_argument(a, option, value);
    }
    *value = text;
    if (a->only_plain || text[0] != '-' || !text[1]) return true;
    const char *name = text + (text[1] == '-' ? 2 : 1), *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    for (const struct option *o = a->command->options; o->name; o++) {
        if (strlen(o->name) != length || strncmp(o->name, name, length) != 0) continue;
        *option = o;
        *value = equals ? text + (equals - text) + 1 : NULL;
        if (!o->value && equals) complain_usage(a->command, "option --%s takes no value", o->name);
        else if (o->value && !equals && a->at == a->argc)
            complain_usage(a->command, "option --%s needs a value: %s", o->name, o->value);
        else {
            if (o->value && !equals) *value = a->argv[a->at++];
            return true;
        }
        a->failed = true;
        return false;
    }
    complain("unknown option %s", text);
    struct nearest nearest = {.wanted = name, .prefix = "--"};
    for (const struct option *o = a->command->options; o->name; o++) nearest_offer(&nearest, o->name);
    nearest_say(&nearest);
    fprintf(stderr, "Try 'sluice %s --help'.\n", a->command->name);
    a->failed = true;
    return false;
}

/* ---- help */

const struct command *find_command(const char *name) {
    for (const struct command *c = commands; c->name; c++)
        if (!strcmp(c->name, name)) return c;
    return NULL;
}

static void print_help(FILE *out) {
    fputs("usage: sluice COMMAND [ARGUMENTS]\n\nRuns and explains TensorFlow graphs.\n\n", out);
    for (const struct command *c = commands; c->name; c++) fprintf(out, "  %-12s %s\n", c->name, c->summary);
    fputs("\n'sluice COMMAND --help' says more. 'sluice --version' prints the version.\n", out);
}

static void print_command_help(const struct command *c) {
    printf("usage: sluice %s%s%s%s\n\n%s\n", c->name, c->options->name ? " [OPTIONS]" : "", *c->arguments ? " " : "",
           c->arguments, c->summary);
    if (c->options->name) printf("\n");
    for (const struct option *o = c->options; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        printf("  %-28s %s\n", left, o->help);
    }
}

static int no_command(const char *name) {
    struct nearest nearest = {.wanted = name};
    complain("there is no command '%s'", name);
    for (const struct command *c = commands; c->name; c++) nearest_offer(&nearest, c->name);
    nearest_say(&nearest);
    fputs("Try 'sluice --help'.\n", stderr);
    return EXIT_USAGE;
}

static int help_command(int argc, char **argv) {
    if (argc == 0) {
        print_help(stdout);
        return EXIT_OK;
    }
    const struct command *c = find_command(argv[0]);
    if (!c) return no_command(argv[0]);
    if (argc > 1) return complain_usage(NULL, "one command at a time, please: '%s' and '%s'", argv[0], argv[1]);
    print_command_help(c);
    return EXIT_OK;
}

/* Completions come from the same tables as the help. */
static int completion_command(int argc, char **argv) {
    bool zsh = argc == 1 && !strcmp(argv[0], "zsh");
    if (argc != 1 || (!zsh && strcmp(argv[0], "bash") != 0))
        return complain_usage(find_command("completion"), "say which shell: bash or zsh");
    if (zsh) printf("#compdef sluice\nautoload -U +X bashcompinit && bashcompinit\n");
    printf("_sluice() {\n    local word=${COMP_WORDS[COMP_CWORD]}\n    if [ \"$COMP_CWORD\" = 1 ]; then\n        "
           "COMPREPLY=($(compgen -W '");
    for (const struct command *c = commands; c->name; c++) printf("%s%s", c == commands ? "" : " ", c->name);
    printf("' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]}:$word in\n");
    for (const struct command *c = commands; c->name; c++) {
        if (!c->options->name) continue;
        printf("    %s:-*) COMPREPLY=($(compgen -W '", c->name);
        for (const struct option *o = c->options; o->name; o++) printf("--%s ", o->name);
        printf("--help' -- \"$word\")) ;;\n");
    }
    printf("    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\ncomplete -o filenames -F _sluice sluice\n");
    return EXIT_OK;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return help_command(0, NULL);
    if (!strcmp(argv[1], "--version")) {
        printf("sluice %s (TensorFlow C API %s)\n", sl_version(), TF_Version());
        return EXIT_OK;
    }
    const struct command *c = find_command(argv[1]);
    if (!c) return no_command(argv[1]);
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_command_help(c);
            return EXIT_OK;
        }
    int result = c->run(argc - 2, argv + 2);
    if (fflush(stdout) || ferror(stdout)) return complain("cannot write the output: %s", strerror(errno));
    return result;
}
