typedef int jmp_buf[8];
int _setjmp(jmp_buf);
void longjmp(jmp_buf, int);
void work(int);
jmp_buf env;

int protected(int n)
{
    int code = _setjmp(env);
    if (code == 0)
        work(n);
    return code;
}

void fail(void)
{
    longjmp(env, 1);
}
