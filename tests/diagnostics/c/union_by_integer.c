/* Clauses that do not select the members of a union. */
struct item {
    int kind;
    union {
        long n;
        double x;
    } value;
};

struct two {
    int kind;
    union {
        long n;
        double x;
    } first, second;
};

union number {
    long n;
    double x;
};

struct holder {
    int kind;
    union {
        long n;
        double *list;
    } content;
};

int main(void)
{
    struct item item = {0};
    struct two two = {0};
    struct holder holder = {0};
    union number number = {0}, numbers[2] = {{0}};
    int kind = 0;
#pragma cppc init
#pragma cppc register(kind, item, by(kind), two, by(first, kind: 0 = n, 1 = x), number, by(kind))
//                                          ~~~ warning[C0440] `two` is saved as bytes, so a machine of a different architecture cannot restore it
#pragma cppc register(item, by(sort))
//                          ~~~~~~~~ error[C0466] `by(sort)` does not select the members of a union of `item`
#pragma cppc register(item, by(kind: 0 = n, 0 = x))
//                          ~~~~~~~~~~~~~~~~~~~~~~ error[C0466] `by(kind: 0 = n, 0 = x)` does not select the members of a union of `item`
#pragma cppc register(item, by(kind: 0 = n, 1 = y))
//                          ~~~~~~~~~~~~~~~~~~~~~~ error[C0466] `by(kind: 0 = n, 1 = y)` does not select the members of a union of `item`
#pragma cppc register(two, by(kind))
//                         ~~~~~~~~ error[C0466] `by(kind)` does not select the members of a union of `two`
#pragma cppc register(numbers, by(kind))
//                             ~~~~~~~~ error[C0466] `by(kind)` does not select the members of a union of `numbers`
#pragma cppc register(number, by(kind + 1))
//                            ~~~~~~~~~~~~ error[C0466] `by(kind + 1)` does not select the members of a union of `number`
#pragma cppc register(holder, by(kind))
//                    ~~~~~~ error[C0435] the field `list` of `holder` is a pointer in data that is saved as bytes
#pragma cppc checkpoint
#pragma cppc shutdown
    return item.kind + two.kind + holder.kind + (int) number.n + (int) numbers[0].n;
}
