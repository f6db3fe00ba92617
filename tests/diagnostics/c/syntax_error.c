/* A missing semicolon: the place is told, nothing is written. */
int main(void)
{
    int k = 0
#pragma cppc init
#pragma cppc checkpoint
    return k;
//  ~~~~~~ error[C0201] expected `;` before `return`
}
