/* A list that is not closed. */
int main(void)
{
    int i = 0;
#pragma cppc init
    #pragma cppc register(i
//                       ~ error[C0303] `(` is never closed
#pragma cppc checkpoint
#pragma cppc shutdown
    return i;
}
