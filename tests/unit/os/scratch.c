/* The scratch directory, by the C library alone: it must not rely on what is tested. */
#include "scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char root[] = "/tmp/sluice-test-XXXXXX";

int scratch_enter(void **state) {
    (void)state;
    return mkdtemp(root) && chdir(root) == 0 ? 0 : -1;
}

int scratch_leave(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", root, root);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

void scratch_write(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file) != 0) abort();
}

const char *scratch_read(const char *path) {
    static char text[4096];
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

const char *scratch_names(const char *path) {
    static char text[4096];
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    text[0] = 0;
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) strcat(strcat(text, name), " ");
        free(entries[i]);
    }
    if (n >= 0) free(entries);
    return text;
}
