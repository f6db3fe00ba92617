//! The files that execute blocks open.
//!
//! In: the two items of `file(…)`. Out: the handle and whether it is a stream or a descriptor, and the name.
//! Holds afterwards: the handle is one of the two, the name a text, and both can be evaluated.
//!
//! | code | what |
//! |---|---|
//! | C0435 | the handle is no `FILE *` and no integer |
//! | C0436 | the name is no text |

use cppc_grammar::c::tree::Basic;
use cppc_grammar::directive::{CItem, Opened};
use cppc_source::Diagnostic;

use super::binder::Binder;
use super::items::OpenedFile;
use super::symbols::SymbolKind;
use super::types::{Kind, Type};

impl Binder<'_> {
    pub(super) fn opened_file(&mut self, pragma: usize, file: &Opened<CItem>) -> Option<OpenedFile> {
        let Opened { handle, name } = file;
        let of_handle = self.type_of_item(pragma, handle);
        let of_name = self.type_of_item(pragma, name);
        let (of_handle, of_name) = (of_handle?, of_name?);
        let is_stream = self.is_stream(&of_handle);
        if !is_stream && !of_handle.is_integer() && !of_handle.is_unknown() {
            let diagnostic = Diagnostic::error("C0435", handle.span, format!("`{}` is no handle of a file", handle.text))
                .because("neither a `FILE *` nor the number of a descriptor")
                .help("name what the block gets from `fopen` or `open`");
            self.diagnostics.push(diagnostic);
            return None;
        }
        let is_text = of_name.target().is_some_and(|target| matches!(target.kind, Kind::Basic(Basic::Char)));
        if !is_text && !of_name.is_unknown() {
            let diagnostic = Diagnostic::error("C0436", name.span, format!("`{}` is no name of a file", name.text))
                .because("not a text")
                .help("write the name that the block opens, a `char *`");
            self.diagnostics.push(diagnostic);
            return None;
        }
        Some(OpenedFile { span: handle.span, handle: handle.text.clone(), is_stream, name: name.text.clone() })
    }

    fn type_of_item(&mut self, pragma: usize, item: &CItem) -> Option<Type> {
        let expr = self.typed_tokens(pragma, item, item.tokens())?;
        Some(self.type_of(expr.id).decayed())
    }

    /// Whether it is a pointer to what `stdio.h` calls `FILE`.
    fn is_stream(&self, ty: &Type) -> bool {
        let Some(Kind::Record(pointed)) = ty.target().map(|target| &target.kind) else { return false };
        self.symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Typedef
                && self.text(symbol.name) == "FILE"
                && matches!(&symbol.ty.kind, Kind::Record(found) if found == pointed)
        })
    }
}
