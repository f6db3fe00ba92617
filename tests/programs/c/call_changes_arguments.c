/* Exercises: a procedure that changes what its arguments were read from, and then comes to a checkpoint: a pointer of the
 * file, a field, an element of an array of pointers, a subscript, a local pointer whose address is known, a structure. */
#include <stdlib.h>

#include "check.h"

struct part {
    double *values;
    int count;
};

static double *now, *other, *rows[2];
static struct part part;
static double fixed[6] = {1, 2, 3, 4, 5, 6};
static int at, step;

static void exchange(void)
{
    double *kept = now;
    now = other;
    other = kept;
    kept = rows[0];
    rows[0] = rows[1];
    rows[1] = kept;
    part.values = part.values == fixed ? fixed + 3 : fixed;
    part.count++;
    at = (at + 1) % 6;
}

static void work(double *from, const char *what)
{
    exchange();
#pragma cppc checkpoint
    from[0] += 1;
    printf("%d %s %g %g %g %g %d\n", step, what, from[0], now[0], rows[0][0], part.values[0], at);
}

static void turn(double **slot, double *from)
{
    *slot = *slot == fixed ? fixed + 4 : fixed;
#pragma cppc checkpoint
    from[0] += 10;
    printf("%d local %g %g\n", step, from[0], **slot);
}

static double whole(struct part given)
{
    exchange();
#pragma cppc checkpoint
    given.values[0] += given.count;
    return given.values[0] - part.values[0];
}

int main(void)
{
    double *local = fixed + 1, *first, *second;
    int k;
#pragma cppc init
    now = malloc(4 * sizeof *now);
    other = malloc(4 * sizeof *other);
    for (k = 0; k < 4; k++) {
        now[k] = 10 * k;
        other[k] = 100 + k;
    }
    first = now;
    second = other;
    rows[0] = now + 1;
    rows[1] = other + 2;
    part.values = fixed;
#pragma cppc register(first[4], second[4], now[0], other[0], rows, part, fixed, at, step, local[0])
    for (step = 0; step < 4; step++) {
        double sum = 0;
#pragma cppc register(sum)
        work(now, "pointer");
        work(rows[step % 2], "element");
        work(part.values, "field");
        work(&fixed[at], "subscript");
        work(fixed + at, "sum");
        turn(&local, local);
        sum += whole(part);
        printf("%d %g %g\n", step, sum, *local);
    }
    printf("%g %g\n", first[0] + second[0], rows[0][0]);
#pragma cppc shutdown
    free(first);
    free(second);
    return 0;
}
