int f(int x)
{
    int y = x + 1
    return y;
//  ~~~~~~ error[C0201] expected `;` before `return`
}
int g(int x) { x = f(x) }
//                      ~ error[C0201] expected `;` before `}`
int good(void);
int h(int a) { return a + ; }
//                        ~ error[C0201] expected an expression before `;`
struct s { int a } ;
struct t { int a; int b; } int u;
//                         ~~~ error[C0206] two types in one declaration
int k = 3 int l;
//        ~~~ error[C0201] expected `;` before `int`
int after;
