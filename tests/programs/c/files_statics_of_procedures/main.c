/* Exercises: static variables of procedures that are called only after the checkpoint, in every step or in some of them,
 * in expressions, through a pointer, and before `init`; static variables of another file. */
#include "check.h"
#include "parts.h"

static double mean(double x)
{
    static int calls, *const nothing = 0;
#pragma cppc register(calls)
    static double sum = 0.25, recent[3];
#pragma cppc register(sum, recent)
    if (nothing == 0)
        calls++;
    sum += x;
    recent[calls % 3] = x;
    return sum / calls + recent[(calls + 1) % 3];
}

int main(void)
{
    double (*const average)(double) = mean;
    unsigned early = noise(), late = 0;
    double x = 0;
    int i;

#pragma cppc init
    register_parts();
#pragma cppc register(i, x, late)
    for (i = 0; i < 12; i++) {
#pragma cppc checkpoint
        x += mean(i) * (i > 0 && noise() % 2 ? 0.5 : 0.75);
        if (i % 5 == 4)
            late += seldom(i) + (i > 8 ? noise() : 0);
        if (i % 4 == 3)
            x -= average(x);
        printf("%2d %u %u %.17g %s\n", i, early, late, x, title(i));
    }
    printf("%d\n", used());
#pragma cppc shutdown
    return 0;
}
