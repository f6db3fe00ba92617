/* The fields of a structure without a name cannot be described when it is declared in a list. */
struct outer {
    struct { int a, b; } pair[3];
    double weight;
};

int main(void)
{
    static struct outer outer;
#pragma cppc init
#pragma cppc register(outer.pair)
//                    ~~~~~~~~~~ error[C0434] the structure of `outer.pair` has no name
#pragma cppc checkpoint
#pragma cppc shutdown
    return outer.pair[0].a;
}
