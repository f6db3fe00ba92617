static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

/* A call in the expression of a `switch`. */
int advance(int n)
{
    switch (step(n)) {
    case 1:
        return 2;
    default:
        return 3;
    }
}
