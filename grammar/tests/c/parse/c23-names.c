// Unnamed bit-fields of an enumeration, which C23's underlying types look like.
enum e { A };
struct s { enum e : 3; enum e x : 2; int y; };
