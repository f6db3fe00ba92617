/* So would a register. */
int main(void)
{
    int k = 1;
#pragma cppc init
#pragma cppc execute
    k = 2;
    #pragma cppc register(k)
//               ~~~~~~~~~~~ error[C0414] `register` within an `execute` block
#pragma cppc end execute
#pragma cppc checkpoint
#pragma cppc shutdown
    return k - 2;
}
