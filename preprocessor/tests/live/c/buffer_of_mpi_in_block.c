/* The buffer is attached in a block, or detached before the checkpoint.
 * reports: nothing
 */
int MPI_Buffer_attach(void *, int);
int MPI_Buffer_detach(void *, int *);
int MPI_Bsend(const void *, int, int, int, int, int);

static char buffer[1000], early[1000];

int main(void)
{
    int i, size;
    void *detached;
#pragma cppc init
    MPI_Buffer_attach(early, sizeof early);
    MPI_Buffer_detach(&detached, &size);
#pragma cppc execute
    MPI_Buffer_attach(buffer, sizeof buffer);
#pragma cppc end execute
#pragma cppc register(i)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        MPI_Bsend(&i, 1, 0, 0, 0, 0);
    }
    MPI_Buffer_detach(&detached, &size);
#pragma cppc shutdown
    return 0;
}
