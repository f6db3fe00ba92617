/* Exercises: the order and the number of calls: what `&&`, `||` and `?:` skip must not be called,
 * also nested and with side effects between the calls. */
#include "check.h"

static int trace[64], traced;

static int yes(int x)
{
    trace[traced++ % 64] = x;
#pragma cppc checkpoint
    return x;
}

static int no(int x)
{
    trace[traced++ % 64] = -x;
#pragma cppc checkpoint
    return 0;
}

int main(void)
{
    int i, n, hits = 0;

#pragma cppc init
#pragma cppc register(i, n, hits, trace, traced)
    n = 0;
    for (i = 1; i < 4; i++) {
        if (yes(i) && (no(i + 10) || yes(i + 20)) && n++ < 100)
            hits++;
        if (no(i) && yes(99))
            hits += 1000;
        if (i % 2 && no(i + 30))
            hits += 1000;
        else
            hits += 2;
        hits += (yes(i) ? no(i) ? 1000 : yes(7) : no(8)) + n++;
        n += !(i > 1 || yes(40)) + (yes(50) == 50 && yes(51));
        while (n < i * 5 && (yes(60) || no(61)))
            n += 2;
        do
            n++;
        while (n % 4 && !no(70));
        printf("%d %d %d %d %016llx\n", i, n, hits, traced, sum_bytes(SUM_START, trace, sizeof trace));
    }
#pragma cppc shutdown
    return 0;
}
