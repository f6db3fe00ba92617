static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* The value of the inner call is an argument of the outer one. */
int advance(int n)
{
    return step(step(n));
}
