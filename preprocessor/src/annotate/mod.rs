//! Automatic directives: what a person would add to a program that has only `checkpoint` directives.
//!
//! Input: the sources of a program.
//! Output: their texts with the missing directives.
//! Postcondition: directives of the program are unchanged. A directive that the translation refuses is not added. What
//! still is missing is reported by the check of live data.

mod expressions;
mod spot;
mod c;
mod fortran;
mod wanted;

use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::check::Analysis;
use cppc_source::{Diagnostic, FileId, Files, SourceFile, Span};

use self::c::CSource;
use self::fortran::FortranSource;
use self::spot::{inserted, Block, Gap, Lines, Spot, Style};
use self::wanted::{frame, Search, Tried, Wanted};
use crate::front::{Front, Source, Text, Unit};
use crate::lower::lower_with_names;

const C_SENTINEL: &str = "#pragma cppc ";
const FORTRAN_SENTINEL: &str = "!$cppc ";
const BLOCK: &str = "execute";

/// A file, the number of the line after the directive, and the text.
type Refused = (FileId, u32, String);

/// What is known from one round to the next.
#[derive(Debug, Default)]
pub struct Annotations {
    tried: Tried,
    has_frame: bool,
    /// What the translation refused: the items of a register, other directives, and `execute` for any block.
    refused: BTreeSet<Refused>,
}

impl Annotations {
    /// Adds directives to the texts of the sources. Returns whether there were any.
    pub fn round(
        &mut self,
        front: &Front,
        sources: &[Source],
        whole: bool,
        files: &Files,
        texts: &mut [Option<Text>],
    ) -> bool {
        let (program, names) = lower_with_names(front, sources, whole, files);
        let mut wanted: BTreeSet<Wanted> = BTreeSet::new();
        if !std::mem::replace(&mut self.has_frame, true) {
            wanted.extend(frame(&program));
        }
        if wanted.is_empty() {
            let effects = Catalogue::built_in().of_program(&program);
            let analysis = Analysis::new(&program, &effects);
            let is_c =
                |span: Span| front.units.iter().any(|unit| unit.file() == span.file && unit.as_c().is_some());
            wanted = Search::new(&analysis, &program, &names, &is_c).wanted(&mut self.tried);
        }
        let mut changed = false;
        for (unit, text) in front.units.iter().zip(texts) {
            let mut lines: BTreeMap<Spot, Lines> = BTreeMap::new();
            for one in &wanted {
                let added = match unit {
                    Unit::C(unit) => in_c(&CSource::new(unit, files), one, unit.file),
                    Unit::Fortran(unit) => in_fortran(&FortranSource::new(unit, files), one, unit.file),
                };
                let added = added.unwrap_or_default();
                let file = files.get(unit.file());
                let is_refused = added.iter().any(|(spot, part)| {
                    let line = file.shown_number(file.line_column(spot.offset).0);
                    part.text()
                        .is_some_and(|text| self.refused.contains(&(unit.file(), line, text.to_owned())))
                });
                if !is_refused {
                    for (spot, part) in added {
                        if !is_there(file, spot, &part) {
                            add(lines.entry(spot).or_default(), part);
                        }
                    }
                }
            }
            if lines.values().all(|lines| *lines == Lines::default()) {
                continue;
            }
            let style = match unit {
                Unit::C(_) => Style { sentinel: C_SENTINEL, columns: 100 },
                Unit::Fortran(unit) => FortranSource::new(unit, files).style(),
            };
            *text = Some(inserted(files.get(unit.file()), &lines, style));
            changed = true;
        }
        changed
    }

    /// Notes the directives of the last round that have an error. Returns whether there are any.
    pub fn refuse(&mut self, files: &Files, diagnostics: &[Diagnostic]) -> bool {
        let mut any = false;
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            let Some(span) = diagnostic.labels.first().map(|label| label.span) else { continue };
            let file = files.get(span.file);
            let (line, _) = file.line_column(span.start);
            let is_new = file
                .numbers()
                .is_some_and(|numbers| numbers.get(line as usize) == numbers.get(line as usize - 1));
            if !is_new {
                continue;
            }
            let text = String::from_utf8_lossy(&file.bytes[file.line_range(line)]).into_owned();
            let words = text.trim_start_matches(C_SENTINEL).trim_start_matches(FORTRAN_SENTINEL);
            let marked = files.text_lossy(span).into_owned();
            let items: Vec<&str> = match words.strip_prefix("register(") {
                Some(items) => items.trim_end_matches(')').split(", ").collect(),
                None if words.starts_with("execute") => vec![BLOCK],
                None => vec![words],
            };
            // The marked item has the error. If something else is marked, each item may have it.
            let one: Vec<&str> = items.iter().copied().filter(|item| *item == marked).collect();
            for item in if one.is_empty() { items } else { one } {
                any |= self.refused.insert((span.file, file.shown_number(line), item.to_owned()));
            }
        }
        any
    }

    /// Everything is tried again, without what was refused.
    pub fn restart(&mut self) {
        (self.tried, self.has_frame) = (Tried::default(), false);
    }
}

