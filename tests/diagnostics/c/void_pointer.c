/* A pointer to an incomplete type has no elements to count; one to `void` counts bytes. */
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
//                    ~~~~~~~~~ warning[C0440] `bytes[10]` is saved as bytes, so a machine of a different architecture cannot restore it
#pragma cppc register(hidden[1])
//                    ~~~~~~~~~ error[C0424] `hidden[1]` cannot be saved
#pragma cppc checkpoint
    free(bytes);
#pragma cppc shutdown
    return hidden == 0;
}
