/* Literals that the program changes, and one that it does not change.
   reports: *q, p->k */
#include <stdio.h>
typedef struct { int k; double d; } box;
static int *q = (int[]) { 1, 2 };
static int sum(const int *list)
{
    return list[0] + list[1];
}
int main(void)
{
    box *p = &(box) { .k = 9, .d = 1 };
    const int *fixed = (int[]) { 3, 4 };
    int i, all = 0;
#pragma cppc init
#pragma cppc register(i, all)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        p->k += i;
        *q += p->k;
        all += sum(fixed) + sum((int[]) { i, i + 1 });
    }
    printf("%d %d %d\n", p->k, *q, all);
#pragma cppc shutdown
    return 0;
}
