/* The value of `return` is kept until the frame of the runtime has ended. */
int last(int *u, int n)
{
#pragma cppc checkpoint
    if (n == 0)
        return -1;
    return u[n - 1];
}
