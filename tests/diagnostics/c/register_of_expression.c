/* Only what has a place can be registered. */
static int value(void)
{
    return 1;
}

int main(void)
{
    int i = value(), k = 2;
#pragma cppc init
#pragma cppc register(i + k)
//                    ~~~~~ error[C0423] `i + k` names no memory
#pragma cppc checkpoint
#pragma cppc shutdown
    return i - k;
}
