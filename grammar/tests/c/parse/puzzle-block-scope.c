// A typedef name hidden in a block is a type again after it.
typedef int T;
void f(void) {
    T x = 1;
    {
        int T = 2;
        T * x;
    }
    T * y;
    (void) x, (void) y;
}
