//! The words that preprocessing needs, as names that are the same in every unit.
//!
//! Postcondition: in a unit's `Names` the punctuators come first, followed by these words.

use crate::c::lexer::PUNCTUATORS;
use crate::c::token::{Name, Names};

/// The initial names of a unit.
pub fn names() -> Names {
    let mut names = Names::default();
    for text in PUNCTUATORS.iter().chain(WORDS) {
        names.intern(text);
    }
    names
}

macro_rules! words {
    ($($name:ident = $text:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($name,)* }
        const WORDS: &[&str] = &[$($text,)*];
        $(pub const $name: Name = Name(PUNCTUATORS.len() as u32 + Index::$name as u32);)*
    };
}

words! {
    ASSERT = "assert",
    DEFINE = "define",
    DEFINED = "defined",
    ELIF = "elif",
    ELIFDEF = "elifdef",
    ELIFNDEF = "elifndef",
    ELSE = "else",
    EMBED = "embed",
    ENDIF = "endif",
    ERROR = "error",
    IDENT = "ident",
    IF = "if",
    IFDEF = "ifdef",
    IFNDEF = "ifndef",
    IMPORT = "import",
    INCLUDE = "include",
    INCLUDE_NEXT = "include_next",
    LINE = "line",
    ONCE = "once",
    POP_MACRO = "pop_macro",
    PRAGMA = "pragma",
    PRAGMA_OPERATOR = "_Pragma",
    PUSH_MACRO = "push_macro",
    SCCS = "sccs",
    STDC = "STDC",
    TRUE = "true",
    UNASSERT = "unassert",
    UNDEF = "undef",
    VA_ARGS = "__VA_ARGS__",
    VA_OPT = "__VA_OPT__",
    WARNING = "warning",
}

/// The name of a punctuator as a compile-time constant.
const fn punctuator(text: &str) -> Name {
    let mut index = 0;
    while index < PUNCTUATORS.len() {
        if same(PUNCTUATORS[index].as_bytes(), text.as_bytes()) {
            return Name(index as u32);
        }
        index += 1;
    }
    panic!("no such punctuator")
}

const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

pub const LEFT_PAREN: Name = punctuator("(");
pub const RIGHT_PAREN: Name = punctuator(")");
pub const COMMA: Name = punctuator(",");
pub const ELLIPSIS: Name = punctuator("...");
pub const HASH: Name = punctuator("#");
pub const HASH_HASH: Name = punctuator("##");
pub const LESS: Name = punctuator("<");
pub const GREATER: Name = punctuator(">");
pub const LEFT_SHIFT: Name = punctuator("<<");
pub const RIGHT_SHIFT: Name = punctuator(">>");
pub const LESS_EQUAL: Name = punctuator("<=");
pub const GREATER_EQUAL: Name = punctuator(">=");
pub const EQUAL: Name = punctuator("==");
pub const NOT_EQUAL: Name = punctuator("!=");
pub const PLUS: Name = punctuator("+");
pub const MINUS: Name = punctuator("-");
pub const STAR: Name = punctuator("*");
pub const SLASH: Name = punctuator("/");
pub const PERCENT: Name = punctuator("%");
pub const AND: Name = punctuator("&");
pub const OR: Name = punctuator("|");
pub const CARET: Name = punctuator("^");
pub const TILDE: Name = punctuator("~");
pub const NOT: Name = punctuator("!");
pub const AND_AND: Name = punctuator("&&");
pub const OR_OR: Name = punctuator("||");
pub const QUESTION: Name = punctuator("?");
pub const COLON: Name = punctuator(":");
