// compilers: gcc
/* Shifts that the standard leaves open: gcc turns a negative one round. */
#if 1 << -1 == 0 && 4 >> -1 == 8 && 1 << 64 == 0 && -1 >> 64 == -1 && -1 >> 100 == -1
as_gcc
#endif
