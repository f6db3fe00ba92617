//! The variables of all processes.
//!
//! Input: what the files of one recovery line contain.
//! Output: one entry for each variable, with the sizes and statistics of all processes together.
//! Postcondition: the variables are in the order in which the first process has them.

use crate::display::plain;
use crate::show::{Shown, ShownRegister};
use crate::statistics::Summary;
use crate::value::real::double_text;
use std::collections::HashMap;

/// A register that one or more processes have.
pub struct Variable {
    pub name: String,
    pub scope: String,
    pub type_name: String,
    /// The shape in the first process, and whether others have other shapes.
    pub shape: String,
    pub has_other_shapes: bool,
    /// The files that have it, and its index in each of them.
    pub places: Vec<(usize, usize)>,
    pub size_bytes: u64,
    /// The largest number of elements in a process.
    pub elements: u64,
    /// Whether its elements are numbers.
    is_numeric: bool,
    pub range: Option<Range>,
    pub values: String,
}

/// The finite values of all processes.
pub struct Range {
    pub min: String,
    pub max: String,
    pub mean: String,
    pub nans: u64,
    pub infinities: u64,
}

impl Variable {
    pub fn is_drawable(&self) -> bool {
        self.elements > 1 && self.is_numeric
    }
}

/// What identifies a variable in all processes: name, procedure, depth of its frame, and section.
type Identity<'a> = (&'a str, Option<&'a str>, Option<u32>, i32);

pub fn of(files: &[Shown]) -> Vec<Variable> {
    let mut order: HashMap<Identity, usize> = HashMap::new();
    let mut found: Vec<Vec<(usize, usize, &ShownRegister)>> = Vec::new();
    for (file, shown) in files.iter().enumerate() {
        for register in &shown.registers {
            let key =
                (register.name.as_str(), register.procedure.as_deref(), register.depth, register.section);
            let place = *order.entry(key).or_insert(found.len());
            if place == found.len() {
                found.push(Vec::new());
            }
            found[place].push((file, register.index, register));
        }
    }
    found.iter().filter_map(|places| variable(places)).collect()
}

fn variable(places: &[(usize, usize, &ShownRegister)]) -> Option<Variable> {
    let (_, _, first) = places.first()?;
    let own: Vec<&Summary> = places
        .iter()
        .filter_map(|(_, _, register)| register.statistics.as_deref())
        .flatten()
        .filter(|summary| summary.field.is_empty())
        .collect();
    Some(Variable {
        name: plain(&first.name),
        scope: match (&first.procedure, first.depth) {
            (Some(procedure), Some(depth)) => format!("{} ({depth})", plain(procedure)),
            _ => "program".to_owned(),
        },
        type_name: first.type_name.clone(),
        shape: first.shape_text.clone(),
        has_other_shapes: places.iter().any(|(_, _, register)| register.shape != first.shape),
        places: places.iter().map(|&(file, index, _)| (file, index)).collect(),
        size_bytes: places.iter().fold(0, |sum, (_, _, register)| sum.saturating_add(register.size_bytes)),
        elements: places.iter().map(|(_, _, register)| register.count).max().unwrap_or(0),
        is_numeric: first.is_number,
        // A range of some processes would look like that of all.
        range: places
            .iter()
            .all(|(_, _, register)| register.statistics.is_some())
            .then(|| range(&own))
            .flatten(),
        values: first.values_text.clone(),
    })
}

/// `None` if there are no numbers.
fn range(summaries: &[&Summary]) -> Option<Range> {
    let numbers = |text: fn(&Summary) -> &str| {
        let texts = summaries.iter().map(move |summary| text(summary)).filter(|text| !text.is_empty());
        texts.filter_map(|text| Some((text.parse::<f64>().ok()?, text)))
    };
    let min = numbers(|summary| &summary.min_text).min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let max = numbers(|summary| &summary.max_text).max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let finite = |summary: &Summary| (summary.count - summary.nans - summary.infinities) as f64;
    let count: f64 = summaries.iter().map(|summary| finite(summary)).sum();
    let means = summaries.iter().filter_map(|summary| Some(summary.mean? * (finite(summary) / count)));
    let has_mean = summaries.iter().any(|summary| summary.mean.is_some());
    let mean: f64 = means.sum();
    Some(Range {
        min: min.1.to_owned(),
        max: max.1.to_owned(),
        mean: if has_mean {
            double_text(format!("{mean:.5e}").parse().unwrap_or(mean))
        } else {
            String::new()
        },
        nans: summaries.iter().map(|summary| summary.nans).sum(),
        infinities: summaries.iter().map(|summary| summary.infinities).sum(),
    })
}
