#include "include/broken.h"
// The fault of the header is told of, and costs only what it declares.
int main(void) { return known(1); }
