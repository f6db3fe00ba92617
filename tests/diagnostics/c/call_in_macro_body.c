/* The expansion contains the name of its macro. In place, it would be expanded again. */
static int step(int x)
{
#pragma cppc checkpoint
    return x + 1;
}

#define step(v) ((v) = step(v))

int main(void)
{
    int k = 0;
#pragma cppc init
#pragma cppc register(k)
    step(k);
//  ~~~~~~~ error[C0502] the call to instrumented `step` is inside a macro
#pragma cppc shutdown
    return k - 1;
}
