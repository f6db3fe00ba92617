//! Automatic directives: what a person would add to a program that has only `checkpoint` or `checkpoint loop` directives.
//!
//! Input: the sources of a program.
//! Output: their texts with the missing directives.
//! Postcondition: directives of the program are unchanged. A directive that the translation refuses is not added. What
//! still is missing is reported by the check of live data.

mod constants;
mod field_bytes;
mod expressions;
mod registrar_place;
mod spot;
mod pragmas;
mod c;
mod amounts;
mod fields;
mod separated;
mod fortran;
mod cleanup_scopes;
mod before;
mod allocations;
mod declared_types;
mod handles;
mod seen;
mod wanted;
mod tried_graphs;
mod registrars;
mod frame;
pub mod placement;
pub mod choice;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::check::Analysis;
use cppc_analysis::program::Program;
use cppc_source::{Diagnostic, FileId, Files, ShownLine, SourceFile, Span};

use self::c::CSource;
use self::choice::Choice;
use self::constants::with_assignable_pointers;
use self::declared_types::DeclaredTypes;
use self::field_bytes::FieldBytes;
use self::fortran::FortranSource;
use self::frame::frame;
use self::placement::{marked, SafePlaces};
use self::registrar_place::RegistrarPlace;
use self::registrars::complete;
use self::spot::{inserted, ExecuteClauses, Gap, Lines, Spot, Style, END_EXECUTE, END_IF};
use self::tried_graphs::TriedGraphs;
use self::wanted::{OpenedFile, Search, Tried, Wanted};
use crate::front::{Front, Source, Text, Unit};
use crate::live_data::POINTERS_IN_BYTES;
use crate::lower::{lower_with_names, Names};
use crate::program::{program as model, Extent};
use crate::remarks::Remark;
use crate::safety::Safety;

const C_SENTINEL: &str = "#pragma cppc ";
const FORTRAN_SENTINEL: &str = "!$cppc ";
/// Any block, in the list of what was refused.
const BLOCK: &str = "execute";

/// The warnings for a register that ends before any checkpoint, and for one that saves pointers as bytes.
const WITHOUT_EFFECT: [&str; 2] = ["C0506", POINTERS_IN_BYTES];

/// A dummy argument gets other memory while its caller registers it.
const MOVING: [&str; 2] = ["C0456", "C0458"];

/// The start of an item that saves all that pointers reach.
pub const ROOT: &str = "deep(";

/// A file, the number of the line after the directive, and the text.
type Refused = (FileId, ShownLine, String);

/// Which directives are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct What<'c> {
    /// All but checkpoints.
    pub others: bool,
    /// Checkpoints in the loops with most work, if the program has no checkpoint and no `checkpoint loop`.
    pub chooses: bool,
    /// The numbers of processes for which a place of a checkpoint must be safe. Empty: usual ones.
    pub counts: &'c [usize],
}

/// What became of the loops with most work.
#[derive(Debug, Clone, Copy, Default)]
pub struct Placed {
    /// All checkpoints of the program are placed automatically.
    pub is_chosen: bool,
    /// A loop with much work got no checkpoint, or the program has no such loop.
    pub is_incomplete: bool,
}

/// The result of the analyses of a round.
#[derive(Debug)]
struct Found {
    /// Of the sources.
    texts: Vec<Arc<[u8]>>,
    before: Tried,
    wanted: BTreeSet<Wanted>,
    after: Tried,
}

/// What is known from one round to the next.
#[derive(Debug)]
pub struct Annotations<'c> {
    tried: Tried,
    found: Vec<Found>,
    has_frame: bool,
    has_checkpoints: bool,
    what: What<'c>,
    pub placed: Placed,
    /// What the translation refused: the items of a register, other directives, and `execute` for any block.
    refused: BTreeSet<Refused>,
    /// Dummy arguments whose memory moves, each with a line of its procedure.
    moving: BTreeSet<Refused>,
    /// The lines that were added, and what each consists of: as in `refused`.
    printed: BTreeMap<String, Vec<String>>,
    graphs: TriedGraphs,
    catalogue: &'c Catalogue,
}

