/* A checkpoint in a loop. Local variables are copied to the record before the call. */
void advance(double *u, int n)
{
    int i;

#pragma cppc register(i, n, u[n])
    for (i = 0; i < n; i++) {
#pragma cppc checkpoint
        u[i] = 0.5 * u[i];
    }
}
