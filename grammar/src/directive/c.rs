//! A directive in C: the tokens of a pragma, and the tokens of each item.
//!
//! Input: a pragma.
//! Output: the directive, with its items as ranges of the pragma's tokens, with and without macro expansion.
//! Postcondition: spans are those of the tokens in their files, spliced lines included. The text of an item
//! is on one line and can be written again.

use std::ops::Range;

use cppc_source::{Diagnostic, Files, Span};

use super::explain::Fault;
use super::parse::parse;
use super::section::section_parts;
use super::tree::{Item, Kind, Language};
use crate::c::token::{Name, Names, Pragma, Token};
use crate::directive_words::{is_c_sentinel, is_misspelt};

#[derive(Debug, Clone)]
pub struct CDirective {
    /// From the first word of the directive to its last.
    pub span: Span,
    pub kind: Kind<CItem>,
}

/// An item: an lvalue and the brackets at its end. Their meaning depends on types, which the binder knows: a
/// count, or subscripts of the lvalue.
#[derive(Debug, Clone)]
pub struct CItem {
    pub span: Span,
    /// As the user wrote it: macros not expanded, each sequence of blanks as one blank.
    pub text: String,
    /// The lvalue without its trailing brackets: as written, and as tokens of `Pragma::expanded`.
    pub lvalue_text: String,
    pub lvalue: Range<usize>,
    /// The trailing brackets.
    pub counts: Vec<CCount>,
    /// Set for `deep(…)`. The lvalue is in its parentheses.
    pub deep: Option<CDeep>,
    /// Set for `a[lower:count].field`. The lvalue is `a`, and there are no counts.
    pub section: Option<CSection>,
    /// The clauses `by(…)` after the item, and those in `deep(…)`.
    pub by: Vec<CBy>,
}

/// `by(kind)`, `by(value, kind)`, `by(kind: WHOLE = n, REAL = x)`: the integer that selects the valid member of a union.
/// Ranges are those of `Pragma::expanded`.
#[derive(Debug, Clone)]
pub struct CBy {
    pub span: Span,
    pub text: String,
    /// The name of the union, if it is written.
    pub union: Option<Range<usize>>,
    pub integer: Range<usize>,
    pub integer_text: String,
    /// None: the values count the members from 0.
    pub cases: Option<Vec<CCase>>,
}

/// `WHOLE = n`. The member is empty if the union is empty for this value.
#[derive(Debug, Clone)]
pub struct CCase {
    pub value: Range<usize>,
    pub member: Range<usize>,
}

/// The elements of an array, or a field of each of them.
#[derive(Debug, Clone)]
pub struct CSection {
    /// One for each dimension.
    pub bounds: Vec<CBounds>,
    /// The names of the field: `site`, `link` in `a[0:n].site.link`. None if something else follows the brackets.
    pub path: Option<Vec<Name>>,
}

/// `[lower:count]`. A part that is not written is none.
#[derive(Debug, Clone)]
pub struct CBounds {
    /// Including the brackets.
    pub span: Span,
    pub lower: Option<CCount>,
    pub count: Option<CCount>,
}

/// What `deep(root, field: type, …)` states besides the root.
#[derive(Debug, Clone)]
pub struct CDeep {
    pub stated: Vec<CStated>,
    /// The closing parenthesis in `Pragma::expanded`.
    pub close: usize,
}

/// `field: type`: what the pointers in fields of this name point to. Ranges are those of `Pragma::expanded`.
#[derive(Debug, Clone)]
pub struct CStated {
    pub text: String,
    pub field: Range<usize>,
    pub type_name: Range<usize>,
}

impl CItem {
    /// Whether the last brackets are empty.
    pub fn is_allocation(&self) -> bool {
        self.counts.last().is_some_and(|count| count.tokens.is_empty())
    }

