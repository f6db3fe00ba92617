//! `cppc report`: one page about the state of applications.
//!
//! Input: state directories, directories in them, or files.
//! Output: an HTML page with the recovery lines, their sizes and times, the variables of one line, and pictures.
//! Postcondition: the page is one file. It contains no scripts, and a browser loads nothing else for it. A file that is no
//! page was not overwritten.

mod variables;
mod html;

use crate::list::{self, ListedApplication};
use crate::picture::{self, Picture, PlotOptions};
use crate::select::{self, Ranks, Selection};
use crate::shape::Extents;
use crate::show::{self, ShowOptions, Shown, Statistics};
use crate::{display, pending_file};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use cppc_runtime::verify::{Description, Verified};
use std::path::{Path, PathBuf};
use variables::Variable;

pub const HELP: &str = "The page shows all recovery lines, and the variables of the newest complete one. It is one file without \
scripts, so it can be copied and sent. Its pictures show the largest arrays, with a tile for each process. Only another page is \
overwritten.\n\n\
Examples:\n  cppc report -o report.html                     the state in cppc-state\n  \
cppc report -o report.html --line 7 -n 'u*'    line 7, and only some variables\n  \
cppc report -o report.html --shape 130x512     arrays with this number of elements are planes\n  cppc report -o - run-1 run-2 > report.html";

#[derive(Debug, Args)]
pub struct ReportArguments {
    /// State directories, directories in them, or files
    #[arg(default_value = "cppc-state")]
    path: Vec<PathBuf>,
    /// The page to write (`-`: to standard output)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The application, if the directory has several; default: all
    #[arg(long)]
    app: Option<String>,
    /// The recovery line whose variables are shown; default: the newest complete one
    #[arg(long)]
    line: Option<u64>,
    /// The ranks of the processes, such as 0-3,7, or all
    #[arg(long, value_parser = Ranks::parse, default_value = "all")]
    rank: Ranks,
    /// Only registers whose name matches one of these, with * and ?
    #[arg(short, long, value_name = "PATTERN")]
    name: Vec<String>,
    /// The shape of registers with the same number of elements, such as 100x200, in the order of the program's declaration
    #[arg(long, value_parser = Extents::parse)]
    shape: Option<Extents>,
    /// How many arrays to draw
    #[arg(long, value_name = "N", default_value_t = 12)]
    pictures: usize,
}

/// What the page says about one application.
struct Section {
    application: ListedApplication,
    /// The files of the chosen line.
    files: Vec<Shown>,
    variables: Vec<Variable>,
    pictures: Vec<Picture>,
    /// Which arrays have no picture.
    notes: Vec<String>,
    problems: Vec<String>,
}

/// Larger arrays are not drawn, because all of their content must be read.
const MOST_PICTURE_BYTES: u64 = 1 << 30;

/// Writes the page. Returns a message, and whether all is well.
pub fn report(arguments: &ReportArguments) -> Result<(String, bool)> {
    let mut sections: Vec<Section> = Vec::new();
    let mut errors = Vec::new();
    for path in &arguments.path {
        let mut listing = list::list(std::slice::from_ref(path))?;
        listing
            .applications
            .retain(|application| arguments.app.as_ref().is_none_or(|name| *name == application.name));
        for application in listing.applications {
            match section(path, application, arguments) {
                Ok(section) => sections.push(section),
                Err(error) => errors.push(error),
            }
        }
    }
    // An application without the chosen line or process does not prevent the page of the others.
    let Some(first) = sections.first_mut() else {
        return Err(errors
            .into_iter()
            .next()
            .unwrap_or_else(|| anyhow!("there is no application to report")));
    };
    first.problems.extend(errors.iter().map(display::error_text));
    if !arguments.name.is_empty() && sections.iter().all(|section| section.variables.is_empty()) {
        bail!("{}", display::none_named(&arguments.name));
    }
    let page = html::page(&sections, std::time::SystemTime::now());
    let good = sections.iter().all(|section| section.problems.is_empty());
    if arguments.output == Path::new("-") {
        return Ok((page, good));
    }
    pending_file::replace(&arguments.output, page.as_bytes(), html::SIGNATURE, "a page of `cppc report`")?;
    let pictures = sections.iter().map(|section| section.pictures.len()).sum::<usize>() as u64;
    let lines = sections.iter().map(|section| section.application.lines.len()).sum::<usize>() as u64;
    let said = format!(
        "{} shows {} with {}\n",
        display::plain(&arguments.output.display().to_string()),
        display::many(lines, "recovery line"),
        display::many(pictures, "picture")
    );
    Ok((said, good))
}

