// flags: -DONE -DF(x)=<x> -D TWO=2 -UTWO -DTWO=3 -include include/forced.h -imacros include/macros.h -O2 -Wall
/* Macros and files of the command line. */
ONE F(a) TWO FORCED MACRO
#ifdef __OPTIMIZE__
optimized
#endif
