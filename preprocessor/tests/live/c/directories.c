/* Positions in directories: one continues after the checkpoint, the others begin again or end.
 * reports: readdir
 */
#include <dirent.h>
#include <stdio.h>

static int count(const char *name)
{
    int found = 0;
    DIR *directory = opendir(name);
    while (directory && readdir(directory))
        found++;
    if (directory)
        closedir(directory);
    return found;
}

int main(void)
{
    int i, sum = 0;
    DIR *lasting;
#pragma cppc init
#pragma cppc execute
    lasting = opendir("/usr");
#pragma cppc end execute
    sum += count("/");
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += readdir(lasting) != NULL;
    }
    sum += count("/");
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
