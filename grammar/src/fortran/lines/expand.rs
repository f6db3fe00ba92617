//! Expands macros in lines, removes C comments and joins spliced lines.
//!
//! Input: a line of a preprocessed file.
//! Output: the line that the compiler proper reads, each byte with its origin.
//! Postcondition: text that is not an expansion is byte for byte the text of the file. The text and time for
//! macro expansion are limited.

use std::ops::Range;
use std::rc::Rc;

use cppc_source::{Diagnostic, FileId, Span};

use super::card::{first_solid, is_blank, Card};
use super::codes;
use super::macros::{begins_name, name_at, Macro, Part};
use super::state::Reader;

/// The maximum depth to which a macro with parameters may contain itself, which an argument can cause.
const NESTED: usize = 20;
/// The maximum nesting depth of macros and arguments.
const DEPTH_LIMIT: usize = 200;
/// The maximum length of the arguments of one macro, in bytes.
const ARGUMENT_LIMIT: usize = 1 << 20;
/// The maximum length of all expansions, in bytes.
const EXPANSION_LIMIT: usize = 1 << 24;
/// The number of bytes that are counted for a use with an empty expansion.
const USE_COST: usize = 16;

/// The expansion of a macro's use, and the offset at which the use ends.
type Use = (Vec<u8>, usize);

impl Reader<'_> {
    /// True if the compiler reads the line unchanged.
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

    /// Reads the line that begins at `start`, with the lines that belong to it. Returns the start of the next
    /// line.
    pub fn expanded_line(&mut self, bytes: &[u8], file: FileId, start: usize) -> usize {
        let mut expanded_line = std::mem::take(&mut self.expanded_line);
        expanded_line.text.clear();
        expanded_line.runs.clear();
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
                        expanded_line.push(&text, Span::new(file, at as u32, behind as u32));
                        at = behind;
                    }
                    None => {
                        expanded_line.copy(bytes, at..end, file);
                        at = end;
                    }
                }
                continue;
            } else if matches!(byte, b'\'' | b'"') {
                quote = Some(byte);
            }
            in_comment |= byte == b'!' && quote.is_none();
            expanded_line.copy(bytes, at..at + 1, file);
            at += 1;
        }
        let next = (at + 1).min(bytes.len());
        let trimmed = expanded_line.text.iter().rposition(|&byte| byte != b'\r').map_or(0, |last| last + 1);
        let end = at - usize::from(at > start && bytes[at - 1] == b'\r');
        let line = Span::new(file, start as u32, end as u32);
        self.card(&Card { text: &expanded_line.text[..trimmed], line, runs: Some(&expanded_line.runs) });
        self.expanded_line = expanded_line;
        next
    }

    /// The offset after a C comment. `None` if the comment does not end; then it is treated as text.
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

    /// Expands the use of a macro whose name is at `name` in the file. `None` if it is not a use.
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
        // The arguments of a macro in a comment end with the line.
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
        self.expansion_bytes += substituted.len() + USE_COST;
        if self.expansion_bytes > EXPANSION_LIMIT {
            self.stop("text of macros");
            return None;
        }
        active.push(word);
        let mut result = Vec::with_capacity(substituted.len());
        self.rescan(&substituted, active, &mut result);
        // The expansion may end with the name of a macro whose arguments follow it.
        while let Some((start, next)) = self.waiting(&result, active) {
            let Some(word) = name_at(&result, start).map(<[u8]>::to_vec) else { break };
            let Some((given, behind)) = arguments(text, end) else { break };
            let Some(given) = self.fitting(&next, given, file, &name) else { break };
            result.truncate(start);
            active.push(word);
            let substituted = substitute(&next, &given);
            self.expansion_bytes += substituted.len() + USE_COST;
            if active.len() >= DEPTH_LIMIT || self.expansion_bytes > EXPANSION_LIMIT {
                self.stop("text of macros");
                break;
            }
            self.rescan(&substituted, active, &mut result);
            end = behind;
        }
        Some((result, end))
    }

    /// The macro with parameters whose name is at the end of a text.
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

    /// Returns as many arguments as there are parameters, or reports a diagnostic. Arguments are substituted
    /// unexpanded: macros in them are expanded with the rest of the text, except where the body has the
    /// argument in quotes.
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

    /// Expands all macros in a text except those that are being expanded.
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
        if text.len() > EXPANSION_LIMIT {
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

/// The arguments in parentheses, and the offset after them. They may extend over several lines.
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

/// The start of the next line, if a backslash at `at` joins it to this one.
pub fn splice(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at + 1..];
    let newline = rest.iter().position(|&byte| byte == b'\n' || !is_blank(byte))?;
    (rest[newline] == b'\n').then_some(at + 1 + newline + 1)
}

fn ends_spliced(line: &[u8]) -> bool {
    line.iter().rev().find(|&&byte| !is_blank(byte)) == Some(&b'\\')
}
