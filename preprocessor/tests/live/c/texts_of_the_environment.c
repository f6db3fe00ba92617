/* `putenv` keeps the text, so `getenv` reads what the program writes into it later. `setenv` makes a copy.
 * reports: local, text
 */
#include <stdio.h>
#include <stdlib.h>

static char text[] = "FIRST=1", copied[] = "1";

int main(void)
{
    char local[20] = "SECOND=1";
    int i, sum = 0;
#pragma cppc init
#pragma cppc register(i, sum)
#pragma cppc execute
    putenv(text);
    putenv(local);
    setenv("THIRD", copied, 1);
#pragma cppc end execute
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        sum += atoi(getenv("FIRST")) + atoi(getenv("SECOND")) + atoi(getenv("THIRD"));
        text[6] = (char)('2' + i);
        local[7] = (char)('4' + i);
        copied[0] = (char)('6' + i);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
