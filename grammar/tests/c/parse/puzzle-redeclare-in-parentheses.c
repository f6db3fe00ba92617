// Parentheses do not change what is declared.
typedef int T;
void f(void) {
    int (T), (*(U)), x;
    T = 1;
    U = &T;
    x = T * *U;
}