    /// The range of the whole item in `Pragma::expanded`.
    pub fn tokens(&self) -> Range<usize> {
        let end = self.counts.last().map_or(self.lvalue.end, |count| count.tokens.end + 1);
        match &self.deep {
            None => self.lvalue.start..end,
            Some(deep) => self.lvalue.start - 2..deep.close + 1,
        }
    }
}

/// The text between a pair of trailing brackets.
#[derive(Debug, Clone)]
pub struct CCount {
    /// Including the brackets.
    pub span: Span,
    /// Without the brackets, macros not expanded.
    pub text: String,
    /// Without the brackets, in `Pragma::expanded`.
    pub tokens: Range<usize>,
}

/// Parses a pragma. `None` if it is not a CPPC directive.
pub fn parse_c(pragma: &Pragma, names: &Names, files: &Files) -> Option<Result<CDirective, Diagnostic>> {
    let (sentinel, rest) = pragma.tokens.split_first()?;
    if !is_c_sentinel(names.text(sentinel.text)) {
        return None;
    }
    let text = Text::of(rest, names);
    let directive = match parse(&text.joined, Language::C) {
        Ok(directive) => directive,
        Err(fault) => return Some(Err(diagnostic(&fault, &text, pragma, sentinel))),
    };
    let mut items = Items { pragma, names, files, text: &text, aligned: 1, read: 0 };
    let kind = match directive.kind.map(|item| items.read(&item)) {
        Kind::Register(list) => Kind::Register(items.with_clauses(list)),
        other => other,
    };
    Some(Ok(CDirective { span: text.span(&directive.span).unwrap_or(pragma.span), kind }))
}

/// A diagnostic for a pragma that is not a CPPC directive but was probably meant to be one.
pub fn misspelt(pragma: &Pragma, names: &Names) -> Option<Diagnostic> {
    let [word, next, ..] = pragma.tokens.as_slice() else { return None };
    if !is_misspelt(names.text(word.text), names.text(next.text)) {
        return None;
    }
    let span = word.origin.span;
    let warning = Diagnostic::warning("C0224", span, "this pragma is not a directive");
    Some(warning.help("a directive begins with `#pragma cppc`"))
}

fn diagnostic(fault: &Fault, text: &Text, pragma: &Pragma, sentinel: &Token) -> Diagnostic {
    let behind = sentinel.origin.span;
    let span = text.span(&fault.span).unwrap_or(if behind.is_empty() { pragma.span } else { behind });
    let mut diagnostic = Diagnostic::error(fault.code, span, &*fault.message).because(&*fault.because);
    if let Some(help) = &fault.help {
        diagnostic = diagnostic.help(&**help);
    }
    diagnostic
}

/// The tokens of a directive as one text, and the mapping from the text to the tokens.
struct Text<'a> {
    joined: String,
    /// The range of each token in `joined`.
    places: Vec<Range<usize>>,
    tokens: &'a [Token],
}

impl<'a> Text<'a> {
    fn of(tokens: &'a [Token], names: &Names) -> Text<'a> {
        let (mut joined, mut places) = (String::new(), Vec::with_capacity(tokens.len()));
        for token in tokens {
            if !joined.is_empty() {
                joined.push(' ');
            }
            let start = joined.len();
            joined.push_str(names.text(token.text));
            places.push(start..joined.len());
        }
        Text { joined, places, tokens }
    }

    /// The tokens that overlap a range of the text.
    fn tokens(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.places.partition_point(|place| place.end <= range.start);
        let end = self.places.partition_point(|place| place.start < range.end);
        start..end.max(start)
    }

    fn span(&self, range: &Range<usize>) -> Option<Span> {
        let range = self.tokens(range);
        let tokens = self.tokens.get(range)?;
        cover(tokens)
    }
}

/// From the first to the last token. If they are in different files, only the first.
fn cover(tokens: &[Token]) -> Option<Span> {
    let (first, last) = (tokens.first()?.origin.span, tokens.last()?.origin.span);
    Some(if first.file == last.file { first.to(last) } else { first })
}

struct Items<'a> {
    pragma: &'a Pragma,
    names: &'a Names,
    files: &'a Files,
    text: &'a Text<'a>,
    /// The tokens of `expanded` before this one have been matched.
    aligned: usize,
    /// The tokens of `text` before this one belong to items that have been read.
    read: usize,
}