fn section(path: &Path, application: ListedApplication, arguments: &ReportArguments) -> Result<Section> {
    let newest = application.lines.iter().find(|line| line.complete).or(application.lines.first());
    let (place, named) = select::split(path);
    let selection = Selection {
        app: Some(application.name.clone()),
        line: arguments.line.or(named).or(newest.map(|line| line.number)),
        ranks: arguments.rank.clone(),
    };
    let is_empty = newest.is_none();
    let mut section = Section {
        application,
        files: Vec::new(),
        variables: Vec::new(),
        pictures: Vec::new(),
        notes: Vec::new(),
        problems: Vec::new(),
    };
    if is_empty {
        return Ok(section);
    }
    let mut descriptions = Vec::new();
    for file in select::files(&place, &selection)? {
        match show::open(&file) {
            Ok(description) => descriptions.push(description),
            Err(problem) => section.problems.push(problem),
        }
    }
    let wanted = ShowOptions {
        selection,
        names: arguments.name.clone(),
        values: 4,
        statistics: Statistics::Auto,
        shape: arguments.shape.clone().map(|extents| extents.0),
    };
    section.files = descriptions.iter().map(|description| show::shown(description, &wanted)).collect();
    section.problems.extend(section.files.iter().flat_map(|file| file.damage.iter().cloned()));
    section.problems.extend(section.application.lines.iter().flat_map(|line| line.problems.iter().cloned()));
    let unread = section.files.iter().filter(|file| file.unread_bytes.is_some()).count();
    if unread > 0 {
        let files = display::many(unread as u64, "file");
        section
            .notes
            .push(format!("there are no statistics, because {files} would have to be read completely"));
    }
    section.variables = variables::of(&section.files);
    draw(&mut section, &descriptions, arguments);
    Ok(section)
}

/// Draws the largest arrays, in the order of their sizes.
fn draw(section: &mut Section, files: &[Verified<Description>], arguments: &ReportArguments) {
    let mut arrays: Vec<&Variable> =
        section.variables.iter().filter(|variable| variable.is_drawable()).collect();
    arrays.sort_by_key(|variable| std::cmp::Reverse(variable.size_bytes));
    let (drawn, others) = arrays.split_at(arguments.pictures.min(arrays.len()));
    for variable in drawn {
        let note = |reason: &str| format!("`{}` is not drawn: {reason}", variable.name);
        if variable.size_bytes > MOST_PICTURE_BYTES {
            section.notes.push(note(&format!("it has {}", display::size(variable.size_bytes))));
            continue;
        }
        // A process may not have the variable.
        let with_it: Vec<&Verified<Description>> =
            variable.places.iter().map(|&(file, _)| &files[file]).collect();
        let Some(&(_, register)) = variable.places.first() else { continue };
        let shape = arguments.shape.as_ref().filter(|shape| shape.count() == Some(variable.elements));
        let wanted = PlotOptions { shape: shape.map(|extents| extents.0.clone()), ..PlotOptions::default() };
        match picture::picture_of(&with_it, register, &wanted) {
            Ok(picture) => section.pictures.push(picture),
            Err(error) => section.notes.push(note(&display::error_text(&error))),
        }
    }
    if !others.is_empty() {
        let names: Vec<String> = others.iter().map(|variable| format!("`{}`", variable.name)).collect();
        section.notes.push(format!("smaller arrays are not drawn: {}", names.join(", ")));
    }
}
