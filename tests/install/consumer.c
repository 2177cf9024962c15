/* A user's program, in its smallest form: what it prints is compared with the version asked for. */
#include <stdio.h>
#include <tensorflow/c/c_api.h>

int main(void) { return puts(TF_Version()) < 0; }
