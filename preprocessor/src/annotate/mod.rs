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
mod before;
mod handles;
mod wanted;
mod frame;

use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::check::Analysis;
use cppc_source::{Diagnostic, FileId, Files, SourceFile, Span};

use self::c::CSource;
use self::fortran::FortranSource;
use self::frame::frame;
use self::spot::{inserted, Block, Gap, Lines, Spot, Style};
use self::wanted::{OpenedFile, Search, Tried, Wanted};
use crate::front::{Front, Source, Text, Unit};
use crate::lower::lower_with_names;

const C_SENTINEL: &str = "#pragma cppc ";
const FORTRAN_SENTINEL: &str = "!$cppc ";
/// Any block, in the list of what was refused.
const BLOCK: &str = "execute";

/// The warning for a register that ends before any checkpoint.
const ENDS_BEFORE_CHECKPOINTS: &str = "C0506";

/// A file, the number of the line after the directive, and the text.
type Refused = (FileId, u32, String);

/// What is known from one round to the next.
#[derive(Debug)]
pub struct Annotations<'c> {
    tried: Tried,
    has_frame: bool,
    /// What the translation refused: the items of a register, other directives, and `execute` for any block.
    refused: BTreeSet<Refused>,
    /// The lines that were added, and what each consists of: as in `refused`.
    printed: BTreeMap<String, Vec<String>>,
    catalogue: &'c Catalogue,
}

impl<'c> Annotations<'c> {
    pub fn new(catalogue: &'c Catalogue) -> Annotations<'c> {
        Annotations {
            tried: Tried::default(),
            has_frame: false,
            refused: BTreeSet::new(),
            printed: BTreeMap::new(),
            catalogue,
        }
    }

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
            let effects = self.catalogue.of_program(&program);
            let analysis = Analysis::new(&program, &effects);
            let is_c =
                |span: Span| front.units.iter().any(|unit| unit.file() == span.file && unit.as_c().is_some());
            wanted = Search::new(&analysis, &program, &names, &is_c).wanted(&mut self.tried);
        }
        let mut changed = false;
        for (unit, text) in front.units.iter().zip(texts) {
            let source: Box<dyn Positions> = match unit {
                Unit::C(unit) => Box::new(CSource::new(unit, files)),
                Unit::Fortran(unit) => Box::new(FortranSource::new(unit, files)),
            };
            let mut lines: BTreeMap<Spot, Lines> = BTreeMap::new();
            for one in &wanted {
                let added = parts(&*source, one, unit.file());
                let added = added.unwrap_or_default();
                let file = files.get(unit.file());
                let is_refused = added.iter().any(|(spot, part)| {
                    let line = file.shown_number(file.line_column(spot.offset).0);
                    part.text()
                        .is_some_and(|text| self.refused.contains(&(unit.file(), line, text.to_owned())))
                });
                if !is_refused {
                    for (spot, part) in added {
                        if !self.is_there(file, spot, &part) {
                            add(lines.entry(spot).or_default(), part);
                        }
                    }
                }
            }
            if lines.values().all(|lines| *lines == Lines::default()) {
                continue;
            }
            for directives in lines.values() {
                let written = directives.written(source.style()).into_iter();
                self.printed.extend(written.map(|line| (line.text, line.items)));
            }
            *text = Some(inserted(files.get(unit.file()), &lines, source.style()));
            changed = true;
        }
        changed
    }

    /// Notes the directives of the last round that have an error, or that have no effect. Returns whether there are any.
    pub fn refuse(&mut self, files: &Files, diagnostics: &[Diagnostic]) -> bool {
        let mut any = false;
        let is_refused = |one: &&Diagnostic| one.is_error() || one.code == ENDS_BEFORE_CHECKPOINTS;
        for diagnostic in diagnostics.iter().filter(is_refused) {
            let Some(span) = diagnostic.labels.first().map(|label| label.span) else { continue };
            let file = files.get(span.file);
            let (line, _) = file.line_column(span.start);
            let Some(items) = self.items(file, line).cloned() else { continue };
            let marked = files.text_lossy(span);
            // The marked item has the error. If something else is marked, each item may have it.
            let one: Vec<String> = items.iter().filter(|item| **item == marked).cloned().collect();
            for item in if one.is_empty() { items } else { one } {
                any |= self.refused.insert((span.file, file.shown_number(line), item));
            }
        }
        any
    }

    /// A directive next to the spot has the item already.
    fn is_there(&self, file: &SourceFile, spot: Spot, part: &Part) -> bool {
        let Part::Item(item) = part else { return false };
        let (line, _) = file.line_column(spot.offset);
        let mut near = [line.saturating_sub(1), line, line + 1].into_iter();
        near.any(|line| self.items(file, line).is_some_and(|items| items.contains(item)))
    }

    /// What the directive in a line consists of, if it was added.
    fn items(&self, file: &SourceFile, line: u32) -> Option<&Vec<String>> {
        self.printed.get(&*String::from_utf8_lossy(file.bytes[file.line_range(line)].trim_ascii_end()))
    }

    /// Everything is tried again, without what was refused.
    pub fn restart(&mut self) {
        (self.tried, self.has_frame) = (Tried::default(), false);
    }
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

