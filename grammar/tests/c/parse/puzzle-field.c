// Fields and tags have name spaces of their own.
typedef struct T { int T; struct U { int T; } U; } T, U;
int f(T *T) {
    struct T x = { .T = 1, .U.T = 2, .U = { T: 3 } };
    U y = x;
    return x.T + T->T + y.U.T + __builtin_offsetof(struct T, U.T);
}
