//! What `cppc` shows of a state file.
//!
//! In: a file that any machine has written. Out: a line of text for each variable. Holds afterwards: what the lines say
//! does not depend on the machine: names, extents, and of the type only whether it is a pointer.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace::output;

pub fn variables(tool: &Path, file: &Path) -> Result<Vec<String>> {
    let said = output(Command::new(tool).args(["show", "--json", "--stats=no"]).arg(file))?;
    let shown: Value = serde_json::from_str(&said).context("`cppc show --json` does not give JSON")?;
    let registers = shown["files"][0]["registers"].as_array().context("`cppc show --json` tells of no registers")?;
    let line = |register: &Value| {
        let part = |key: &str| &register[key];
        format!(
            "{}:{}:{} count {} shape {} pointer {}",
            part("procedure"), part("depth"), part("name"), part("count"), part("shape"), part("is_pointer")
        )
    };
    Ok(registers.iter().map(line).collect())
}
