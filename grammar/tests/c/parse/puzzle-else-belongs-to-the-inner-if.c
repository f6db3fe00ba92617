int f(int a, int b) {
    if (a)
        if (b)
            return 1;
        else
            return 2;
    if (a) while (b) if (a) b--; else a--;
    if (a) { if (b) return 3; } else return 4;
    return 5;
}
