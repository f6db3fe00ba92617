/* At the end of a scope, the compiler calls the function of the attribute `cleanup`.
   reports: at_break, at_end, at_return */
#include <stdio.h>
static int at_end, at_return, at_break, other;
static void end(int *p)
{
    at_end += *p;
}
static void returned(int *p)
{
    at_return += *p;
}
static void broken(int *p)
{
    at_break += *p;
}
static int step(int k)
{
    int h __attribute__((cleanup(returned))) = k;
    {
        int inner __attribute__((__cleanup__(end))) = h;
        h += inner;
    }
    for (;;) {
        int inner __attribute__((cleanup(broken))) = h;
        if (inner > 0)
            break;
    }
    return h * 2;
}
int main(void)
{
    int k;
    long s = 0;
#pragma cppc init
    other = 1;
#pragma cppc register(k, s)
    for (k = 0; k < 10; k++) {
#pragma cppc checkpoint
        s += step(k);
    }
    printf("%ld %d\n", s, at_end + at_return + at_break);
#pragma cppc shutdown
    return 0;
}
