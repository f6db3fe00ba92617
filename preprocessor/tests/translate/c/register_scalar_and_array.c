/* Local variables, arrays and statics. */
static int calls;

void work(void)
{
    int n = 3;
    double a[4];

#pragma cppc register(n, a, calls)
#pragma cppc checkpoint
    a[0] = n + calls;
}
