/* Clauses that the directives do not have. */
int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc checkpoint every(5)
//                      ~~~~~~~~ error[C0305] `checkpoint` is followed by something more
#pragma cppc execute captur(i)
//                   ~~~~~~ error[C0306] unknown clause `captur`
    i = 1;
#pragma cppc end execute
#pragma cppc shutdown
    return i - 1;
}
