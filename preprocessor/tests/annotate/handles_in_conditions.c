/* Files that are opened in a condition, in a returned value, or in a declaration. A block contains only the call. */
#include <stdio.h>

static FILE *first;

static int start(void)
{
    FILE *second = fopen("second.txt", "w"); /* stays open */
    const char *name = "the  third.txt";
    FILE *third;
    if ((first = fopen("the  first.txt",
                       "w")) == NULL)
        return 1;
    if (second == NULL)
        return 2;
    else if (!(third = fopen(name, "r")))
        return 3;
    fprintf(second, "%p", (void *)third);
    return 0;
}

int main(void)
{
    double sum = 0;
    if (start() != 0)
        return 1;
    for (int k = 0; k < 9; k++) {
#pragma cppc checkpoint
        sum = sum * .5 + k;
        fprintf(first, "%d\n", k);
    }
    fclose(first);
    printf("%g\n", sum);
    return 0;
}
