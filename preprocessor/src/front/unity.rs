//! Puts C sources that a source includes, as in unity builds, in place of their `#include` lines. Then directives in them
//! can be translated.
//!
//! Input: the text of a source.
//! Output: the text with the included sources, and the position of each line on the disk.
//! Postcondition: the text means the same to a compiler. Other lines are unchanged, except `#include` lines in included
//! sources, whose search begins in another directory now.

use std::path::{Path, PathBuf};

use cppc_source::{ShownLine, ShownLines};

use super::{Source, Text};
use crate::modules::values;

/// Sources that include each other more often are left to the compiler.
const PARTS_LIMIT: usize = 10_000;

/// Words of a source that mean something else in the main file.
const ONLY_INCLUDED: [&[u8]; 3] = [b"pragma once", b"include_next", b"__INCLUDE_LEVEL__"];

pub fn in_place(source: &Source, bytes: Vec<u8>) -> Text {
    let may_include = bytes.windows(3).any(|window| window == b".c\"" || window == b".c>");
    if !may_include || Lexer::of(&bytes).is_unclear {
        return Text { bytes, shown: None };
    }
    let main = directory(&source.path);
    let mut unity = Unity {
        searched: values(&source.flags, &["-iquote"])
            .into_iter()
            .chain(values(&source.flags, &["-I"]))
            .collect(),
        main,
        shown: ShownLines::default(),
        text: Vec::new(),
        open: vec![source.path.clone()],
    };
    unity.add(&bytes, 0, &source.path);
    if unity.shown.parts.is_empty() {
        return Text { bytes, shown: None };
    }
    let shown = ShownLines { itself: bytes, ..unity.shown };
    Text { bytes: unity.text, shown: Some(shown) }
}

struct Unity {
    /// The directories that are searched after that of the including file.
    searched: Vec<PathBuf>,
    /// The directory of the source.
    main: PathBuf,
    shown: ShownLines,
    text: Vec<u8>,
    /// The files that are being read. A source that includes itself is not put in place.
    open: Vec<PathBuf>,
}

impl Unity {
    /// Adds the text of a file. `part` is its number in the positions.
    fn add(&mut self, bytes: &[u8], part: u32, path: &Path) {
        let own = directory(path);
        let mut line = Lexer::default();
        for (number, text) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let is_start = line.is_start();
            line.read(text);
            let include = Include::of(text).filter(|_| is_start && line.is_start());
            if let Some((inner, content)) = include.as_ref().and_then(|include| self.source(include, &own)) {
                self.shown.parts.push(inner.clone());
                let part = self.shown.parts.len() as u32;
                self.open.push(inner.clone());
                self.add(&content, part, &inner);
                self.open.pop();
                continue;
            }
            self.shown.lines.push(ShownLine { part, number });
            match include.filter(|_| part != 0).and_then(|include| self.moved(&include, &own)) {
                Some(moved) => self.text.extend(moved),
                None => self.text.extend(text),
            }
        }
        if part != 0 && self.text.last().is_some_and(|&byte| byte != b'\n') {
            self.text.push(b'\n');
        }
    }

    /// The C source that an `#include` line names, if its text can be in another file.
    fn source(&self, include: &Include, own: &Path) -> Option<(PathBuf, Vec<u8>)> {
        let is_source = include.name.extension().is_some_and(|extension| extension == "c");
        if !is_source || self.shown.parts.len() >= PARTS_LIMIT {
            return None;
        }
        let path = self.find(include, own)?;
        let is_open = || {
            let name = path.canonicalize().ok();
            self.open.iter().any(|open| open.canonicalize().ok() == name)
        };
        if is_open() {
            return None;
        }
        let content = std::fs::read(&path).ok()?;
        let has = |word: &[u8]| content.windows(word.len()).any(|found| found == word);
        let end = Lexer::of(&content);
        let can_move = end.is_start() && !end.is_unclear && !ONLY_INCLUDED.iter().any(|word| has(word));
        can_move.then_some((path, content))
    }

    /// The file that the compiler includes. The name of a file between angle brackets must be absolute.
    fn find(&self, include: &Include, own: &Path) -> Option<PathBuf> {
        if !include.quoted && !include.name.is_absolute() {
            return None;
        }
        let directories = std::iter::once(own).chain(self.searched.iter().map(PathBuf::as_path));
        directories.map(|directory| directory.join(&include.name)).find(|path| path.is_file())
    }

    /// The line that includes the same file from the directory of the source. `None` if the line itself does.
    fn moved(&self, include: &Include, own: &Path) -> Option<Vec<u8>> {
        if !include.quoted || include.name.is_absolute() || own == self.main {
            return None;
        }
        let is_next_to = |directory: &Path| directory.join(&include.name).is_file();
        if !is_next_to(own) && !is_next_to(&self.main) {
            return None;
        }
        let name = match self.find(include, own).map(|path| std::path::absolute(&path).unwrap_or(path)) {
            Some(path) => format!("\"{}\"", path.to_str()?),
            None => format!("<{}>", include.name.to_str()?),
        };
        Some(format!("#include {name}\n").into_bytes())
    }
}

