/* What is known of each procedure besides names and types. */
struct s { int a, b[3]; struct s *next; };
typedef int (*operation)(int);
int global, shared[4];
static int twice(int x)
{
    return x + x;
}
//= twice(1): variables x
static int thrice(int x);
operation table[] = { twice, &thrice };

void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
//= swap(2): variables a b t

int addresses(struct s *p, int n)
{
    int plain = 0, taken = 0, array[3], far[3];
    struct s local, other;
    swap(&taken, &n);
    swap(&local.a, &other.b[1]);
    swap(array, &far[2]);
    swap(&p->a, &p->b[plain]);
    swap(&*p->b, &global);
    int size = sizeof(&plain);
    return size;
}
//= addresses(2): variables p n plain taken array far local other size; taken global n taken far local other; calls swap swap swap swap swap

int assembler(int in, int other)
{
    int out, untouched = other;
    __asm__ volatile("mov %1, %0" : "=r"(out) : "m"(in) : "memory");
    return out + untouched;
}
//= assembler(2): variables in other out untouched; taken in out

int calls(operation by, struct s *p)
{
    int i = twice(thrice(1)) + by(2) + (*by)(3) + table[0](4) + (twice)(5) + (&twice)(6) + (*twice)(7);
    i += __builtin_popcount(i) + unknown(i) + (i ? twice(1) : sizeof(twice(2)));
    operation other = twice;
    return other(({ int k = thrice(i); k; }));
}
//= calls(2): variables by p i other k; calls twice thrice (pointer) (pointer) (pointer) twice twice twice __builtin_popcount unknown twice (pointer) thrice

int jumps(int n)
{
    __label__ inner;
    static void *targets[] = { &&first, &&second };
    if (n > 5)
        goto first;
    goto *targets[n];
first:
second:
    n--;
inner:
    if (n)
        goto inner;
    return n;
}
//= jumps(1): variables n; labels first second inner; gotos first inner; 3 computed

int outer(int n)
{
    int seen = 0, hidden = 0;
    int nested(int k)
    {
        int own = k;
        return seen + own;
    }
//= nested(1): variables k own
    register int fast = n;
    static int kept;
    extern int global;
    for (int i = 0; i < n; i++) {
        double inner = nested(i);
    }
    return nested(n);
}
//= outer(1): variables n seen hidden fast i inner; taken seen; calls nested nested

double old(n, values)
    int n;
    double *values;
{
    return values[n];
}
//= old(2): variables n values

int thrice(int x)
{
    return 3 * x;
}
//= thrice(1): variables x
