/* Standard input that is read before `init`, and only before or only after the checkpoints. A file is no standard input.
 * reports: nothing
 */
#include <stdio.h>

static int next(FILE *from)
{
    return getc(from);
}

int main(void)
{
    int i, sum = 0, last = 0;
    FILE *file;
    if (scanf("%d", &sum) != 1)
        return 1;
#pragma cppc init
#pragma cppc execute file(file, "input.txt")
    file = fopen("input.txt", "r");
#pragma cppc end execute
    sum += next(file);
#pragma cppc register(i, sum, last)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += next(file);
    }
    if (scanf("%d", &last) == 1)
        sum += last;
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