impl Items<'_> {
    fn read(&mut self, item: &Item) -> CItem {
        let tokens = self.text.tokens(&item.span);
        let written = &self.text.tokens[tokens.clone()];
        let expanded = self.expansion(tokens);
        let all = written;
        let parts = parts_of("deep", &self.pragma.expanded[expanded.clone()], self.names);
        let written_parts = parts_of("deep", written, self.names);
        let mut by = Vec::new();
        let within = |start: usize, part: &Range<usize>| start + part.start..start + part.end;
        let (expanded, written, deep) = match (&parts[..], &written_parts[..]) {
            ([root, stated @ ..], [written_root, ..]) => {
                let stated = stated.iter().map(|part| self.stated(within(expanded.start, part)));
                let is_type = |stated: &CStated| {
                    let found = self.by(stated.type_name.clone(), Some(stated.field.clone()));
                    let is_type = found.is_none();
                    by.extend(found.map(|found| CBy { text: stated.text.clone(), ..found }));
                    is_type
                };
                let stated = stated.filter(is_type).collect();
                let deep = CDeep { stated, close: expanded.end - 1 };
                (within(expanded.start, root), &written[written_root.clone()], Some(deep))
            }
            _ => (expanded, written, None),
        };
        if let (None, Some(item)) = (&deep, self.section(expanded.clone(), all)) {
            return item;
        }
        let groups = trailing_groups(&self.pragma.expanded[expanded.clone()], self.names);
        let written_groups = trailing_groups(written, self.names);
        // If a macro contains the brackets, the written text does not show them.
        let faithful = groups.len() == written_groups.len();
        let counts = groups.iter().enumerate().map(|(index, group)| {
            let inner = expanded.start + group.start + 1..expanded.start + group.end - 1;
            let (source, whole) = if faithful {
                (&written[inside(&written_groups[index])], &written[written_groups[index].clone()])
            } else {
                (&self.pragma.expanded[inner.clone()], written)
            };
            CCount { span: cover(whole).unwrap_or(self.pragma.span), text: self.spell(source), tokens: inner }
        });
        let counts: Vec<CCount> = counts.collect();
        let lvalue_end = groups.first().map_or(expanded.end, |group| expanded.start + group.start);
        let lvalue = expanded.start..lvalue_end;
        let lvalue_source = match (faithful, written_groups.first()) {
            (true, Some(group)) => &written[..group.start],
            (true, None) => written,
            (false, _) => &self.pragma.expanded[lvalue.clone()],
        };
        CItem {
            span: cover(all).unwrap_or(self.pragma.span),
            text: self.spell(all),
            lvalue_text: self.spell(lvalue_source),
            lvalue,
            counts,
            deep,
            section: None,
            by,
        }
    }

    /// Moves each `by(…)` to the item before it.
    fn with_clauses(&self, list: Vec<CItem>) -> Vec<CItem> {
        let mut items: Vec<CItem> = Vec::new();
        for item in list {
            let is_plain = item.deep.is_none() && item.section.is_none() && item.counts.is_empty();
            let by = if is_plain { self.by(item.lvalue.clone(), None) } else { None };
            match (by, items.last_mut()) {
                (Some(by), Some(last)) => last.by.push(CBy { span: item.span, text: item.text, ..by }),
                (_, _) => items.push(item),
            }
        }
        items
    }

    /// The clause in a range of the expanded tokens. `union`: the name of the union, if it is before the clause.
    fn by(&self, range: Range<usize>, union: Option<Range<usize>>) -> Option<CBy> {
        let tokens = self.pragma.expanded.get(range.clone())?;
        let parts = parts_of("by", tokens, self.names);
        let is = |index: usize, wanted: &str| self.names.text(tokens[index].text) == wanted;
        let find = |part: &Range<usize>, wanted: &str| part.clone().find(|index| is(*index, wanted));
        let has_value = |part: &Range<usize>| find(part, ":").or(find(part, "=")).is_some();
        let within = |part: Range<usize>| range.start + part.start..range.start + part.end;
        let (union, parts) = match &parts[..] {
            [name, rest @ ..] if union.is_none() && !rest.is_empty() && !has_value(name) => {
                (Some(within(name.clone())), rest)
            }
            all => (union, all),
        };
        let first = parts.first()?;
        let colon = find(first, ":");
        let integer = first.start..colon.unwrap_or(first.end);
        let case = |part: Range<usize>| {
            let equals = find(&part, "=").unwrap_or(part.end);
            CCase { value: within(part.start..equals), member: within((equals + 1).min(part.end)..part.end) }
        };
        let cases = colon.map(|colon| {
            let first = std::iter::once(colon + 1..first.end);
            first.chain(parts[1..].iter().cloned()).map(case).collect()
        });
        Some(CBy {
            span: cover(tokens).unwrap_or(self.pragma.span),
            text: self.spell(tokens),
            union,
            integer_text: spell_tightly(&tokens[integer.clone()], self.names),
            integer: within(integer),
            cases,
        })
    }

    /// An item with a section. `expanded` is its range of the expanded tokens, `written` are its tokens in the source.
    fn section(&self, expanded: Range<usize>, written: &[Token]) -> Option<CItem> {
        let tokens = &self.pragma.expanded[expanded.clone()];
        let parts = section_parts(tokens, self.names)?;
        let within = |part: &Range<usize>| expanded.start + part.start..expanded.start + part.end;
        let span = |part: &Range<usize>| cover(&tokens[part.clone()]).unwrap_or(self.pragma.span);
        let count = |part: &Range<usize>| {
            let text = self.spell(&tokens[part.clone()]);
            (!part.is_empty()).then(|| CCount { span: span(part), text, tokens: within(part) })
        };
        let bounds = parts.bounds.iter().map(|one| CBounds {
            span: span(&one.whole),
            lower: count(&one.lower),
            count: count(&one.count),
        });
        let path = parts.path.as_ref();
        let section = CSection {
            bounds: bounds.collect(),
            path: path.map(|path| path.iter().map(|index| tokens[*index].text).collect()),
        };
        Some(CItem {
            span: cover(written).unwrap_or(self.pragma.span),
            text: self.spell(written),
            lvalue_text: self.spell(&tokens[parts.base.clone()]),
            lvalue: within(&parts.base),
            counts: Vec::new(),
            deep: None,
            section: Some(section),
            by: Vec::new(),
        })
    }

    /// `field: type`. The range of the type is empty if there is no colon.
    fn stated(&self, range: Range<usize>) -> CStated {
        let tokens = &self.pragma.expanded[range.clone()];
        let colon =
            tokens.iter().position(|token| self.names.text(token.text) == ":").unwrap_or(tokens.len());
        CStated {
            text: self.spell(tokens),
            field: range.start..range.start + colon,
            type_name: (range.start + colon + 1).min(range.end)..range.end,
        }
    }

    fn spell(&self, tokens: &[Token]) -> String {
        spell_tokens(tokens, self.names, self.files)
    }

    /// The tokens of an item (a range of `text`) after macro expansion. The parenthesis or comma before and
    /// after an item never comes from a macro, so the item is between them.
    fn expansion(&mut self, tokens: Range<usize>) -> Range<usize> {
        let same = |written: &Token, expanded: &Token| {
            written.text == expanded.text && written.origin.span == expanded.origin.span
        };
        if tokens.start < self.read {
            // Clauses are allowed in any order.
            self.aligned = 1;
        }
        self.read = tokens.end;
        let find = |wanted: Option<&Token>, from: usize| {
            let wanted = wanted?;
            let rest = self.pragma.expanded.get(from..)?;
            rest.iter().position(|token| same(wanted, token)).map(|at| from + at)
        };
        let before = tokens.start.checked_sub(1).and_then(|index| self.text.tokens.get(index));
        let start = find(before, self.aligned).map(|at| at + 1);
        let end = start.and_then(|start| find(self.text.tokens.get(tokens.end), start));
        match (start, end) {
            (Some(start), Some(end)) => {
                self.aligned = end;
                start..end
            }
            _ => 0..0,
        }
    }
}

