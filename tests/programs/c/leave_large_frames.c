/* Exercises: procedures without a result that have large frames, and whose last call closes the frame: compilers jump
 * there, with the stack of the caller already. */
#include "check.h"

struct world {
    int a;
    double b;
    long c[4];
    short d;
    float e;
    int f, g, h;
    char name[900];
};
static struct world w = {1, .name = "w"};

static void keep_world(void)
{
#pragma cppc register(w)
}

static void work(int n)
{
    char text[3000];
    int k;
    for (k = 0; k < 3000; k++)
        text[k] = (char)(k * n);
#pragma cppc register(text, n)
#pragma cppc checkpoint
    for (k = 0; k < 3000; k += 100)
        w.a += text[k] + n;
}

int main(void)
{
    int i;
#pragma cppc init
#pragma cppc register(i)
    keep_world();
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        w.a += i;
        work(i);
        keep_world();
        printf("%d %d %s\n", i, w.a, w.name);
    }
#pragma cppc shutdown
    return 0;
}
