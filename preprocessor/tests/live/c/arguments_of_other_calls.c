/* A register of a parameter saves what the running call passes, and not what other calls pass.
 * reports: first, left, pair, right, second
 */
#include <stdio.h>

struct body {
    double x, y;
};

static double first[4], second[4], pair[2];
static struct body left, right;

static void step(double *p, int n)
{
    int i;
#pragma cppc register(p[n])
#pragma cppc checkpoint
    for (i = 0; i < n; i++)
        p[i] += 1;
}

static void move(struct body *body)
{
#pragma cppc register(*body)
#pragma cppc checkpoint
    body->x += body->y;
}

static void one(double *value)
{
#pragma cppc register(*value)
#pragma cppc checkpoint
    *value += 1;
}

int main(void)
{
    int k;
#pragma cppc init
    for (k = 0; k < 4; k++)
        first[k] = second[k] = k;
    left.y = right.y = pair[0] = pair[1] = 2;
#pragma cppc register(k)
    for (k = 0; k < 2; k++) {
        step(first, 4);
        step(second, 4);
        move(&left);
        move(&right);
        one(&pair[k]);
        printf("%g %g %g %g %g\n", first[1], second[1], left.x, right.x, pair[0]);
    }
#pragma cppc shutdown
    return 0;
}
