//! The result of binding, and the questions that later stages ask it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use cppc_grammar::fortran::lines::Options;
use cppc_grammar::fortran::logical::{At, LineId, Lines, LogicalLine};
use cppc_grammar::fortran::tree::{Expr, Tree, Unit};
use cppc_source::{Diagnostic, FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::gapped::GappedPointers;
use super::handle_places::HandlePlaces;
use super::ids::{Origin, ProcedureId, ScopeId, SymbolId, TypeId};
use super::items::{Item, OpenedFile};
use super::machine::Machine;
use super::symbols::{Constant, Scope, ScopeKind, Symbol};
use super::types::{DefaultKinds, Derived, Typed};
use crate::remarks::Remark;
use crate::safety::Safety;

/// One source of the program.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub file: FileId,
    pub lines: &'a Lines,
    pub tree: &'a Tree,
    pub kinds: DefaultKinds,
    /// How the compiler was called, which knows its machine.
    pub options: &'a Options,
    /// Where the compiler finds files of modules.
    pub module_directories: &'a [PathBuf],
    /// False: it is only read for its modules.
    pub translated: bool,
}

/// Everything that is known of the sources besides their trees.
#[derive(Debug)]
pub struct Bound<'a> {
    pub sources: &'a [Source<'a>],
    pub scopes: Vec<Scope<'a>>,
    pub symbols: Vec<Symbol<'a>>,
    pub types: Vec<Derived<'a>>,
    /// Definitions and interfaces.
    pub procedures: Vec<Procedure<'a>>,
    /// By the line of the directive.
    pub directives: BTreeMap<(usize, LineId), BoundDirective>,
    /// Directives about the translation.
    pub remarks: Vec<Remark>,
    /// Variables that contained procedures use, of their hosts.
    pub captured: BTreeSet<SymbolId>,
    /// Variables that a procedure on the way to a checkpoint may change through an argument.
    pub passed: BTreeSet<SymbolId>,
    /// Of each source: the statements that several threads execute.
    pub regions: Vec<Vec<Region>>,
    /// Registered by a directive somewhere.
    pub registered: BTreeSet<SymbolId>,
    /// Where the first of these directives is: of the variable, or of one of its components.
    pub first_registers: BTreeMap<(SymbolId, Option<String>), Span>,
    /// Of these, components and elements whose memory may move, as a directive has them.
    pub moving: BTreeMap<SymbolId, Vec<Item>>,
    /// Pointers that may point to elements with gaps between them.
    pub(super) gapped_pointers: GappedPointers,
    /// Integers with handles of libraries.
    pub(super) handles: HandlePlaces,
    pub diagnostics: Vec<Diagnostic>,
    pub(super) modules: FxHashMap<String, ScopeId>,
    /// External procedures with a body, and the entries of them.
    pub(super) externals: FxHashMap<String, ProcedureId>,
    /// The scopes of constructs, by the line of their part's header.
    pub(super) inner: FxHashMap<(usize, LineId), ScopeId>,
    /// Which sources write their keywords in capitals.
    pub(super) capitals: Vec<bool>,
    /// Types that were asked for, by the place of the expression in its tree, once nothing changes them.
    pub(super) known_types: std::cell::RefCell<FxHashMap<(usize, ScopeId), Typed>>,
    /// The modules that a program unit uses, also through other modules, if they were asked for.
    pub(super) used: std::cell::RefCell<FxHashMap<ScopeId, std::rc::Rc<FxHashSet<ScopeId>>>>,
    pub(super) remembers: bool,
    /// The values of named constants that were asked for; none while one is being computed.
    pub(super) constants: std::cell::RefCell<FxHashMap<SymbolId, Option<Constant>>>,
    /// How deep an evaluation is: what refers to itself has no value.
    pub(super) depth: std::cell::Cell<u32>,
}

/// A procedure: its definition, or an interface body.
#[derive(Debug)]
pub struct Procedure<'a> {
    pub name: String,
    /// What calls name: `solve_`, `grid%solve`, `grid%solve%inner`.
    pub key: String,
    /// What people read: `solve`, `grid%solve`.
    pub entry: String,
    pub kind: ProcedureKind,
    pub unit: &'a Unit,
    pub source: usize,
    pub scope: ScopeId,
    /// Of an internal procedure.
    pub host: Option<ProcedureId>,
    pub dummies: Vec<Option<SymbolId>>,
    pub result: Option<SymbolId>,
    pub has_body: bool,
    /// It is passed or pointed to somewhere, or bound to a type that may be extended.
    pub escapes: bool,
    pub pure: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcedureKind {
    Main,
    External,
    Module,
    Internal,
}

/// A directive that stands where it can.
#[derive(Debug)]
pub struct BoundDirective {
    pub procedure: ProcedureId,
    /// The whole comment line, its continuations included.
    pub span: Span,
    pub kind: DirectiveKind,
}

