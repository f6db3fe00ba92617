/* Its statics have names that occur in the other file too. */
#include "parts.h"
#include <stdio.h>

static int calls = 7;

/* Their memory is that of the file. */
void register_parts(void)
{
#pragma cppc register(calls)
}

unsigned noise(void)
{
    static unsigned seed = 12345;
#pragma cppc register(seed)
    unsigned high = seed / 127773;
    seed = 16807 * (seed - high * 127773) - high * 2836;
    return seed;
}

unsigned seldom(int step)
{
    static struct { short x; } place;
    static unsigned calls = 3;
#pragma cppc register(calls)
    static unsigned char bytes[2][5];
#pragma cppc register(bytes)
    (void)place;
    bytes[step % 2][step % 5] += 3;
    calls = 5 * calls + bytes[0][4] + 10 * bytes[1][4];
    return calls;
}

const char *title(int step)
{
    static char text[40];
    calls += step;
    snprintf(text, sizeof text, "step %d of %d", step, calls);
    return text;
}

int used(void)
{
    return calls;
}
