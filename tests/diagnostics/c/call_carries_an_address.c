/* An address in a union that would have to be recorded with a call, because it is needed until the call returns. */
typedef int (*Operation)(int);

union holder {
    void *place;
    long number;
};

static int count;

static int step(int x)
{
#pragma cppc checkpoint
    return x + 1;
}

static int add(int x) { return x + count; }

static Operation chosen(int x)
{
#pragma cppc checkpoint
    return x > 2 ? add : step;
}

static union holder held(int x)
{
    union holder h;
#pragma cppc checkpoint
    h.number = x;
    return h;
}

static int use(Operation f, int x, union holder h) { return f(x) + (h.place == &count); }

int main(void)
{
    int i, s = 0;
#pragma cppc init
#pragma cppc register(i, s, count)
    for (i = 0; i < 3; i++) {
        s += use(chosen(i), step(i), held(0));
//                                   ~~~~~~~ error[C0519] an address cannot be recorded with this call
        s += chosen(i)(s);
    }
#pragma cppc shutdown
    return s;
}
