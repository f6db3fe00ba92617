/* The program names `half[2]`, and the loop registers only the first two elements.
 * reports: half
 */
typedef struct {
    int count;
    double sum;
} Part;

static Part whole[4], half[4], fields[60];

int main(void)
{
    int i, k, n = 60;
#pragma cppc init
    for (k = 0; k < 4; k++) {
#pragma cppc register(whole[k].count, whole[k].sum)
    }
    for (k = 0; k < 2; k++) {
#pragma cppc register(half[k].count, half[k].sum)
    }
    for (k = 0; k < 60; k++) {
#pragma cppc register(fields[k].sum)
    }
#pragma cppc register(i, n)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        whole[i % 4].sum += i;
        half[i % 4].sum += i;
        fields[i].sum += n;
        n--;
    }
#pragma cppc shutdown
    return whole[1].sum + half[2].sum + fields[3].sum > 3;
}
