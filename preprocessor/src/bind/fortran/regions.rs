//! Statements that OpenMP or OpenACC hand to several threads.
//!
//! Input: the comment lines of a source, which its tree leaves out.
//! Output: the bytes between such a directive and its end; without an end, the construct that follows it.

use cppc_grammar::fortran::logical::Form;
use cppc_grammar::fortran::tree::{Construct, ConstructEnd, Statement, StatementKind, Unit};
use cppc_source::{FileId, Files, Span};

use super::bound::{Bound, Region, Source};
use super::visit::inside;
use crate::bind::regions::{stands_alone, words};

/// What only Fortran has.
const OWN: [&str; 3] = ["do", "workshare", "assume"];

/// One directive line: `!$omp parallel do`.
struct Line {
    span: Span,
    ends: bool,
    family: &'static str,
    word: String,
}

impl Bound<'_> {
    pub(super) fn regions_of(&self, source: &Source, files: &Files) -> Vec<Region> {
        let lines = directive_lines(files, source.file, source.lines.form);
        let mut open: Vec<usize> = Vec::new();
        let mut ends: Vec<Option<u32>> = vec![None; lines.len()];
        for (index, line) in lines.iter().enumerate() {
            if !line.ends {
                open.push(index);
                continue;
            }
            let begun = open
                .iter()
                .rposition(|&begun| lines[begun].family == line.family && lines[begun].word == line.word);
            if let Some(position) = begun {
                ends[open[position]] = Some(line.span.start);
                // What was opened within and never ended is a loop's, with its loop.
                open.truncate(position);
            }
        }
        if lines.is_empty() {
            return Vec::new();
        }
        let mut statements = Vec::new();
        for unit in &source.tree.units {
            unit_extents(unit, source, &mut statements);
        }
        statements.sort_by_key(|span: &Span| (span.start, std::cmp::Reverse(span.end)));
        let mut list = Vec::new();
        for (line, end) in lines.iter().zip(ends).filter(|(line, _)| !line.ends) {
            let follower = || {
                let next = statements.partition_point(|span| span.start < line.span.end);
                statements.get(next).copied()
            };
            let extent = match end {
                Some(end) => Some(Span::new(line.span.file, line.span.end, end.max(line.span.end))),
                None => follower(),
            };
            let name = format!("{} {}", line.family, line.word);
            list.extend(extent.map(|extent| Region { extent, directive: line.span, name }));
        }
        list
    }
}

fn unit_extents(unit: &Unit, source: &Source, list: &mut Vec<Span>) {
    for statement in &unit.execution {
        statement_extents(statement, source, list);
    }
    for contained in &unit.contained {
        unit_extents(contained, source, list);
    }
}

fn statement_extents(statement: &Statement, source: &Source, list: &mut Vec<Span>) {
    let span = |line: cppc_grammar::fortran::logical::LineId| {
        source.lines.lines.get(line.0 as usize).map(|line| line.span).filter(|span| span.file == source.file)
    };
    if let Some(first) = span(statement.line) {
        let last = match &statement.kind {
            StatementKind::Construct(Construct { end: ConstructEnd::Statement { line, .. }, .. }) => {
                span(*line)
            }
            StatementKind::Construct(construct) => {
                let inner = construct.parts.last().and_then(|part| part.statements.last());
                inner.and_then(|inner| span(inner.line))
            }
            _ => None,
        };
        list.push(first.to(last.unwrap_or(first)));
    }
    for inner in inside(statement) {
        statement_extents(inner, source, list);
    }
}

fn directive_lines(files: &Files, file: FileId, form: Form) -> Vec<Line> {
    let bytes = &files.get(file).bytes;
    let mut list = Vec::new();
    let mut start = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        let span = Span::new(file, start as u32, (start + line.len()) as u32);
        list.extend(directive_line(line, span, form));
        start += line.len() + 1;
    }
    list
}

fn directive_line(line: &[u8], span: Span, form: Form) -> Option<Line> {
    let text = match form {
        Form::Free => line.trim_ascii_start(),
        Form::Fixed { .. } => line,
    };
    let (first, rest) = text.split_first()?;
    let comment = *first == b'!' || (form != Form::Free && matches!(first, b'c' | b'C' | b'*'));
    let rest = rest.strip_prefix(b"$").filter(|_| comment)?;
    let family = ["omp", "acc"]
        .into_iter()
        .find(|family| rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case(family.as_bytes())))?;
    let known = words(family, &OWN);
    let behind = rest.get(3..)?;
    if !behind.first().is_some_and(u8::is_ascii_whitespace) {
        return None;
    }
    let text = String::from_utf8_lossy(behind).to_ascii_lowercase();
    let mut said =
        text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(|w| !w.is_empty());
    let mut word = said.next()?;
    // `endparallel`, `end parallel`
    let ends = word == "end"
        || word.strip_prefix("end").is_some_and(|rest| known.clone().any(|known| known == rest));
    if word == "end" {
        word = said.next()?;
    } else if ends {
        word = word.strip_prefix("end")?;
    }
    let named = known.clone().find(|known| *known == word);
    let known = named.or_else(|| known.clone().find(|known| word == format!("{known}do")))?;
    let next = said.next().unwrap_or_default();
    (!stands_alone(word, next)).then(|| Line { span, ends, family, word: known.to_owned() })
}
