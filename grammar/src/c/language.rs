//! The variant of C: which words the standard and the compiler reserve, and how they read literals.
//!
//! Input: the predefined macros of the compiler.
//! Output: the language, which lexing and keywords depend on.
//! Postcondition: a word is a keyword here exactly if the compiler treats it as one.

/// The variant of C of one compiler run, derived from its predefined macros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// `-std=c11` and similar, in contrast to `-std=gnu11`.
    pub strict: bool,
    /// `__STDC_VERSION__`, or 199000 if it is not defined.
    pub version: u32,
    /// `??=` is `#`.
    pub trigraphs: bool,
    /// The major version of clang, or 0 for gcc and others.
    pub clang: u32,
    /// One bit for each type of `OPTIONAL_TYPES` that the compiler has.
    pub types: u16,
}

impl Default for Language {
    /// The C of gcc without flags, with all optional types.
    fn default() -> Language {
        Language { strict: false, version: 201_710, trigraphs: false, clang: 0, types: u16::MAX }
    }
}

impl Language {
    /// Derives the language from predefined macros. `defined` returns the text of a macro.
    pub fn of_predefined<'a>(defined: impl Fn(&str) -> Option<&'a str>) -> Language {
        let version = defined("__STDC_VERSION__").and_then(leading_number).unwrap_or(199_000);
        let strict = defined("__STRICT_ANSI__").is_some();
        let clang = defined("__clang_major__").and_then(leading_number).unwrap_or(0);
        let has_type = |at: usize| defined(OPTIONAL_TYPES[at].1).is_some();
        let types = (0..OPTIONAL_TYPES.len()).filter(|&at| has_type(at)).map(|at| 1 << at).sum();
        Language { strict, version, trigraphs: strict && version < 202_000, clang, types }
    }

    pub fn c99(self) -> bool {
        self.version >= 199_901
    }

    /// True if digit separators, `u8'c'` and `#elifdef` are available. Compilers had them before the keywords
    /// of C23.
    pub fn c2x(self) -> bool {
        self.version >= 202_000
    }

    pub fn c23(self) -> bool {
        self.version >= 202_311
    }

    /// True if `u"…"`, `U"…"` and `u8"…"` are literals.
    pub fn unicode_literals(self) -> bool {
        self.version >= 201_112 || self.c99() && !self.strict
    }

    /// True if `R"(…)"` is a literal.
    pub fn raw_strings(self) -> bool {
        self.c99() && !self.strict && (self.clang == 0 || self.clang >= 20)
    }
}

fn leading_number(text: &str) -> Option<u32> {
    let digits = text.trim().bytes().take_while(u8::is_ascii_digit).count();
    text.trim()[..digits].parse().ok()
}

/// Types that not every compiler has, each with the macro that shows it.
const OPTIONAL_TYPES: [(&str, &str); 13] = [
    ("_Float16", "__FLT16_MANT_DIG__"),
    ("_Float32", "__FLT32_MANT_DIG__"),
    ("_Float64", "__FLT64_MANT_DIG__"),
    ("_Float128", "__FLT128_MANT_DIG__"),
    ("_Float32x", "__FLT32X_MANT_DIG__"),
    ("_Float64x", "__FLT64X_MANT_DIG__"),
    ("_Float128x", "__FLT128X_MANT_DIG__"),
    ("__float128", "__SIZEOF_FLOAT128__"),
    ("__float80", "__SIZEOF_FLOAT80__"),
    ("_Decimal32", "__DEC32_MANT_DIG__"),
    ("_Decimal64", "__DEC64_MANT_DIG__"),
    ("_Decimal128", "__DEC128_MANT_DIG__"),
    ("__int128", "__SIZEOF_INT128__"),
];

/// The condition under which a word is a keyword.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// In GNU modes only.
    Gnu,
    /// In GNU modes, and in strict ones from C99 on.
    GnuOrC99,
    C99,
    C23,
    /// In GNU modes, and in strict ones from C23 on.
    GnuOrC23,
    /// If the compiler has this type of `OPTIONAL_TYPES`.
    Type(u8),
}

impl When {
    fn holds(self, language: Language) -> bool {
        match self {
            When::Always => true,
            When::Gnu => !language.strict,
            When::GnuOrC99 => !language.strict || language.c99(),
            When::C99 => language.c99(),
            When::C23 => language.c23(),
            When::GnuOrC23 => !language.strict || language.c23(),
            When::Type(at) => language.types >> at & 1 == 1,
        }
    }
}

/// True if the word is a keyword of the language.
pub fn is_keyword(word: &str, language: Language) -> bool {
    KEYWORDS.iter().any(|&(keyword, when)| keyword == word && when.holds(language))
}

/// All keywords of the language.
pub fn keywords(language: Language) -> impl Iterator<Item = &'static str> {
    let holds = move |&&(_, when): &&(&str, When)| when.holds(language);
    KEYWORDS.iter().filter(holds).map(|&(keyword, _)| keyword)
}

