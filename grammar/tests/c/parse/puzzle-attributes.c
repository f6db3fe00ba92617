// Attributes wherever they may stand.
typedef int T;
__attribute__((noreturn)) void a(void) __attribute__((cold));
static __attribute__((unused)) int b __attribute__((aligned(8))) = 1, __attribute__((unused)) *c;
int __attribute__((vector_size(16))) d;
typedef unsigned e __attribute__((mode(DI)));
struct __attribute__((packed)) f { char g __attribute__((aligned(2))); int h : 3 __attribute__((unused)); };
struct i { char j; int k; } __attribute__((__packed__)) l;
enum __attribute__((packed)) m { n __attribute__((deprecated)), o __attribute__((unused)) = 2 };
void p(int q __attribute__((unused)), __attribute__((unused)) T, int * __attribute__((unused)) r);
void (__attribute__((noreturn)) *s)(int), (*t)(void (__attribute__((noreturn)) *u)(T));
int v(x) int x __attribute__((unused)); {
    __attribute__((unused)) int y = (int (__attribute__((noreturn)) *)(void)) 0 != 0;
    switch (x) {
    case 1:
        y++;
        __attribute__((fallthrough));
    case 2: __attribute__((fallthrough));
    default:;
    }
label: __attribute__((unused));
    return y;
}
