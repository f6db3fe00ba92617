int struct s x;
//  ~~~~~~ error[C0206] two types in one declaration
short double d;
//    ~~~~~~ error[C0206] these specifiers are not a type
enum e { A, B = , C };
//              ~ error[C0201] expected an expression before `,`
int array[3;
//         ~ error[C0201] expected `]` before `;`
int x = { 1, 2;
//            ~ error[C0201] expected `}` before `;`
int f() int x { return x; }
//            ~ error[C0201] expected `;`, `,` or `=` before `{`
int n { return 1; }
//    ~ error[C0201] expected `;` before `{`
typedef int;
int g(int a; { return a; }
//           ~ error[C0201] expected a type or `...` before `{`
int (*h(int);
//          ~ error[C0201] expected `)` before `;`
int __attribute__ x;
//  ~~~~~~~~~~~~~ error[C0205] the brackets after `__attribute__` do not match
int after;
