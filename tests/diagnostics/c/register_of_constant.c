/* Neither a `const` variable nor an enumerator nor a type can be put back. */
enum { LIMIT = 5 };
typedef int Count;

int main(void)
{
    const double weight = 0.5;
    Count k = 0;
#pragma cppc init
#pragma cppc register(weight)
//                    ~~~~~~ error[C0428] `weight` is constant
#pragma cppc register(LIMIT)
//                    ~~~~~ error[C0422] `LIMIT` is an enumeration constant
#pragma cppc register(Count)
//                    ~~~~~ error[C0422] `Count` is a type
#pragma cppc checkpoint
#pragma cppc shutdown
    return k + (int)weight;
}
