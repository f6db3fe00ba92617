typedef int T;
int x;
__typeof__(x) a; typeof(T *) b; const __typeof(x + 1) *c; typeof(typeof(T[3])) d;
_Atomic(T) e; T _Atomic f; _Atomic const int g; _Atomic T h; _Atomic T *_Atomic i;
_Alignas(8) char j; _Alignas(double) static int k;
__auto_type l = 3;
int m = _Generic(x, int: 1, T *: 2, default: 3), n = __alignof__(T) + _Alignof(int [2]) + __alignof__ x;
int o = __builtin_types_compatible_p(T, typeof(x)) + __builtin_choose_expr(1, 2, "3");
_Static_assert(sizeof(T) == 4, "int");
_Static_assert(1);
struct r { _Static_assert(1, ""); int s; __extension__ struct { int t; }; union { T u; float v; }; int w[]; };
_Thread_local int y; static __thread int z;
_Noreturn inline static void aa(void) { for (;;); }
_Complex double bb = 1.0i + 2.0iF + 3j;
double cc(_Complex double p) { return __real__ p + __imag__ p; }
