void register_parts(void);
unsigned noise(void);
unsigned seldom(int step);
const char *title(int step);
int used(void);
