int count;

void jumps(int n)
{
    switch (n) {
    case 0:
        count = 1;
    case 1 ... 3:
        count = 2;
        break;
    default:
        goto out;
    }
again:
    if (count++ < n)
        goto again;
    do {
        if (n == 4)
            continue;
        n++;
    } while (n < 9);
out:
    count = 0;
}

void computed(int n)
{
    static void *table[] = { &&one, &&two };
    goto *table[n];
one:
    count = 1;
two:
    count = 2;
}
