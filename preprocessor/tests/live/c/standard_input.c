/* Standard input after the checkpoint, also through a variable of a called procedure, and through a descriptor.
 * reports: getc
 */
#include <stdio.h>
#include <unistd.h>

static int next(FILE *from)
{
    return getc(from);
}

int main(int argc, char **argv)
{
    int i, sum = 0;
    FILE *input = argc > 1 ? NULL : stdin;
#pragma cppc init
    if (next(input) != 'a')
        return 1;
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += next(input);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return argv == NULL;
}
