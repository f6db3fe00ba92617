//! The variables that `cppc` prints for a state file.
//!
//! Input: a file that any machine has written.
//! Output: a line of text for each variable.
//! Postcondition: the lines do not depend on the machine. They contain names, extents, and whether the type
//! is a pointer.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace::output;

pub fn variables(tool: &Path, file: &Path) -> Result<Vec<String>> {
    let printed = output(Command::new(tool).args(["show", "--json", "--stats=no"]).arg(file))?;
    let shown: Value = serde_json::from_str(&printed).context("`cppc show --json` does not give JSON")?;
    let registers =
        shown["files"][0]["registers"].as_array().context("`cppc show --json` shows no registers")?;
    let line = |register: &Value| {
        let part = |key: &str| &register[key];
        format!(
            "{}:{}:{} count {} shape {} pointer {}",
            part("procedure"),
            part("depth"),
            part("name"),
            part("count"),
            part("shape"),
            part("is_pointer")
        )
    };
    Ok(registers.iter().map(line).collect())
}
