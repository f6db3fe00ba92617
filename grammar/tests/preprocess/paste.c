/* `##` and empty operands. */
#define C(a, b) a ## b
#define C3(a, b, c) a ## b ## c
#define XC(a, b) C(a, b)
#define ONE 1
#define E
C(a, b) C(, b) C(a, ) C(,) [C(,)] C(ONE, 2) XC(ONE, 2) XC(E, 2) C(E, 2)
C3(a, b, c) C3(, b, c) C3(a, , c) C3(a, b, ) C3(,,) C3(,,c) C3(a,,)
C(+, +) C(<, <=) C(-, >) C(L, 'a') C(u8, "x") C(., 5) C(1, e5) C(1e, 5) C(0x, f) C(x, 1) C3(<, <, =)
C(a b, c d) C(a E, E b)
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };
#define O a ## b ## c
O
#define ab yes
#define O2 a ## b
O2 C(a, b)
#define FN(x) <x>
#define CALL C(F, N)(1)
CALL C(F, N)(2) C(F, N) (3)
#define C_(x, y) x##_##y
C_(a, b) C_(, b) C_(a,) C_(,) C_(1, 2) C_(__LINE__, x)
#define UNIQUE(x) XC(x, __LINE__)
UNIQUE(name) UNIQUE(name_)
#define DIG %:
#define PP(a) %:a
#define QQ(a, b) a %:%: b
PP(x y) QQ(x, y) DIG
C(%, :) C(<, :) C(:, >)
#define M(x) x ## 1 x ## x
M(a) M() M(E) M(2)
