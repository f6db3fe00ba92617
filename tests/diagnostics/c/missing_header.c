/* A header that is not there. */
#include "no-such-header.h"
//       ~~~~~~~~~~~~~~~~~~ error[C0101] 'no-such-header.h'

int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return 0;
}
