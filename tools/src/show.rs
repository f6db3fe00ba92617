//! `cppc show`: what one state file holds.
//!
//! In: a file, or a directory and which of its files. Out: provenance, registers with their first
//! values, the restart plan. Holds afterwards: the pieces of blocks that values were read from have
//! been verified.

use crate::plan;
use crate::scan;
use crate::values::Reader;
use crate::words::{many, plain, size, table};
use anyhow::{bail, Result};
use cppc_runtime::manifest::{Kind, Place, Register, Scope};
use cppc_runtime::storage::Posix;
use cppc_runtime::verify::{describe, read_part, Description, Verified};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// Which file of a directory, and how much of it.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub app: Option<String>,
    pub line: Option<u64>,
    pub rank: u32,
    pub values: usize,
}

#[derive(Debug, Serialize)]
pub struct Shown {
    pub path: PathBuf,
    pub size_bytes: u64,
    pub writer: String,
    pub application: String,
    pub fingerprint: String,
    pub run: String,
    pub line: u64,
    pub rank: u32,
    pub processes: u32,
    pub checkpoint_calls: u64,
    pub machine: ShownMachine,
    pub registers: Vec<ShownRegister>,
    pub memory_blocks: Vec<ShownBlock>,
    pub pointers: usize,
    pub plan: Vec<String>,
    /// What is wrong with the content that was looked at.
    pub damage: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct ShownMachine {
    pub byte_order: &'static str,
    pub long_bytes: u8,
    pub pointer_bytes: u8,
    pub long_double_bytes: u8,
}

#[derive(Debug, Serialize)]
pub struct ShownRegister {
    pub name: String,
    pub scope: String,
    pub section: i32,
    #[serde(rename = "type")]
    pub type_name: String,
    pub count: u64,
    pub size_bytes: u64,
    /// Of all the bytes of the program's memory in the file, in percent.
    pub share_percent: f64,
    /// None for a null pointer.
    pub block: Option<u32>,
    pub offset_bytes: Option<u64>,
    pub is_pointer: bool,
    pub values: String,
}

#[derive(Debug, Serialize)]
pub struct ShownBlock {
    pub size_bytes: u64,
    /// None when only the writer of the file knows.
    pub stored_bytes: Option<u64>,
    pub place: &'static str,
}

/// Shows one file.
pub fn show(path: &Path, wanted: &Wanted) -> Result<Shown> {
    let file = if path.is_dir() { choose(path, wanted)? } else { path.to_owned() };
    let description = describe(&Posix, &file)?;
    Ok(shown(&description, wanted.values))
}

fn choose(path: &Path, wanted: &Wanted) -> Result<PathBuf> {
    let mut applications = scan::applications(path)?;
    if let Some(app) = &wanted.app {
        applications.retain(|application| application.name == *app);
    }
    let application = match &applications[..] {
        [one] => one,
        [] => bail!("there is no application `{}` in `{}`", wanted.app.as_deref().unwrap_or_default(), path.display()),
        several => {
            let names: Vec<String> = several.iter().map(|application| format!("`{}`", plain(&application.name))).collect();
            bail!("there are several applications in `{}`: choose one of {} with `--app`", path.display(), names.join(", "))
        }
    };
    let one_rank = application.ranks.len() == 1;
    let Some(rank) = application.ranks.iter().find(|rank| one_rank || rank.rank == wanted.rank) else {
        bail!("there is no state of rank {} in `{}`", wanted.rank, application.path.display());
    };
    let file = match wanted.line {
        Some(number) => rank.files.iter().find(|file| file.number == number),
        None => rank.files.last(),
    };
    match (file, wanted.line) {
        (Some(file), _) => Ok(file.path.clone()),
        (None, Some(number)) => bail!("rank {} has no file of recovery line {number}", rank.rank),
        (None, None) => bail!("rank {} has no state files", rank.rank),
    }
}

fn shown(description: &Verified<Description>, values: usize) -> Shown {
    let manifest = description.manifest();
    let machine = description.machine();
    let said = &manifest.provenance;
    let reader = Reader { manifest, machine };
    let mut damage = Vec::new();
    let registers = manifest
        .registers
        .iter()
        .map(|register| shown_register(description, register, &reader, values, &mut damage))
        .collect();
    damage.dedup();
    let blocks = manifest.blocks.iter().enumerate().map(|(index, block)| ShownBlock {
        size_bytes: block.size_bytes,
        stored_bytes: description.stored_bytes(index),
        place: match block.place {
            Place::Heap => "heap",
            Place::Program => "program",
        },
    });
    Shown {
        path: description.path().to_owned(),
        size_bytes: description.size_bytes(),
        writer: plain(description.writer()),
        application: plain(&said.application),
        fingerprint: plain(&said.fingerprint),
        run: format!("{:016x}", said.run),
        line: said.number,
        rank: said.rank,
        processes: said.processes,
        checkpoint_calls: said.calls,
        machine: ShownMachine {
            byte_order: if machine.big_endian { "big-endian" } else { "little-endian" },
            long_bytes: machine.long_bytes,
            pointer_bytes: machine.pointer_bytes,
            long_double_bytes: machine.long_double_bytes,
        },
        registers,
        memory_blocks: blocks.collect(),
        pointers: manifest.relocations.len(),
        plan: plan::lines(&manifest.plan, &reader),
        damage,
    }
}

/// A structure may be large; its beginning is enough.
const MOST_VALUE_BYTES: u64 = 4096;

fn shown_register(
    description: &Verified<Description>,
    register: &Register,
    reader: &Reader,
    values: usize,
    damage: &mut Vec<String>,
) -> ShownRegister {
    let element_bytes = u64::from(register.element_bytes);
    // The description has been verified: the product is the size of something in the file.
    let size_bytes = register.count.saturating_mul(element_bytes);
    let total: u64 = reader.manifest.blocks.iter().fold(0, |sum, block| sum.saturating_add(block.size_bytes));
    let shown = register.count.min(values as u64).min(MOST_VALUE_BYTES / element_bytes.max(1));
    let read = register.target.filter(|_| shown > 0).map(|target| {
        let length = (shown * element_bytes) as usize;
        read_part(description, target.block as usize, target.offset_bytes, length)
    });
    let text = match read {
        None if register.target.is_none() => "null".to_owned(),
        None => String::new(),
        Some(Err(error)) => {
            damage.push(plain(&error.to_string()));
            "damaged".to_owned()
        }
        Some(Ok(bytes)) => {
            let more = if shown < register.count { " …" } else { "" };
            reader.elements(register.type_code, element_bytes as usize, &bytes) + more
        }
    };
    ShownRegister {
        name: plain(&register.name),
        scope: match &register.scope {
            Scope::Program => "program".to_owned(),
            Scope::Frame { depth, procedure } => format!("{} ({depth})", plain(procedure)),
        },
        section: register.section,
        type_name: reader.type_name(register.type_code),
        count: register.count,
        size_bytes,
        share_percent: if total == 0 { 0.0 } else { size_bytes as f64 * 100.0 / total as f64 },
        block: register.target.map(|target| target.block),
        offset_bytes: register.target.map(|target| target.offset_bytes),
        is_pointer: register.kind == Kind::Pointer,
        values: text,
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        writeln!(text, "{} ({})", plain(&self.path.display().to_string()), size(self.size_bytes))?;
        writeln!(
            text,
            "  {}: recovery line {} of run {}, rank {} of {}, after {}",
            self.application,
            self.line,
            self.run,
            self.rank,
            self.processes,
            many(self.checkpoint_calls as usize, "checkpoint call"),
        )?;
        let machine = &self.machine;
        writeln!(
            text,
            "  written by the writer {} on a {} machine: long {}, pointer {}, long double {} bytes",
            self.writer, machine.byte_order, machine.long_bytes, machine.pointer_bytes, machine.long_double_bytes
        )?;
        writeln!(text, "\n{}", many(self.registers.len(), "register"))?;
        let header = ["name", "scope", "type", "count", "size", "share", "values"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for register in &self.registers {
            rows.push(vec![
                if register.is_pointer { format!("*{}", register.name) } else { register.name.clone() },
                register.scope.clone(),
                register.type_name.clone(),
                register.count.to_string(),
                size(register.size_bytes),
                format!("{:.1}%", register.share_percent),
                register.values.clone(),
            ]);
        }
        write!(text, "{}", table(&rows, &[false, false, false, true, true, true]))?;
        let (memory, stored) = self.memory_blocks.iter().fold((0u64, 0u64), |sum, block| {
            (sum.0.saturating_add(block.size_bytes), sum.1.saturating_add(block.stored_bytes.unwrap_or(0)))
        });
        // Of a file whose writer alone knows, its size says most.
        let is_known = self.memory_blocks.iter().all(|block| block.stored_bytes.is_some());
        let stored = if is_known { stored } else { self.size_bytes };
        writeln!(text, "\n{}: {} of memory, {} in the file", many(self.memory_blocks.len(), "memory block"), size(memory), size(stored))?;
        writeln!(text, "\nrestart plan")?;
        for line in &self.plan {
            writeln!(text, "  {line}")?;
        }
        for damage in &self.damage {
            writeln!(text, "\n{damage}")?;
        }
        Ok(())
    }
}
