  n = N
#define NOT 1
