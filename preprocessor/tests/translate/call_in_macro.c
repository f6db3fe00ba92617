/* The expansion of the macro is in place of its use. The line numbers stay the same. */
#define CHECK(call) do { if ((call) != 0) return 1; } while (0)

static int step(int *x)
{
#pragma cppc checkpoint
    return ++*x > 10;
}

int main(void)
{
    int k = 0;
#pragma cppc init
#pragma cppc register(k)
    CHECK(
        step(&k));
#pragma cppc shutdown
    return 0;
}
