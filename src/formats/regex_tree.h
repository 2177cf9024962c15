/* What a regular expression is between text and program. Private to regex_parse.c and regex.c. All in one arena. */
#ifndef SL_FORMATS_REGEX_TREE_H
#define SL_FORMATS_REGEX_TREE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Characters: ranges, and classes of Unicode's, each maybe reversed; all of it maybe reversed. */
struct sl_regex_range {
    int32_t first, last; /* for a class: its number, and whether it is reversed */
    bool is_class;
};
struct sl_regex_set {
    struct sl_regex_range *ranges;
    size_t n;
    bool is_reversed, folds; /* folds: letters of either case */
    uint64_t ascii[2];       /* which of the first 128 are in, all considered; made by the compiler */
};

enum sl_regex_kind {
    SL_REGEX_EMPTY,
    SL_REGEX_CHAR, /* `c`, folded when `folds` */
    SL_REGEX_ANY,  /* any character; `flag`: a line feed, too */
    SL_REGEX_SET,
    SL_REGEX_ASSERT, /* nothing, at a place: `c` is one of sl_regex_place */
    SL_REGEX_CAT,    /* all of the list from `first` on */
    SL_REGEX_ALT,    /* one of them, the first that does */
    SL_REGEX_REPEAT, /* `first`, `min` to `max` times (max -1: any); `flag`: as often as possible */
    SL_REGEX_GROUP   /* `first`, captured as group `c` */
};
enum sl_regex_place {
    SL_REGEX_TEXT_BEGIN,
    SL_REGEX_TEXT_END,
    SL_REGEX_LINE_BEGIN,
    SL_REGEX_LINE_END,
    SL_REGEX_WORD_EDGE,
    SL_REGEX_NO_WORD_EDGE
};

struct sl_regex_node {
    enum sl_regex_kind kind;
    bool flag, folds;
    int32_t c;
    int min, max;
    struct sl_regex_set *set;
    struct sl_regex_node *first, *next; /* children; the next child of the same parent */
};

struct sl_regex_tree {
    struct sl_regex_node *root;
    int groups;
};

sl_code sl_regex_parse(struct sl_regex_tree *out, struct sl_str pattern, struct sl_arena *arena, struct sl_error *err);

#endif
