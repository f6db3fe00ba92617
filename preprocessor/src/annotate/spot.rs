//! Positions of new lines in a source, and the lines themselves.
//!
//! Input: offsets between statements, and directives.
//! Output: the source with the directives.
//! Postcondition: the statements of the source are unchanged. A statement without braces may get some, and statements of
//! Fortran that share a line may get lines of their own.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cppc_source::{ShownLine, ShownLines, SourceFile};

use super::BLOCK;
use crate::front::Text;

/// A position between two statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub offset: u32,
    pub gap: Gap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// The beginning of a line.
    Line,
    /// In the middle of a line, which is divided.
    Within,
    /// Before a statement that has no braces in an `if` or a loop.
    Open,
    /// After such a statement, which begins at this offset. The inner one of two statements closes first.
    Close(Reverse<u32>),
    /// Before the action of `IF (…) action` in Fortran, which becomes a block.
    Then,
    /// At the `;` between two statements of Fortran. The end of the line replaces it.
    Separator,
    /// Text that is replaced.
    Replaced,
}

/// Around a statement that has no braces.
pub fn braces((start, end): (u32, u32)) -> (Spot, Spot) {
    (Spot { offset: start, gap: Gap::Open }, Spot { offset: end, gap: Gap::Close(Reverse(start)) })
}

/// Before a statement that begins at an offset.
pub fn before_line(text: &[u8], offset: u32) -> Spot {
    let start = line_start(text, offset);
    let is_first = text[start as usize..offset as usize].iter().all(u8::is_ascii_whitespace);
    match is_first {
        true => Spot { offset: start, gap: Gap::Line },
        false => Spot { offset, gap: Gap::Within },
    }
}

/// After a statement that ends at an offset. A comment in the same line stays with it.
pub fn after_line(text: &[u8], end: u32, comment: &[u8], block_comment: &[u8]) -> Spot {
    let rest = &text[end as usize..];
    let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let rest = rest[..length].trim_ascii();
    let closed = rest.starts_with(block_comment)
        && rest.ends_with(b"*/")
        && rest.windows(2).filter(|pair| pair == b"*/").count() == 1;
    let next = end + length as u32 + 1;
    match (rest.is_empty() || rest.starts_with(comment) || closed) && (next as usize) <= text.len() {
        true => Spot { offset: next, gap: Gap::Line },
        false => Spot { offset: end, gap: Gap::Within },
    }
}

/// After the last line.
pub fn end_of_text(text: &[u8]) -> Spot {
    let gap = if text.ends_with(b"\n") || text.is_empty() { Gap::Line } else { Gap::Within };
    Spot { offset: text.len() as u32, gap }
}

pub fn line_start(text: &[u8], offset: u32) -> u32 {
    text[..offset as usize].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at as u32 + 1)
}

/// The length of the semicolons and blanks at the beginning of a text.
pub fn separator_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b';' | b' ' | b'\t')).count()
}

/// What precedes a statement that was in the middle of a line.
fn blanks(text: &[u8], offset: u32, style: Style) -> Vec<u8> {
    let before = &text[line_start(text, offset) as usize..offset as usize];
    let blank = |&byte: &u8| if byte == b'\t' { b'\t' } else { b' ' };
    match style.keeps_columns {
        true => before.iter().map(blank).collect(),
        false => before.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).copied().collect(),
    }
}

/// A call that is moved to a block of its own.
pub struct Separated {
    /// The gaps for the block.
    pub before: Spot,
    pub after: Spot,
    /// The block is after the statement, not before it.
    pub is_after: bool,
    /// A declaration that the block needs.
    pub declaration: Option<String>,
    pub statement: String,
    /// The text from here to an offset is replaced.
    pub at: Spot,
    pub end: u32,
    pub text: String,
}

/// The directives of one spot, in the order in which they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// `end execute`, `init`: they belong to the statement before.
    pub closing: Vec<String>,
    /// Statements, and procedures without directives. They are not indented.
    pub statements: Vec<String>,
    /// The items of one or more `register` directives.
    pub registered: Vec<String>,
    /// `execute` blocks, each with a statement.
    pub blocks: Vec<(ExecuteClauses, String)>,
    /// The text up to an offset is replaced by this one.
    pub replaced: Option<(u32, String)>,
    /// The clauses of an `execute` block around the statement after.
    pub block: Option<ExecuteClauses>,
    /// `shutdown`: it belongs to the statement after.
    pub opening: Vec<String>,
}

/// The clauses of an `execute` directive.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExecuteClauses {
    pub captures: Vec<String>,
    /// Handle and name.
    pub files: Vec<(String, String)>,
}

impl ExecuteClauses {
    pub fn add(&mut self, other: ExecuteClauses) {
        for capture in other.captures {
            if !self.captures.contains(&capture) {
                self.captures.push(capture);
            }
        }
        for file in other.files {
            if !self.files.contains(&file) {
                self.files.push(file);
            }
        }
    }

    fn written(&self) -> String {
        let mut words = "execute".to_owned();
        if !self.captures.is_empty() {
            words.push_str(&format!(" capture({})", self.captures.join(", ")));
        }
        for (handle, name) in &self.files {
            words.push_str(&format!(" file({handle}, {name})"));
        }
        words
    }
}

