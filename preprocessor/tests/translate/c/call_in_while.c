static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* A call in the condition of a loop comes into its body. */
int advance(int n)
{
#pragma cppc register(n)
    while (step(n) < 9)
        n++;
    return n;
}
