//! Lines in which macros are expanded, comments of C taken out and spliced lines joined.
//!
//! In: a line of a preprocessed file. Out: the line that the compiler proper reads, each byte with
//! its origin. Holds afterwards: what no macro made is byte for byte the file's; text and time that macros
//! can cost are bounded.

use std::ops::Range;
use std::rc::Rc;

use cppc_source::{Diagnostic, FileId, Span};

use super::card::{first_solid, is_blank, Card};
use super::codes;
use super::macros::{begins_name, name_at, Macro, Part};
use super::state::Reader;

/// How deep a macro with parameters may stand in itself, which an argument may bring about.
const NESTED: usize = 20;
/// How deep macros stand in each other, and arguments.
const DEPTH_LIMIT: usize = 200;
/// How long the arguments of one macro are.
const ARGUMENT_LIMIT: usize = 1 << 20;
/// How much text all macros make.
const MADE_LIMIT: usize = 1 << 24;
/// What a use costs that makes nothing.
const USE_COST: usize = 16;

/// What a macro's use became, and where it ends.
type Use = (Vec<u8>, usize);

impl Reader<'_> {
    /// Whether a line is for the compiler as it stands.
    pub fn is_untouched(&mut self, line: &[u8]) -> bool {
        let mut at = 0;
        while let Some(&byte) = line.get(at) {
            if let Some(name) = name_at(line, at) {
                if self.is_macro(name) {
                    return false;
                }
                at += name.len();
                continue;
            }
            if byte == b'/' && line.get(at + 1) == Some(&b'*') {
                return false;
            }
            at += 1;
        }
        !ends_spliced(line)
    }

    /// Reads the line that begins at `start`, with those that belong to it; gives the start of the next.
    pub fn expanded_line(&mut self, bytes: &[u8], file: FileId, start: usize) -> usize {
        let mut made = std::mem::take(&mut self.made);
        made.text.clear();
        made.runs.clear();
        let mut at = start;
        let mut quote: Option<u8> = None;
        let mut in_comment = false;
        while let Some(&byte) = bytes.get(at).filter(|&&byte| byte != b'\n') {
            if byte == b'\\' {
                if let Some(next) = splice(bytes, at) {
                    at = next;
                    continue;
                }
            }
            if let Some(open) = quote {
                quote = Some(open).filter(|&open| open != byte);
            } else if byte == b'/' && bytes.get(at + 1) == Some(&b'*') {
                if let Some(next) = self.behind_comment(bytes, file, at) {
                    at = next;
                    continue;
                }
            } else if let Some(name) = name_at(bytes, at) {
                let end = at + name.len();
                match self.invocation(bytes, at..end, file, in_comment) {
                    Some((text, behind)) => {
                        made.push(&text, Span::new(file, at as u32, behind as u32));
                        at = behind;
                    }
                    None => {
                        made.copy(bytes, at..end, file);
                        at = end;
                    }
                }
                continue;
            } else if matches!(byte, b'\'' | b'"') {
                quote = Some(byte);
            }
            in_comment |= byte == b'!' && quote.is_none();
            made.copy(bytes, at..at + 1, file);
            at += 1;
        }
        let next = (at + 1).min(bytes.len());
        let trimmed = made.text.iter().rposition(|&byte| byte != b'\r').map_or(0, |last| last + 1);
        let end = at - usize::from(at > start && bytes[at - 1] == b'\r');
        let line = Span::new(file, start as u32, end as u32);
        self.card(&Card { text: &made.text[..trimmed], line, runs: Some(&made.runs) });
        self.made = made;
        next
    }

    /// The place behind a comment of C. None when it does not end: then it is taken for text.
    pub fn behind_comment(&mut self, bytes: &[u8], file: FileId, at: usize) -> Option<usize> {
        if self.open_comment.is_some_and(|from| at >= from) {
            return None;
        }
        let end = memchr::memmem::find(&bytes[at + 2..], b"*/");
        if end.is_none() {
            self.open_comment = Some(at);
            let span = Span::new(file, at as u32, at as u32 + 2);
            let message = "a comment of the preprocessor does not end";
            self.report(
                Diagnostic::warning(codes::OPEN_COMMENT, span, message)
                    .help("write a blank between `/` and `*`, or end it with `*/`"),
            );
        }
        Some(at + 2 + end? + 2)
    }

    /// Expands the use of a macro whose name stands at `name` in the file. None when it is none.
    fn invocation(
        &mut self,
        bytes: &[u8],
        name: Range<usize>,
        file: FileId,
        in_comment: bool,
    ) -> Option<Use> {
        let word = &bytes[name.clone()];
        self.place = Span::new(file, name.start as u32, name.end as u32);
        let found = self.macro_named(word)?;
        // Nothing in a comment takes the lines behind it for its arguments.
        let end = match in_comment {
            true => memchr::memchr(b'\n', &bytes[name.end..]).map_or(bytes.len(), |at| name.end + at),
            false => bytes.len(),
        };
        let mut active = Vec::new();
        self.use_macro(&bytes[..end], name, &found, &mut active, Some(file))
    }

    fn use_macro(
        &mut self,
        text: &[u8],
        name: Range<usize>,
        found: &Rc<Macro>,
        active: &mut Vec<Vec<u8>>,
        file: Option<FileId>,
    ) -> Option<Use> {
        if active.len() >= DEPTH_LIMIT {
            self.stop("macros inside of each other");
        }
        if self.stopped {
            return None;
        }
        let word = text[name.clone()].to_vec();
        let (given, mut end) = match found.parameters {
            None => (Vec::new(), name.end),
            Some(_) => arguments(text, name.end)?,
        };
        let given = self.fitting(found, given, file, &name)?;
        let substituted = substitute(found, &given);
        self.made_bytes += substituted.len() + USE_COST;
        if self.made_bytes > MADE_LIMIT {
            self.stop("text of macros");
            return None;
        }
        active.push(word);
        let mut result = Vec::with_capacity(substituted.len());
        self.rescan(&substituted, active, &mut result);
        // What comes out may be the name of a macro that finds its arguments behind.
        while let Some((start, next)) = self.waiting(&result, active) {
            let Some(word) = name_at(&result, start).map(<[u8]>::to_vec) else { break };
            let Some((given, behind)) = arguments(text, end) else { break };
            let Some(given) = self.fitting(&next, given, file, &name) else { break };
            result.truncate(start);
            active.push(word);
            let substituted = substitute(&next, &given);
            self.made_bytes += substituted.len() + USE_COST;
            if active.len() >= DEPTH_LIMIT || self.made_bytes > MADE_LIMIT {
                self.stop("text of macros");
                break;
            }
            self.rescan(&substituted, active, &mut result);
            end = behind;
        }
        Some((result, end))
    }

    /// The macro with parameters whose name ends a text.
    fn waiting(&mut self, text: &[u8], active: &[Vec<u8>]) -> Option<(usize, Rc<Macro>)> {
        let solid = text.trim_ascii_end();
        let length = solid.iter().rev().take_while(|&&byte| super::macros::in_name(byte)).count();
        let start = solid.len() - length;
        let name = solid.get(start..).filter(|name| name.first().is_some_and(|&byte| begins_name(byte)))?;
        if active.iter().any(|word| word == name) {
            return None;
        }
        let found = self.macro_named(name)?;
        found.parameters.is_some().then_some((start, found))
    }

    /// As many arguments as there are parameters; or a diagnostic. They are put in as they are: macros in
    /// them are expanded with the rest, and not where the body has them in quotes.
    fn fitting(
        &mut self,
        found: &Macro,
        given: Vec<Vec<u8>>,
        file: Option<FileId>,
        name: &Range<usize>,
    ) -> Option<Vec<Vec<u8>>> {
        let Some(wanted) = found.parameters else { return Some(Vec::new()) };
        let mut given = given;
        if wanted == 0 && given.len() == 1 && given[0].trim_ascii().is_empty() {
            given.clear();
        }
        if found.variadic && given.len() > wanted {
            let rest = given.split_off(wanted - 1).join(&b","[..]);
            given.push(rest);
        }
        if given.len() != wanted {
            if let Some(file) = file {
                let span = Span::new(file, name.start as u32, name.end as u32);
                let message = format!("the macro takes {wanted} arguments, not {}", given.len());
                self.report(Diagnostic::warning(codes::ARGUMENT_COUNT, span, message));
            }
            return None;
        }
        Some(given)
    }

    /// Expands all macros in a text but those that are being expanded.
    pub fn rescan(&mut self, text: &[u8], active: &mut Vec<Vec<u8>>, out: &mut Vec<u8>) {
        let mut at = 0;
        let mut quote: Option<u8> = None;
        while let Some(&byte) = text.get(at) {
            let name = if quote.is_none() { name_at(text, at) } else { None };
            let Some(name) = name else {
                quote = match quote {
                    Some(open) => Some(open).filter(|&open| open != byte),
                    None => Some(byte).filter(|byte| matches!(byte, b'\'' | b'"')),
                };
                out.push(byte);
                at += 1;
                continue;
            };
            let end = at + name.len();
            let uses = active.iter().filter(|word| *word == name).count();
            let most = |found: &Rc<Macro>| if found.parameters.is_some() { NESTED } else { 1 };
            let found = self.macro_named(name).filter(|found| uses < most(found));
            let depth = active.len();
            let used = found.and_then(|found| self.use_macro(text, at..end, &found, active, None));
            active.truncate(depth);
            match used {
                Some((result, behind)) => {
                    out.extend_from_slice(&result);
                    at = behind;
                }
                None => {
                    out.extend_from_slice(&text[at..end]);
                    at = end;
                }
            }
        }
    }
}