impl<'c> Annotations<'c> {
    pub fn new(catalogue: &'c Catalogue, what: What<'c>) -> Annotations<'c> {
        Annotations {
            tried: Tried::default(),
            found: Vec::new(),
            has_frame: false,
            has_checkpoints: false,
            what,
            placed: Placed::default(),
            refused: BTreeSet::new(),
            moving: BTreeSet::new(),
            printed: BTreeMap::new(),
            graphs: TriedGraphs::default(),
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
        let is_first = !std::mem::replace(&mut self.has_checkpoints, true);
        if is_first {
            let extent = if whole { Extent::Whole } else { Extent::Part };
            let remarks = model(front, sources, extent, files).remarks;
            wanted.extend(self.checkpoints(front, files, &program, &remarks));
        }
        // Without a checkpoint, a program needs no other directive. A checkpoint that is wanted may be refused.
        let gets_checkpoint = !wanted.is_empty() && self.refused.is_empty();
        let has_checkpoint = gets_checkpoint || program.checkpoints().next().is_some();
        if self.what.others && has_checkpoint && !std::mem::replace(&mut self.has_frame, true) {
            wanted.extend(frame(&program));
        }
        if is_first && self.what.others {
            wanted.extend(self.registers_of_moving(files));
        }
        let has_checkpoint = has_checkpoint || !program.whole;
        if wanted.is_empty() && self.what.others && has_checkpoint {
            wanted = self.searched(front, files, with_assignable_pointers(program), &names);
        }
        let mut changed = false;
        for (unit, text) in front.units.iter().zip(texts) {
            if wanted.is_empty() {
                break;
            }
            let source = positions(unit, files);
            let mut lines: BTreeMap<Spot, Lines> = BTreeMap::new();
            for one in &wanted {
                let added = parts(&*source, one, unit.file());
                let added = added.unwrap_or_default();
                let file = files.get(unit.file());
                let is_refused = |added: &[(Spot, Part)]| self.is_refused(file, unit.file(), added);
                // Each field has its own register. Other parts belong together.
                let has_fields = matches!(one, Wanted::RegisterFields { .. });
                if !has_fields && is_refused(&added) {
                    continue;
                }
                for (spot, part) in added {
                    let added = [(spot, part)];
                    if has_fields && is_refused(&added) {
                        continue;
                    }
                    let [(spot, part)] = added;
                    if !self.is_there(file, spot, &part) {
                        add(lines.entry(spot).or_default(), part);
                    }
                }
            }
            lines.values_mut().for_each(Lines::remove_components);
            if lines.values().all(|lines| *lines == Lines::default()) {
                continue;
            }
            for directives in lines.values() {
                let written =
                    directives.written(source.style()).into_iter().filter(|line| !line.items.is_empty());
                self.printed.extend(written.map(|line| (line.text, line.items)));
            }
            *text = Some(inserted(files.get(unit.file()), &lines, source.style()));
            changed = true;
        }
        changed
    }

    /// What the analyses find to be missing. If a refusal leads to the same texts again, it is already known.
    fn searched(
        &mut self,
        front: &Front,
        files: &Files,
        program: Program,
        names: &Names,
    ) -> BTreeSet<Wanted> {
        let texts: Vec<_> = front.units.iter().map(|unit| files.get(unit.file()).bytes.clone()).collect();
        let known = self.found.iter().find(|found| found.texts == texts && found.before == self.tried);
        if let Some(known) = known {
            self.tried = known.after.clone();
            return known.wanted.clone();
        }
        let before = self.tried.clone();
        let effects = self.catalogue.of_program(&program);
        let program = program.without_unreached().with_copied_allocators(&effects);
        let analysis = Analysis::new(&program, &effects);
        let is_c =
            |span: Span| front.units.iter().any(|unit| unit.file() == span.file && unit.as_c().is_some());
        let line_of = |span: Span| {
            let file = files.get(span.file);
            (span.file, file.shown_line(file.line_column(span.start).0))
        };
        let choice = self.tried.graphs.clone();
        let types = DeclaredTypes::new(front);
        let declared_type = |declared: Span| types.of(declared);
        let search = Search::new(&analysis, &program, names, &choice, &is_c, &line_of, &declared_type);
        let wanted = search.wanted(&mut self.tried);
        let wanted = complete(front, files, wanted);
        self.found.push(Found { texts, before, wanted: wanted.clone(), after: self.tried.clone() });
        wanted
    }

    fn is_refused(&self, file: &SourceFile, id: FileId, added: &[(Spot, Part)]) -> bool {
        added.iter().any(|(spot, part)| {
            let line = file.shown_line(file.line_column(spot.offset).0);
            part.text().is_some_and(|text| self.refused.contains(&(id, line, text.to_owned())))
        })
    }

