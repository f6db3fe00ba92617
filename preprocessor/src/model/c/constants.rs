//! Variables that cannot be assigned to. Only their initialisers set them, and a restart jumps over the
//! initialisers.
//!
//! Input: a declaration.
//! Output: for each such variable the information that planning needs to restore its value after a restart.

use cppc_grammar::c::token::TokenKind;
use cppc_grammar::c::tree::{Declaration, Derivation, InitDeclarator, Range, Specifiers, Storage};
use cppc_source::Span;

use super::items::{ItemText, Root};
use super::{Builder, ProcedureContext};
use crate::bind::c::{StorageKind, Symbol, SymbolId, SymbolKind};
use crate::model::{Amount, Constant, Item, ItemKind, TypeCode, VariableId};

impl Builder<'_> {
    /// The words of a declaration that make its variables constant. `None` if they cannot be removed from its text, or if they
    /// qualify the type to which another pointer points.
    pub(super) fn constant_words(&self, declaration: &Declaration) -> Option<Vec<Span>> {
        let mut tokens = Vec::new();
        let (mut has_values, mut has_pointers) = (false, false);
        for declarator in declaration.declarators.iter().map(|one| &one.declarator) {
            let is_array = |derivation: &&Derivation| matches!(derivation, Derivation::Array { .. });
            match declarator.derivations.iter().find(|derivation| !is_array(derivation)) {
                None => has_values = true,
                Some(Derivation::Pointer(_)) => {
                    has_pointers = true;
                    tokens.extend(self.qualifiers_before(declarator.name?.token));
                }
                Some(Derivation::Array { .. } | Derivation::Function(_)) => return None,
            }
        }
        if has_values {
            let Specifiers { range, .. } = declaration.specifiers;
            tokens = (!has_pointers).then(|| (range.start..range.end).collect())?;
        }
        tokens.retain(|&at| matches!(self.word(at), "const" | "__const" | "__const__"));
        tokens.sort_unstable();
        let spans = tokens.into_iter().map(|at| {
            let span = self.spans.of(Range { start: at, end: at + 1 })?;
            // Including the blank after it.
            let next = self.spans.start(at + 1).filter(|&next| next == span.end + 1);
            Some(Span::new(span.file, span.start, next.unwrap_or(span.end)))
        });
        spans.collect::<Option<Vec<Span>>>().filter(|spans| !spans.is_empty())
    }

    /// The qualifiers of the pointer before a name.
    fn qualifiers_before(&self, name: u32) -> impl Iterator<Item = u32> + '_ {
        const QUALIFIERS: [&str; 8] = [
            "const",
            "__const",
            "__const__",
            "volatile",
            "restrict",
            "__restrict",
            "__restrict__",
            "_Atomic",
        ];
        (0..name).rev().take_while(|&at| QUALIFIERS.contains(&self.word(at)))
    }

    /// The word `auto` or `register` of a declaration.
    pub(super) fn storage_word(&self, specifiers: &Specifiers) -> Option<Span> {
        let word = match specifiers.storage {
            Storage::Auto => "auto",
            Storage::Register => "register",
            Storage::None | Storage::Typedef | Storage::Extern | Storage::Static => return None,
        };
        let mut tokens = specifiers.range.start..specifiers.range.end;
        let at = tokens.find(|&at| self.word(at) == word)?;
        self.spans.of(Range { start: at, end: at + 1 })
    }

    /// The word `register` in the declaration of a variable: the nearest one before its name.
    pub(super) fn register_word(&self, symbol: &Symbol) -> Option<Span> {
        if symbol.storage != StorageKind::Register {
            return None;
        }
        let at = (0..symbol.declared).rev().find(|&at| self.word(at) == "register")?;
        self.spans.of(Range { start: at, end: at + 1 })
    }

    fn word(&self, token: u32) -> &str {
        self.preprocessed.names.text(self.preprocessed.tokens[token as usize].text)
    }

    /// The properties of a declared variable that is automatic and constant.
    pub(super) fn constant(
        &self,
        declarator: &InitDeclarator,
        context: &ProcedureContext,
    ) -> Option<Constant> {
        let name = declarator.declarator.name?;
        let initializer = declarator.initializer.as_ref()?;
        let id = self.bound.declared_at(name.token)?;
        let symbol = self.bound.symbol(id);
        let is_automatic = matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register);
        let is_constant = symbol.ty.leaf_element().qualifiers.constant;
        if symbol.kind != SymbolKind::Variable
            || !is_automatic
            || symbol.ty.is_variably_modified()
            || !(is_constant || self.bound.is_never_set(self.preprocessed, id, initializer))
        {
            return None;
        }
        let index = context.symbols.iter().position(|&own| own == id)?;
        let name_span = self.spans.anchor(Range { start: name.token, end: name.token + 1 });
        let escapes = context.procedure.facts.address_taken.contains(&id) || symbol.ty.is_array();
        Some(Constant {
            name: self.preprocessed.names.text(name.name).to_owned(),
            variable: VariableId(index),
            is_variable: !is_constant,
            name_span,
            scope: context.variables[index].scope,
            is_known: self.bound.is_static(self.preprocessed, initializer),
            item: self.constant_item(id, name_span, context),
            saved_type: self.simple_type(id),
            reads: self.named_at(id).filter(|_| !escapes),
        })
    }

    /// The variable as an item of `register`: of a pointer only its value. `None` for an array of pointers, and for a type that
    /// cannot be described to the runtime.
    fn constant_item(&self, id: SymbolId, span: Span, context: &ProcedureContext) -> Option<Item> {
        let symbol = self.bound.symbol(id);
        let element = symbol.ty.leaf_element().unqualified();
        if self.bound.is_mpi_handle(&element, self.preprocessed)
            || (element.is_pointer() && symbol.ty.is_array())
        {
            return None;
        }
        let name = self.preprocessed.names.text(symbol.name).to_owned();
        let (kind, code, count) = match element.is_pointer() {
            true => (ItemKind::Memory, TypeCode::Named("CPPC_POINTER"), "1".to_owned()),
            false => {
                let code = self.types.code(self.bound.element(&element)?)?;
                let is_array = symbol.ty.is_array();
                let is_bytes = matches!(code, TypeCode::Named("CPPC_BYTE"));
                let array_types = std::iter::successors(Some(&symbol.ty), |ty| ty.target());
                let rank = array_types.take_while(|ty| ty.is_array()).count();
                let count = match (is_bytes, is_array) {
                    (true, _) => format!("sizeof {name}"),
                    (false, true) => format!("sizeof {name} / sizeof {name}{}", "[0]".repeat(rank)),
                    (false, false) => "1".to_owned(),
                };
                (if is_array { ItemKind::Array } else { ItemKind::Memory }, code, count)
            }
        };
        let root = Root { symbol: id, is_name: true, storage: symbol.storage };
        Some(self.item(
            context,
            root,
            ItemText {
                span,
                name: self.bound.automatic_key(id, &self.preprocessed.names),
                lvalue: name,
                kind,
                code,
                count,
                amount: Amount::Constant,
                extents: Vec::new(),
                qualified: symbol.ty.leaf_element().qualifiers.volatile,
                through_pointer: false,
                access_path: Vec::new(),
                derived: true,
                indexed: None,
                graph: None,
                fields: None,
            },
        ))
    }

    /// The offsets at which a variable is named, without its declaration. `None` if some are not in the main
    /// file.
    pub(super) fn named_at(&self, id: SymbolId) -> Option<Vec<u32>> {
        let symbol = self.bound.symbol(id);
        let end = self.bound.scope(symbol.scope).range.end;
        let named = (symbol.visible..end).filter(|&at| {
            let token = &self.preprocessed.tokens[at as usize];
            token.kind == TokenKind::Identifier
                && token.text == symbol.name
                && self.bound.lookup(token.text, at) == Some(id)
        });
        named.map(|at| self.spans.start(at)).collect()
    }
}
