/* A variable whose scope has ended where the directive stands, and one that comes later. */
int main(void)
{
    int sum = 0;
#pragma cppc init
    {
        int inner = 1;
        sum += inner;
    }
#pragma cppc register(sum, inner)
//                         ~~~~~ error[C0421] unknown name `inner`
#pragma cppc register(later)
//                    ~~~~~ error[C0421] unknown name `later`
    int later = 2;
#pragma cppc checkpoint
#pragma cppc shutdown
    return sum + later;
}
