int f(int x) { return (x + 1; }
//                          ~
int good1;
int g(int x) { return x + 1); }
//                         ~
int good2;
int h(int x[3) { return x[0]; }
//           ~
int good3;
}
~
int good4;
int i(int x) { if (x) { return 1; }
//                                 ~