#[derive(Debug)]
pub enum DirectiveKind {
    Init,
    Shutdown,
    Register(Vec<Item>),
    Unregister(Vec<Item>),
    Execute { captures: Vec<Item>, files: Vec<OpenedFile> },
    EndExecute,
    Checkpoint(Safety),
}

/// A structured block of another kind of directive: none of ours can stand in it.
#[derive(Debug, Clone)]
pub struct Region {
    pub extent: Span,
    pub directive: Span,
    /// `omp parallel`
    pub name: String,
}

impl<'a> Bound<'a> {
    pub fn symbol(&self, id: SymbolId) -> &Symbol<'a> {
        &self.symbols[id.0 as usize]
    }

    pub fn scope(&self, id: ScopeId) -> &Scope<'a> {
        &self.scopes[id.0 as usize]
    }

    pub fn procedure(&self, id: ProcedureId) -> &Procedure<'a> {
        &self.procedures[id.0 as usize]
    }

    pub fn derived(&self, id: TypeId) -> &Derived<'a> {
        &self.types[id.0 as usize]
    }

    /// What a name means in a scope, as far as anything declares it.
    pub fn lookup(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let mut next = Some(scope);
        while let Some(id) = next {
            let scope = self.scope(id);
            if let Some(&found) = scope.names.get(name) {
                return Some(found);
            }
            next = scope.parent;
        }
        None
    }

    /// A module that was not found and may explain a name that nothing else does.
    pub fn opaque_module(&self, scope: ScopeId, name: &str) -> Option<&str> {
        let mut next = Some(scope);
        while let Some(id) = next {
            let scope = self.scope(id);
            let brings = scope.opaque.iter().find(|module| {
                module.prefixes.is_empty() || module.prefixes.iter().any(|prefix| name.starts_with(prefix))
            });
            if let Some(module) = brings {
                return Some(&module.name);
            }
            next = scope.parent;
        }
        None
    }

    /// The scope of the program unit or procedure around one.
    pub fn outer_scope(&self, scope: ScopeId) -> ScopeId {
        let mut id = scope;
        while let (ScopeKind::Inner, Some(parent)) = (self.scope(id).kind, self.scope(id).parent) {
            id = parent;
        }
        id
    }

    /// The procedure that a scope belongs to.
    pub fn procedure_of(&self, scope: ScopeId) -> Option<ProcedureId> {
        match self.scope(self.outer_scope(scope)).kind {
            ScopeKind::Procedure(id) | ScopeKind::Interface(id) => Some(id),
            _ => None,
        }
    }

    /// The scope that a construct's part opens; none when it opens none.
    pub fn inner_scope(&self, source: usize, header: LineId) -> Option<ScopeId> {
        self.inner.get(&(source, header)).copied()
    }

    pub fn line(&self, source: usize, line: LineId) -> Option<&'a LogicalLine> {
        self.sources[source].lines.lines.get(line.0 as usize)
    }

    /// The text of a range, as it is written.
    pub fn text(&self, source: usize, at: At) -> &'a str {
        let Some(line) = self.line(source, at.line) else { return "" };
        let bytes = line.text.get(at.start as usize..at.end as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Where a diagnostic points.
    pub fn anchor(&self, source: usize, at: At) -> Span {
        match self.line(source, at.line) {
            Some(line) => line.anchor(at.start..at.end),
            None => Span::new(self.sources[source].file, 0, 0),
        }
    }

    /// The bytes of the source's own file that make a range.
    pub fn place(&self, source: usize, at: At) -> Option<Span> {
        self.line(source, at.line)?.place(at.start..at.end, self.sources[source].file)
    }

    /// Where a name was declared.
    pub fn declared(&self, origin: Origin) -> Option<Span> {
        origin.at.map(|at| self.anchor(origin.source, at))
    }

    /// The whole statement of a line, label left out.
    pub fn statement_at(&self, source: usize, line: LineId) -> At {
        let text = self.line(source, line).map_or(&[][..], |line| &line.text[..]);
        let start = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
        let end = text.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |at| at + 1);
        At { line, start: start as u32, end: end.max(start) as u32 }
    }

    /// The external procedure of a name, or the one that has an entry of this name.
    pub fn external(&self, name: &str) -> Option<ProcedureId> {
        self.externals.get(name).copied()
    }

    /// The bytes of a construct whose part is this scope.
    pub fn inner_extent(&self, scope: ScopeId, source: usize) -> Option<Span> {
        let (first, last) = self.scope(scope).lines?;
        let start = self.place(source, self.statement_at(source, first))?;
        let end = self.place(source, self.statement_at(source, last))?;
        (start.start <= end.end).then(|| start.to(end))
    }

    /// The bytes of a pointer on the machine of the compiler.
    pub fn pointer_bytes(&self) -> u64 {
        let machine = self.sources.first().map(|source| Machine::of(source.options));
        machine.and_then(|machine| u64::try_from(machine.pointer).ok()).unwrap_or(8)
    }

    /// The text of an expression without the blanks around it.
    pub fn written(&self, source: usize, expr: &Expr) -> &'a str {
        self.text(source, expr.at).trim()
    }
}
