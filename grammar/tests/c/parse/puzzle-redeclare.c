// Once a type has been named, a typedef name is what is declared.
typedef int T, U;
void f(void) {
    unsigned T;
    T = 3;
    U U = 4;
    U++;
}
void g(void) {
    T T, x = 1;
    (void) (T * x);
    const U V = 2;
    (void) V;
}
