//! Names whose entries follow from others: interfaces for other languages and precisions, profiling, checked
//! variants.
//!
//! Input: a name without an entry.
//! Output: the name of the entry that it follows from, and how the parameters differ.
//! Postcondition: an entry that is written down is never replaced.

use super::entry::{Certainty, Entry, Extent, Factor, HandleUse, Parameter, Product, Sum, Written};

/// How an entry follows from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Same,
    /// The C procedure, called from Fortran: arguments by reference, and one more for the error code.
    FortranOfMpi,
    /// The C function, called from Fortran: arguments by reference.
    FortranOfC,
    /// Sizes have another type, so the sizes of integer arguments are not known.
    LargeCounts,
    LargeCountsInFortran,
    /// `__memcpy_chk`: one more argument, a value.
    OneMore,
    /// CBLAS: scalars by value, and the order of the matrices first.
    Cblas,
    /// LAPACKE: scalars by value, the order of the matrices first, no work space and no `info`.
    Lapacke,
}

/// The names to look for, in this order, with the rule that applies if one of them has an entry.
pub fn origins(name: &str) -> Vec<(String, Rule)> {
    let mut found = Vec::new();
    let mut add = |name: String, rule: Rule| found.push((name, rule));
    if let Some(rest) = name.strip_prefix("__builtin_") {
        add(rest.to_owned(), Rule::Same);
        add(rest.trim_start_matches('_').trim_end_matches("_chk").to_owned(), Rule::OneMore);
    }
    if let Some(rest) = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")) {
        add(rest.to_owned(), Rule::OneMore);
    }
    for prefix in ["__isoc99_", "__isoc23_", "__GI_", "__xpg_", "__"] {
        if let Some(rest) = name.strip_prefix(prefix) {
            add(rest.to_owned(), Rule::Same);
        }
    }
    for suffix in ["_unlocked", "64", "_l"] {
        if let Some(rest) = name.strip_suffix(suffix).filter(|_| suffix != "_l") {
            add(rest.to_owned(), Rule::Same);
        }
    }
    of_mpi(name, &mut add);
    of_algebra(name, &mut add);
    for prefix in ["fftwf_", "fftwl_", "fftwq_"] {
        if let Some(rest) = name.strip_prefix(prefix) {
            add(format!("fftw_{rest}"), Rule::Same);
        }
    }
    if let Some((_, procedure)) = name.rsplit_once('%').filter(|(module, _)| *module != "fortran") {
        add(format!("%{procedure}"), Rule::Same);
        add(format!("{procedure}_"), Rule::Same);
        add(procedure.to_owned(), Rule::FortranOfC);
    }
    if let Some(rest) = name.strip_suffix('_') {
        add(format!("%{rest}"), Rule::Same);
        add(rest.to_owned(), Rule::FortranOfC);
    }
    found
}

/// `PMPI_Send`, `MPI_Send_c`, `mpi_send_`, `pmpi_send_c_`. Names of Fortran become those of the table in
/// lower case.
fn of_mpi(name: &str, add: &mut impl FnMut(String, Rule)) {
    if let Some(rest) = name.strip_prefix("PMPI").filter(|rest| rest.starts_with(['_', 'X'])) {
        add(format!("MPI{rest}"), Rule::Same);
        if let Some(rest) = rest.strip_suffix("_c") {
            add(format!("MPI{rest}"), Rule::LargeCounts);
        }
    } else if let Some(rest) = name.strip_prefix("MPI").and_then(|rest| rest.strip_suffix("_c")) {
        add(format!("MPI{rest}"), Rule::LargeCounts);
    }
    let lower = name
        .strip_suffix('_')
        .map(|name| name.strip_prefix('p').filter(|rest| rest.starts_with("mpi")).unwrap_or(name));
    if let Some(name) = lower.filter(|name| name.starts_with("mpi_") || name.starts_with("mpix_")) {
        add(name.to_owned(), Rule::FortranOfMpi);
        for suffix in ["_f08", "_f08ts", "_fts"] {
            if let Some(rest) = name.strip_suffix(suffix) {
                add(rest.to_owned(), Rule::FortranOfMpi);
            }
        }
        if let Some(rest) = name.strip_suffix("_c") {
            add(rest.to_owned(), Rule::LargeCountsInFortran);
        }
    }
}

fn of_algebra(name: &str, add: &mut impl FnMut(String, Rule)) {
    if let Some(rest) = name.strip_prefix("cblas_") {
        add(format!("{rest}_"), Rule::Cblas);
    }
    if let Some(rest) = name.strip_prefix("LAPACKE_") {
        add(format!("{rest}_"), Rule::Lapacke);
    }
}

