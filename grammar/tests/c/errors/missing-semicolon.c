int f(int x)
{
    int y = x + 1
    return y;
//  ~~~~~~
}
int g(int x) { x = f(x) }
//                      ~
int good(void);
int h(int a) { return a + ; }
//                        ~
struct s { int a } ;
struct t { int a; int b; } int u;
//                         ~~~
int k = 3 int l;
//        ~~~
int after;
