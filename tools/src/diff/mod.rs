//! `cppc diff`: the differences between two states.
//!
//! Input: two files, lines or directories.
//! Output: registers that are in only one of them, and those that differ, where first and by how much.
//! Postcondition: both sides have been verified as far as they were read; what could not be compared is named
//! and counts as different.

mod compare;
mod pairs;
mod text;

pub use compare::{FirstDifference, Tolerance};

use crate::display::{is_wanted, none_named, wrong};
use crate::plan;
use crate::progress::Progress;
use crate::select::Ranks;
use crate::shape::Shape;
use crate::show::{open, size_bytes};
use anyhow::{bail, Result};
use compare::{compare, parts, Side};
use cppc_runtime::manifest::{Register, Scope};
use cppc_runtime::verify::{Description, Verified, VerifyError};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone)]
pub struct DiffOptions {
    pub app: Option<String>,
    pub ranks: Ranks,
    pub names: Vec<String>,
    pub tolerance: Tolerance,
}

#[derive(Debug, Serialize)]
pub struct Report {
    pub equal: bool,
    pub tolerance: Tolerance,
    pub pairs: Vec<Compared>,
}

/// The comparison of the files of one process.
#[derive(Debug, Default, Serialize)]
pub struct Compared {
    pub rank: Option<u32>,
    #[serde(serialize_with = "crate::display::lossy_option")]
    pub a: Option<PathBuf>,
    #[serde(serialize_with = "crate::display::lossy_option")]
    pub b: Option<PathBuf>,
    pub equal: bool,
    /// Files or registers that cannot be read.
    pub problems: Vec<String>,
    pub only_in_a: Vec<String>,
    pub only_in_b: Vec<String>,
    pub same: usize,
    /// Values that differ, but within the tolerance.
    pub tolerated: u64,
    pub differing: Vec<Difference>,
    /// The first entry that differs.
    pub plan: Option<PlanDifference>,
}

#[derive(Debug, Serialize)]
pub struct PlanDifference {
    pub entry: usize,
    pub a: Option<String>,
    pub b: Option<String>,
}

/// A register that differs.
#[derive(Debug, Serialize)]
pub struct Difference {
    pub name: String,
    pub procedure: Option<String>,
    pub depth: Option<u32>,
    pub section: i32,
    #[serde(rename = "type")]
    pub type_name: String,
    /// Differences other than in values.
    pub notes: Vec<String>,
    pub compared: u64,
    pub differing: u64,
    pub first: Option<FirstDifference>,
    pub max_absolute: Option<f64>,
    pub max_relative: Option<f64>,
    #[serde(serialize_with = "crate::display::whole_number")]
    pub max_ulps: Option<u128>,
    pub largest_at: Option<String>,
}

/// Compares the states at the two paths.
pub fn diff(a: &Path, b: &Path, wanted: &DiffOptions) -> Result<Report> {
    let pairs = pairs::pairs(a, b, wanted.app.as_deref(), &wanted.ranks)?;
    if pairs.is_empty() {
        bail!("there are no files of the processes that were asked for");
    }
    for path in pairs.iter().flat_map(|pair| [&pair.a, &pair.b]).flatten() {
        std::fs::metadata(path)
            .map_err(|error| anyhow::anyhow!("cannot look at `{}`: {error}", path.display()))?;
    }
    let total =
        pairs.iter().filter_map(|pair| pair.a.as_ref()?.metadata().ok()).map(|entry| entry.len()).sum();
    let progress = Progress::new(total);
    let pairs: Vec<Compared> = pairs.into_iter().map(|pair| compared(pair, wanted, &progress)).collect();
    if !wanted.names.is_empty() && pairs.iter().all(|pair| pair.equal && pair.same == 0) {
        bail!("{}", none_named(&wanted.names));
    }
    Ok(Report { equal: pairs.iter().all(|pair| pair.equal), tolerance: wanted.tolerance, pairs })
}

fn compared(pair: pairs::Pair, wanted: &DiffOptions, progress: &Progress) -> Compared {
    let mut compared = Compared { rank: pair.rank, a: pair.a, b: pair.b, ..Compared::default() };
    let mut described = Vec::new();
    for path in [&compared.a, &compared.b].into_iter().flatten() {
        match open(path) {
            Ok(description) => described.push(description),
            Err(problem) => compared.problems.push(problem),
        }
    }
    if let [a, b] = &described[..] {
        progress.at(&a.path().display().to_string());
        compared.files(a, b, wanted, progress);
    }
    let is_complete = described.len() == 2 && compared.problems.is_empty() && compared.plan.is_none();
    compared.equal = is_complete
        && compared.only_in_a.is_empty()
        && compared.only_in_b.is_empty()
        && compared.differing.is_empty();
    compared
}

impl Compared {
    fn files(
        &mut self,
        a: &Verified<Description>,
        b: &Verified<Description>,
        wanted: &DiffOptions,
        progress: &Progress,
    ) {
        let (own, others) = (Side::new(a), Side::new(b));
        let matched = matched(&a.manifest().registers, &b.manifest().registers);
        for pair in &matched.pairs {
            if !is_wanted(&a.manifest().registers[pair.0].name, &wanted.names) {
                continue;
            }
            match difference((&own, pair.0), (&others, pair.1), wanted.tolerance, progress) {
                Ok((tolerated, difference)) => {
                    self.tolerated += tolerated;
                    self.same += usize::from(difference.is_none());
                    self.differing.extend(difference);
                }
                Err(error) => self.problems.push(wrong(&error)),
            }
        }
        let named = |registers: &[Register], indices: &[usize]| {
            let found = indices.iter().map(|&index| &registers[index]);
            found.filter(|register| is_wanted(&register.name, &wanted.names)).map(named).collect()
        };
        self.only_in_a = named(&a.manifest().registers, &matched.only_in_a);
        self.only_in_b = named(&b.manifest().registers, &matched.only_in_b);
        if wanted.names.is_empty() {
            self.plan = plans(
                &plan::lines(&a.manifest().plan, &own.reader),
                &plan::lines(&b.manifest().plan, &others.reader),
            );
        }
    }
}

