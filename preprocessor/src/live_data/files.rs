//! The diagnostics about files.
//!
//! Input: a finding. Output: a diagnostic.
//! Postcondition: the diagnostic names the statement that opens or uses the file, and what changes it.

use cppc_analysis::check::{Analysis, Finding, FindingKind};
use cppc_analysis::effects::FileAction;
use cppc_analysis::program::{Call, Callee, Site};
use cppc_analysis::units::is_open;
use cppc_source::Diagnostic;

pub fn repeated_append(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let is_in_block = finding.kind == FindingKind::AppendInBlock;
    let opens = if is_in_block { "in an execute block" } else { "after this checkpoint" };
    let message = format!(
        "`{name}` opens a file for appending {opens}, and a restart does not remove what was appended"
    );
    let mut found = Diagnostic::warning("C0711", at, message).because(match is_in_block {
        true => "a resumed run appends what follows this checkpoint again",
        false => "a resumed run appends the same data again",
    });
    if let Some(open) = &finding.read {
        found = found.label(analysis.operation(open.site).span, "it is opened here");
    }
    found.help(match (is_in_block, name == "open" && is_fortran(analysis, finding)) {
        (true, _) => "add `file(handle, name)` to the `execute` directive, with the variable of the handle or the unit, and the name of the file",
        (false, true) => "write `execute file(unit, name)` before the statement that opens it and `end execute` after it, with the unit and the name of the file",
        (false, false) => "write `execute file(handle, name)` before the statement that opens it and `end execute` after it, with the variable of the handle and the name of the file; a declaration cannot be in the block: declare the variable before it",
    })
}

pub fn repeated_creation(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let at = analysis.operation(finding.at).span;
    let is_in_block = finding.kind == FindingKind::CreationInBlock;
    let name = &finding.text;
    let place = if is_in_block { "in an execute block" } else { "after this checkpoint" };
    let created = finding.read.as_ref().map(|open| open.site);
    if let Some(site) = created.filter(|site| is_without_handle(analysis, *site)) {
        let message = format!("`{name}` is called {place}, and fails in a resumed run");
        return Diagnostic::warning("C0715", at, message)
            .because("a restart does not remove what the killed run has created under this name")
            .label(analysis.operation(site).span, "it is created here")
            .help(
                "continue if the name exists (`errno` is `EEXIST`), or ask before the call whether it exists",
            );
    }
    let message = format!("`{name}` creates a new file {place}, and a restart does not remove the file");
    let mut found = Diagnostic::warning("C0715", at, message)
        .because("a resumed run opens the file again, which fails because the file exists");
    if let Some(site) = created {
        found = found.label(analysis.operation(site).span, "it is opened here");
    }
    found.help(match is_in_block {
        true => "add `file(handle, name)` to the `execute` directive, with the variable of the handle or the unit, and the name of the file",
        false if is_fortran(analysis, finding) => "write `execute file(unit, name)` before the statement that opens it and `end execute` after it, with the unit and the name of the file; or open it with `status='replace'`",
        false => "write `execute file(handle, name)` before the statement that opens it and `end execute` after it, with the variable of the handle and the name of the file; or open it so that it is truncated (mode `w`, `O_TRUNC`)",
    })
}

/// Whether the call creates a directory or a link, and not an open file.
fn is_without_handle(analysis: &Analysis, site: Site) -> bool {
    let Some(Call { callee: Callee::Named(name), .. }) = analysis.operation(site).call() else {
        return false;
    };
    let effects = analysis.summaries.effects.effects(name);
    effects.is_some_and(|effects| effects.files.iter().any(|file| file.action == FileAction::Creates))
}

pub fn updated_file(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let is_open = finding.kind == FindingKind::UpdatedFile;
    let message = match is_open {
        true => format!(
            "`{name}` opens a file that the program reads and writes, and a restart from this checkpoint does not restore what was overwritten"
        ),
        false => format!(
            "records of `{name}` are read and written after this checkpoint, and a restart does not restore what was overwritten"
        ),
    };
    let mut found = Diagnostic::warning("C0713", at, message).because(
        "a resumed run may read from the file what the killed run has written after this checkpoint",
    );
    if let Some(place) = &finding.read {
        let what = if is_open { "it is opened here" } else { "a record is read here" };
        found = found.label(analysis.operation(place.site).span, what);
    }
    found = changed(analysis, finding, found, "it is written here");
    found.help(
        "keep what the program reads again in a registered variable, or write a new file in each step; if the program writes everything that it reads, write `allow(C0713)` before the checkpoint",
    )
}

