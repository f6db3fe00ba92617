/* A call that leads to a checkpoint from within an execute block. */
static int step(int x)
{
#pragma cppc checkpoint
    return x + 1;
}

int main(void)
{
    int k = 1;
#pragma cppc init
#pragma cppc execute
    k = step(1);
//      ~~~~~~~ error[C0504] call to instrumented `step` inside an execute block
#pragma cppc end execute
#pragma cppc shutdown
    return k - 2;
}
