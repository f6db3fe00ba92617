int struct s x;
//  ~~~~~~
short double d;
//    ~~~~~~
enum e { A, B = , C };
//              ~
int array[3;
//         ~
int x = { 1, 2;
//            ~
int f() int x { return x; }
//            ~
int n { return 1; }
//    ~
typedef int;
int g(int a; { return a; }
//           ~
int (*h(int);
//          ~
int __attribute__ x;
//  ~~~~~~~~~~~~~
int after;
