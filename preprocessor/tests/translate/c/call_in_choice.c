static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* `?:` evaluates one of its operands. */
int advance(int n)
{
    return n > 3 ? step(n) : -n;
}
