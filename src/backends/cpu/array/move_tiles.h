/* The loops of moves over one plane, by the size of the element in bytes (1, 2, 4, 8 or 16). Elements need not be
 * aligned. Constant code; thread-safe. */
#ifndef SL_BACKENDS_CPU_ARRAY_MOVE_TILES_H
#define SL_BACKENDS_CPU_ARRAY_MOVE_TILES_H

#include <stdint.h>

/* to[i1 * to1 + i0 * to0] = from[i1 * from1 + i0 * from0] for i1 < n1, i0 < n0. Steps are in elements. */
struct sl_plane {
    int64_t n1, to1, from1;
    int64_t n0, to0, from0;
};
typedef void (*sl_plane_fn)(void *to, const void *from, const struct sl_plane *plane);

sl_plane_fn sl_plane_copy(int size);      /* to0 == 1, from0 == 1 */
sl_plane_fn sl_plane_fill(int size);      /* to0 == 1, from0 == 0 */
sl_plane_fn sl_plane_transpose(int size); /* to0 == 1, from1 == 1 */
sl_plane_fn sl_plane_walk(int size);      /* any */

/* n copies of one element of 1, 2, 4, 8 or 16 bytes. */
void sl_elements_fill(void *to, const void *element, int size, int64_t n);

#endif
