/* What the command's parsers take from its other files, for targets that have the parser alone. */
#ifndef SL_FUZZ_COMMAND_PARTS_H
#define SL_FUZZ_COMMAND_PARTS_H

#include <stdlib.h>

#include "command.h"
#include "file_bytes.h"

int complain(const char *format, ...) { return format != NULL; }
const char *type_name(TF_DataType type) { return type == TF_INT32 ? "int32" : "another"; }
void *must_have(void *made) {
    if (!made) exit(0); /* as the command does when memory is out */
    return made;
}
void *must_allocate(void *old, size_t bytes) { return must_have(realloc(old, bytes ? bytes : 1)); }
/* No file that a fuzzer names is read. */
char *file_read(const char *path, size_t *size) {
    *size = 0;
    return path[0] ? must_allocate(NULL, 1) : NULL;
}

#endif
