/* Characters that C has no use for. */
int main(void)
{
    char c = 'a;
//           ~~~ error[C0104]
//           ~~~ error[C0201] '`'a;`'
#pragma cppc init
    c = c @ 1;
//        ~ error[C0114] '`@`'
#pragma cppc shutdown
    return c;
}
