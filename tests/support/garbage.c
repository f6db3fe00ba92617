/* Fills the stack below the first frame of the program with a pattern, before `main` begins.
 *
 * Fresh stack contains zeros. A variable that should be 0 and that a restart does not restore would then look
 * right by chance.
 */
__attribute__((constructor)) static void fill_stack(void)
{
    volatile unsigned char area[1 << 18];
    unsigned long at;
    for (at = 0; at < sizeof area; at++)
        area[at] = 0x5b;
}
