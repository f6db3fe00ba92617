/* A directive and the statement after it are the body of a loop together. */
int step(int n)
{
#pragma cppc register(n)
    while (n > 3)
#pragma cppc checkpoint
        n--;
    return n;
}
