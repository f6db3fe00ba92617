/* Only libraries look at the arguments after `init`, or the program changes another text.
   reports: nothing */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int i, option, n = 3;
    char name[20];
    while ((option = getopt(argc, argv, "n:")) != -1)
        if (option == 'n')
            n = atoi(optarg);
#pragma cppc init
    strncpy(name, argv[0], sizeof name - 1);
    name[0] = 'x';
#pragma cppc register(i, n, name)
    for (i = 0; i < n; i++) {
#pragma cppc checkpoint
        printf("%s %s\n", name, argv[0]);
    }
#pragma cppc shutdown
    return 0;
}
