/* A call on the way to a checkpoint inside a statement expression cannot be taken out. */
static int step(int x)
{
#pragma cppc checkpoint
    return x + 1;
}

int main(void)
{
    int k = 0;
#pragma cppc init
#pragma cppc register(k)
    k = ({ int t = 2; step(t) + t; });
//                    ~~~~~~~ error[C0503] the call of `step` cannot be moved to a statement of its own
#pragma cppc shutdown
    return k - 5;
}
