/* A restart cannot enter the scope of a variable with the attribute `cleanup`, so no directive is added there. Such a variable at
   the beginning of a procedure is before the jumps. */
#include <stdio.h>
#include <stdlib.h>

static int freed;

static void drop(char **p)
{
    free(*p);
    freed++;
}

static void count(int *p)
{
    freed += *p;
}

static void step(int k)
{
    int h __attribute__((cleanup(count))) = k;
    int i, s = 0;
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        s += i * h;
    }
    printf("%d\n", s);
}

int main(void)
{
    int i;
#pragma cppc init
    for (i = 0; i < 10; i++) {
        char *text __attribute__((cleanup(drop))) = malloc(10);
        text[0] = '0' + i;
        text[1] = 0;
        puts(text);
    }
    step(freed);
#pragma cppc shutdown
    return 0;
}
