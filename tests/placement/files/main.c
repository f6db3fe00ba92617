/*
 * passes: 6
 * The loop is in another file.
 */
void work(double *x, int n);

int main(void)
{
    static double x[80];
    for (int i = 0; i < 80; i++)
        x[i] = i;
    work(x, 80);
    return 0;
}
