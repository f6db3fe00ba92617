/* The program changes the text of an argument after `init`.
   reports: argv */
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    int i;
    long s = 0;
    char *equals = argc > 1 ? strchr(argv[1], '=') : NULL;
#pragma cppc init
    if (equals)
        *equals = 0;
#pragma cppc register(i, s)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        s += strlen(argv[1]);
    }
    printf("%zu %ld\n", strlen(argv[1]), s);
#pragma cppc shutdown
    return 0;
}
