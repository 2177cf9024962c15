/* Times and sizes as text. */
#ifndef SLUICE_CLI_AMOUNTS_H
#define SLUICE_CLI_AMOUNTS_H

#include <stdint.h>

enum { AMOUNT_TEXT = 24 };
const char *time_text(char text[AMOUNT_TEXT], double ns);      /* "1.5 ms" */
const char *bytes_text(char text[AMOUNT_TEXT], int64_t bytes); /* "64 kB" of 1000 bytes each; "?" for -1 */

#endif
