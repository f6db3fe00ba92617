//! The procedures without source that a program calls.
//!
//! Input: the program and the catalogue. Output: the entry of each name, and its name in MPI.

use rustc_hash::FxHashMap;

use crate::catalogue::entry::{Effect, Entry, Extent, Factor, HandleUse};
use crate::catalogue::Catalogue;
use crate::program::{Callee, Program};

/// All processes of the communicator get the same.
pub const SHARING: [&str; 4] = ["mpi_bcast", "mpi_allreduce", "mpi_allgather", "mpi_allgatherv"];

/// A procedure without source.
#[derive(Debug)]
pub struct Outside {
    /// `None`: its effects are not known.
    pub entry: Option<Entry>,
    /// In lower case, without what depends on the language: `mpi_send`.
    pub mpi: Option<String>,
}

/// Procedures of C whose results depend only on the arguments and the memory that they address.
const FUNCTIONS: &str = "atoi atol atoll atof strtol strtoul strtoll strtod sscanf strcmp strncmp strlen strcpy strncpy \
    memcpy memset snprintf sprintf abs labs fabs sqrt pow floor ceil exp log fmax fmin cbrt hypot log2 round lround \
    fortran%get_command_argument fortran%command_argument_count fortran%iargc fortran%getarg getarg_ iargc_";

/// The outside procedures by the names that calls use.
pub fn outside(program: &Program, catalogue: &Catalogue) -> FxHashMap<String, Outside> {
    let mut found = FxHashMap::default();
    for (_, _, call) in program.calls() {
        let names: &[String] = match &call.callee {
            Callee::Named(name) => std::slice::from_ref(name),
            Callee::OneOf(names) => names,
            Callee::Indirect(_) => &[],
        };
        for name in names.iter().filter(|name| !found.contains_key(*name)).cloned().collect::<Vec<_>>() {
            let entry = catalogue.entry(&name);
            let mpi = mpi_name(&name);
            found.insert(name, Outside { entry, mpi });
        }
    }
    found
}

/// `mpi_send` for `MPI_Send`, `PMPI_Send`, `mpi_send_`, `mpi_send_f08_`.
pub fn mpi_name(name: &str) -> Option<String> {
    let name = name.rsplit('%').next().unwrap_or(name).to_ascii_lowercase();
    let mut name = name.trim_end_matches('_');
    for suffix in ["_f08ts", "_f08", "_fts", "_c"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    let name = name.strip_prefix('p').filter(|rest| rest.starts_with("mpi_")).unwrap_or(name);
    name.starts_with("mpi_").then(|| name.to_owned())
}

pub fn is_function(name: &str) -> bool {
    FUNCTIONS.split_whitespace().any(|known| known == name)
}

impl Outside {
    /// Whether it sends, receives, waits, or takes part in something collective.
    pub fn communicates(&self) -> bool {
        let Some(entry) = &self.entry else { return true };
        if let Some(name) = &self.mpi {
            if entry.effects.is_empty() && !makes_request(entry) {
                return matches!(&name[..], "mpi_cancel" | "mpi_request_free");
            }
            return !is_passive(name);
        }
        makes_request(entry)
            || entry.effects.iter().any(|effect| match effect {
                Effect::Sends(_)
                | Effect::Receives(_)
                | Effect::Waits(_)
                | Effect::Starts(_)
                | Effect::Opaque
                | Effect::Jumps => true,
                Effect::Stops
                | Effect::ReturnsTwice
                | Effect::Threads
                | Effect::Probes(_)
                | Effect::Collective(_)
                | Effect::Tests(_)
                | Effect::State { .. }
                | Effect::Sets { .. }
                | Effect::Opens(_)
                | Effect::Removes(_)
                | Effect::Renames(..)
                | Effect::Asks(_)
                | Effect::Creates(_)
                | Effect::Truncates(_)
                | Effect::Shortens(_) => false,
            })
    }

    /// Whether it may call procedures of the program.
    pub fn calls_back(&self) -> bool {
        let Some(entry) = &self.entry else { return true };
        entry.parameters.iter().chain(&entry.rest).any(|parameter| parameter.calls)
            || entry.effects.contains(&Effect::Threads)
    }

    /// Whether the argument only says how much of the memory is sent. Where the message goes does not depend on it.
    pub fn is_size_of_sent(&self, at: usize) -> bool {
        let Some(entry) = &self.entry else { return false };
        let has = |extent: &Extent| match extent {
            Extent::Bytes(sum) => sum
                .0
                .iter()
                .flat_map(|product| &product.factors)
                .any(|factor| *factor == Factor::Argument(at)),
            Extent::Unknown | Extent::Text | Extent::All => false,
        };
        let all = &entry.parameters;
        let is_of_read = all.iter().any(|one| one.reads.as_ref().is_some_and(has));
        let is_of_written = all.iter().any(|one| one.writes.as_ref().is_some_and(|to| has(&to.extent)));
        let sends = entry.effects.iter().any(|effect| matches!(effect, Effect::Sends(_)));
        sends && is_of_read && !is_of_written
    }

    pub fn position(&self, name: &str) -> Option<usize> {
        self.entry.as_ref()?.parameters.iter().position(|parameter| parameter.name == name)
    }
}

/// Collective, but no message of it may be in transit, because the program cannot do anything else before or after.
fn is_passive(name: &str) -> bool {
    matches!(name, "mpi_init" | "mpi_init_thread" | "mpi_finalize" | "mpi_wtime" | "mpi_wtick" | "mpi_abort")
}

pub fn makes_request(entry: &Entry) -> bool {
    let is_request = |kind: &str| kind == "request";
    entry.parameters.iter().any(|parameter| match &parameter.handle {
        Some(HandleUse::Makes(kind)) => is_request(kind),
        Some(HandleUse::Uses(_) | HandleUse::Ends(_)) | None => false,
    })
}
