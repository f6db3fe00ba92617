int main(void)
{
    int step = 0;
#pragma cppc init
#pragma cppc register(step)
#pragma cppc checkpoint
#pragma cppc shutdown
    return step;
}
