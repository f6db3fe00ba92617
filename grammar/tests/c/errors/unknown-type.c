size_t length(const char *text);
~~~~~~
int f(size_t n);
//    ~~~~~~
int g(int a, size_t n);
//           ~~~~~~
struct s { int a; size_t n; };
//                ~~~~~~
static foo_t *p;
//     ~~~~~
foo_t *q;
~~~~~
int h(void)
{
    foo_t x;
//  ~~~~~
    return 0;
}
int i(void) { int x = 1; return (foo_t) x; }
//                                      ~
int j(int foo_t) { foo_t y; return sizeof(foo_t *); }
//                       ~
typedef int known;
int k(int x) { return x + known; }
//                        ~~~~~
int l, m(int a, l b);
//              ~
int after;
