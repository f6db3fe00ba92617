/* A checkpoint is between two tokens of one text, so that a restart does not know the rest of the text.
 * reports: strtok
 */
#include <stdio.h>
#include <string.h>

static char text[] = "a b c d";

int main(void)
{
    int i;
    char *word;
#pragma cppc init
#pragma cppc register(i, text)
    word = strtok(text, " ");
    printf("%s\n", word);
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        printf("%s\n", strtok(NULL, " "));
    }
#pragma cppc shutdown
    return 0;
}
