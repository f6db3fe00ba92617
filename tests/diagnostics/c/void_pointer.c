/* A pointer to `void` or to an incomplete type has no elements to count. */
#include <stdlib.h>

struct hidden;
struct hidden *find(void);

int main(void)
{
    void *bytes;
    struct hidden *hidden = find();
#pragma cppc init
    bytes = malloc(10);
#pragma cppc register(bytes[10])
//                    ~~~~~ error[C????] 'void'
#pragma cppc register(hidden[1])
//                    ~~~~~~ error[C????] 'hidden' 'incomplete'
#pragma cppc checkpoint
    free(bytes);
#pragma cppc shutdown
    return hidden == 0;
}
