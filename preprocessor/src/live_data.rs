//! The checks of live data.
//!
//! Input: the program that lowering made.
//! Output: diagnostics.
//! Postcondition: each diagnostic says where the value is read, where it was written last, and what to add.

use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::check::{Analysis, Finding, FindingKind};
use cppc_analysis::program::{Program, Site};
use cppc_analysis::witness::Witness;
use cppc_source::Diagnostic;

/// Checks the directives of a program.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let effects = Catalogue::built_in().of_program(program);
    let analysis = Analysis::new(program, &effects);
    analysis.check().iter().map(|finding| diagnostic(&analysis, finding)).collect()
}

/// What is live, lost and registered at each checkpoint.
pub fn dump(program: &Program) -> String {
    let effects = Catalogue::built_in().of_program(program);
    Analysis::new(program, &effects).dump()
}

fn diagnostic(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let at = analysis.operation(finding.at).span;
    let name = &finding.text;
    match finding.kind {
        FindingKind::NotRestored => {
            let message =
                format!("`{name}` may be read after this checkpoint, and a restart does not restore it");
            let found = Diagnostic::warning("C0701", at, message)
                .because("the state that is saved here does not contain it");
            let found = witnesses(analysis, finding, found);
            let help = match finding.variable {
                Some(_) => format!("write `register({name})` where `{name}` has its memory, before the checkpoint"),
                None => format!(
                    "register the memory of `{name}` with its number of elements, in the procedure that allocates it"
                ),
            };
            found.help(help)
        }
        FindingKind::BlockReads => {
            let message =
                format!("this execute block reads `{name}`, which may have another value in a restart");
            let found = Diagnostic::warning("C0702", at, message).because("a restart runs this block again");
            let help = format!("capture it: `execute capture({name})`");
            witnesses(analysis, finding, found).help(help)
        }
        FindingKind::LostHandle => {
            let message =
                format!("`{name}` is used after this checkpoint, and a restart does not create it again");
            let found = Diagnostic::warning("C0704", at, message)
                .because("it was created after `init`, outside of execute blocks");
            witnesses(analysis, finding, found).help(
                "write `execute` before the statement that creates it and `end execute` after it; for an open file, add `file(…)`",
            )
        }
        FindingKind::NoCheckpoint => {
            Diagnostic::warning("C0703", at, "the program starts the runtime and has no checkpoint")
                .because("no path from here comes to a `checkpoint`")
                .help("write `checkpoint` in the main loop of the program")
        }
    }
}

fn witnesses(analysis: &Analysis, finding: &Finding, mut found: Diagnostic) -> Diagnostic {
    let name = &finding.text;
    let (used, made) = match finding.kind {
        FindingKind::LostHandle => ("used", "created"),
        FindingKind::NotRestored | FindingKind::BlockReads | FindingKind::NoCheckpoint => ("read", "written"),
    };
    if let Some(read) = &finding.read {
        found = found.label(analysis.operation(read.site).span, format!("`{name}` is {used} here"));
        found = chain(analysis, read, found);
    }
    if let Some(written) = &finding.written {
        found = found.label(analysis.operation(written.site).span, format!("`{name}` is {made} here"));
    }
    found
}

/// The calls between the checkpoint and the read.
fn chain(analysis: &Analysis, read: &Witness, found: Diagnostic) -> Diagnostic {
    let label = |site: &Site| analysis.summaries.procedure(site.procedure).label.clone();
    if read.calls.is_empty() {
        return found;
    }
    let mut names: Vec<String> = read.calls.iter().map(label).collect();
    names.push(label(&read.site));
    found.note(format!("it is read through these calls: `{}`", names.join("` → `")))
}
