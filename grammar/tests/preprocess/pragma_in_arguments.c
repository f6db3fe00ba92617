// compilers: gcc
/* A pragma between the parentheses of a macro: clang refuses it. */
#define ID(x) x
ID(a
#pragma inside
b)
