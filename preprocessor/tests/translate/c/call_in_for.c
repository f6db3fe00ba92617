static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* Calls in the parts of a `for`. */
int advance(int n)
{
    int i, sum = 0;

#pragma cppc register(i, n, sum)
    for (i = step(0); step(i) < n; i = step(i))
        sum += i;
    return sum;
}
