/* With a null pointer, `mbrtowc` keeps the first bytes of a character itself.
 * reports: mbrtowc
 * all: found, mbrtowc, other
 */
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wchar_t found = 0, other = 0;
    char first[1] = {(char)0xc3}, next[1] = {(char)0xa9};
    mbstate_t state = {0};
    int i;
#pragma cppc init
#pragma cppc register(i, state, next[1])
    mbrtowc(&found, first, 1, NULL);
    mbrtowc(&other, first, 1, &state);
    for (i = 0; i < 2; i++) {
#pragma cppc checkpoint
        mbrtowc(&found, next, 1, NULL);
        mbrtowc(&other, next, 1, &state);
        printf("%d %d\n", (int)found, (int)other);
    }
#pragma cppc shutdown
    return 0;
}