/// A directive next to the spot has the item already.
fn is_there(file: &SourceFile, spot: Spot, part: &Part) -> bool {
    let Part::Item(item) = part else { return false };
    let (line, _) = file.line_column(spot.offset);
    [line.saturating_sub(1), line, line + 1].into_iter().any(|line| {
        let text = String::from_utf8_lossy(&file.bytes[file.line_range(line)]).trim().to_ascii_lowercase();
        let items =
            [C_SENTINEL, FORTRAN_SENTINEL].into_iter().find_map(|sentinel| text.strip_prefix(sentinel));
        let items = items.and_then(|words| words.strip_prefix("register("));
        items.is_some_and(|items| {
            items.trim_end_matches(')').split(", ").any(|one| one == item.to_ascii_lowercase())
        })
    })
}

fn add(lines: &mut Lines, part: Part) {
    let (list, text) = match part {
        Part::Nothing => return,
        Part::Block(block) => return lines.block.get_or_insert_default().add(block),
        Part::Closing(text) => (&mut lines.closing, text),
        Part::Item(text) => (&mut lines.registered, text),
        Part::Opening(text) => (&mut lines.opening, text),
    };
    if !list.contains(&text) {
        list.push(text);
    }
}

/// A part of the lines of one spot.
#[derive(Debug)]
enum Part {
    /// Only the brace.
    Nothing,
    Closing(String),
    Item(String),
    Block(Block),
    Opening(String),
}

impl Part {
    fn text(&self) -> Option<&str> {
        match self {
            Part::Nothing => None,
            Part::Block(_) => Some(BLOCK),
            Part::Closing(text) | Part::Item(text) | Part::Opening(text) => Some(text),
        }
    }
}

type Parts = Option<Vec<(Spot, Part)>>;

fn in_c(source: &CSource, wanted: &Wanted, file: FileId) -> Parts {
    if place_of(wanted).file != file {
        return None;
    }
    let one = |spot: Spot, part: Part| Some(vec![(spot, part)]);
    match wanted {
        Wanted::Register { at, declared, nearest, item } => {
            one(source.before(*at, *declared, *nearest)?, Part::Item(item.clone()))
        }
        Wanted::Allocated { at } => {
            let item = source.allocated(*at)?;
            after(source.around(*at)?, Part::Item(item))
        }
        Wanted::RegisterAfter { at, item } => after(source.around(*at)?, Part::Item(item.clone())),
        Wanted::Execute { at, captures, file } => {
            let name = file.as_ref().and_then(|handle| Some((handle.clone(), source.first_argument(*at)?)));
            around(source.around(*at)?, captures, name)
        }
        Wanted::InitAfter { at } => after(source.around(*at)?, Part::Closing("init".to_owned())),
        Wanted::InitFirst { procedure } => {
            one(source.body_start(*procedure)?, Part::Closing("init".to_owned()))
        }
        Wanted::ShutdownBefore { at } => one(source.around(*at)?.0, Part::Opening("shutdown".to_owned())),
        Wanted::ShutdownLast { procedure } => {
            one(source.body_end(*procedure)?, Part::Opening("shutdown".to_owned()))
        }
    }
}

fn in_fortran(source: &FortranSource, wanted: &Wanted, file: FileId) -> Parts {
    if place_of(wanted).file != file {
        return None;
    }
    let one = |spot: Spot, part: Part| Some(vec![(spot, part)]);
    match wanted {
        Wanted::Register { at, declared, nearest, item } => {
            one(source.before(*at, *declared, *nearest)?, Part::Item(item.clone()))
        }
        Wanted::Allocated { .. } => None,
        Wanted::RegisterAfter { at, item } => one(source.around(*at)?.1, Part::Item(item.clone())),
        Wanted::Execute { at, captures, file: _ } => {
            around(source.around(*at)?, captures, source.opened(*at))
        }
        Wanted::InitAfter { at } => one(source.around(*at)?.1, Part::Closing("init".to_owned())),
        Wanted::InitFirst { procedure } => {
            one(source.body_start(*procedure)?, Part::Closing("init".to_owned()))
        }
        Wanted::ShutdownBefore { at } => one(source.around(*at)?.0, Part::Opening("shutdown".to_owned())),
        Wanted::ShutdownLast { procedure } => {
            one(source.body_end(*procedure)?, Part::Opening("shutdown".to_owned()))
        }
    }
}

fn after((before, after): (Spot, Spot), part: Part) -> Parts {
    match after.gap {
        Gap::Close => Some(vec![(before, Part::Nothing), (after, part)]),
        Gap::Line | Gap::Within | Gap::Open => Some(vec![(after, part)]),
    }
}

fn around((before, after): (Spot, Spot), captures: &[String], file: Option<(String, String)>) -> Parts {
    let block = Block { captures: captures.to_vec(), files: file.into_iter().collect() };
    Some(vec![(before, Part::Block(block)), (after, Part::Closing("end execute".to_owned()))])
}

fn place_of(wanted: &Wanted) -> Span {
    match wanted {
        Wanted::Register { at, .. }
        | Wanted::Allocated { at }
        | Wanted::RegisterAfter { at, .. }
        | Wanted::Execute { at, .. }
        | Wanted::InitAfter { at }
        | Wanted::ShutdownBefore { at } => *at,
        Wanted::InitFirst { procedure } | Wanted::ShutdownLast { procedure } => *procedure,
    }
}
