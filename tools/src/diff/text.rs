//! The report of `cppc diff` as text for people.
//!
//! Input: a report.
//! Output: text.
//! Postcondition: names from files contain no control characters.

use super::{Compared, Difference, Report};
use crate::display::{abbreviated, many, plain, shortened, styled, TableCell, BAD, DOUBTFUL, GOOD, HEADING};
use crate::table::{heading, table, width, Column};
use crate::value::real::double_text;
use std::fmt;
use std::path::PathBuf;

const MOST_NAME: usize = 40;

const COLUMNS: [Column; 11] = [
    Column::Text,
    Column::Text,
    Column::Text,
    Column::Number,
    Column::Values,
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Values,
];

impl fmt::Display for Report {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let same = self.pairs.iter().filter(|pair| pair.equal).count();
        for pair in self.pairs.iter().filter(|pair| !pair.equal) {
            pair.fmt(text)?;
            writeln!(text)?;
        }
        let tolerated: u64 = self.pairs.iter().map(|pair| pair.tolerated).sum();
        if tolerated > 0 {
            writeln!(text, "{} not the same, but within the tolerance", many(tolerated, "value"))?;
        }
        match self.pairs.len() {
            1 if self.equal => {
                let pair = &self.pairs[0];
                writeln!(text, "{}: {}", styled("the same", GOOD), many(pair.same as u64, "register"))
            }
            1 => Ok(()),
            pairs => {
                let style = if self.equal { GOOD } else { BAD };
                writeln!(text, "{}", styled(&format!("{same} of {pairs} processes the same"), style))
            }
        }
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        if let Some(rank) = self.rank {
            writeln!(text, "{}", styled(&format!("rank {rank}"), HEADING))?;
        }
        let path = |path: &Option<PathBuf>| {
            path.as_ref().map_or("no file".to_owned(), |path| plain(&path.display().to_string()))
        };
        writeln!(text, "  A {}\n  B {}", path(&self.a), path(&self.b))?;
        for problem in &self.problems {
            writeln!(text, "  {}", styled(problem, BAD))?;
        }
        for (side, names) in [("A", &self.only_in_a), ("B", &self.only_in_b)] {
            for name in names {
                writeln!(text, "  {}", styled(&format!("only in {side}: {}", plain(name)), DOUBTFUL))?;
            }
        }
        let mut rows = vec![heading([
            "name",
            "scope",
            "type",
            "differing",
            "first at",
            "A",
            "B",
            "max abs",
            "max rel",
            "max ulp",
            "at",
        ])];
        rows.extend(self.differing.iter().filter(|register| register.differing > 0).map(Difference::row));
        if rows.len() > 1 {
            write!(text, "{}", table(&rows, &COLUMNS, width(text)))?;
        }
        for register in &self.differing {
            for note in &register.notes {
                writeln!(
                    text,
                    "  {}",
                    styled(&format!("{}: {}", plain(&register.name), plain(note)), DOUBTFUL)
                )?;
            }
        }
        if let Some(plan) = &self.plan {
            let said = |entry: &Option<String>| entry.clone().unwrap_or_else(|| "nothing".to_owned());
            writeln!(
                text,
                "  restart plans differ at entry {}:\n    A {}\n    B {}",
                plan.entry + 1,
                said(&plan.a),
                said(&plan.b)
            )?;
        }
        if self.same > 0 {
            writeln!(text, "  {} the same", many(self.same as u64, "register"))?;
        }
        Ok(())
    }
}

impl Difference {
    fn row(&self) -> Vec<TableCell> {
        let scope = match (&self.procedure, self.depth) {
            (Some(procedure), Some(depth)) => {
                format!("{} ({depth})", shortened(&plain(procedure), MOST_NAME))
            }
            _ => "program".to_owned(),
        };
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| double_text(three_digits(value)));
        let first = self
            .first
            .as_ref()
            .map_or(Default::default(), |first| [&first.at, &first.a, &first.b].map(String::clone));
        let [at, a, b] = first;
        let largest_at = self.largest_at.clone().filter(|largest| *largest != at).unwrap_or_default();
        vec![
            TableCell::new(abbreviated(&plain(&self.name), MOST_NAME), BAD),
            scope.into(),
            shortened(&self.type_name, MOST_NAME).into(),
            format!("{} of {}", self.differing, self.compared).into(),
            at.into(),
            a.into(),
            b.into(),
            number(self.max_absolute).into(),
            number(self.max_relative).into(),
            self.max_ulps.map_or(String::new(), ulps).into(),
            largest_at.into(),
        ]
    }
}

/// If values differ this much, more digits have no meaning.
fn ulps(ulps: u128) -> String {
    if ulps < 1 << 32 {
        ulps.to_string()
    } else {
        format!("{:.2e}", ulps as f64)
    }
}

fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
