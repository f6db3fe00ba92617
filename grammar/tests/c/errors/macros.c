#define BAD(x) (x + )
#define TYPE(name) undeclared_t name
#define FINE(x) ((x) * 2)
int f(int a) { return BAD(a); }
//                    ~~~~~~
int g(int a) { return FINE(a) a; }
//                            ~
int h(TYPE(b));
//    ~~~~~~~
int after = FINE(1);
