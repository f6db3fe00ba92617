// In a parameter, a name that can be a type is one: `f` takes a function taking T.
typedef int T;
void f(int (T));
void g(int (x));
void h(int (*T));
void i(int *(T));
void j(T), k(T T), l(int T(T)), m(int ((T)));
void n(void (*)(T), T (*)[3], T[], T (T));
