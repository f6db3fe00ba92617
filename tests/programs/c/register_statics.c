/* Exercises: static locals of two procedures that share a name, file-scope statics and globals;
 * a procedure registers its static at every call, its caller has the checkpoint. */
#include "check.h"

static int count = 3;
double total = 0.5;

static int first(int x)
{
    static int count = 10;
    static double history[4];
#pragma cppc register(count, history)
    count += x;
    history[count % 4] += count;
    return count + (int)history[count % 4];
}

static int second(int x)
{
    static int count = 100;
#pragma cppc register(count)
    count = count * 3 % 1009 + x;
    return count;
}

int main(void)
{
    int i;

#pragma cppc init
#pragma cppc register(i, count, total)
    for (i = 0; i < 6; i++) {
        int a = first(i);
        int b = second(i);
        count += a;
        total = total * 0.75 + b;
        printf("%d %d %d %d %.17g\n", i, a, b, count, total);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    return 0;
}
