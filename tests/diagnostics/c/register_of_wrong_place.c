/* What lies where nothing can be put back: a variable in a machine register, a bit-field,
 * an expression with an effect. */
struct flags {
    unsigned int ready : 1;
    int count;
};

int main(void)
{
    register struct flags fast = {1, 0};
    struct flags flags = {0, 0};
    int table[4] = {0}, i = 0;
#pragma cppc init
#pragma cppc register(table, i)
#pragma cppc register(fast)
//                    ~~~~ error[C0429] `fast` is in a variable declared `register`
#pragma cppc register(flags.ready)
//                    ~~~~~~~~~~~ error[C0430] `flags.ready` is a bit-field
#pragma cppc register(table[i++])
//                    ~~~~~~~~~~ error[C0432] `table[i++]` changes something when it is evaluated
#pragma cppc checkpoint
#pragma cppc shutdown
    return fast.count + flags.count + table[i];
}
