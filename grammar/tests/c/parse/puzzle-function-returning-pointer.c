// The body's parameters are those next to the name.
int (*pick(int which, int (*table[which])(int)))(int argument) { return table[which]; }
int *(*deep(void))[3];
char (*(*x[3])())[5];
void (*signal(int sig, void (*func)(int)))(int);