/// The parts of `deep(root, field: type, …)` or `by(…)`; none for another item.
fn parts_of(word: &str, tokens: &[Token], names: &Names) -> Vec<Range<usize>> {
    let text = |index: usize| tokens.get(index).map_or("", |token| names.text(token.text));
    if text(0) != word || text(1) != "(" || tokens.len() < 4 || text(tokens.len() - 1) != ")" {
        return Vec::new();
    }
    let (mut depth, mut start, mut parts) = (0usize, 2, Vec::new());
    for index in 2..tokens.len() - 1 {
        match text(index) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return Vec::new(),
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                parts.push(start..index);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(start..tokens.len() - 1);
    parts
}

/// Tokens as text on one line. There is a blank where the original had blanks, or where two tokens would
/// merge.
pub fn spell_tokens(tokens: &[Token], names: &Names, files: &Files) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let separated = index > 0 && are_separated(&tokens[index - 1], token, files);
        let spelling = names.text(token.text);
        if separated || would_merge(&text, spelling) {
            text.push(' ');
        }
        text.push_str(spelling);
    }
    text
}

/// Tokens as text with the fewest blanks that C allows. The same tokens give the same text, wherever they
/// are.
pub fn spell_tightly(tokens: &[Token], names: &Names) -> String {
    let mut text = String::new();
    for token in tokens {
        let spelling = names.text(token.text);
        if would_merge(&text, spelling) {
            text.push(' ');
        }
        text.push_str(spelling);
    }
    text
}

