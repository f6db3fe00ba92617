double a[10][20];

double sum(int n, int m, double v[n][m], double *flat)
{
    double s = 0;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 20; j++)
            s += a[i][j] + flat[i * 20 + j];
    for (int i = 0; i < n; i++)
        s += v[i][m - 1] + flat[i * m];
    double work[n];
    work[0] = s;
    return work[n - 1];
}
