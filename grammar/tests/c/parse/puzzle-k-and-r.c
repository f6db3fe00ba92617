// The old style: parameters named first and declared after, or not at all, and int understood.
typedef int T;
main(argc, argv, last) T argc; register char **argv; { return argc + last; }
static counter, *pointer, table[3];
extern undefined();
const (*function)();
f(a, b) double a, (*b)(); { register c; return c = a; }
*g(t) { return 0; }