/// A file that the program removes, asks for, creates again or makes shorter.
pub fn changed_file(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let (message, because, [used, made], help) = match finding.kind {
        FindingKind::AskedFile => (
            format!(
                "`{name}` asks after this checkpoint whether a file exists, and a restart does not undo that the program then creates or removes it"
            ),
            "a resumed run may get another answer than the killed run",
            ["the program asks here", "the file is changed here"],
            "keep the answer in a registered variable, and ask before the first checkpoint; if the answer makes no difference, write `allow(C0713)` before the checkpoint",
        ),
        FindingKind::RecreatedFile => (
            format!(
                "a restart from this checkpoint calls `{name}` again, and creates a file that the program has changed since"
            ),
            "the file is created before `init`, and a restart runs that part of the program again",
            ["it is created here", "it is changed here"],
            "create the file after `init`",
        ),
        FindingKind::ShortenedFile => (
            format!(
                "`{name}` may make a file shorter than it was at this checkpoint, and a restart does not restore what is cut off"
            ),
            "a restart from this checkpoint stops if the file is too short",
            ["its length is changed here", "its length is changed here"],
            "write to a new file instead, or close the file before the checkpoint; if the file only grows, write `allow(C0713)` before the checkpoint",
        ),
        _ => (
            format!(
                "`{name}` uses a file that the program then removes, and a restart from this checkpoint does not restore it"
            ),
            "a resumed run does not find the file that the killed run has removed after this checkpoint",
            ["it is used here", "it is removed here"],
            "remove the file after the last checkpoint, or keep what the program reads in a registered variable and read it before the first checkpoint",
        ),
    };
    let mut found = Diagnostic::warning("C0713", at, message).because(because);
    if let Some(place) = &finding.read {
        found = found.label(analysis.operation(place.site).span, used);
    }
    changed(analysis, finding, found, made).help(help)
}

/// Adds the statement that changes the file, if it is another one than the use.
fn changed(analysis: &Analysis, finding: &Finding, found: Diagnostic, what: &str) -> Diagnostic {
    let used = finding.read.as_ref().map(|used| used.site);
    match &finding.written {
        Some(place) if Some(place.site) != used => found.label(analysis.operation(place.site).span, what),
        Some(_) | None => found,
    }
}

pub fn lost_position(
    analysis: &Analysis,
    finding: &Finding,
    is_early: bool,
    is_truncated: bool,
) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let open = finding.written.as_ref().and_then(|open| analysis.operation(open.site).call());
    let message = match is_truncated {
        true if open.is_some_and(is_open) => format!(
            "a restart from this checkpoint opens `{name}` again, and what was written to the file before is lost"
        ),
        true => format!(
            "a restart from this checkpoint calls `{name}` again, and what was written to the file before is lost"
        ),
        false => format!(
            "a restart from this checkpoint opens a file by `{name}` again, and does not restore its position"
        ),
    };
    let mut found = Diagnostic::warning("C0714", at, message).because(match is_early {
        true => "the file is opened before `init`, and a restart runs that part of the program again",
        false => "a restart runs the execute block that opens the file again",
    });
    if let Some(open) = &finding.written {
        found = found.label(analysis.operation(open.site).span, "it is opened here");
    }
    if let Some(used) = &finding.read {
        let what = if is_truncated { "it is written here" } else { "it is used here" };
        found = found.label(analysis.operation(used.site).span, what);
    }
    found.help(match is_early {
        true => "open the file after `init`, in a block that begins with `execute file(handle, name)`: with the variable of the handle or the unit, and the name of the file",
        false => "add `file(handle, name)` to the `execute` directive, with the variable of the handle or the unit, and the name of the file",
    })
}

/// Whether the file is opened by a statement of Fortran.
fn is_fortran(analysis: &Analysis, finding: &Finding) -> bool {
    let open = finding.read.as_ref().and_then(|open| analysis.operation(open.site).call());
    open.is_some_and(is_open)
}
