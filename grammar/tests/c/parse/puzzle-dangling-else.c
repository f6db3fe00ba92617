// The name after an `if` without `else` decides that all the statements end, and with them the
// scope that hid the type.
typedef int T;
void f(void) {
    for (int T = 0; T < 1; T++)
        if (T)
            ;
    T x = 0;
    for (int T = 0; T < 1; T++)
        if (T) ; else for (;;) if (T) break;
    T y = x;
    (void) y;
}
