//! `deep(root, field: type)`: the types that are reached from a root.
//!
//! Input: the type of a root, and the types that the user has stated.
//! Output: diagnostics for what a restart could not create again.
//! Postcondition: if there are none, each reachable type can be described here, or is a structure that another source has to
//! define, and the target of each pointer is known.

use cppc_grammar::c::token::Token;
use cppc_grammar::directive::{CDeep, CItem};
use cppc_source::{Diagnostic, Span};

use super::amount::Memory;
use super::binder::Binder;
use super::items::{Graph, Selections, StatedType};
use super::reached_types::{Reach, Unsavable};

impl Binder<'_> {
    pub(super) fn graph(
        &mut self,
        pragma: usize,
        item: &CItem,
        deep: &CDeep,
        memory: &Memory,
    ) -> Option<(Graph, Selections)> {
        let root = &memory.counted.leaf_element().unqualified();
        let mut stated = Vec::new();
        for part in &deep.stated {
            let all = &self.preprocessed.pragmas[pragma].expanded;
            let field = all.get(part.field.clone()).unwrap_or_default();
            let type_name = all.get(part.type_name.clone()).unwrap_or_default();
            let ([field], false) = (field, type_name.is_empty()) else {
                self.refuse_statement(item, &part.text);
                return None;
            };
            let field = self.text(field.text).to_owned();
            // `(type) root` has the type.
            let (open, close) = (item.lvalue.start - 1, all.get(item.tokens().end - 1).copied());
            let mut tokens: Vec<Token> = vec![all[open]];
            tokens.extend_from_slice(type_name);
            tokens.extend(close);
            tokens.extend_from_slice(all.get(item.lvalue.clone()).unwrap_or_default());
            let expression = self.typed_list(item, &tokens)?;
            let ty = self.type_of(expression.id).unqualified();
            stated.push((field, ty));
        }
        let selections = self.selections(pragma, item, memory, &stated)?;
        let stated: Vec<(String, StatedType)> =
            stated.into_iter().map(|(field, ty)| (field, StatedType::Here(ty))).collect();
        let mut reach = Reach::new(self.unit_types(), &stated);
        let found = reach.check(root, &item.lvalue_text);
        let (used, elsewhere) = (reach.used, reach.elsewhere);
        if let Err(found) = found {
            self.diagnostics.push(found.diagnostic(item.span, &item.text));
            return None;
        }
        // Pointers in structures of other sources may have these names.
        let unused = stated.iter().find(|(field, _)| elsewhere.is_empty() && !used.contains(field));
        if let Some((field, _)) = unused {
            self.refuse_statement(item, &format!("{field}: …"));
            return None;
        }
        Some((Graph { root: root.clone(), stated, elsewhere }, selections))
    }

    fn refuse_statement(&mut self, item: &CItem, text: &str) {
        let diagnostic =
            Diagnostic::error("C0438", item.span, format!("`{text}` states no type of a pointer"))
                .because(
                    "no field of this name that is reached is a pointer to `void` or to this type, or the type is missing",
                )
                .help("write the name of a field, a colon and a type: `deep(root, data: struct item)`");
        self.diagnostics.push(diagnostic);
    }
}

impl Unsavable {
    /// `item`: the directive's item that reaches it.
    pub(super) fn diagnostic(&self, span: Span, item: &str) -> Diagnostic {
        let message = format!("`{item}` reaches `{}`, which cannot be saved", self.path);
        Diagnostic::error("C0437", span, message).because(self.reason.as_str()).help(self.help)
    }
}
