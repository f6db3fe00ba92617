/* Variadic macros of the standard and of GNU. */
#define A(...) <__VA_ARGS__>
#define B(x, ...) <x|__VA_ARGS__>
#define G(args...) <args>
#define H(x, args...) <x|args>
A() A(1) A(1, 2) A((1, 2), 3) A(,) A(,,)
B(1) B(1,) B(1, 2) B(1, 2, 3) B() B(,) B(,,)
G() G(1) G(1, 2) H(1) H(1, 2, 3) H(1,)
#define p1(f, ...) printf(f, ## __VA_ARGS__)
#define p2(f, args...) printf(f, ## args)
#define p3(...) printf(0, ## __VA_ARGS__)
#define p4(f, ...) printf(f , ##__VA_ARGS__, 1)
#define p5(f, ...) #f #__VA_ARGS__, ## __VA_ARGS__
#define ID(x) x
#define two 1, 2
p1("a") p1("a",) p1("a", 1) p1("a", 1, 2) p1("a", ID(3)) p1("a", two) p1(two)
p2("a") p2("a",) p2("a", 1) p2("a", 1, 2)
p3() p3(1) p3(1, 2) p3( ) p3(,)
p4(1) p4(1, 2) p4(1,)
p5(a) p5(a, b, c)
p1("x", p1("y", 1)) p1(p1("x"), p1("y"))
#define N(_1,_2,_3,_4,_5,K,...) K
#define COUNT(...) N(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
COUNT(a) COUNT(a, b) COUNT(a, b, c) COUNT()
#define APPLY(m, ...) m(__VA_ARGS__)
#define ADD(a, b) a + b
APPLY(ADD, 1, 2) APPLY(APPLY, ADD, 1, 2) APPLY(ID, ADD(1, 2))
#define REST(a, ...) __VA_ARGS__
REST(1) REST(1, 2) REST(REST(1, 2, 3), REST(4, 5))
#define nested(a, b...) a ## b b ## a, ## b
nested(x, y) nested(x) nested(x, y, z)
