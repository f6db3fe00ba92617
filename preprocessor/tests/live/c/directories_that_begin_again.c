/* Directories that are opened or rewound after the checkpoint.
 * reports: nothing
 */
#include <dirent.h>
#include <stdio.h>

static int count(DIR *directory)
{
    int found = 0;
    while (readdir(directory))
        found++;
    return found;
}

int main(void)
{
    int i, sum = 0;
    DIR *lasting, *other;
#pragma cppc init
#pragma cppc execute
    lasting = opendir("/usr");
#pragma cppc end execute
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        rewinddir(lasting);
        sum += count(lasting);
        other = opendir("/");
        sum += count(other);
        closedir(other);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
