/* Clauses and parts of directives on their own, twice, or with the wrong bracket. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc end
//           ~~~ error[C0307] `end` without `execute`
#pragma cppc capture(i)
//           ~~~~~~~ error[C0307] `capture` is not a directive
#pragma cppc execute capture(i) capture(i)
//                              ~~~~~~~ error[C0309] the clause `capture` is given twice
    i = 1;
#pragma cppc end execute
#pragma cppc register(i]
//                     ~ error[C0308] `(` is closed by `]`
#pragma cppc checkpoint
#pragma cppc shutdown
    return i - 1;
}
