/* Labels of the program stay as they are. */
int count(int n)
{
#pragma cppc register(n)
again:
#pragma cppc checkpoint
    if (++n < 5)
        goto again;
    return n;
}
