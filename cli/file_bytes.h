/* Whole files in memory. */
#ifndef SLUICE_CLI_FILE_BYTES_H
#define SLUICE_CLI_FILE_BYTES_H

#include <stddef.h>

/* What the file holds, from malloc; `*size` bytes of it. NULL after an error, which has been printed. */
char *file_read(const char *path, size_t *size);

#endif
