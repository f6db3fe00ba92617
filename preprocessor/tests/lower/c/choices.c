int f(int);

int choose(int a, int b, int *p)
{
    if (p && *p > 0 || !f(a))
        a = 1;
    int c = a > b ? f(a) : b;
    int *q = p ? p : &c;
    c = a && f(b);
    while (1) {
        if (__builtin_expect(c < b, 0))
            return *q;
        c--;
    }
}
