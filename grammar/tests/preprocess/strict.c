// flags: -std=c11
??=define X(a, ...) a, ## __VA_ARGS__
X(1) X(1,2) X(1,)
#define Y(...) 0, ## __VA_ARGS__
Y() Y(1)
typeof asm inline linux unix u8"x" R"(x)"
