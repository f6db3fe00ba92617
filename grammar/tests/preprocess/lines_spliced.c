// compilers: gcc
/* A token after a splice is on its own line for gcc. */
#define L __LINE__
L \
__LINE__ \
L
__LINE__
