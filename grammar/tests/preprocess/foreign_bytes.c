char *s = "éÿ"; /* þ */ char c = 'é'; // €
#define S(x) #x
S("é") S(a)