/// Applies a rule to an entry.
pub fn apply(rule: Rule, mut entry: Entry) -> Entry {
    match rule {
        Rule::Same => {}
        Rule::FortranOfC => by_reference(&mut entry),
        Rule::FortranOfMpi => {
            by_reference(&mut entry);
            entry.parameters.push(error_code());
        }
        Rule::LargeCounts => entry.parameters.iter_mut().for_each(any_integer),
        Rule::LargeCountsInFortran => {
            entry.parameters.iter_mut().for_each(any_integer);
            by_reference(&mut entry);
            entry.parameters.push(error_code());
        }
        Rule::OneMore => {
            // The size is before the arguments that a format uses.
            entry.parameters.push(Parameter { name: "size".to_owned(), ..Parameter::default() });
        }
        Rule::Cblas => {
            if has_matrix(&entry) {
                prepend(&mut entry, "layout");
            }
            by_value(&mut entry);
        }
        Rule::Lapacke => {
            let work = ["work", "lwork", "rwork", "lrwork", "iwork", "liwork", "bwork", "info"];
            keep_only(&mut entry, |name| !work.contains(&name));
            if has_matrix(&entry) {
                prepend(&mut entry, "matrix_layout");
            }
            by_value(&mut entry);
        }
    }
    entry
}

fn error_code() -> Parameter {
    Parameter { name: "ierror".to_owned(), writes: certain(4), ..Parameter::default() }
}

fn certain(bytes: i64) -> Option<Written> {
    let extent = Extent::Bytes(Sum(vec![Product { constant: bytes, factors: Vec::new() }]));
    Some(Written { extent, certainty: Certainty::Certain })
}

/// Values become scalars that are read; texts of C become character variables; a handle has the size of an
/// integer.
pub fn by_reference(entry: &mut Entry) {
    for parameter in entry.parameters.iter_mut().chain(&mut entry.rest) {
        if parameter.is_value() {
            parameter.reads = Some(Extent::All);
        }
        if let Some(extent) = parameter.reads.as_mut() {
            if *extent == Extent::Text || *extent == Extent::element() {
                *extent = Extent::All;
            }
        }
        if let Some(written) = parameter.writes.as_mut().filter(|written| written.extent == Extent::element())
        {
            match (&parameter.handle, written.certainty) {
                // An array may be passed from this element on. Only one integer is certain.
                (_, Certainty::Certain) => parameter.writes = certain(4),
                (_, Certainty::Possible | Certainty::Message) => written.extent = Extent::Unknown,
            }
        }
        if let Some(HandleUse::Ends(_)) = parameter.handle {
            parameter.reads = Some(Extent::All);
        }
    }
    entry.result.clear();
}

/// The size of an integer is not known.
fn any_integer(parameter: &mut Parameter) {
    let integers = |extent: &Extent| match extent {
        Extent::Bytes(sum) => {
            sum.0.iter().all(|product| product.factors.iter().all(|one| matches!(one, Factor::Argument(_))))
        }
        Extent::Unknown | Extent::Text | Extent::All => false,
    };
    let single = |extent: &Extent| match extent {
        Extent::Bytes(sum) => sum.0.iter().all(|product| product.factors.is_empty()),
        Extent::Unknown | Extent::Text | Extent::All => false,
    };
    let widen = |extent: &mut Extent| {
        if single(extent) {
            *extent = Extent::element();
        } else if integers(extent) {
            *extent = Extent::Unknown;
        }
    };
    parameter.reads.as_mut().map(widen);
    if let Some(written) = parameter.writes.as_mut() {
        widen(&mut written.extent);
    }
}

/// Scalars that are only read become values.
fn by_value(entry: &mut Entry) {
    for parameter in &mut entry.parameters {
        let scalar = parameter.reads == Some(Extent::All) && parameter.writes.is_none();
        if scalar && parameter.keeps.is_none() && !parameter.calls {
            parameter.reads = None;
        }
    }
}

/// Procedures without a matrix have no parameter for its order.
fn has_matrix(entry: &Entry) -> bool {
    entry.parameters.iter().any(|parameter| parameter.name == "ap" || parameter.name.starts_with("ld"))
}

fn prepend(entry: &mut Entry, name: &str) {
    let count = entry.parameters.len();
    let places: Vec<Option<usize>> = (0..count).map(|place| Some(place + 1)).collect();
    move_places(entry, &places);
    entry.parameters.insert(0, Parameter { name: name.to_owned(), ..Parameter::default() });
}

fn keep_only(entry: &mut Entry, keep: impl Fn(&str) -> bool) {
    let mut next = 0;
    let places: Vec<Option<usize>> = entry
        .parameters
        .iter()
        .map(|parameter| {
            let place = keep(&parameter.name).then_some(next);
            next += usize::from(place.is_some());
            place
        })
        .collect();
    move_places(entry, &places);
    entry.parameters.retain(|parameter| keep(&parameter.name));
}

/// Renumbers the positions in extents. An extent that depends on a parameter that no longer exists is unknown.
fn move_places(entry: &mut Entry, places: &[Option<usize>]) {
    for parameter in &mut entry.parameters {
        let extents =
            parameter.reads.as_mut().into_iter().chain(parameter.writes.as_mut().map(|one| &mut one.extent));
        for extent in extents {
            let Extent::Bytes(sum) = extent else { continue };
            let mut lost = false;
            for factor in sum.0.iter_mut().flat_map(|product| &mut product.factors) {
                match factor {
                    Factor::Argument(place) | Factor::Datatype(place) | Factor::Members(place) => {
                        match places[*place] {
                            Some(new) => *place = new,
                            None => lost = true,
                        }
                    }
                    Factor::Element => {}
                }
            }
            if lost {
                *extent = Extent::Unknown;
            }
        }
    }
}
