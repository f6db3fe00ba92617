/* The options of the program: `optind` is needed after the checkpoint, `getopt` is not called there.
 * reports: optind
 */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int i, option, sum = 0;
#pragma cppc init
    while ((option = getopt(argc, argv, "ab")) != -1)
        sum += option;
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += argv[optind][0];
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
