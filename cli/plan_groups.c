/* Which nodes share a box of a plan's picture. */
#include "plan_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 512, MOST_LEVELS = 8, MOST_ALONE = 150, MOST_GROUPS = 100 };

/* The first `levels` parts of a name that has more, else all but the last one; "" for a name without scope. */
static int scope_length(const char *name, int levels) {
    int at = 0, end = 0;
    for (int l = 0; l < levels; l++) {
        const char *slash = strchr(name + at, '/');
        if (!slash) break;
        end = (int)(slash - name);
        at = end + 1;
    }
    return end;
}

/* Nodes with equal keys share a box. */
static void write_key(char key[KEY], const struct plan *p, int i, int levels) {
    const struct plan_node *n = &p->nodes[i];
    const char *name = n->tensor ? n->tensor : n->name;
    bool is_transfer = n->peer >= 0;
    int frame = levels == -2 ? 0 : n->frame;
    int a = n->device, b = is_transfer ? p->nodes[n->peer].device : -1;
    if (levels == 0) snprintf(key, KEY, "%d", i);
    else if (is_transfer)
        snprintf(key, KEY, "%d|%d|%d|%d|%d|%.*s", a, b, frame, n->role, n->travel,
                 levels > 0 ? scope_length(name, levels) : 0, name);
    else if (levels > 0 && (n->role == ROLE_FED || n->role == ROLE_FETCHED))
        snprintf(key, KEY, "%d|%d|%d", a, frame, n->role);
    else if (levels > 0) snprintf(key, KEY, "%d|%d|%.*s", a, frame, scope_length(name, levels), name);
    else snprintf(key, KEY, "%d|%d|%s", a, frame, n->type);
}

struct keyed {
    char *key;
    int node;
};

static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    int c = strcmp(x->key, y->key);
    return c ? c : x->node - y->node;
}

static bool is_beside(const struct plan_node *constant, const struct plan_node *reader) {
    return reader->device == constant->device && reader->frame == constant->frame && reader->peer < 0 &&
           reader->role != ROLE_CONSTANT;
}

/* A constant that one group alone reads, on its device, is of that group. */
static void move_constants(char **keys, const struct plan *p) {
    int *reader = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *reader);
    for (int i = 0; i < p->n_nodes; i++) reader[i] = -1;
    for (int e = 0; e < p->n_edges; e++) {
        int from = p->edges[e].from, to = p->edges[e].to;
        if (p->nodes[from].role != ROLE_CONSTANT || !keys[from] || !keys[to]) continue;
        bool fits = is_beside(&p->nodes[from], &p->nodes[to]);
        if (reader[from] >= 0) fits = fits && !strcmp(keys[reader[from]], keys[to]);
        reader[from] = fits && reader[from] != -2 ? to : -2;
    }
    for (int i = 0; i < p->n_nodes; i++) {
        if (reader[i] < 0) continue;
        free(keys[i]);
        keys[i] = must_have(strdup(keys[reader[i]]));
    }
    free(reader);
}

/* groups[node] is the smallest node with the same key. Returns how many groups there are. */
static int group(int *groups, const struct plan *p, int levels) {
    struct keyed *sorted = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *sorted);
    char **keys = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *keys), key[KEY];
    int n = 0, n_groups = 0;
    for (int i = 0; i < p->n_nodes; i++) {
        write_key(key, p, i, levels);
        keys[i] = p->nodes[i].is_hidden ? NULL : must_have(strdup(key));
    }
    if (levels != 0) move_constants(keys, p);
    for (int i = 0; i < p->n_nodes; i++)
        if (keys[i]) sorted[n++] = (struct keyed){keys[i], i};
    if (n) qsort(sorted, (size_t)n, sizeof *sorted, by_key);
    for (int i = 0, first = 0; i < n; i++) {
        if (strcmp(sorted[i].key, sorted[first].key) != 0) first = i;
        groups[sorted[i].node] = sorted[first].node;
        n_groups += first == i;
    }
    for (int i = 0; i < p->n_nodes; i++) free(keys[i]);
    free(keys);
    free(sorted);
    return n_groups;
}

int groups_find(int *groups, const struct plan *p) {
    if (group(groups, p, 0) <= MOST_ALONE) return 0;
    for (int levels = MOST_LEVELS; levels > 0; levels--) {
        int n = group(groups, p, levels);
        if (n <= MOST_GROUPS && n > 2 * p->n_devices) return levels; /* a single scope says nothing */
    }
    if (group(groups, p, -1) <= MOST_GROUPS) return -1;
    group(groups, p, -2);
    return -2;
}

char *group_title(const struct plan_node *n, int n_nodes, int levels) {
    char text[KEY];
    const char *name = n->tensor ? n->tensor : n->name;
    int length = levels > 0 ? scope_length(name, levels) : 0;
    if (levels == 0 || n_nodes == 1) return NULL;
    int last = length; /* of the scope the last part, as far as there is room */
    while (last > 0 && name[last - 1] != '/') last--;
    if (n->peer >= 0)
        snprintf(text, sizeof text, "%d %s%.*s", n_nodes, length ? "of " : "values",
                 length - last > 13 ? 13 : length - last, name + last);
    else if (n->role == ROLE_FED) snprintf(text, sizeof text, "%d inputs", n_nodes);
    else if (n->role == ROLE_FETCHED) snprintf(text, sizeof text, "%d results", n_nodes);
    else if (levels < 0) snprintf(text, sizeof text, "%s", n->type);
    else snprintf(text, sizeof text, "%.*s", length ? length : 17, length ? name : "outside of scopes");
    return must_have(strdup(text));
}
