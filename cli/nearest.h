/* What somebody may have meant by a name that there is not. */
#ifndef SLUICE_CLI_NEAREST_H
#define SLUICE_CLI_NEAREST_H

enum { NEAREST_SHOWN = 3 };
/* Zeroed but for `wanted` and `prefix`; borrowed, as all names are. */
struct nearest {
    const char *wanted;
    const char *prefix;               /* what stands before all names when they are said, "--"; NULL: nothing */
    const char *names[NEAREST_SHOWN]; /* the nearest first; NULL: none that is near */
    int distances[NEAREST_SHOWN];
};
void nearest_offer(struct nearest *n, const char *name);
/* "did you mean 'a', 'b' or 'c'?" on stderr; nothing when no name is near. */
void nearest_say(const struct nearest *n);

#endif
