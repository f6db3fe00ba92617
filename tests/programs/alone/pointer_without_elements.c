/* A pointer to memory that is not registered is passed to a procedure that registers it without elements. A restart jumps over
 * the allocation, so it cannot pass the pointer again: this is reported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(const char *name)
{
    int step;
    size_t sum = 0;
#pragma cppc register(name[0], step, sum)
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        sum += strlen(name) > 0;
    }
    printf("%zu\n", sum);
}

int main(void)
{
    char *name;

#pragma cppc init
    name = malloc(8);
    if (!name)
        return 1;
    strcpy(name, "text");
    run(name);
#pragma cppc shutdown
    return 0;
}
