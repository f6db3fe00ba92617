char *a = "open;
//        ~~~~~~ C0104 the string does not end on its line
char b = 'x;
//       ~~~ C0104 the character does not end on its line
#if 0
don't "care
#endif
int c @ d ` e;
//    ~ C0114 `@` is not a token of C
//        ~ C0114 ``` is not a token of C
int \ x;
//  ~ C0114 `\\` is not a token of C
#define IGNORED(x) nothing
IGNORED(@ `)
