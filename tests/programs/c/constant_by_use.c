/* Exercises: variables without `const` that have the value of their initialiser for ever: numbers, a literal, the address
 * of an array, an argument that a resume repeats; and others that are set once more. */
#include <string.h>

#include "check.h"

static int lengths[4];
static double table[3] = {1, 2, 4};

static void measure(const char *text, int at)
{
#pragma cppc execute capture(at)
    lengths[at] = (int)strlen(text);
#pragma cppc end execute
}

static double work(int step)
{
    const char *name = "literal";
    char *other = "other";
    register int count = 3;
    double *values = table, scale = 1.0 / 3;
    int set_later = 1;
    double sum = 0;
    int i;
#pragma cppc register(i, sum, set_later)
    measure(name, step % 2);
    measure(other + 2, 2 + step % 2);
    for (i = 0; i < count; i++) {
        int inner = 2;
        if (i == 1)
            set_later += step;
#pragma cppc checkpoint
        sum += values[i] * scale + inner + set_later;
        values[i] += 1;
        printf("%s %d %d %.17g\n", name, i, lengths[step % 2] + lengths[2 + step % 2], sum);
    }
    return sum;
}

int main(void)
{
    int step;
    double total = 0;
#pragma cppc init
#pragma cppc register(step, total, table)
    for (step = 0; step < 4; step++)
        total += work(step);
    printf("%.17g\n", total);
#pragma cppc shutdown
    return 0;
}
