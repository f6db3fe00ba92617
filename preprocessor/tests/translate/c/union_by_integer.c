/* The members of unions are described with the values that select them. */
enum kind { WHOLE, REAL };

struct item {
    enum kind kind;
    union {
        long n;
        double x;
    } value;
};

union number {
    long n;
    double x;
};

int main(void)
{
    struct item items[3] = {{WHOLE, {1}}};
    union number number = {1};
    int kind = 0;
#pragma cppc init
#pragma cppc register(kind, items, by(kind: WHOLE = n, REAL = x), number, by(kind))
#pragma cppc checkpoint
#pragma cppc shutdown
    return kind + items[0].kind + (int) number.n;
}
