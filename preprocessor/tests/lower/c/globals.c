int n, m;
static int size;
double a[100];
void change(void) { n = 1; }
static int *other = &m;

void loops(void)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i];
    for (int i = 0; i < size; i++)
        change();
    for (int i = 0; i < m; i++)
        *other = i;
}

long numbers(int *p)
{
    unsigned long number = (unsigned long) &size;
    *(int *) (number + 4) = 2;
    return (long) p % 8 + ((int *) ((unsigned long) p & ~7ul))[0];
}
