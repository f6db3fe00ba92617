//! The report of `cppc show` as text for people.
//!
//! Input: a report.
//! Output: text.
//! Postcondition: names from files contain no control characters.

use super::{Report, Shown, ShownRegister, ShownStorage};
use crate::display::{
    abbreviated, many, plain, ranges, shortened, size, styled, TableCell, BAD, DOUBTFUL, FAINT, HEADING,
    PLAIN,
};
use crate::statistics::Summary;
use crate::table::{heading, table, width, Column};
use crate::value::real::double_text;
use std::fmt;

const MOST_LETTERS: usize = 60;
const MOST_NAME: usize = 40;
const MOST_NUMBER: usize = 24;

const COLUMNS: [Column; 11] = [
    Column::Text,
    Column::Text,
    Column::Text,
    Column::Text,
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Values,
];

impl fmt::Display for Report {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        for (index, file) in self.files.iter().enumerate() {
            if index > 0 {
                writeln!(text)?;
            }
            file.fmt(text)?;
        }
        for problem in &self.problems {
            writeln!(text, "{}", styled(problem, BAD))?;
        }
        Ok(())
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        self.head(text)?;
        self.registers(text)?;
        if self.is_whole {
            self.whole(text)?;
        }
        for damage in &self.damage {
            writeln!(text, "\n{}", styled(damage, BAD))?;
        }
        Ok(())
    }
}

impl Shown {
    /// The lines that do not concern single registers.
    fn whole(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let (memory, stored) = self.memory_blocks.iter().fold((0u64, 0u64), |sum, block| {
            (sum.0.saturating_add(block.size_bytes), sum.1.saturating_add(block.stored_bytes.unwrap_or(0)))
        });
        // If only the writer knows the stored size, the size of the file is shown.
        let is_known = self.memory_blocks.iter().all(|block| block.stored_bytes.is_some());
        let stored = if is_known { stored } else { self.size_bytes };
        let blocks = many(self.memory_blocks.len() as u64, "memory block");
        write!(text, "\n{blocks}: {} of memory, {} in the file", size(memory), size(stored))?;
        match self.pointers {
            0 => writeln!(text)?,
            pointers => writeln!(text, ", {} in them", many(pointers as u64, "pointer"))?,
        }
        writeln!(text, "\n{}", styled("restart plan", HEADING))?;
        for line in &self.plan {
            writeln!(text, "  {line}")?;
        }
        Ok(())
    }

    fn head(&self, text: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            text,
            "{} ({})",
            styled(&plain(&self.path.display().to_string()), HEADING),
            size(self.size_bytes)
        )?;
        writeln!(
            text,
            "  {}: recovery line {} of run {}, rank {} of {}, after {}",
            plain(&self.application),
            self.line,
            self.run,
            self.rank,
            self.processes,
            many(self.checkpoint_calls, "checkpoint call"),
        )?;
        let machine = &self.machine;
        writeln!(
            text,
            "  written by the writer {} on a {} machine: long {}, pointer {}, long double {} bytes",
            plain(&self.writer),
            machine.byte_order,
            machine.long_bytes,
            machine.pointer_bytes,
            machine.long_double_bytes
        )?;
        if let Some(arguments) = self.arguments.as_deref().filter(|arguments| !arguments.is_empty()) {
            writeln!(text, "  of a program with the arguments {}", plain(&arguments.join(" ")))?;
        }
        if !self.inputs.is_empty() {
            writeln!(text, "  of a program with the input files {}", plain(&self.inputs.join(", ")))?;
        }
        let mut bases = self.bases.clone();
        bases.sort_unstable();
        match bases.len() {
            0 => Ok(()),
            _ => writeln!(text, "  with content in the files of lines {}", ranges(&bases)),
        }
    }

    fn registers(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let hidden = match self.hidden_registers {
            0 => String::new(),
            hidden => format!(" ({hidden} more)"),
        };
        let count = many(self.registers.len() as u64, "register");
        writeln!(text, "\n{}{hidden}", styled(&count, HEADING))?;
        let mut rows = vec![heading([
            "name", "scope", "type", "shape", "size", "share", "stored", "min", "mean", "max", "values",
        ])];
        rows.extend(self.registers.iter().flat_map(ShownRegister::rows));
        if rows.len() > 1 {
            write!(text, "{}", table(&rows, &COLUMNS, width(text)))?;
        }
        for register in &self.registers {
            for summary in register.statistics.iter().flatten() {
                if let Some(doubt) = summary.doubt() {
                    let name = plain(&register.name);
                    writeln!(text, "  {}", styled(&format!("{name}{}: {doubt}", summary.field), DOUBTFUL))?;
                }
            }
        }
        match self.unread_bytes {
            Some(bytes) => {
                writeln!(text, "  no statistics, since there are {} to read; ask with `--stats`", size(bytes))
            }
            None => Ok(()),
        }
    }
}

