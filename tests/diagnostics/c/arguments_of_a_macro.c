/* Arguments that a macro makes cannot be captured one by one: they are evaluated again in a restart. */
#define BOTH(x) x, x + 1

static int step(int x, int y)
{
#pragma cppc checkpoint
    return x + y;
}

int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc register(i)
    i = step(BOTH(i));
//           ~~~~~~~ warning[C0512] an argument made by a macro is evaluated again on a restart
#pragma cppc checkpoint
#pragma cppc shutdown
    return i - 1;
}
