struct a { struct a { struct a { int x; } y; } z; };
union u { struct { union u { int i; } v; } w; };
struct b { int n[sizeof(struct b { struct b *next; })]; struct b inner[2]; };
struct a one; union u two; struct b three;
int main(void)
{
#pragma cppc init
#pragma cppc register(one, two, three)
#pragma cppc checkpoint
#pragma cppc shutdown
    return 0;
}
