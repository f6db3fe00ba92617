//! The state of a walk over the tree: what is visible now, and the tables that the walk fills.
//!
//! Input: declarations and scopes, in the order of the text.
//! Output: symbols, and what a name means here.
//! Postcondition: each scope that was entered has been left, and its names with it.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use cppc_grammar::c::parse::ExpressionParser;
use cppc_grammar::c::token::{Name, Preprocessed};
use cppc_grammar::c::tree::{Attribute, ExprId, Range, Unit};
use cppc_source::{Diagnostic, FileId, Files};
use rustc_hash::FxHashMap;

use super::bound::Procedure;
use super::facts::Facts;
use super::ids::{EnumId, ProcedureId, RecordId, ScopeId, SymbolId};
use super::symbols::{lookup, Namesakes, Scope, ScopeKind, StorageKind, Symbol, SymbolKind};
use super::types::{FunctionType, Kind, Tables, Type};
use crate::remarks::Remark;

pub(super) struct Binder<'a> {
    pub preprocessed: &'a Preprocessed,
    pub files: &'a Files,
    pub main: FileId,
    pub symbols: Vec<Symbol>,
    pub scopes: Vec<Scope>,
    pub tables: Tables,
    pub procedures: Vec<Procedure>,
    pub address_taken_functions: BTreeSet<SymbolId>,
    pub remarks: Vec<Remark>,
    pub diagnostics: Vec<Diagnostic>,
    pub types: Vec<Type>,
    pub bindings: Vec<Option<SymbolId>>,
    /// The types that `sizeof (type)` and its like name, by their expression.
    pub operand_types: FxHashMap<ExprId, Type>,
    /// Which association each `_Generic` chose.
    pub chosen_associations: FxHashMap<ExprId, usize>,
    pub declared: FxHashMap<u32, SymbolId>,
    pub by_name: FxHashMap<Name, Namesakes>,
    /// The longest statement that starts at a token.
    pub statements: FxHashMap<u32, Range>,
    /// What is repeated: loops as a whole.
    pub loops: Vec<Range>,
    /// Variables that get another value by their names, and the token where that is.
    pub assigned: Vec<(SymbolId, u32)>,
    /// `({ … })`, with the parentheses' inside.
    pub statement_expressions: Vec<Range>,
    /// The procedure that is being walked.
    pub procedure: Option<ProcedureId>,
    /// How deep we are in operands that are not evaluated: they give no facts.
    pub unevaluated: u32,
    /// When set, names mean what they mean at this token, not here (items of directives).
    pub at: Option<u32>,
    /// The structures whose braces are open.
    pub open_records: Vec<RecordId>,
    /// For the items of directives, once there is one.
    pub expressions: OnceCell<ExpressionParser<'a>>,
    live: FxHashMap<Name, Vec<SymbolId>>,
    live_tags: FxHashMap<Name, Vec<(ScopeId, Tag)>>,
    open: Vec<OpenScope>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

struct OpenScope {
    id: ScopeId,
    names: Vec<Name>,
    tags: Vec<Name>,
}

/// A declaration, before it is known whether it declares something new.
pub(super) struct Declared {
    pub name: Name,
    pub token: u32,
    /// From here on the name is visible.
    pub visible: u32,
    pub kind: SymbolKind,
    pub storage: StorageKind,
    pub ty: Type,
    pub thread_local: bool,
    pub defined: bool,
    pub noreturn: bool,
    pub value: Option<i128>,
}

impl Declared {
    pub fn new(name: Name, token: u32, kind: SymbolKind, storage: StorageKind, ty: Type) -> Declared {
        let (visible, defined) = (token + 1, true);
        Declared {
            name,
            token,
            visible,
            kind,
            storage,
            ty,
            thread_local: false,
            defined,
            noreturn: false,
            value: None,
        }
    }
}