const KEYWORDS: &[(&str, When)] = &[
    ("auto", When::Always),
    ("break", When::Always),
    ("case", When::Always),
    ("char", When::Always),
    ("const", When::Always),
    ("continue", When::Always),
    ("default", When::Always),
    ("do", When::Always),
    ("double", When::Always),
    ("else", When::Always),
    ("enum", When::Always),
    ("extern", When::Always),
    ("float", When::Always),
    ("for", When::Always),
    ("goto", When::Always),
    ("if", When::Always),
    ("int", When::Always),
    ("long", When::Always),
    ("register", When::Always),
    ("return", When::Always),
    ("short", When::Always),
    ("signed", When::Always),
    ("sizeof", When::Always),
    ("static", When::Always),
    ("struct", When::Always),
    ("switch", When::Always),
    ("typedef", When::Always),
    ("union", When::Always),
    ("unsigned", When::Always),
    ("void", When::Always),
    ("volatile", When::Always),
    ("while", When::Always),
    ("inline", When::GnuOrC99),
    ("restrict", When::C99),
    ("asm", When::Gnu),
    ("typeof", When::GnuOrC23),
    ("_Alignas", When::Always),
    ("_Alignof", When::Always),
    ("_Atomic", When::Always),
    ("_Bool", When::Always),
    ("_Complex", When::Always),
    ("_Generic", When::Always),
    ("_Imaginary", When::Always),
    ("_Noreturn", When::Always),
    ("_Static_assert", When::Always),
    ("_Thread_local", When::Always),
    ("_BitInt", When::C23),
    ("alignas", When::C23),
    ("alignof", When::C23),
    ("bool", When::C23),
    ("constexpr", When::C23),
    ("false", When::C23),
    ("nullptr", When::C23),
    ("static_assert", When::C23),
    ("thread_local", When::C23),
    ("true", When::C23),
    ("typeof_unqual", When::C23),
    ("__alignof", When::Always),
    ("__alignof__", When::Always),
    ("__asm", When::Always),
    ("__asm__", When::Always),
    ("__attribute", When::Always),
    ("__attribute__", When::Always),
    ("__auto_type", When::Always),
    ("__builtin_choose_expr", When::Always),
    ("__builtin_offsetof", When::Always),
    ("__builtin_tgmath", When::Always),
    ("__builtin_types_compatible_p", When::Always),
    ("__builtin_va_arg", When::Always),
    ("__builtin_va_list", When::Always),
    ("__complex", When::Always),
    ("__complex__", When::Always),
    ("__const", When::Always),
    ("__const__", When::Always),
    ("__extension__", When::Always),
    ("__imag", When::Always),
    ("__imag__", When::Always),
    ("__inline", When::Always),
    ("__inline__", When::Always),
    ("__label__", When::Always),
    ("__real", When::Always),
    ("__real__", When::Always),
    ("__restrict", When::Always),
    ("__restrict__", When::Always),
    ("__signed", When::Always),
    ("__signed__", When::Always),
    ("__thread", When::Always),
    ("__typeof", When::Always),
    ("__typeof__", When::Always),
    ("__volatile", When::Always),
    ("__volatile__", When::Always),
    ("_Float16", When::Type(0)),
    ("_Float32", When::Type(1)),
    ("_Float64", When::Type(2)),
    ("_Float128", When::Type(3)),
    ("_Float32x", When::Type(4)),
    ("_Float64x", When::Type(5)),
    ("_Float128x", When::Type(6)),
    ("__float128", When::Type(7)),
    ("__float80", When::Type(8)),
    ("_Decimal32", When::Type(9)),
    ("_Decimal64", When::Type(10)),
    ("_Decimal128", When::Type(11)),
    ("__int128", When::Type(12)),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn language(macros: &[(&'static str, &'static str)]) -> Language {
        Language::of_predefined(|name| {
            macros.iter().find(|(defined, _)| *defined == name).map(|&(_, text)| text)
        })
    }

    #[test]
    fn the_mode_decides_what_is_a_keyword() {
        let gnu17 = language(&[("__STDC_VERSION__", "201710L")]);
        let c90 = language(&[("__STRICT_ANSI__", "1")]);
        let c11 = language(&[("__STRICT_ANSI__", "1"), ("__STDC_VERSION__", "201112L")]);
        let gnu23 = language(&[("__STDC_VERSION__", "202311L")]);
        let of = |word: &str| [c90, c11, gnu17, gnu23].map(|mode| is_keyword(word, mode));
        assert_eq!(of("asm"), [false, false, true, true]);
        assert_eq!(of("typeof"), [false, false, true, true]);
        assert_eq!(of("inline"), [false, true, true, true]);
        assert_eq!(of("restrict"), [false, true, true, true]);
        assert_eq!(of("bool"), [false, false, false, true]);
        assert_eq!(of("__const"), [true; 4]);
        assert_eq!(of("_Generic"), [true; 4]);
        assert!(c11.trigraphs && c90.trigraphs && !gnu17.trigraphs && !gnu23.trigraphs);
    }

    #[test]
    fn optional_types_are_keywords_where_the_compiler_has_them() {
        let gcc = language(&[("__FLT128_MANT_DIG__", "113"), ("__SIZEOF_INT128__", "16")]);
        assert!(is_keyword("_Float128", gcc) && is_keyword("__int128", gcc));
        assert!(!is_keyword("_Float32", gcc));
        for (at, (name, _)) in OPTIONAL_TYPES.iter().enumerate() {
            let only = Language { types: 1 << at, ..gcc };
            let all: Vec<&str> = OPTIONAL_TYPES.iter().map(|&(name, _)| name).collect();
            let found: Vec<&str> = all.into_iter().filter(|word| is_keyword(word, only)).collect();
            assert_eq!(found, [*name]);
        }
    }
}
