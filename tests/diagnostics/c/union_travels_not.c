/* A union, and a structure with bit-fields that is defined in a procedure, are saved as bytes, which is said. */
union number {
    int whole;
    float real;
};

int main(void)
{
    struct flags {
        unsigned ready : 1;
        unsigned phase : 3;
    };
    union number number = {1};
    struct flags flags = {1, 2};
#pragma cppc init
#pragma cppc register(number)
//                    ~~~~~~ warning[C0440] `number` is saved as bytes, so a machine of a different architecture cannot restore it
#pragma cppc register(flags)
//                    ~~~~~ warning[C0440] `flags` is saved as bytes, so a machine of a different architecture cannot restore it
#pragma cppc checkpoint
#pragma cppc shutdown
    return number.whole - (int)flags.ready;
}
