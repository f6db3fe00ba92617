static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* Operands of `&&` and `||` are evaluated only if the operand before them says so. */
int advance(int n)
{
    if (n > 3 && step(n) < 7)
        n++;
    return n;
}
