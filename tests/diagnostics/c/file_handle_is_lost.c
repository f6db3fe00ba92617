/* Handles that a restart would not have: one that is returned, which the replay of the call does not do; and the number
 * of a descriptor that is registered. */
#include <fcntl.h>
#include <stdio.h>

static FILE *open_part(const char *path)
{
    FILE *part, *kept;
#pragma cppc execute file(part, path) file(kept, "kept")
//                        ~~~~ warning[C0445] `part` is returned, and lost in a restart
    part = fopen(path, "w");
    kept = fopen("kept", "w");
#pragma cppc end execute
    if (part == NULL)
        return kept != NULL ? part : NULL;
    return (part);
}

int main(void)
{
    int i, out, other;
    FILE *parts[2];
#pragma cppc init
#pragma cppc execute file(out, "out") file(other, "other")
//                        ~~~ warning[C0446] `out` is registered
    out = open("out", O_WRONLY | O_CREAT, 0644);
    other = open("other", O_WRONLY | O_CREAT, 0644);
#pragma cppc end execute
    parts[0] = open_part("part");
#pragma cppc execute file(parts[1], "whole")
    parts[1] = fopen("whole", "w");
#pragma cppc end execute
#pragma cppc register(i, out)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        fprintf(parts[0], "%d\n", i);
    }
#pragma cppc shutdown
    return out + other;
}
