/* The program does not call MPI, but a library may. */
void advance(double *x);

int main(void)
{
    double x = 1;
#pragma cppc init
#pragma cppc register(x)
#pragma cppc checkpoint loop
    while (x < 100)
        advance(&x);
#pragma cppc shutdown
    return 0;
}
