/* Exercises: constants of procedures, whose initialisers a restart jumps over: known values and values that are
 * computed, scalars, arrays, structures, pointers to what is static; in loops, blocks, switches and recursions. */
#include "check.h"

typedef struct {
    double x, y;
    int id;
} Point;

typedef const int Fixed;

static int shared[4] = {3, 5, 7, 9};
static double half(double x) { return x / 2; }

static Point moved(Point p, double by)
{
    const Point q = {p.x + by, p.y - by, p.id + 1};
    const double factors[] = {by, by * 2, p.x}, shift = by + p.id;
    double sum = 0;
    int i;
#pragma cppc register(sum, i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        sum += factors[i] * q.x + shift;
    }
    return (Point){q.x + sum, q.y, q.id};
}

static double depth(int n)
{
    const int left = n - 1;
    const long double small = 0x1p-3L;
    double sum = n;
#pragma cppc register(sum)
#pragma cppc checkpoint
    if (left > 0)
        sum += depth(left) * left;
    return sum + (double)small;
}

static int known(int turn)
{
    const int c = 5, d = sizeof(Point);
    const double table[3] = {1, 2.5, -3};
    static const char letters[] = "static";
    const char name[] = "name";
    const char *const other = "other";
    int *const second = &shared[1];
    double (*const halve)(double) = half;
    register const short r = -2;
    const volatile unsigned char v = 200;
    const Point p = {.y = 2, .id = 'a'};
    const struct { int a[2]; } nameless = {{4, 5}};
    int sum = 0, i;
#pragma cppc register(turn, sum, i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        sum += c + d + (int)(table[i] * 4) + letters[i] + name[i] + other[i] + *second + (int)halve(9) + r + v;
        sum += (int)p.y + p.id + nameless.a[i % 2] + turn;
    }
    return sum;
}

int main(void)
{
    const int before = 11;
    Point p = {1, 2, 3};
    double sum = 0;
    int i;

#pragma cppc init
    const int turns = 4;
    const double step = shared[0] * 0.25;
#pragma cppc register(i, p, sum)
    for (i = 0; i < turns; i++) {
        const int twice = i * 2;
        Fixed same = 7;
        {
            const unsigned flags = (unsigned)i << 3 | 1;
#pragma cppc checkpoint
            sum += flags + twice + same;
        }
        switch (i % 3) {
        case 0: {
            const float f = i + 0.5f;
            p = moved(p, f);
            p.x *= f;
            break;
        }
        case 1:
            sum += known(twice);
            break;
        default:
            sum += depth(3) * before;
        }
        sum += twice * step;
        printf("%d %.17g %.17g %d %.17g\n", i, p.x, p.y, p.id, sum);
    }
#pragma cppc shutdown
    return 0;
}