/// True if there was something between two tokens of one text.
fn are_separated(left: &Token, right: &Token, files: &Files) -> bool {
    let (left, right) = (left.origin.span, right.origin.span);
    left.file == right.file
        && left.end < right.start
        && files.text(Span::new(left.file, left.end, right.start)).iter().any(u8::is_ascii_whitespace)
}

/// True if two spellings would become other tokens without a blank between them.
fn would_merge(text: &str, next: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let operator = |byte: u8| b"+-*/%&|^<>=!.#".contains(&byte);
    match (text.bytes().last(), next.bytes().next()) {
        (Some(a), Some(b)) => word(a) && word(b) || (operator(a) && operator(b) && (a == b || b == b'=')),
        _ => false,
    }
}

fn inside(group: &Range<usize>) -> Range<usize> {
    group.start + 1..group.end - 1
}

/// The bracket pairs at the end of an item, including the brackets, in text order. There are none if the item
/// begins with an operator, because `*p[n]` is `*(p[n])`.
fn trailing_groups(tokens: &[Token], names: &Names) -> Vec<Range<usize>> {
    let spelled = |index: usize| names.text(tokens[index].text);
    let mut groups = Vec::new();
    if tokens.is_empty() || ["*", "&", "+", "-", "!", "~", "++", "--", "sizeof"].contains(&spelled(0)) {
        return groups;
    }
    let mut end = tokens.len();
    while end > 1 && spelled(end - 1) == "]" {
        let (mut depth, mut start) = (0usize, end);
        while start > 0 {
            start -= 1;
            match spelled(start) {
                "]" | ")" | "}" => depth += 1,
                "[" | "(" | "{" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        if depth != 0 || start == 0 || spelled(start) != "[" {
            break;
        }
        groups.push(start..end);
        end = start;
    }
    groups.reverse();
    groups
}
