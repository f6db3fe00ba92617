char *a = "open;
//        ~~~~~~ error[C0104] the string does not end on its line
char b = 'x;
//       ~~~ error[C0104] the character does not end on its line
#if 0
don't "care
#endif
int c @ d ` e;
//    ~ error[C0114] `@` is not a token of C
//        ~ error[C0114] ``` is not a token of C
int \ x;
//  ~ error[C0114] `\\` is not a token of C
#define IGNORED(x) nothing
IGNORED(@ `)
