static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* A call through a pointer to procedures. */
int advance(int n)
{
    int (*f)(int) = step;

    return f(n);
}
