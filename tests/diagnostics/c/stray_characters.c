/* Characters that C has no use for. */
int main(void)
{
    char c = 'a;
//           ~~~ error[C0104] the character does not end on its line
//           ~~~ error[C0201] expected an expression before `'a;`
#pragma cppc init
    c = c @ 1;
//        ~ error[C0114] `@` is not a token of C
#pragma cppc shutdown
    return c;
}
