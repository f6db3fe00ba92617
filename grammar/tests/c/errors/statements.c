int f(int x) {
    if x > 1) return 2;
//     ~ error[C0201] expected `(` before `x`
}
int g(int x) { else return 1; }
//             ~~~~ error[C0201] expected a statement or `}` before `else`
int h(int x) { switch (x) { case: return 1; } }
//                              ~ error[C0201] expected an expression before `:`
int i(int x) { for (x = 0; x < 3) x++; }
//                              ~ error[C0201] expected `;` before `)`
int j(int x) { do x++; while (x < 3) return x; }
//                                   ~~~~~~ error[C0201] expected `;` before `return`
int k(int x) { goto; }
//                 ~ error[C0201] expected a name before `;`
int l(int x) { return x +* ; }
//                         ~ error[C0201] expected an expression before `;`
int m(int x) { x = = 3; }
//                 ~ error[C0201] expected an expression before `=`
int n(int x) { foo(x, ); }
//                    ~ error[C0201] expected an expression before `)`
int o(int 3x);
//        ~~ error[C0201] expected a name, `;`, `,` or `)` before `3x`
int p(int);
