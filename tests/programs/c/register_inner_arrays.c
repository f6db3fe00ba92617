/* Exercises: arrays and structures of inner scopes, with pointers in them, that are registered there, and checkpoints and
 * calls that lead to one before their declarations and behind their scopes, where their memory holds anything. */
#include "check.h"

struct pair {
    double *first;
    int number;
};

static double count[4];
static int calls;

static void wipe(int step)
{
    unsigned long other[12];
    volatile unsigned long *at = other;
    int k;
    for (k = 0; k < 12; k++)
        at[k] = 0x1111111111111111u + step;
}

static double below(double *x)
{
#pragma cppc register(calls)
    calls++;
#pragma cppc checkpoint
    *x += calls;
    return *x;
}

int main(void)
{
    int i;
    double start = 1;
    Sum sum = SUM_START;

#pragma cppc init
#pragma cppc register(count, i, sum, start)
    for (i = 0; i < 3; i++) {
        {
            unsigned long other[8];
            int k;
            for (k = 0; k < 8; k++)
                ((volatile unsigned long *)other)[k] = 0x1111111111111111u + i;
        }
        {
#pragma cppc checkpoint
            double *inner[8] = {count, count + 1, count, count, count, count, count, count};
#pragma cppc register(inner)
#pragma cppc checkpoint
            *inner[1] += i;
            {
                struct pair pair = {count + i, i};
#pragma cppc register(pair)
                start += below(&start);
                *pair.first += pair.number + start;
            }
            start += below(inner[2]);
        }
        wipe(i);
        start += below(&start);
        sum = sum_real(sum_reals(sum, count, 4), start);
        show("count", i, sum);
    }
#pragma cppc shutdown
    return 0;
}
