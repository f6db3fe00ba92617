//! Names of registers as names in a file.
//!
//! Input: any text.
//! Output: a name that the library treats as one link, not as a path.
//! Postcondition: different texts have different names, and each text can be recovered from its name.

use std::collections::HashSet;

/// Whether a character has a meaning in a path or in escapes, given the text after it.
fn is_odd(letter: char, rest: &str) -> bool {
    matches!(letter, '/' | '~') || letter.is_control() || (letter == '%' && is_code(rest))
}

/// Whether a `%` before this text would be read as an escape. In names of Fortran, `%` follows the name of a
/// module and lowercase letters follow.
fn is_code(rest: &str) -> bool {
    rest.bytes().take(2).filter(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F')).count() == 2
}

/// The text with such characters as `%` and their bytes in hexadecimal.
pub fn escaped(text: &str) -> String {
    match text {
        "" => return "%".to_owned(),
        "." | ".." => return text.replace('.', "%2E"),
        "%" => return "%25".to_owned(),
        _ => {}
    }
    let mut name = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        if is_odd(letter, &text[at + letter.len_utf8()..]) {
            let mut bytes = [0; 4];
            for byte in letter.encode_utf8(&mut bytes).bytes() {
                name.push_str(&format!("%{byte:02X}"));
            }
        } else {
            name.push(letter);
        }
    }
    name
}

/// The paths that are in use.
#[derive(Debug, Default)]
pub struct Paths {
    taken: HashSet<String>,
}

impl Paths {
    /// The path, with a number appended if it is in use already.
    pub fn distinct(&mut self, path: String) -> String {
        let mut chosen = path.clone();
        let mut number = 1;
        while !self.taken.insert(chosen.clone()) {
            number += 1;
            chosen = format!("{path}~{number}");
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_letters_are_escaped_and_others_are_not() {
        for (text, name) in [
            ("grid", "grid"),
            ("s->a[3].b", "s->a[3].b"),
            ("a/b", "a%2Fb"),
            ("mesh%u", "mesh%u"),
            ("mesh%fab", "mesh%fab"),
            ("mesh%FAB", "mesh%25FAB"),
            ("100%", "100%"),
            ("a%/b", "a%%2Fb"),
            ("a%2/b", "a%2%2Fb"),
            ("a%25", "a%2525"),
            ("%", "%25"),
            ("", "%"),
            (".", "%2E"),
            ("..", "%2E%2E"),
            (".a", ".a"),
            ("tab\there~", "tab%09here%7E"),
            ("größe", "größe"),
            ("\u{85}", "%C2%85"),
        ] {
            assert_eq!(escaped(text), name);
        }
    }

    #[test]
    fn the_same_path_is_given_once() {
        let mut paths = Paths::default();
        assert_eq!(paths.distinct("/a".to_owned()), "/a");
        assert_eq!(paths.distinct("/a".to_owned()), "/a~2");
        assert_eq!(paths.distinct("/a".to_owned()), "/a~3");
    }
}
