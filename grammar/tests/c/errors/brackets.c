int f(int x) { return (x + 1; }
//                          ~ error[C0201] expected `)` before `;`
int good1;
int g(int x) { return x + 1); }
//                         ~ error[C0201] expected `;` before `)`
int good2;
int h(int x[3) { return x[0]; }
//           ~ error[C0201] expected `]` before `)`
int good3;
}
//~ error[C0201] expected a declaration before `}`
int good4;
int i(int x) { if (x) { return 1; }
//                                 ~ error[C0201] expected a statement or `}` before the end of the file
