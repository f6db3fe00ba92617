#define REPEAT(count) for (int k = 0; k < count; k++) { x += k; }

int main(void)
{
    double x = 1;
#pragma cppc init
#pragma cppc register(x)
#pragma cppc checkpoint loop
    x = x + 1;
    if (x > 1)
#pragma cppc checkpoint loop
        for (int i = 0; i < 4; i++) x += i;
    for (int i = 0; i < 4; i++) {
        x += i;
#pragma cppc checkpoint loop
    }
#pragma cppc checkpoint loop
    REPEAT(4)
#pragma cppc shutdown
    return x > 100;
}
