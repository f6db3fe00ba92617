/* A pointer without a number of elements: the pointer itself or what it points to? */
#include <stdlib.h>

int main(void)
{
    double *field;
#pragma cppc init
    field = malloc(10 * sizeof *field);
#pragma cppc register(field)
//                    ~~~~~ error[C0425] 'pointer' 'size' 'field['
#pragma cppc checkpoint
    free(field);
#pragma cppc shutdown
    return 0;
}
