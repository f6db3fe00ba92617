/* Empty brackets behind what is not a pointer, and behind another size. */
#include <stdlib.h>
int main(void)
{
    double *field = malloc(80), table[4];
#pragma cppc init
#pragma cppc register(table[])
//                    ~~~~~~~ error[C0427] `table[]` has empty brackets, and `table` is not a pointer
#pragma cppc register(field[3][])
//                    ~~~~~~~~~~ error[C0427] `field[3][]` has empty brackets behind a size
#pragma cppc checkpoint
#pragma cppc shutdown
    return field == 0 || table == 0;
}
