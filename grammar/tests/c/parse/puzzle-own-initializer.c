// A name is in scope in its own initialiser, and in the next declarator.
typedef int T;
void f(void) {
    int T = sizeof(T), u[sizeof(T)] = { (T) + 1 };
    (void) u;
}
