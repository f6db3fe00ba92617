// The parameters that hide types are those of the declared function, and hold in its body.
typedef long T, U;
enum { V } (*f(T T, enum { U } y, int x[T + U]))(T t) {
    long l = T + U + V + x[0] + y;
    (void) l;
    return 0;
}
T after[(U) V + 1];
