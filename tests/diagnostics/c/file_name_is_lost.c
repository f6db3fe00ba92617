/* Names of files that a restart would ask for before they are made. */
#include <stdio.h>

static char last[32];
static FILE *part;

static void open_part(int number, const char *path)
{
    char name[32];
    snprintf(name, sizeof name, "%s.%d", path, number);
#pragma cppc execute file(part, name)
//                              ~~~~ warning[C0442] `name` may have another value in a restart
    part = fopen(name, "w");
#pragma cppc end execute
#pragma cppc execute capture(name) file(part, name)
    part = fopen(name, "w");
#pragma cppc end execute
#pragma cppc execute file(part, path)
    part = fopen(path, "w");
#pragma cppc end execute
}

int main(int argc, char **argv)
{
    const char *early = argc > 1 ? argv[1] : "early";
    int i = 0;
    FILE *out = NULL, *parts[2] = {NULL, NULL};
#pragma cppc init
    snprintf(last, sizeof last, "last.%d", argc);
#pragma cppc execute file(out, early) file(parts[1], last)
//                                                   ~~~~ warning[C0442] `last` may have another value in a restart
    out = fopen(early, "w");
    parts[1] = fopen(last, "w");
#pragma cppc end execute
#pragma cppc register(last)
#pragma cppc execute file(parts[1], last)
    parts[1] = fopen(last, "w");
#pragma cppc end execute
    open_part(1, "part");
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        fprintf(out, "%d\n", i);
    }
#pragma cppc shutdown
    return part == NULL;
}