fn directory(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// A line that includes a file, and contains nothing else.
struct Include {
    name: PathBuf,
    quoted: bool,
}

impl Include {
    fn of(line: &[u8]) -> Option<Include> {
        let line = std::str::from_utf8(line).ok()?.trim();
        let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let (quoted, close) = match rest.chars().next()? {
            '"' => (true, '"'),
            '<' => (false, '>'),
            _ => return None,
        };
        let (name, after) = rest[1..].split_once(close)?;
        let after = after.trim();
        let is_comment =
            after.starts_with("//") || (after.starts_with("/*") && after.find("*/") == Some(after.len() - 2));
        (after.is_empty() || is_comment).then(|| Include { name: name.into(), quoted })
    }
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    Comment,
    /// A comment up to the end of the line.
    LineComment,
    /// Between two of this quote.
    Literal(u8),
}

/// Follows comments and literals from line to line.
#[derive(Debug, Default)]
struct Lexer {
    state: State,
    /// The last line ends with a backslash.
    is_spliced: bool,
    /// There may be a literal or a comment that this type does not recognise.
    is_unclear: bool,
}

impl Lexer {
    fn of(text: &[u8]) -> Lexer {
        let mut lexer = Lexer::default();
        text.split_inclusive(|&byte| byte == b'\n').for_each(|line| lexer.read(line));
        lexer
    }

    /// Whether the next line is the start of a logical line, outside of comments.
    fn is_start(&self) -> bool {
        self.state == State::Code && !self.is_spliced
    }

    fn read(&mut self, line: &[u8]) {
        let text = line.strip_suffix(b"\n").unwrap_or(line).trim_ascii_end();
        self.is_spliced = line.ends_with(b"\n") && text.ends_with(b"\\");
        let mut at = 0;
        while at < text.len() {
            let two = text.get(at..at + 2).unwrap_or_default();
            let mut length = 1;
            match (self.state, text[at]) {
                (State::Comment, _) if two == b"*/" => (self.state, length) = (State::Code, 2),
                (State::Literal(_), b'\\') => length = 2,
                (State::Literal(quote), byte) if byte == quote => self.state = State::Code,
                (State::Comment | State::LineComment | State::Literal(_), _) => {}
                (State::Code, _) if two == b"/*" => (self.state, length) = (State::Comment, 2),
                (State::Code, _) if two == b"//" => self.state = State::LineComment,
                (State::Code, quote @ (b'"' | b'\'')) => {
                    let before = at.checked_sub(1).map(|before| text[before]);
                    self.is_unclear |= before.is_some_and(|byte| byte == b'R' || byte.is_ascii_digit());
                    self.state = State::Literal(quote);
                }
                (State::Code, _) => {}
            }
            at += length;
        }
        if !self.is_spliced {
            // An apostrophe in a message of `#error` has no partner.
            self.is_unclear |=
                matches!(self.state, State::Literal(_)) && text.windows(2).any(|two| two == b"/*");
            if self.state != State::Comment {
                self.state = State::Code;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &Text) -> Vec<(u32, u32)> {
        text.shown.iter().flat_map(|shown| shown.lines.iter().map(|line| (line.part, line.number))).collect()
    }

    #[test]
    fn included_sources_are_put_in_place() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::create_dir(at("parts")).unwrap();
        std::fs::write(at("parts/a.c"), "#include \"own.h\"\n#include \"other.h\"\nint a;").unwrap();
        std::fs::write(at("parts/own.h"), "").unwrap();
        std::fs::write(at("other.h"), "").unwrap();
        std::fs::write(at("once.c"), "#pragma once\nint once;\n").unwrap();
        let main = "/*\n#include \"parts/a.c\"\n*/\n# include \"parts/a.c\" // first\n#include \"once.c\"\n#include \"unity.c\"\n#include \"gone.c\"\nint z;\n";
        let source = Source { path: at("unity.c"), flags: Vec::new() };
        std::fs::write(&source.path, main).unwrap();
        let text = in_place(&source, main.as_bytes().to_vec());
        let expected = format!("/*\n#include \"parts/a.c\"\n*/\n#include \"{}\"\n#include <other.h>\nint a;\n#include \"once.c\"\n#include \"unity.c\"\n#include \"gone.c\"\nint z;\n", at("parts/own.h").display());
        assert_eq!(String::from_utf8_lossy(&text.bytes), expected);
        let positions = [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (0, 5), (0, 6), (0, 7), (0, 8)];
        assert_eq!(lines(&text), positions);
        assert_eq!(text.shown.unwrap().parts, [at("parts/a.c")]);
    }

    #[test]
    fn literals_and_comments_hide_includes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.c");
        std::fs::write(&path, "int a;\n").unwrap();
        let include = format!("#include <{}>\n", path.display());
        let source = Source { path: directory.path().join("main.c"), flags: Vec::new() };
        let put = |before: &str| lines(&in_place(&source, format!("{before}{include}").into_bytes()));
        assert_eq!(put("char c = '\"'; /* \"*/\n"), [(0, 1), (1, 1)]);
        assert_eq!(put("char *c = \"/*\"; // '\n"), [(0, 1), (1, 1)]);
        assert_eq!(put("char *c = \"\\\n\"; /*\n*/\n"), [(0, 1), (0, 2), (0, 3), (1, 1)]);
        for hidden in [
            "// \\\n",
            "/*\n",
            "char *c = \"\\\n",
            "char *c = \"\\\n\"; /*\n",
            "char *c = R\"(\n",
            "#error don't /*\n",
        ] {
            assert_eq!(put(hidden), [], "{hidden}");
        }
    }
}
