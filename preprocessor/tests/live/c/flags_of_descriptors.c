/* The flags of a descriptor are changed.
 * reports: fcntl
 */
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    int i, sum = 0;
#pragma cppc init
    fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += i;
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
