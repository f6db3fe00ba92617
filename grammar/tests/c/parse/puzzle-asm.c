int renamed(int) __asm__("other") __attribute__((pure));
extern int kept asm("k"), plain;
asm(".globl nothing");
int f(int x) {
    asm("nop");
    __asm__ __volatile__("mov %1, %0" : "=r"(x) : "r"(x + 1) : "memory", "cc");
    asm volatile goto("" : : "r"(x) : : out);
    asm inline volatile("" ::: "memory");
    if (x) asm(""); else asm("");
out:
    return x;
}
