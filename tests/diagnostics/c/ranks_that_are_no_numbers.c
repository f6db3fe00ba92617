/* The items of `ranks` are numbers of processes. */
int main(void)
{
    int i, n = 4;
#pragma cppc init
#pragma cppc register(i, n)
//                    ~ warning[C0506] `i` is registered, but no checkpoint is reached before its register ends
//                       ~ warning[C0506] `n` is registered, but no checkpoint is reached before its register ends
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint ranks(2, n)
//                               ~ error[C0313] `n` is not a number of processes
#pragma cppc checkpoint ranks(4:2)
//                            ~~~ error[C0313] `4:2` is not a number of processes
#pragma cppc checkpoint ranks()
//                           ~~ error[C0304] the list of `ranks` is empty
        n += i;
    }
#pragma cppc shutdown
    return n == 0;
}
