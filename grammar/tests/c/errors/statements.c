int f(int x) {
    if x > 1) return 2;
//     ~
}
int g(int x) { else return 1; }
//             ~~~~
int h(int x) { switch (x) { case: return 1; } }
//                              ~
int i(int x) { for (x = 0; x < 3) x++; }
//                              ~
int j(int x) { do x++; while (x < 3) return x; }
//                                   ~~~~~~
int k(int x) { goto; }
//                 ~
int l(int x) { return x +* ; }
//                         ~
int m(int x) { x = = 3; }
//                 ~
int n(int x) { foo(x, ); }
//                    ~
int o(int 3x);
//        ~~
int p(int);