    /// The checkpoints of the loops that the program marks, or that do most of its work.
    fn checkpoints(
        &mut self,
        front: &Front,
        files: &Files,
        program: &Program,
        remarks: &[Remark],
    ) -> Vec<Wanted> {
        if !program.whole {
            return Vec::new();
        }
        let marked = marked(front, files, program, remarks);
        let is_possible = |checkpoint: &Wanted| {
            let at = checkpoint.place();
            let unit = front.units.iter().find(|unit| unit.file() == at.file);
            let added = unit.and_then(|unit| parts(&*positions(unit, files), checkpoint, at.file));
            added.is_some_and(|added| !self.is_refused(files.get(at.file), at.file, &added))
        };
        if self.what.chooses && marked.is_empty() && program.checkpoints().next().is_none() {
            let is_possible = |at| is_possible(&Wanted::Checkpoint { at, safety: Safety::Checked });
            let choice = Choice::new(program, self.catalogue, self.what.counts, &is_possible);
            let places: Vec<(Span, Safety)> = choice.places().collect();
            self.placed = Placed { is_chosen: !places.is_empty(), is_incomplete: !choice.is_complete() };
            return places.into_iter().map(|(at, safety)| Wanted::Checkpoint { at, safety }).collect();
        }
        let mut wanted = Vec::new();
        for mark in marked {
            let Some(target) = mark.target.filter(|target| !target.has_checkpoint(program)) else { continue };
            let checkpoint = |at, safety| Wanted::Checkpoint { at, safety };
            let candidates = target.candidates(&|at| is_possible(&checkpoint(at, Safety::Checked)));
            let found = match mark.is_asserted {
                true => SafePlaces { candidates, safety: Safety::Asserted },
                false => {
                    match target.safe(program, self.catalogue, self.what.counts, candidates) {
                        Ok(found) => found,
                        // They are reported by the check.
                        Err(_) => continue,
                    }
                }
            };
            let first = found.candidates.first();
            wanted.extend(first.map(|first| checkpoint(first.statement.span, found.safety.clone())));
        }
        wanted
    }

    /// Notes the directives of the last round that have an error, or that have no effect. Returns whether there are any.
    pub fn refuse(&mut self, files: &Files, diagnostics: &[Diagnostic]) -> bool {
        let mut any = false;
        for diagnostic in diagnostics.iter().filter(|one| MOVING.contains(&one.code)) {
            any |= self.what.others && self.note_moving(files, diagnostic);
        }
        let is_refused = |one: &&Diagnostic| one.is_error() || WITHOUT_EFFECT.contains(&one.code);
        for diagnostic in diagnostics.iter().filter(is_refused) {
            // The first label may be at a statement in a block.
            any |= diagnostic.labels.iter().any(|label| self.refuse_at(files, label.span));
        }
        any
    }

    /// Notes the dummy argument that a diagnostic is about. Returns whether that is new.
    fn note_moving(&mut self, files: &Files, diagnostic: &Diagnostic) -> bool {
        let mut names = diagnostic.message.split('`').skip(1).step_by(2);
        let (Some(label), Some(_), Some(item)) = (diagnostic.labels.first(), names.next(), names.next())
        else {
            return false;
        };
        let file = files.get(label.span.file);
        let line = file.shown_line(file.line_column(label.span.start).0);
        self.moving.insert((label.span.file, line, item.to_owned()))
    }

    /// The registers of these arguments. The texts are those of the program.
    fn registers_of_moving(&self, files: &Files) -> Vec<Wanted> {
        let register = |(id, shown, item): &Refused| {
            let file = files.get(*id);
            let (last, _) = file.line_column(file.bytes.len() as u32);
            let line = (1..=last).find(|line| file.shown_line(*line) == *shown)?;
            let start = file.line_range(line).start as u32;
            Some(Wanted::RegisterFirst { procedure: Span::new(*id, start, start), item: item.clone() })
        };
        self.moving.iter().filter_map(register).collect()
    }

