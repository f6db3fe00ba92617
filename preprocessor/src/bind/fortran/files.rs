//! The files that execute blocks open.
//!
//! In: the two items of `file(…)`. Out: the unit and the name, as expressions. Holds afterwards: the unit is an
//! integer, the name a text.
//!
//! | code | what |
//! |---|---|
//! | C0435 | the unit is no integer |
//! | C0436 | the name is no text |

use cppc_grammar::directive::fortran::FortranItem;
use cppc_grammar::directive::Opened;
use cppc_source::Diagnostic;

use super::bound::Bound;
use super::items::OpenedFile;
use super::resolve_items::Here;
use super::types::{Type, Typed};

impl Bound<'_> {
    /// None when one of them has a mistake.
    pub(super) fn opened_files(&mut self, here: Here, written: &[Opened<FortranItem>]) -> Option<Vec<OpenedFile>> {
        let mut files = Vec::new();
        for file in written {
            match self.opened_file(here, file) {
                Ok(found) => files.push(found),
                Err(diagnostic) => self.diagnostics.push(diagnostic),
            }
        }
        (files.len() == written.len()).then_some(files)
    }

    fn opened_file(&self, here: Here, file: &Opened<FortranItem>) -> Result<OpenedFile, Diagnostic> {
        let error = |item: &FortranItem, code, message: String| {
            Diagnostic::error(code, self.anchor(here.source, item.at), message)
        };
        let unit = self.type_of_item(here, &file.handle)?;
        if !matches!(unit.ty, Type::Integer(_) | Type::Unknown) || unit.rank.is_some_and(|rank| rank > 0) {
            let message = format!("`{}` is no unit", file.handle.text);
            return Err(error(&file.handle, "C0435", message)
                .because("not an integer")
                .help("name the unit that the block opens: `file(10, 'name')`"));
        }
        let name = self.type_of_item(here, &file.name)?;
        if !matches!(name.ty, Type::Character { .. } | Type::Unknown) || name.rank.is_some_and(|rank| rank > 0) {
            let message = format!("`{}` is no name of a file", file.name.text);
            return Err(error(&file.name, "C0436", message)
                .because("not a text")
                .help("write the name that the block opens, as in its OPEN"));
        }
        Ok(OpenedFile { unit: file.handle.text.trim().to_owned(), name: file.name.text.trim().to_owned() })
    }

    fn type_of_item(&self, here: Here, item: &FortranItem) -> Result<Typed, Diagnostic> {
        let parsed = self.line(here.source, item.at.line).and_then(|line| super::item_expression(line, item.at));
        let Some(expr) = parsed else {
            let span = self.anchor(here.source, item.at);
            return Err(Diagnostic::error("C0420", span, format!("`{}` is no expression of Fortran", item.text))
                .help("write a unit and the name of its file: `file(10, 'name')`"));
        };
        self.check_names(here, &expr)?;
        Ok(self.type_of(here.scope, &expr))
    }
}
