static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* A call in an initializer: the declaration is split, and a restart does not evaluate the call before. */
int advance(int n)
{
    int b = step(n), c = b + 1;

    return b + c;
}
