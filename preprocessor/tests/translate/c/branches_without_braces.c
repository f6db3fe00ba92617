/* A directive and the statement after it are the body of a branch together. */
int step(int n)
{
    if (n > 3)
#pragma cppc checkpoint
        n--;
    else
        n++;
    return n;
}
