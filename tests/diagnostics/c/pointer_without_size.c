/* A pointer without a number of elements: the pointer itself or what it points to? */
#include <stdlib.h>

int main(void)
{
    double *field;
#pragma cppc init
    field = malloc(10 * sizeof *field);
#pragma cppc register(field)
//                    ~~~~~ error[C0425] `field` is a pointer, and its size is not known
#pragma cppc checkpoint
    free(field);
#pragma cppc shutdown
    return 0;
}
