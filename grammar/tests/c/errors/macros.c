#define BAD(x) (x + )
#define TYPE(name) undeclared_t name
#define FINE(x) ((x) * 2)
int f(int a) { return BAD(a); }
//                    ~~~~~~ error[C0201] expected an expression before `)`
int g(int a) { return FINE(a) a; }
//                            ~ error[C0201] expected `;` before `a`
int h(TYPE(b));
//    ~~~~~~~ error[C0202] unknown type name `undeclared_t`
int after = FINE(1);
