/* A pointer to memory that is not registered is passed to a procedure that registers it without elements. Nothing else saves
 * the memory, so it is saved with the size of its allocation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(char *name)
{
    int step;
    size_t sum = 0;
#pragma cppc register(name[0], step, sum)
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        sum += strlen(name);
        name[step] = 'A';
        printf("%s %zu\n", name, sum);
        fflush(stdout);
    }
}

int main(void)
{
    char *name;

#pragma cppc init
    name = malloc(8);
    if (!name)
        return 1;
    strcpy(name, "content");
    run(name);
#pragma cppc shutdown
    return 0;
}
