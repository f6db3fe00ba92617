int outer(int n)
{
    __label__ done;
    int total = 0;
    int add(int k) { if (k > 100) goto done; total += k; return total; }
    int m = ({ int t = add(n); t + 1; });
    int v __attribute__((vector_size(16))) = { 1, 2 };
    v[0] = m ?: total;
    _Complex double z = m;
    __real__ z = 2;
    asm volatile("" ::: "memory");
    asm("nop" : "=r"(m) : "r"(n));
    total += (struct { int a, b; }) { 1, n }.b;
done:
    return _Generic(m, int: total, default: 0);
}
