not seen
#define MACRO (1)