/// The end of an `execute` block.
pub const END_EXECUTE: &str = "end execute";

/// The end of a block in Fortran that was `IF (…) action`.
pub const END_IF: &str = "end if";

/// How directives are written.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// `#pragma cppc `, `!$cppc `.
    pub sentinel: &'static str,
    /// Before a statement.
    pub indent: &'static str,
    pub columns: usize,
    /// Text stays in its columns if its line is divided: in fixed form, what is behind the last column is no part of a
    /// statement.
    pub keeps_columns: bool,
}

/// A directive in a line of its own.
#[derive(Debug)]
pub struct Line {
    pub text: String,
    /// The items of a `register` directive, or the whole directive. `execute` for any block.
    pub items: Vec<String>,
}

impl Lines {
    /// Removes items such as `l%head` if `l` is an item too. A register of a derived type saves its components.
    pub fn remove_components(&mut self) {
        let all = self.registered.clone();
        let is_part = |item: &str, of: &str| item.strip_prefix(of).is_some_and(|rest| rest.starts_with('%'));
        self.registered.retain(|item| !all.iter().any(|other| is_part(item, other)));
    }

    pub fn written(&self, style: Style) -> Vec<Line> {
        let line =
            |words: &str, items: Vec<String>| Line { text: format!("{}{words}", style.sentinel), items };
        let directive = |words: &String| line(words, vec![words.clone()]);
        let register = |items: Vec<String>| line(&format!("register({})", items.join(", ")), items);
        let mut lines: Vec<Line> = self.closing.iter().map(directive).collect();
        let statement = |text: &String| Line { text: format!("{}{text}", style.indent), items: Vec::new() };
        lines.extend(self.statements.iter().map(statement));
        let (mut items, mut length) = (Vec::new(), 0);
        for item in &self.registered {
            let longer = style.sentinel.len() + "register()".len() + length + ", ".len() + item.len();
            if !items.is_empty() && longer > style.columns {
                lines.push(register(std::mem::take(&mut items)));
                length = 0;
            }
            length += if items.is_empty() { 0 } else { ", ".len() } + item.len();
            items.push(item.clone());
        }
        if !items.is_empty() {
            lines.push(register(items));
        }
        for (block, text) in &self.blocks {
            lines.push(line(&block.written(), vec![BLOCK.to_owned()]));
            lines.push(statement(text));
            lines.push(directive(&END_EXECUTE.to_owned()));
        }
        lines.extend(self.block.iter().map(|block| line(&block.written(), vec![BLOCK.to_owned()])));
        lines.extend(self.opening.iter().map(directive));
        lines
    }
}

/// The text with all lines. A new line has the number of the line after it.
pub fn inserted(file: &SourceFile, all: &BTreeMap<Spot, Lines>, style: Style) -> Text {
    let (mut bytes, mut numbers, mut at) = (Vec::with_capacity(file.bytes.len()), Vec::new(), 0);
    let mut line = 1;
    let copy = |from: usize, to: usize, line: &mut u32, bytes: &mut Vec<u8>, numbers: &mut Vec<ShownLine>| {
        let text = &file.bytes[from..to];
        bytes.extend_from_slice(text);
        for _ in text.iter().filter(|&&byte| byte == b'\n') {
            numbers.push(file.shown_line(*line));
            *line += 1;
        }
    };
    for (spot, lines) in all {
        if spot.gap == Gap::Separator && *lines == Lines::default() {
            continue;
        }
        copy(at, spot.offset as usize, &mut line, &mut bytes, &mut numbers);
        at = spot.offset as usize;
        let written = lines.written(style);
        match spot.gap {
            Gap::Open => bytes.push(b'{'),
            Gap::Then => bytes.extend_from_slice(b"then"),
            Gap::Separator => at += separator_length(&file.bytes[at..]),
            Gap::Line | Gap::Within | Gap::Close(_) | Gap::Replaced => {}
        }
        if let Some((end, text)) = &lines.replaced {
            bytes.extend_from_slice(text.as_bytes());
            line += file.bytes[at..*end as usize].iter().filter(|&&byte| byte == b'\n').count() as u32;
            at = *end as usize;
        }
        if spot.gap != Gap::Line && !written.is_empty() {
            bytes.push(b'\n');
            numbers.push(file.shown_line(line));
        }
        for directive in &written {
            bytes.extend_from_slice(directive.text.as_bytes());
            bytes.push(b'\n');
            numbers.push(file.shown_line(line));
        }
        match spot.gap {
            Gap::Close(_) => bytes.push(b'}'),
            Gap::Then if !style.keeps_columns => bytes.extend_from_slice(style.indent.as_bytes()),
            Gap::Then | Gap::Separator => bytes.extend(blanks(&file.bytes, at as u32, style)),
            Gap::Line | Gap::Within | Gap::Open | Gap::Replaced => {}
        }
    }
    copy(at, file.bytes.len(), &mut line, &mut bytes, &mut numbers);
    numbers.push(file.shown_line(line));
    let known = file.shown().cloned().unwrap_or_default();
    let shown = ShownLines { lines: numbers, has_new_lines: true, ..known };
    Text { bytes, shown: Some(shown) }
}
