static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* A call in the condition of a branch comes before the branch. */
int advance(int n)
{
    if (step(n) > 3)
        n = 0;
    return n;
}
