/* Exercises: `errno` is the same after a checkpoint as before it. */
#include <errno.h>
#include <stdio.h>

int main(void)
{
    int i, kept = 0;
#pragma cppc init
#pragma cppc register(i, kept)
    for (i = 0; i < 8; i++) {
        errno = ERANGE;
#pragma cppc checkpoint
        /* A restart does not set `errno`. */
        kept += errno == ERANGE || errno == 0;
    }
    printf("%d\n", kept);
#pragma cppc shutdown
    return 0;
}
