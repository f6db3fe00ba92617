int x;
static int y = 3;
static int *const both[2] = { &x, [1] = &y };
struct entry { const char *name; int *at; } entries[] = { { "x", &x }, { .at = &y + 1 } };

int main(void)
{
    static int *last = &x;
    int local[4] = { 1, [2] = y };
    char text[] = "text";
    return *both[0] + *last + local[0] + text[0];
}
