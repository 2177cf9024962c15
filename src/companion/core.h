/* What companions get from the library that loads them. The table is made by the build, cmake/core_table.cmake, and
 * part of the shared library alone; what it writes includes this header and no other, as it declares the functions
 * without their types. */
#ifndef SL_COMPANION_CORE_H
#define SL_COMPANION_CORE_H

struct sl_core {
    const char *build;              /* a hash of all object files: of what sources they are, and by which compiler */
    void (*const *functions)(void); /* in the order of the companions' jumps */
};

#endif