fn substitute(found: &Macro, arguments: &[Vec<u8>]) -> Vec<u8> {
    let mut text = Vec::new();
    let argument = |index: usize| arguments.get(index).map_or(&[][..], Vec::as_slice);
    for part in &found.body {
        if text.len() > MADE_LIMIT {
            break;
        }
        match part {
            Part::Text(bytes) => text.extend_from_slice(bytes),
            Part::Argument(index) => text.extend_from_slice(argument(*index)),
            Part::Quoted(index) => {
                text.push(b'"');
                text.extend_from_slice(argument(*index));
                text.push(b'"');
            }
        }
    }
    text
}

/// The arguments in parentheses, and the place behind these. They may go on over lines.
fn arguments(text: &[u8], from: usize) -> Option<(Vec<Vec<u8>>, usize)> {
    let open = first_solid(text, from).filter(|&open| text[open] == b'(')?;
    let mut list = vec![Vec::new()];
    let (mut depth, mut at) = (0usize, open);
    let mut quote: Option<u8> = None;
    while at - open < ARGUMENT_LIMIT {
        let byte = *text.get(at)?;
        if byte == b'\\' {
            if let Some(next) = splice(text, at) {
                at = next;
                continue;
            }
        }
        let mut kept = byte;
        match (quote, byte) {
            (_, b'\n') => {
                if text.get(at + 1) == Some(&b'#') {
                    return None;
                }
                (quote, kept) = (None, b' ');
            }
            (Some(open), _) => quote = Some(open).filter(|&open| open != byte),
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => depth -= 1,
            (None, b',') if depth == 1 => {
                list.push(Vec::new());
                at += 1;
                continue;
            }
            (None, b'/') if text.get(at + 1) == Some(&b'*') => {
                at += 4 + memchr::memmem::find(&text[at + 2..], b"*/")?;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            return Some((list, at + 1));
        }
        if at > open {
            if let Some(last) = list.last_mut() {
                last.push(kept);
            }
        }
        at += 1;
    }
    None
}

/// The start of the next line, when a backslash at `at` joins it to this one.
pub fn splice(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at + 1..];
    let newline = rest.iter().position(|&byte| byte == b'\n' || !is_blank(byte))?;
    (rest[newline] == b'\n').then_some(at + 1 + newline + 1)
}

fn ends_spliced(line: &[u8]) -> bool {
    line.iter().rev().find(|&&byte| !is_blank(byte)) == Some(&b'\\')
}
