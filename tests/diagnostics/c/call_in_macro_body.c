/* A call that stands in the body of a macro has no place in this file. */
static int step(int x)
{
#pragma cppc checkpoint
    return x + 1;
}

#define ADVANCE(v) ((v) = step(v))

int main(void)
{
    int k = 0;
#pragma cppc init
#pragma cppc register(k)
    ADVANCE(k);
//  ~~~~~~~~~~ error[C0502] the call to instrumented `step` is inside a macro
#pragma cppc shutdown
    return k - 1;
}
