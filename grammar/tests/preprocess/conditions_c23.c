// flags: -std=gnu2x
// compilers: gcc
/* What C23 brought to conditionals. */
#define ONE
#ifdef NONE
no
#elifdef ONE
elifdef
#endif
#ifdef NONE
no
#elifndef NONE
elifndef
#elifdef ONE
no
#endif
#if 1'000 == 1000 && 0x1'0 == 16
separators
#endif
#if u8'a' == 97
u8
#endif
int separated = 1'000'000, chars = 'a' 'b', hex = 0xdead'beef;
