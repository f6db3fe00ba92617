// compilers: gcc
/* Assertions, from before the standard. */
#assert colour(red)
#assert colour(blue)
#if #colour(red) && #colour && !#colour(green) && #system(linux) && !#none
asserted
#endif
#unassert colour(red)
#if !#colour(red) && #colour(blue)
one_left
#endif
#unassert colour
#if !#colour
none_left
#endif
