/* Integer constant expressions, seen through the lengths of arrays. */
#include <limits.h>

enum { three = 3, four, big = 1 << 10 };
struct packed { char c; int i; } __attribute__((packed));
struct plain { char c; int i; short s; };
struct nested { struct plain p[2]; char tail; };
struct bits { int a : 3; int b : 30; char c; };
struct flexible { int n; double data[]; };
union either { char c[5]; int i; };
struct empty;
extern char known[sizeof(struct plain)];

void f(int n)
{
    char a[three * four - 1]; a; // : char [11]
    char b[sizeof(int) * 2]; b; // : char [8]
    char c[sizeof(struct plain)]; c; // : char [12]
    char d[sizeof(struct packed)]; d; // : char [5]
    char e[sizeof(struct nested)]; e; // : char [28]
    char g[sizeof(struct bits)]; g; // : char [12]
    char h[sizeof(struct flexible)]; h; // : char [8]
    char i[sizeof(union either)]; i; // : char [8]
    char j[sizeof a + sizeof(long double)]; j; // : char [27]
    char k[n > 0 ? 1 : 2]; k; // : ?
    char l[1 ? 7 : n]; l; // : char [7]
    char m[(unsigned char)300]; m; // : char [44]
    char o[-1 < 1u ? 1 : 2]; o; // : char [2]
    char p['a' - 90]; p; // : char [7]
    char q[big >> 4 & 0x7f]; q; // : char [64]
    char r[CHAR_BIT * _Alignof(double)]; r; // : char [64]
    char s[!0 + !5]; s; // : char [1]
    char t[sizeof(int [2][3]) / sizeof(int [3])]; t; // : char [2]
    char u[sizeof(char *)]; u; // : char [8]
    char v[sizeof("abc")]; v; // : char [4]
    char w[5 % 3 ? 5 / 2 : 0]; w; // : char [2]
    int x[] = { [three] = 1, 2, [1] = 0 }; x; // : int [5]
    struct plain y[] = { { 1, 2, 3 }, { 4, 5, 6 } }; y; // : struct plain [2]
    int z[][2] = { { 1, 2 }, { 3, 4 }, { 5 } }; z; // : int [3][2]
    int flat[][2] = { 1, 2, 3 }; flat; // : int [][2]
    known; // : char [12]
}