impl<'a> Binder<'a> {
    pub fn new(unit: &Unit, preprocessed: &'a Preprocessed, files: &'a Files, main: FileId) -> Binder<'a> {
        let count = unit.expressions as usize;
        let everything = Range { start: 0, end: preprocessed.tokens.len() as u32 };
        let mut binder = Binder {
            preprocessed,
            files,
            main,
            symbols: Vec::new(),
            scopes: Vec::new(),
            tables: Tables::default(),
            procedures: Vec::new(),
            address_taken_functions: BTreeSet::new(),
            remarks: Vec::new(),
            diagnostics: Vec::new(),
            types: vec![Type::UNKNOWN; count],
            bindings: vec![None; count],
            operand_types: FxHashMap::default(),
            chosen_associations: FxHashMap::default(),
            declared: FxHashMap::default(),
            by_name: FxHashMap::default(),
            statements: FxHashMap::default(),
            loops: Vec::new(),
            assigned: Vec::new(),
            statement_expressions: Vec::new(),
            procedure: None,
            unevaluated: 0,
            at: None,
            open_records: Vec::new(),
            expressions: OnceCell::new(),
            live: FxHashMap::default(),
            live_tags: FxHashMap::default(),
            open: Vec::new(),
        };
        binder.enter(ScopeKind::File, everything);
        binder
    }

    pub fn text(&self, name: Name) -> &'a str {
        self.preprocessed.names.text(name)
    }

    pub fn enter(&mut self, kind: ScopeKind, range: Range) -> ScopeId {
        let id = ScopeId(self.scopes.len() as u32);
        let parent = self.open.last().map(|scope| scope.id);
        let depth = self.open.len() as u32;
        self.scopes.push(Scope { parent, kind, range, depth });
        self.open.push(OpenScope { id, names: Vec::new(), tags: Vec::new() });
        id
    }

    pub fn leave(&mut self) {
        let Some(scope) = self.open.pop() else { return };
        for name in scope.names {
            if let Some(symbols) = self.live.get_mut(&name) {
                symbols.pop();
            }
        }
        for name in scope.tags {
            if let Some(tags) = self.live_tags.get_mut(&name) {
                tags.pop();
            }
        }
    }

    pub fn scope(&self) -> ScopeId {
        self.open.last().map_or(ScopeId(0), |scope| scope.id)
    }

    pub fn scope_kind(&self) -> ScopeKind {
        self.scopes[self.scope().0 as usize].kind
    }

    /// What a name means here, or at the token that `at` says.
    pub fn resolve(&self, name: Name) -> Option<SymbolId> {
        match self.at {
            Some(at) => self.resolve_at(name, at),
            None => self.live.get(&name).and_then(|symbols| symbols.last()).copied(),
        }
    }

    /// What a name means at a token.
    pub fn resolve_at(&self, name: Name, at: u32) -> Option<SymbolId> {
        lookup(&self.by_name, &self.symbols, &self.scopes, name, at)
    }

    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// Declares a name in the present scope; a redeclaration gives the symbol that is there.
    pub fn declare(&mut self, declared: Declared) -> SymbolId {
        if let Some(earlier) = self.earlier(&declared) {
            self.merge(earlier, &declared);
            self.declared.insert(declared.token, earlier);
            if self.symbol(earlier).scope != self.scope() {
                self.show(declared.name, earlier);
            }
            return earlier;
        }
        let id = SymbolId(self.symbols.len() as u32);
        self.declared.insert(declared.token, id);
        self.symbols.push(Symbol {
            name: declared.name,
            kind: declared.kind,
            storage: declared.storage,
            ty: declared.ty,
            declared: declared.token,
            visible: declared.visible,
            scope: self.scope(),
            procedure: self.procedure,
            thread_local: declared.thread_local,
            defined: declared.defined,
            noreturn: declared.noreturn,
            value: declared.value,
            implicit: false,
        });
        self.show(declared.name, id);
        if self.scope_kind() != ScopeKind::Prototype {
            self.by_name.entry(declared.name).or_default().add(id, &self.symbols, &self.scopes);
        }
        id
    }

    fn show(&mut self, name: Name, id: SymbolId) {
        self.live.entry(name).or_default().push(id);
        if let Some(scope) = self.open.last_mut() {
            scope.names.push(name);
        }
    }

    /// The symbol that a declaration declares again: one of the same scope, or one with linkage.
    fn earlier(&self, declared: &Declared) -> Option<SymbolId> {
        let id = *self.live.get(&declared.name)?.last()?;
        let symbol = self.symbol(id);
        let linked = |storage| matches!(storage, StorageKind::Global | StorageKind::StaticFile);
        let same_scope = symbol.scope == self.scope();
        let both_linked = linked(symbol.storage) && linked(declared.storage);
        (symbol.kind == declared.kind && (both_linked || same_scope)).then_some(id)
    }

    fn merge(&mut self, id: SymbolId, declared: &Declared) {
        let symbol = &mut self.symbols[id.0 as usize];
        if more_complete(&declared.ty.kind, &symbol.ty.kind) || declared.defined && !symbol.defined {
            symbol.ty = declared.ty.clone();
        }
        if declared.defined && !symbol.defined {
            symbol.declared = declared.token;
            symbol.defined = true;
        }
        symbol.noreturn |= declared.noreturn;
        symbol.thread_local |= declared.thread_local;
    }

    /// `f(…)` without a declaration: `int f()` from here on.
    pub fn declare_implicitly(&mut self, name: Name, token: u32) -> SymbolId {
        let function =
            FunctionType { result: Type::INT, parameters: Vec::new(), variadic: false, unspecified: true };
        let ty = Type::from(Kind::Function(function.into()));
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(Symbol {
            name,
            kind: SymbolKind::Function,
            storage: StorageKind::Global,
            ty,
            declared: token,
            visible: token,
            scope: ScopeId(0),
            procedure: None,
            thread_local: false,
            defined: false,
            noreturn: false,
            value: None,
            implicit: true,
        });
        // It stays visible: a later declaration in the file's scope merges with it.
        self.live.entry(name).or_default().insert(0, id);
        self.by_name.entry(name).or_default().add(id, &self.symbols, &self.scopes);
        id
    }

    pub fn tag(&self, name: Name) -> Option<(ScopeId, Tag)> {
        self.live_tags.get(&name).and_then(|tags| tags.last()).copied()
    }

    pub fn declare_tag(&mut self, name: Name, tag: Tag) {
        let scope = self.scope();
        self.live_tags.entry(name).or_default().push((scope, tag));
        if let Some(open) = self.open.last_mut() {
            open.tags.push(name);
        }
    }

    /// The facts of the procedure that is being walked, unless the operand is not evaluated.
    pub fn facts(&mut self) -> Option<&mut Facts> {
        if self.unevaluated > 0 {
            return None;
        }
        let id = self.procedure?;
        self.procedures.get_mut(id.0 as usize).map(|procedure| &mut procedure.facts)
    }

    /// Whether one of the attributes has this name (with or without underscores).
    pub fn has_attribute(&self, attributes: &[Attribute], name: &str) -> bool {
        attributes.iter().any(|attribute| {
            let range = attribute.range.start as usize..attribute.range.end as usize;
            let tokens = self.preprocessed.tokens.get(range).unwrap_or_default();
            tokens.iter().any(|token| self.text(token.text).trim_matches('_') == name)
        })
    }
}

/// Whether the first says more: a bound where there was none, parameters where there were none.
fn more_complete(new: &Kind, old: &Kind) -> bool {
    match (new, old) {
        (Kind::Array { size: new, .. }, Kind::Array { size: old, .. }) => {
            *old == super::types::ArrayLength::Unknown && new != old
        }
        (Kind::Function(new), Kind::Function(old)) => old.unspecified && !new.unspecified,
        (_, Kind::Unknown) => true,
        _ => false,
    }
}
