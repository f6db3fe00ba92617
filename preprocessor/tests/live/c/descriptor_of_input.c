/* Standard input through its descriptor, which a procedure gets.
 * reports: read
 */
#include <stdio.h>
#include <unistd.h>

static int next(int descriptor)
{
    char one = 0;
    return read(descriptor, &one, 1) == 1 ? one : 0;
}

int main(void)
{
    int i, sum = 0;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += next(STDIN_FILENO);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
