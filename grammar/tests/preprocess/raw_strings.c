// compilers: gcc
/* Raw strings, which gcc has in its GNU modes: splices are part of them. */
R"(raw " \n)" LR"x(a)"b)x" u8R"()" R"(line
two \
three)" R"abcd(not )abc" the end)abcd"
#define S(x) #x
S(R"(a"\b)") R\
"(spliced prefix)" x\
R"(" not raw ")"