fn named(register: &Register) -> String {
    match &register.scope {
        Scope::Program => register.name.clone(),
        Scope::Frame { depth, procedure } => format!("{} of {procedure} ({depth})", register.name),
    }
}

struct Matched {
    pairs: Vec<(usize, usize)>,
    only_in_a: Vec<usize>,
    only_in_b: Vec<usize>,
}

/// Matches registers by name, scope and section; the remaining ones without the section.
fn matched(a: &[Register], b: &[Register]) -> Matched {
    let mut pairs = Vec::new();
    let mut left: (Vec<usize>, Vec<usize>) = ((0..a.len()).collect(), (0..b.len()).collect());
    for with_section in [true, false] {
        let key = |register: &Register| {
            (register.name.clone(), scope_key(&register.scope), with_section.then_some(register.section))
        };
        let mut waiting = std::collections::HashMap::new();
        for &index in left.1.iter().rev() {
            waiting.entry(key(&b[index])).or_insert_with(Vec::new).push(index);
        }
        left.0.retain(|&index| match waiting.get_mut(&key(&a[index])).and_then(Vec::pop) {
            Some(other) => {
                pairs.push((index, other));
                false
            }
            None => true,
        });
        left.1 = waiting.into_values().flatten().collect();
        left.1.sort_unstable();
    }
    pairs.sort_unstable();
    Matched { pairs, only_in_a: left.0, only_in_b: left.1 }
}

fn scope_key(scope: &Scope) -> Option<(u32, String)> {
    match scope {
        Scope::Program => None,
        Scope::Frame { depth, procedure } => Some((*depth, procedure.clone())),
    }
}

/// The number of tolerated values, and the difference; `None` if there is none.
fn difference(
    a: (&Side, usize),
    b: (&Side, usize),
    tolerance: Tolerance,
    progress: &Progress,
) -> Result<(u64, Option<Difference>), VerifyError> {
    let (own, other) = (&a.0.reader.manifest.registers[a.1], &b.0.reader.manifest.registers[b.1]);
    let shape = a.0.places.shape(a.1);
    let parts = parts((a.0, own), (b.0, other));
    let mut notes = notes(a, b, &shape, parts.is_ok());
    let found = match parts {
        Ok(parts) => compare((a.0, own), (b.0, other), &parts, &shape, tolerance, &mut |bytes| {
            progress.advance(bytes)
        })?,
        Err(why) => {
            notes.extend(Some(why).filter(|why| !why.is_empty()));
            Default::default()
        }
    };
    // Elements that are too large to be read were not compared.
    if found.compared == 0 && size_bytes(own) > 0 && size_bytes(other) > 0 && notes.is_empty() {
        notes.push("elements too large to compare".to_owned());
    }
    let (procedure, depth) = match &own.scope {
        Scope::Program => (None, None),
        Scope::Frame { depth, procedure } => (Some(procedure.clone()), Some(*depth)),
    };
    let tolerated = found.tolerated;
    let difference = (found.differing > 0 || !notes.is_empty()).then(|| Difference {
        name: own.name.clone(),
        procedure,
        depth,
        section: own.section,
        type_name: a.0.reader.type_name(own.type_code),
        notes,
        compared: found.compared,
        differing: found.differing,
        first: found.first,
        max_absolute: found.max_absolute,
        max_relative: found.max_relative,
        max_ulps: found.max_ulps,
        largest_at: found.largest_at,
    });
    Ok((tolerated, difference))
}

/// Differences other than in values.
fn notes(a: (&Side, usize), b: (&Side, usize), shape: &Shape, is_comparable: bool) -> Vec<String> {
    let (own, other) = (&a.0.reader.manifest.registers[a.1], &b.0.reader.manifest.registers[b.1]);
    let mut notes = Vec::new();
    let mut note = |what: &str, a: String, b: String| notes.push(format!("{what} {a} and {b}"));
    let types = (a.0.reader.type_name(own.type_code), b.0.reader.type_name(other.type_code));
    // A type may have different names on different machines, so the values decide.
    if !is_comparable || (types.0 != types.1 && a.0.reader.machine == b.0.reader.machine) {
        note("types", types.0, types.1);
    }
    let other_shape = b.0.places.shape(b.1);
    if own.count != other.count {
        note("counts", own.count.to_string(), other.count.to_string());
    } else if shape.extents != other_shape.extents {
        note("shapes", shape.text(), other_shape.text());
    }
    if own.target.is_none() != other.target.is_none() {
        let said =
            |register: &Register| if register.target.is_none() { "null" } else { "not null" }.to_owned();
        note("pointers", said(own), said(other));
    }
    notes
}

fn plans(a: &[String], b: &[String]) -> Option<PlanDifference> {
    let entry = (0..a.len().max(b.len())).find(|&entry| a.get(entry) != b.get(entry))?;
    let said = |lines: &[String]| lines.get(entry).map(|line| line.trim().to_owned());
    Some(PlanDifference { entry, a: said(a), b: said(b) })
}
