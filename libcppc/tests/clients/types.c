/* Every type of C, one element of each and more, and a structure in a structure. */

#include "client.h"
#include <complex.h>
#include <stdbool.h>

struct inner { char c; long double x; };
struct outer { struct inner inner[2]; bool flag; unsigned long long big; };

static char c = 'c'; static signed char sc = -3; static unsigned char uc = 200;
static short s = -300; static unsigned short us = 60000;
static int i = -70000; static unsigned u = 4000000000u;
static long l = -5000000000L; static unsigned long ul = 18000000000000000000UL;
static long long ll = -1; static unsigned long long ull = ~0ULL;
static __int128 wide = -((__int128) 1 << 100); static unsigned __int128 uwide = (unsigned __int128) 1 << 127;
static bool flag = true;
static float f = 0.1f; static double d = 0.1; static long double ld = 0.1L; static _Float128 q = 0.1f128;
static float complex fc; static double complex dc; static long double complex lc;
static struct outer outer[2];
static unsigned char raw[7] = { 1, 2, 3, 4, 5, 6, 7 };

#define PLACE(variable, type) CPPC_Register(0, &variable, sizeof variable / sizeof(variable), type, #variable, CPPC_STATIC)

int main(int argc, char **argv)
{
    static int turn;
    int inner_type, outer_type;
    CPPC_Field inner_fields[] = { { "c", offsetof(struct inner, c), CPPC_CHAR, 1 }, { "x", offsetof(struct inner, x), CPPC_LONG_DOUBLE, 1 } };
    CPPC_Field outer_fields[] = { { "inner", offsetof(struct outer, inner), 0, 2 }, { "flag", offsetof(struct outer, flag), CPPC_BOOL, 1 },
        { "big", offsetof(struct outer, big), CPPC_UNSIGNED_LONG_LONG, 1 } };
    int cppc_next = CPPC_Enter("main", 3);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_exit;
    }
    CPPC_Init(&argc, &argv);
    JUMP;
    fc = 1 + 2 * I; dc = 0.1 - 3 * I; lc = 1.0L / 3 + I;
    outer[1].inner[1].x = 2.5L; outer[1].inner[0].c = 'q'; outer[0].flag = true; outer[1].big = 77;
cppc_2:
    inner_type = CPPC_Define_type("inner", sizeof(struct inner), 2, inner_fields);
    outer_fields[0].type = inner_type;
    outer_type = CPPC_Define_type("outer", sizeof(struct outer), 3, outer_fields);
    CPPC_Block(2);
    PLACE(turn, CPPC_INT); PLACE(c, CPPC_CHAR); PLACE(sc, CPPC_SIGNED_CHAR); PLACE(uc, CPPC_UNSIGNED_CHAR);
    PLACE(s, CPPC_SHORT); PLACE(us, CPPC_UNSIGNED_SHORT); PLACE(i, CPPC_INT); PLACE(u, CPPC_UNSIGNED_INT);
    PLACE(l, CPPC_LONG); PLACE(ul, CPPC_UNSIGNED_LONG); PLACE(ll, CPPC_LONG_LONG); PLACE(ull, CPPC_UNSIGNED_LONG_LONG);
    PLACE(wide, CPPC_INT128); PLACE(uwide, CPPC_UNSIGNED_INT128); PLACE(flag, CPPC_BOOL);
    PLACE(f, CPPC_FLOAT); PLACE(d, CPPC_DOUBLE); PLACE(ld, CPPC_LONG_DOUBLE); PLACE(q, CPPC_FLOAT128);
    PLACE(fc, CPPC_FLOAT_COMPLEX); PLACE(dc, CPPC_DOUBLE_COMPLEX); PLACE(lc, CPPC_LONG_DOUBLE_COMPLEX);
    CPPC_Register(0, outer, 2, outer_type, "outer", CPPC_STATIC);
    CPPC_Register(0, raw, 7, CPPC_BYTE, "raw", CPPC_STATIC);
    JUMP;
    for (turn = 0; turn < 4; turn++) {
cppc_3:
        if (!CPPC_Do_checkpoint(3)) maybe_die();
        JUMP;
        c++; sc--; uc++; s *= 2; us += 7; i -= 5; u += 5; l *= 2; ul += 9; ll -= ull; ull /= 3; wide -= 1; uwide += 3; flag = !flag;
        f *= 1.1f; d *= 1.1; ld *= 1.1L; q *= 1.1f128; fc *= 1 + I; dc *= 1 - I; lc *= 2 + I;
        outer[1].inner[1].x *= 1.5L; outer[1].big += turn; outer[0].flag = !outer[0].flag; raw[turn] += 100;
    }
    printf("%d %d %d %d %d %d %u %ld %lu %lld %llu %d\n", c, sc, uc, s, us, i, u, l, ul, ll, ull, flag);
    printf("%llx %llx %a %a %La %a\n", (unsigned long long) (wide >> 64), (unsigned long long) uwide, f, d, ld, (double) (q - (_Float128) (double) q));
    printf("%a %a %La %La %llu %d %d %d\n", crealf(fc), cimag(dc), cimagl(lc), outer[1].inner[1].x, outer[1].big, outer[0].flag, raw[3], outer[1].inner[0].c);
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return 0;
}
