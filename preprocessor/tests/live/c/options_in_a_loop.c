/* The options of the program, with a checkpoint between two of them.
 * reports: getopt_long, optarg
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int option, sum = 0;
    static const struct option known[] = {{"add", required_argument, NULL, 'a'}, {NULL, 0, NULL, 0}};
#pragma cppc init
#pragma cppc register(option, sum)
    while ((option = getopt_long(argc, argv, "a:", known, NULL)) != -1) {
#pragma cppc checkpoint
        sum += atoi(optarg);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
