/* A header that is not there. */
#include "no-such-header.h"
//       ~~~~~~~~~~~~~~~~~~ error[C0101] the header `no-such-header.h` is not found

int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return 0;
}
