/* A checkpoint in a case of a `switch`, which goes on into the next case. */
int step(int n)
{
    switch (n) {
    case 0:
#pragma cppc checkpoint
        n++;
    case 1:
        return n + 1;
    default:
        return 0;
    }
}
