/* Exercises: text in declared arrays and on the heap, lengths with `strlen`, embedded zeros. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

int main(void)
{
    char name[16] = "a";
    char *text;
    size_t length;
    int i;

#pragma cppc init
    text = malloc(1);
    text[0] = '\0';
    length = 1;
#pragma cppc register(i, name, text[length])
    for (i = 0; i < 7; i++) {
#pragma cppc checkpoint
        size_t old = strlen(text);
        char *next = malloc(old + 4);
        memcpy(next, text, old);
        next[old] = (char)('a' + i);
        next[old + 1] = name[strlen(name) - 1];
        next[old + 2] = '-';
        next[old + 3] = '\0';
        free(text);
        text = next;
        length = old + 4;
#pragma cppc register(text[strlen(text) + 1])
        name[strlen(name)] = (char)('b' + i);
        printf("%s %s %zu\n", text, name, length);
    }
    free(text);
#pragma cppc shutdown
    return 0;
}
