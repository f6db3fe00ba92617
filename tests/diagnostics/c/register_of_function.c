/* A procedure is not memory to be saved. */
static int work(int x)
{
    return x + 1;
}

int main(void)
{
    int k = work(1);
#pragma cppc init
#pragma cppc register(k, work)
//                       ~~~~ error[C0422] `work` is a function
#pragma cppc checkpoint
#pragma cppc shutdown
    return k;
}
