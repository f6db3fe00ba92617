// A declaration in a condition, or in the statement under it, holds to the end of the statement.
typedef int T, U;
int f(void) {
    T x;
    if (sizeof(enum { T }))
        x = sizeof(enum { U }) + T;
    else
        x = (U) T;
    switch (sizeof(enum { U })) x = U;
    while (sizeof(enum { T }) > 9) x = T;
    do x = sizeof(enum { T }) + T; while (x < 0);
    T y;
    U u = 0;
    return x + sizeof y + u;
}
