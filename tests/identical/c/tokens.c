/* Tokens in every spelling; nothing here is for us, so every byte must stay.	Tabs	inside. */
#include <stddef.h>
#include <stdio.h>

#define PASTE(a, b) a##b
#define STRING(x) #x
#define MANY(first, ...) first, ##__VA_ARGS__
#define EMPTY
#define LONG_ONE(x) do { \
        (x)++;           \
    } while (0)

#if defined(NEVER) && \
    NEVER > 3
this is not C, and nobody looks
'#' it's only " skipped
#elif 1 // yes
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma omp_not really

%:define DIGRAPH(x) x <: 0 :>

static const char text[] = "a \"quoted\" // no comment /* neither */ \
continued" " and joined" "\x41\101\u00e9??/";
static const char letters[] = {'\'', '"', '\\', '\0', '\x7f', '/'};
static unsigned long long numbers[] = {0x1p3, 0b1011, 0777};

int main(void)
{
    int PASTE(va, lue) = 0, a[2] = <%1, 2%>; EMPTY
    LONG_ONE(value);
    int/**/b=a[0]+++a[1],c=b---value;/* glued */
    printf("%s %d %d %d %s\n", text, MANY(b, c, DIGRAPH(a)), STRING(a "b" 'c'));
    return letters[0] == 0 || numbers[1] != 11 || c > 100;
}
#pragma GCC diagnostic pop
