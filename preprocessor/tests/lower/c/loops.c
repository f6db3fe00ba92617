double a[100], b[100];

void up(int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

void down(int n)
{
    int i, j;
    for (i = n - 1, j = 0; i >= 0; i -= 2, j++)
        a[i] = 0;
}

void until_break(unsigned n)
{
    for (unsigned i = 0; i != n; i = i + 1) {
        if (a[i] > 0)
            break;
        a[i] = 1;
    }
}
