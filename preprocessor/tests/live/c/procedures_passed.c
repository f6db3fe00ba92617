/* Two procedures are called through pointers, one after the other. Each of them reads an array of its own.
 * reports: second */
#include <stdio.h>
static int first[10], second[20];
static void add_first(int *sum)
{
    *sum += first[3];
    first[3]++;
}
static void add_second(int *sum)
{
    *sum += second[4];
    second[4]++;
}
static void solve(void (*one)(int *), void (*other)(int *), int *sum)
{
    one(sum);
    other(sum);
}
int main(void)
{
    int sum = 0, i;
#pragma cppc init
#pragma cppc register(first, sum, i)
    for (i = 0; i < 20; i++) {
#pragma cppc checkpoint
        solve(add_first, add_second, &sum);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
