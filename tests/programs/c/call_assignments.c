/* Exercises: compound assignments (`x += f(y)`), side effects on the left (`a[i++] = f(k)`),
 * assignments in conditions, comma operators, increments in arguments (`f(i++)`), chains. */
#include "check.h"

static int f(int x)
{
#pragma cppc checkpoint
    return x * 7 % 13;
}

static int g(int x, int y)
{
#pragma cppc checkpoint
    return x * 10 + y;
}

int main(void)
{
    int a[8] = {0};
    int i, k, x = 1, y = 2, z = 0;
    int *p = a;

#pragma cppc init
#pragma cppc register(i, k, x, y, z, a, p[8])
    k = 0;
    i = 0;
    x += f(y);
    x *= 1 + f(x);
    a[i++] = f(k);
    a[i++] += f(k + 1) + a[0];
    k = f(i++);
    y = g(i++, k);
    y -= g(k--, i);
    z = (x++, f(x), x + f(y % 5));
    x = y = f(z % 9);
    if ((z = f(x)) > 3)
        z += 100;
    while ((k = f(k + 1)) != 0 && i < 9)
        z += k + i++;
    for (i = 0, x = f(2); i < 8; i++, x += f(i))
        p[i] += x;
    a[f(2) % 8] = 77;
    a[i - 1 - f(1) % 8] += f(3) << 1;
    *p = f(4);
    p[1]++;
    (void)f(5);
    f(6);
    (f(7));
    z += p[7], y += f(z & 7);
    for (i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n%d %d %d %d\n", k, x, y, z);
#pragma cppc checkpoint
    printf("end %d %d %d %d\n", a[7], x, y, z);
#pragma cppc shutdown
    return 0;
}
