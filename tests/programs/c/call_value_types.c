/* Exercises: values of all kinds as arguments and results of calls that lead to checkpoints, in every position of
 * expressions: bit-fields, complex numbers, 128 bits, enumerations, truth values, unions, arrays in structures.
 *
 * warns: bytes */
#include <complex.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum hue { RED = -3, GREEN, BLUE = 1 << 20 };

struct packed {
    unsigned a : 3;
    signed b : 7;
    unsigned long long c : 40;
};

typedef struct {
    float f[3];
    char text[5];
    struct { short s; long double wide; } inner;
} Mixed;

union number {
    uint64_t bits;
    double value;
};

static volatile int ticks;

static int tick(int x)
{
#pragma cppc register(x)
#pragma cppc checkpoint
    ticks++;
    return x * 2 + 1;
}

static double complex turn(double complex z, float _Complex w)
{
#pragma cppc register(z, w)
#pragma cppc checkpoint
    return z * (double complex)w + I;
}

static long double wide(long double x, __int128 big, enum hue hue, _Bool flag)
{
#pragma cppc register(x, big, hue, flag)
#pragma cppc checkpoint
    return x / 3 + (long double)(big >> 64) + hue + flag;
}

static Mixed mix(Mixed m, struct packed p, union number u)
{
#pragma cppc register(m)
#pragma cppc checkpoint
    m.f[p.a % 3] += (float)u.value + p.b;
    m.text[0] = (char)('a' + p.c % 26);
    m.inner.wide *= 0.75L;
    return m;
}

static int many(int count, ...)
{
    va_list list;
    int sum = 0, k;
#pragma cppc register(count, sum)
#pragma cppc checkpoint
    va_start(list, count);
    for (k = 0; k < count; k++)
        sum += k % 2 ? (int)va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return sum;
}

static int first(int values[static 2], const char *restrict text)
{
#pragma cppc checkpoint
    return values[0] * 10 + values[1] + text[0];
}

int main(void)
{
    int i, j, s = 1, a[6] = {1, 2, 3, 4, 5, 6};
    struct packed p = {5, -20, 134567890123ULL};
    double complex z = 1 + 2 * I;
    Mixed m = {{1, 2, 3}, "text", {4, 5.5L}};
    union number u = {.value = 2.5};
    enum hue hue = GREEN;
    unsigned char c = 250;
    short sh = -3;
    float fl = 1.25f;
    __int128 big = (__int128)7 << 66;
#pragma cppc init
#pragma cppc register(i, j, s, a, p, z, m, u, hue, c, sh, fl, big, ticks)
    for (i = 0; i < 3; i++) {
        a[(i + 1) % 6] += tick(i), s++;
        p.b += tick(p.a) % 3;
        p.a = tick(p.b);
        p.c ^= (unsigned long long)tick(i) << 20;
        z = turn(z / 2, (float)i) + conj(turn(I, 2.0f * I));
        s += (int)wide(s * 0.5L, big - i, hue, i & 1) % 1000;
        m = mix(m, p, u);
        u.value += mix(m, (struct packed){1, 2, 3}, (union number){.bits = 0}).f[tick(i) % 3];
        c += tick(300);
        c = tick(c);
        sh -= tick(sh) > 0 ? tick(1) : tick(c);
        fl *= tick(2) ?: tick(3);
        hue = tick(i) > 2 ? BLUE : RED;
        s = many(5, tick(1), fl, sh, 2.5, c) % 10007;
        s += first((int[]){i, tick(i)}, i % 2 ? "odd" : m.text);
        s += first(a + i, &m.text[1]);
        for (j = tick(0), s += j; j < 4 && tick(j) < 9; j += tick(0))
            s = (s << 1 | (tick(j) == 5)) % 65521;
        do {
            s += tick(a[s & 3] & 7);
        } while (tick(s % 5) > 7 ? s % 3 != 0 : !tick(-1));
        switch (tick(i) % 4) {
        case 1:
            s ^= tick(4);
            /* fall through */
        case 3 ... 5:
            s += sizeof tick(s) + sizeof(long);
            break;
        default:
            s = -s;
        }
        if ((s & 1 && tick(s % 9) > 3) || (tick(2), s % 3) || !tick(5))
            a[tick(0)] = a[tick(a[0] % 2 == 0) % 6] = s % 100;
        s = ((int)(tick(({ int t = s % 11; t * 2; })) + (long)fl)) % 5003;
        printf("%d %d %d %d %llu %g %g %s\n", i, s, (int)p.a, (int)p.b, (unsigned long long)p.c, creal(z), cimag(z), m.text);
        printf("%g %Lg %g %d %d %d %g %d %d\n", m.f[0] + m.f[1] + m.f[2], m.inner.wide, u.value, c, sh, (int)hue, fl, a[1], ticks);
    }
#pragma cppc shutdown
    return 0;
}
