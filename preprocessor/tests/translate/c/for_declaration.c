/* A variable that a `for` declares. */
int sum(int n)
{
    int s = 0;

#pragma cppc register(n, s)
    for (int i = 0; i < n; i++) {
#pragma cppc register(i)
#pragma cppc checkpoint
        s += i;
    }
    return s;
}
