/* A pointer argument is not captured: a restart passes the address of the same variable. */
static void step(double *u, int n)
{
#pragma cppc register(n, u[n])
#pragma cppc checkpoint
    u[0] += 1;
}

void advance(void)
{
    double u[8] = {0};

    step(u, 8);
}
