// An enumerator hides a type once its value has ended.
typedef int T;
void f(void) {
    int x;
    x = (T) 1;
    enum { T = sizeof(T), U = T + 1 };
    x = (T) * U;
}
