/* The loop, its body and the call are from the text of one macro, which contains its own name. There is one error for its use. */
static int step(int x)
{
#pragma cppc checkpoint
    return x + 1;
}

#define step(v) for (int i = 0; i < 3; i++) { int t = step(v); if (t > 2) (v) = step(t); }

int main(void)
{
    int k = 0;
#pragma cppc init
#pragma cppc register(k)
    step(k)
//  ~~~~~~~ error[C0502] the call to instrumented `step` is inside a macro
#pragma cppc shutdown
    return k;
}