impl ShownRegister {
    /// A row for the register, and one for each field of a structure with numbers.
    fn rows(&self) -> Vec<Vec<TableCell>> {
        let name = abbreviated(&plain(&self.name), MOST_NAME);
        let scope = match (&self.procedure, self.depth) {
            (Some(procedure), Some(depth)) => {
                format!("{} ({depth})", shortened(&plain(procedure), MOST_NAME))
            }
            _ => "program".to_owned(),
        };
        let summaries = self.statistics.as_deref().unwrap_or_default();
        let own = summaries.iter().find(|summary| summary.field.is_empty() && self.count > 1);
        let value = if self.values.is_none() { BAD } else { PLAIN };
        let mut row: Vec<TableCell> = vec![
            if self.is_pointer && !name.starts_with('*') { format!("*{name}") } else { name }.into(),
            scope.into(),
            shortened(&self.type_name, MOST_NAME).into(),
            self.shape_text.as_str().into(),
            size(self.size_bytes).into(),
            format!("{:.1}%", self.share_percent).into(),
            self.stored.text().into(),
        ];
        row.extend(own.map_or_else(|| ["", "", ""].map(TableCell::from), Summary::cells));
        row.push(TableCell::new(first_values(&self.values_text), value));
        let fields =
            summaries.iter().filter(|summary| !summary.field.is_empty() && self.count > 1).map(|summary| {
                let mut row: Vec<TableCell> =
                    vec![TableCell::new(format!("  {}", abbreviated(&summary.field, MOST_NAME)), FAINT)];
                row.extend((0..6).map(|_| TableCell::from("")));
                row.extend(summary.cells());
                row
            });
        std::iter::once(row).chain(fields).collect()
    }
}

impl ShownStorage {
    /// Empty if everything is in the file.
    fn text(&self) -> String {
        let total = self.here_bytes + self.in_bases_bytes + self.zero_bytes;
        if total == self.here_bytes {
            return String::new();
        }
        let percent = |bytes: u64| format!("{:.0}%", bytes as f64 * 100.0 / total as f64);
        let parts = [(self.here_bytes, "here"), (self.in_bases_bytes, "before"), (self.zero_bytes, "zero")];
        let parts = parts.iter().filter(|(bytes, _)| *bytes > 0);
        parts.map(|(bytes, what)| format!("{} {what}", percent(*bytes))).collect::<Vec<_>>().join(", ")
    }
}

impl Summary {
    fn cells(&self) -> [TableCell; 3] {
        let number = |text: &str| TableCell::from(shortened(text, MOST_NUMBER));
        let bars = |text: &str| {
            if self.of == "modulus" && !text.is_empty() {
                format!("|{text}|")
            } else {
                text.to_owned()
            }
        };
        let mean = self.mean.map_or(String::new(), |mean| double_text(rounded(mean)));
        [number(&bars(&self.min_text)), number(&bars(&mean)), number(&bars(&self.max_text))]
    }

    /// A warning about NaN and infinite values.
    fn doubt(&self) -> Option<String> {
        let nans = (self.nans > 0).then(|| format!("{} NaN", self.nans));
        let infinities = (self.infinities > 0).then(|| format!("{} infinite", self.infinities));
        let said: Vec<String> = nans.into_iter().chain(infinities).collect();
        (!said.is_empty()).then(|| format!("{} of {}", said.join(" and "), many(self.count, "value")))
    }
}

/// The first values of a longer text. A number is not cut, because the rest of it would be another number.
fn first_values(text: &str) -> String {
    let cut = shortened(text, MOST_LETTERS);
    match cut.rfind(' ') {
        Some(blank) if cut != text => format!("{} …", &cut[..blank]),
        _ => cut,
    }
}

/// The mean with six digits.
fn rounded(mean: f64) -> f64 {
    format!("{mean:.5e}").parse().unwrap_or(mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_not_cut() {
        let text = "1234.5678 ".repeat(12);
        let first = first_values(text.trim_end());
        let (values, end) = first.split_once('…').unwrap();
        assert!(
            end.is_empty() && values.split(' ').all(|value| value.is_empty() || value == "1234.5678"),
            "{first}"
        );
        assert_eq!(first_values("1 2 3"), "1 2 3");
    }
}
