// Labels have a name space of their own.
typedef int T;
int f(int x) {
    if (x) goto T;
T:  x++;
    T y = x;
    if (x > 9) T2: goto T;
    switch (x) case 1: default: x = 2;
    if (x) goto T2;
    return y;
}