/// The positions in a source, in either language. None if no directive can be there.
trait Positions {
    /// Before the statement around `at`: in the block that declares the variable, or in the innermost one.
    fn before(&self, at: Span, declared: Option<Span>, nearest: bool) -> Option<Spot>;
    /// The gaps before and after the innermost statement around `at`.
    fn around(&self, at: Span) -> Option<(Spot, Spot)>;
    /// Before the first statement of a procedure.
    fn body_start(&self, procedure: Span) -> Option<Spot>;
    /// The gaps around the statements at which the main program ends without an error, and the gap at its end.
    fn body_ends(&self, procedure: Span) -> Vec<(Spot, Spot)>;
    /// As `around`, if the statement does nothing else.
    fn alone(&self, at: Span) -> Option<(Spot, Spot)>;
    /// The item of a `register` directive for memory that a call at `at` allocates for a pointer.
    fn allocated(&self, at: Span) -> Option<String>;
    /// Unit and name of the file that an OPEN statement at `at` opens.
    fn opened(&self, at: Span) -> Option<(String, String)>;
    /// The text of an argument of the call at `at`.
    fn argument(&self, at: Span, number: usize) -> Option<String>;
    fn style(&self) -> Style;
}

/// The lines for a directive, if it belongs to the file.
fn parts(source: &dyn Positions, wanted: &Wanted, file: FileId) -> Parts {
    if place_of(wanted).file != file {
        return None;
    }
    let one = |spot: Spot, part: Part| Some(vec![(spot, part)]);
    match wanted {
        Wanted::Register { at, declared, nearest, item } => {
            one(source.before(*at, *declared, *nearest)?, Part::Item(item.clone()))
        }
        Wanted::RegisterFirst { procedure, item } => {
            one(source.body_start(*procedure)?, Part::Item(item.clone()))
        }
        Wanted::Allocated { at } => {
            let item = source.allocated(*at)?;
            after(source.around(*at)?, Part::Item(item))
        }
        Wanted::RegisterAfter { at, item } => after(source.around(*at)?, Part::Item(item.clone())),
        Wanted::Execute { at, captures, file } => {
            let file = match file {
                None => None,
                Some(OpenedFile::OfC { handle, name }) => {
                    Some((handle.clone(), source.argument(name.call, name.number)?))
                }
                Some(OpenedFile::Unit) => Some(source.opened(*at)?),
            };
            around(source.around(*at)?, captures, file)
        }
        Wanted::UnregisterBefore { at, name } => {
            before(source.alone(*at)?, Part::Opening(format!("unregister({name})")))
        }
        Wanted::InitAfter { at } => after(source.around(*at)?, Part::Closing("init".to_owned())),
        Wanted::InitFirst { procedure } => {
            one(source.body_start(*procedure)?, Part::Closing("init".to_owned()))
        }
        Wanted::ShutdownBefore { at } => before(source.alone(*at)?, Part::Opening("shutdown".to_owned())),
        Wanted::ShutdownLast { procedure } => {
            let shutdown = |ends| before(ends, Part::Opening("shutdown".to_owned()));
            Some(source.body_ends(*procedure).into_iter().filter_map(shutdown).flatten().collect())
        }
    }
}

fn before((before, after): (Spot, Spot), part: Part) -> Parts {
    match before.gap {
        Gap::Open => Some(vec![(before, part), (after, Part::Nothing)]),
        Gap::Line | Gap::Within | Gap::Close => Some(vec![(before, part)]),
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
        | Wanted::UnregisterBefore { at, .. }
        | Wanted::InitAfter { at }
        | Wanted::ShutdownBefore { at } => *at,
        Wanted::InitFirst { procedure }
        | Wanted::ShutdownLast { procedure }
        | Wanted::RegisterFirst { procedure, .. } => *procedure,
    }
}
