/* So would a return. */
int main(void)
{
    int k = 1;
#pragma cppc init
#pragma cppc execute
    if (k == 2)
        return 1;
//      ~~~~~~ error[C0417] a jump out of an `execute` block
    k = 2;
#pragma cppc end execute
#pragma cppc checkpoint
#pragma cppc shutdown
    return k - 2;
}
