/* A shared object that is called like a companion. */
__attribute__((visibility("default"))) extern const int something_else;
const int something_else = 1;
