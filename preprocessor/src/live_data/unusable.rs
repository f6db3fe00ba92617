//! Reports of registers of memory that a restart cannot restore.
//!
//! Input: the analyses.
//! Output: diagnostics.

use cppc_analysis::check::Analysis;
use cppc_analysis::points_to::MemoryKind;
use cppc_analysis::unusable_registers::{unusable_registers, Unusable};
use cppc_source::Diagnostic;

/// The code of reports of pointers in bytes. Automatic registers that get it are left out.
pub const POINTERS_IN_BYTES: &str = "C0718";

/// The code of reports of memory of `alloca`.
const STACK: &str = "C0719";

pub(super) fn reports(analysis: &Analysis) -> Vec<Diagnostic> {
    let summaries = &analysis.summaries;
    let reports = unusable_registers(summaries).into_iter().map(|(item, memory, why)| {
        let text = &item.text;
        let (code, message, because, help) = match why {
            Unusable::PointersInBytes => (
                POINTERS_IN_BYTES,
                format!("`{text}` is saved as bytes, and its memory contains pointers"),
                "a restart does not set the pointers, because their positions are not known",
                "register the memory with a pointer to the type of its elements, or with `deep` and the type",
            ),
            Unusable::Stack => (
                STACK,
                format!("`{text}` is memory of `alloca`"),
                "a restart cannot find this memory, so the checkpoints are skipped",
                "use `malloc`, or an array with a variable length: `double work[n];`",
            ),
        };
        let found = Diagnostic::warning(code, item.span, message).because(because);
        let found = match summaries.places.points.kind(memory) {
            MemoryKind::Heap(site) => {
                found.label(analysis.operation(*site).span, "the memory is allocated here")
            }
            _ => found,
        };
        found.help(help)
    });
    reports.collect()
}
