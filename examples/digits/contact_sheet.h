/* A contact sheet of small grey pictures with a digit under each. PNG where libpng is at hand, else a PPM beside it. */
#ifndef CONTACT_SHEET_H
#define CONTACT_SHEET_H

/* Draws `n` square pictures (`side` pixels, one byte each, 255 is ink) in rows, each with its guess below: grey when
 * it equals the label, red with the label after it when it does not. Returns the path of the file written, or NULL
 * after a message. */
const char *draw_contact_sheet(const char *path, const unsigned char *pictures, int side, const int *guesses,
                               const unsigned char *labels, int n);

#endif