    /// Notes the item or the directive at a position, if it was added. Returns whether that is new.
    pub fn refuse_at(&mut self, files: &Files, span: Span) -> bool {
        let file = files.get(span.file);
        let (line, _) = file.line_column(span.start);
        let items = self.items(file, line).cloned().unwrap_or_default();
        let marked = files.text_lossy(span);
        // If something else than an item is marked, each item may be meant.
        let one: Vec<String> = items.iter().filter(|item| **item == marked).cloned().collect();
        let mut any = false;
        for item in if one.is_empty() { items } else { one } {
            any |= self.refused.insert((span.file, file.shown_line(line), item));
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

    /// Whether other memory is to be saved in graphs. Then everything must be tried again.
    pub fn changes_graphs(&mut self) -> bool {
        self.graphs.change(&self.tried.unsaved)
    }

    /// Everything is tried again, without what was refused.
    pub fn restart(&mut self) {
        let graphs = self.graphs.choice(self.refused.iter().map(|(_, _, item)| item.as_str()));
        self.tried = Tried::default();
        self.tried.graphs = graphs;
        (self.has_frame, self.has_checkpoints, self.placed) = (false, false, Placed::default());
    }
}

fn add(lines: &mut Lines, part: Part) {
    let (list, text) = match part {
        Part::Nothing => return,
        Part::Replaced { end, text } => return lines.replaced = Some((end, text)),
        Part::Block { clauses, statement } => return lines.blocks.push((clauses, statement)),
        Part::Execute(block) => return lines.block.get_or_insert_default().add(block),
        Part::Closing(text) => (&mut lines.closing, text),
        // Lines of a procedure may be equal.
        Part::Statement(text) => return lines.statements.push(text),
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
    /// The text up to an offset is replaced.
    Replaced {
        end: u32,
        text: String,
    },
    /// An `execute` block with a statement.
    Block {
        clauses: ExecuteClauses,
        statement: String,
    },
    Closing(String),
    Statement(String),
    Item(String),
    Execute(ExecuteClauses),
    Opening(String),
}

impl Part {
    fn text(&self) -> Option<&str> {
        match self {
            Part::Nothing | Part::Statement(_) | Part::Replaced { .. } => None,
            Part::Execute(_) | Part::Block { .. } => Some(BLOCK),
            Part::Closing(text) | Part::Item(text) | Part::Opening(text) => Some(text),
        }
    }
}

fn positions<'a>(unit: &'a Unit, files: &'a Files) -> Box<dyn Positions + 'a> {
    match unit {
        Unit::C(unit) => Box::new(CSource::new(unit, files)),
        Unit::Fortran(unit) => Box::new(FortranSource::new(unit, files)),
    }
}

type Parts = Option<Vec<(Spot, Part)>>;

/// The positions in a source, in either language. None if no directive can be there.
trait Positions {
    /// Before the statement around `at`: in the block that declares the variable, or in the innermost one.
    fn before(&self, at: Span, declared: Option<Span>, nearest: bool) -> Option<Spot>;
    /// The gaps around the body without braces of a loop whose header declares a variable.
    fn around_body(&self, at: Span, declared: Span) -> Option<(Spot, Spot)>;
    /// The gaps before and after the innermost statement around `at`.
    fn around(&self, at: Span) -> Option<(Spot, Spot)>;
    /// Before the first statement of a procedure.
    fn body_start(&self, procedure: Span) -> Option<Spot>;
    /// The gaps around the statements at which the main program ends without an error, and the gap at its end.
    fn body_ends(&self, procedure: Span) -> Vec<(Spot, Spot)>;
    /// As `around`, if the statement does nothing else.
    fn alone(&self, at: Span) -> Option<(Spot, Spot)>;
    /// As `around`, if the innermost statement is an assignment or a call.
    fn simple(&self, at: Span) -> Option<(Spot, Spot)>;
    /// A block with the initial value at `at` of a variable, which is a constant.
    fn initial(&self, at: Span, block: &ExecuteClauses) -> Parts;
    /// The item of a `register` directive for memory that a call at `at` allocates for a pointer.
    fn allocated(&self, at: Span, whole: bool) -> Option<String>;
    /// The items for the fields of a structure, without some of its bytes and without handles.
    fn fields(&self, declared: Span, name: &str, bytes: &FieldBytes) -> Vec<String>;
    /// A block with a part of the statement at `at` alone, if the whole statement cannot be in a block.
    fn separated(&self, at: Span, block: &ExecuteClauses) -> Parts;
    /// Unit and name of the file that an OPEN statement at `at` opens.
    fn opened(&self, at: Span) -> Option<(String, String)>;
    /// The text of an argument of the call at `at`.
    fn argument(&self, at: Span, number: usize) -> Option<String>;
    /// The loop that is the next statement after the offset, if only directives are between.
    fn loop_after(&self, at: Span) -> Option<Span>;
    /// The spot, above pragmas of others that belong to the statement.
    fn above_pragmas(&self, spot: Spot) -> Spot;
    /// Before everything that may use a static variable of a procedure.
    fn before_use(&self, procedure: Span, declared: Span) -> Option<Spot>;
    /// After the line of a directive.
    fn after_directive(&self, at: Span) -> Option<Spot>;
    /// An empty procedure. `declarations`: those of the COMMON block that it needs.
    fn registrar(
        &self,
        place: &RegistrarPlace,
        name: &str,
        declarations: &[String],
    ) -> Option<(Spot, Vec<String>)>;
    /// The call of a procedure without arguments, which another source may define.
    fn call(&self, name: &str) -> String;
    /// Whether a restart cannot continue at the spot.
    fn refuses(&self, spot: Spot) -> bool;
    fn style(&self) -> Style;
}

/// The lines for a directive, if it belongs to the file.
fn parts(source: &dyn Positions, wanted: &Wanted, file: FileId) -> Parts {
    if wanted.place().file != file {
        return None;
    }
    let found = lines_of(source, wanted)?;
    let is_refused = wanted.is_entered() && found.iter().any(|(spot, _)| source.refuses(*spot));
    (!is_refused).then_some(found)
}

fn lines_of(source: &dyn Positions, wanted: &Wanted) -> Parts {
    let one = |spot: Spot, part: Part| Some(vec![(spot, part)]);
    match wanted {
        Wanted::Register { at, declared, nearest, item } => {
            let item = Part::Item(item.clone());
            match source.before(*at, *declared, *nearest) {
                Some(spot) => one(spot, item),
                None => before(source.around_body(*at, (*declared)?)?, item),
            }
        }
        Wanted::RegisterFields { at, declared, nearest, name, bytes } => {
            let spot = source.before(*at, Some(*declared), *nearest)?;
            let fields = source.fields(*declared, name, bytes);
            Some(fields.into_iter().map(|field| (spot, Part::Item(field))).collect())
        }
        Wanted::RegisterFirst { procedure, item } => {
            one(source.body_start(*procedure)?, Part::Item(item.clone()))
        }
        Wanted::Allocated { at, whole } => {
            let item = source.allocated(*at, *whole)?;
            after(source.around(*at)?, Part::Item(item))
        }
        Wanted::RegisterAfter { at, item } => after(source.around(*at)?, Part::Item(item.clone())),
        Wanted::RegisterAfterInit { init, item } => {
            one(source.after_directive(*init)?, Part::Item(item.clone()))
        }
        Wanted::Execute { at, captures, file } => {
            let file = match file {
                None => None,
                Some(OpenedFile::OfC { handle, name }) => {
                    Some((handle.clone(), source.argument(name.call, name.number)?))
                }
                Some(OpenedFile::Unit) => Some(source.opened(*at)?),
            };
            let block = ExecuteClauses { captures: captures.clone(), files: file.into_iter().collect() };
            source.separated(*at, &block).or_else(|| around(source.around(*at)?, block))
        }
        Wanted::Setting { at, captures } => {
            let block = ExecuteClauses { captures: captures.clone(), files: Vec::new() };
            match source.simple(*at) {
                Some(gaps) => around(gaps, block),
                None => source.initial(*at, &block),
            }
        }
        Wanted::UnregisterBefore { at, name } => {
            before(source.alone(*at)?, Part::Opening(format!("unregister({name})")))
        }
        Wanted::Checkpoint { at, safety } => {
            let (start, end) = source.around(*at)?;
            before((source.above_pragmas(start), end), Part::Opening(safety.directive()))
        }
        Wanted::RegisterStatic { procedure, declared, item } => {
            one(source.before_use(*procedure, *declared)?, Part::Item(item.clone()))
        }
        Wanted::Registrar { place, name, declarations } => {
            let (spot, lines) = source.registrar(place, name, declarations)?;
            Some(lines.into_iter().map(|line| (spot, Part::Statement(line))).collect())
        }
        Wanted::RegistrarCall { after, name } => {
            one(source.after_directive(*after)?, Part::Statement(source.call(name)))
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
        Gap::Then => Some(vec![(before, part), (after, Part::Statement(END_IF.to_owned()))]),
        Gap::Line | Gap::Within | Gap::Close(_) | Gap::Separator | Gap::Replaced => {
            Some(vec![(before, part)])
        }
    }
}

fn after((before, after): (Spot, Spot), part: Part) -> Parts {
    match after.gap {
        Gap::Close(_) => Some(vec![(before, Part::Nothing), (after, part)]),
        Gap::Line | Gap::Within | Gap::Open | Gap::Then | Gap::Separator | Gap::Replaced => {
            Some(vec![(after, part)])
        }
    }
}

fn around((before, after): (Spot, Spot), block: ExecuteClauses) -> Parts {
    Some(vec![(before, Part::Execute(block)), (after, Part::Closing(END_EXECUTE.to_owned()))])
}
