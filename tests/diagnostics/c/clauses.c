/* Clauses and parts of directives on their own, twice, or with the wrong bracket. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc end
//           ~~~ error[C0307] '`end`' 'end execute'
#pragma cppc capture(i)
//           ~~~~~~~ error[C0307] '`capture`' 'execute'
#pragma cppc execute capture(i) capture(i)
//                              ~~~~~~~ error[C0309] '`capture`' 'twice'
    i = 1;
#pragma cppc end execute
#pragma cppc register(i]
//                     ~ error[C0308] '`(`' '`]`'
#pragma cppc checkpoint
#pragma cppc shutdown
    return i - 1;
}
