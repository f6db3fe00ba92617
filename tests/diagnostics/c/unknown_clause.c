/* Clauses that the directives do not have. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc checkpoint every(5)
//                      ~~~~~~~~ error[C0305] '`checkpoint`' 'followed'
#pragma cppc execute captur(i)
//                   ~~~~~~ error[C0306] '`captur`' '`capture`'
    i = 1;
#pragma cppc end execute
#pragma cppc shutdown
    return i - 1;
}
