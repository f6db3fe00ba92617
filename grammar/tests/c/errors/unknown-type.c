size_t length(const char *text);
//~~~~~~ error[C0202] unknown type name `size_t`
int f(size_t n);
//    ~~~~~~ error[C0202] unknown type name `size_t`
int g(int a, size_t n);
//           ~~~~~~ error[C0202] unknown type name `size_t`
struct s { int a; size_t n; };
//                ~~~~~~ error[C0202] unknown type name `size_t`
static foo_t *p;
//     ~~~~~ error[C0202] unknown type name `foo_t`
foo_t *q;
//~~~~~ error[C0202] unknown type name `foo_t`
int h(void)
{
    foo_t x;
//  ~~~~~ error[C0202] unknown type name `foo_t`
    return 0;
}
int i(void) { int x = 1; return (foo_t) x; }
//                                      ~ error[C0201] expected `;` before `x`
int j(int foo_t) { foo_t y; return sizeof(foo_t *); }
//                       ~ error[C0201] expected `;` before `y`
typedef int known;
int k(int x) { return x + known; }
//                        ~~~~~ error[C0201] found the type `known`, expected a variable or function
int l, m(int a, l b);
//              ~ error[C0201] found `l`, which is not a type, expected a type
int after;
