no line end
#define X 1
X
#if X
X
#endif