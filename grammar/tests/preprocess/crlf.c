crlf
#define A 1 \
 + 2
A "x\
y"
#if 1
yes
#endif
/* c
 */ end // x
#define S(x) #x
S(a
 b)
