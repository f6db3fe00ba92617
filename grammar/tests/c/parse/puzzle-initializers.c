typedef int T;
struct p { int x, y; } a = { x: 1, y: 2 }, b = { .y = 1, .x = 2 }, c[] = { [1] = { 3 }, [0].x = 4 };
int d[10] = { [2 ... 4] = 5, 6, [9] = 7, }, e[] = { [1] 2, [0] 3 }, g[3] = {};
struct q { struct p p[2]; } h = { .p[1].y = 1, .p = { [0] = { .x = 2 } } };
int *i = (int []) { 1, 2, sizeof(T) }, j = (T) { 1 };
struct p k(void) { return (struct p) { .x = 1 }; }
