/* Fills the unused stack, and all memory that the program will allocate, with a pattern.
 *
 * Fresh memory contains zeros. A variable that should be 0 and that a restart does not restore would then look
 * right by chance.
 */
#include <malloc.h>

__attribute__((noinline)) static void fill_stack(void)
{
    volatile unsigned char area[1 << 18];
    unsigned long at;
    for (at = 0; at < sizeof area; at++)
        area[at] = 0x5b;
}

/* A function of its own: the stack of the constructors that come after it begins where that of `main` begins. */
__attribute__((constructor)) static void fill_memory(void)
{
#ifdef M_PERTURB
    mallopt(M_PERTURB, 0xa5);
#endif
    fill_stack();
}
