static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* A call of a procedure with a checkpoint: its argument is captured, because the restart repeats the call. */
void advance(int n)
{
    int i;

#pragma cppc register(i, n)
    for (i = 0; i < n; i++)
        step(i);
}
