/* A temporary directory for one test executable; tests work inside it. */
#ifndef SL_TESTS_OS_SCRATCH_H
#define SL_TESTS_OS_SCRATCH_H

/* cmocka group set-up and tear-down: makes a directory and enters it; removes it with all that is in it. */
int scratch_enter(void **state);
int scratch_leave(void **state);

/* Creates or replaces the file with this text, in the plainest way. */
void scratch_write(const char *path, const char *text);
/* The text of the file in a static buffer; NULL when there is none. */
const char *scratch_read(const char *path);
/* The names in the directory, sorted, with a space after each, in a static buffer. */
const char *scratch_names(const char *path);

#endif
