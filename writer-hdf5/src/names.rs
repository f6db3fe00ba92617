//! Names of registers as names in a file.
//!
//! In: any text. Out: a name that the library takes for one link, not for a path. Holds afterwards:
//! different texts have different names, and each text can be had back from its name.

use std::collections::HashSet;

/// Letters that mean something in a path, or here.
fn is_odd(letter: char) -> bool {
    matches!(letter, '/' | '%' | '~') || letter.is_control()
}

/// What stands for the text in a file: odd letters as `%` and their bytes in hexadecimal.
pub fn escaped(text: &str) -> String {
    match text {
        "" => return "%".to_owned(),
        "." | ".." => return text.replace('.', "%2E"),
        _ => {}
    }
    let mut name = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_odd(letter) {
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

/// Paths that were given out.
#[derive(Debug, Default)]
pub struct Paths {
    taken: HashSet<String>,
}

impl Paths {
    /// The path, with a number behind it when it was given out before.
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
            ("100%", "100%25"),
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
