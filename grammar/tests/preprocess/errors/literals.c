char *a = "open;
//        ~~~~~~ C0104 the string does not end on its line
char b = 'x;
//       ~~~ C0104 the character does not end on its line
#if 0
don't "care
#endif
int c @ d ` e;
//    ~ C0114 `@` means nothing in C
//        ~ C0114 ``` means nothing in C
int \ x;
//  ~ C0114 `\\` means nothing in C
#define IGNORED(x) nothing
IGNORED(@ `)
