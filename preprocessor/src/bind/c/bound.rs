//! The result of binding, and the questions that later stages ask it.

use cppc_grammar::c::token::{Name, Names, Preprocessed};
use cppc_grammar::c::tree::{ExprId, Range, Unit};
use cppc_source::{Diagnostic, FileId, Files, Span};
use rustc_hash::FxHashMap;

use super::binder::{lookup, Binder};
use super::directives::innermost;
use super::facts::Facts;
use super::items::{Capture, Element, Item, Leaf, OpenedFile};
use super::regions::{regions, Region};
use super::resolve::recurrence;
use super::spell_type::{self, Speller};
use super::symbols::{ProcedureId, Scope, ScopeId, Symbol, SymbolId};
use super::types::{RecordId, Tables, Type};

/// Everything that is known of a unit besides its tree.
#[derive(Debug)]
pub struct Bound {
    pub symbols: Vec<Symbol>,
    pub scopes: Vec<Scope>,
    pub tables: Tables,
    /// In the order of the text; those of included files and nested functions too.
    pub procedures: Vec<Procedure>,
    /// The directives without fault, in the order of the text.
    pub directives: Vec<BoundDirective>,
    /// Functions whose name is used other than to call them.
    pub address_taken_functions: std::collections::BTreeSet<SymbolId>,
    /// Statements that other pragmas hand to several threads: no block can stand in them.
    pub regions: Vec<Region>,
    pub diagnostics: Vec<Diagnostic>,
    pub(super) types: Vec<Type>,
    pub(super) bindings: Vec<Option<SymbolId>>,
    /// The symbol that a declarator's name declares, by token.
    pub(super) declared: FxHashMap<u32, SymbolId>,
    pub(super) by_name: FxHashMap<Name, Vec<SymbolId>>,
}

/// A function with a body.
#[derive(Debug)]
pub struct Procedure {
    pub symbol: SymbolId,
    pub name: String,
    pub result: Type,
    pub parameters: Vec<SymbolId>,
    /// The whole definition, and its body with the braces.
    pub range: Range,
    pub body: Range,
    /// The scope of its parameters.
    pub scope: ScopeId,
    /// For a nested function, the one around it.
    pub inside: Option<ProcedureId>,
    /// Whether its braces stand in the main file, not in an include nor in a macro.
    pub editable: bool,
    /// `static`: other files may have one of the same name.
    pub is_static: bool,
    pub is_inline: bool,
    /// Automatic variables and parameters, in the order of the text.
    pub variables: Vec<SymbolId>,
    pub facts: Facts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DirectiveId(pub u32);

/// A directive at its place.
#[derive(Debug)]
pub struct BoundDirective {
    pub kind: DirectiveKind,
    /// The index in `Preprocessed::pragmas`.
    pub pragma: usize,
    /// The whole pragma: from `#` to the end of its last line.
    pub span: Span,
    /// The index of the token it stands before.
    pub before: u32,
    pub procedure: ProcedureId,
    pub place: Place,
}

#[derive(Debug)]
pub enum DirectiveKind {
    Init,
    Shutdown,
    Register(Vec<Item>),
    Unregister(Vec<Capture>),
    Execute { on_restart: bool, captures: Vec<Capture>, files: Vec<OpenedFile>, end: DirectiveId },
    EndExecute { begin: DirectiveId },
    Checkpoint,
}

/// Where a directive stands. Compounds and statements are named by their token ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before item `index` of a compound statement; at its end when `index` is the number of items.
    Item { compound: Range, index: usize },
    /// Between a label, `case …:` or `default:` and the statement `body` that it labels. The outermost
    /// such statement is item `index` of `compound` when it stands in one.
    AfterLabel { labelled: Range, body: Range },
    /// Before the unbraced body of an `if`, `else` or loop: `if (x)` directive `body`.
    Unbraced { parent: Range, body: Range },
}

/// Binds names, types and directives of a unit. `main` is the file that will be rewritten.
pub fn bind(unit: &Unit, preprocessed: &Preprocessed, files: &Files, main: FileId) -> Bound {
    let mut binder = Binder::new(unit, preprocessed, files, main);
    binder.unit(unit);
    let regions = regions(preprocessed, &binder.statements);
    let directives = binder.directives(unit, &regions);
    Bound {
        symbols: binder.symbols,
        scopes: binder.scopes,
        tables: binder.tables,
        procedures: binder.procedures,
        directives,
        address_taken_functions: binder.address_taken_functions,
        regions,
        diagnostics: binder.diagnostics,
        types: binder.types,
        bindings: binder.bindings,
        declared: binder.declared,
        by_name: binder.by_name,
    }
}

/// MPI's handles; `MPI_Status` and `MPI_Aint` are plain values.
const HANDLES: [&str; 12] = [
    "MPI_Comm",
    "MPI_Datatype",
    "MPI_Errhandler",
    "MPI_File",
    "MPI_Group",
    "MPI_Info",
    "MPI_Message",
    "MPI_Op",
    "MPI_Request",
    "MPI_Session",
    "MPI_Win",
    "MPI_T_enum",
];

pub(super) fn mpi_handle(ty: &Type, symbols: &[Symbol], names: &Names) -> bool {
    ty.alias.is_some_and(|id| HANDLES.contains(&names.text(symbols[id.0 as usize].name)))
}

impl Bound {
    /// The type of an expression as it stands: arrays, functions and qualifiers are kept.
    pub fn type_of(&self, expr: ExprId) -> &Type {
        static UNKNOWN: Type = Type::UNKNOWN;
        self.types.get(expr.0 as usize).unwrap_or(&UNKNOWN)
    }

    /// The type of an expression's value: arrays and functions are pointers, no qualifiers.
    pub fn value_type(&self, expr: ExprId) -> Type {
        self.type_of(expr).decayed()
    }

    /// What an identifier expression names.
    pub fn symbol_of(&self, expr: ExprId) -> Option<SymbolId> {
        self.bindings.get(expr.0 as usize).copied().flatten()
    }

    /// What the declarator whose name is this token declares (parameters of definitions too).
    pub fn declared_at(&self, token: u32) -> Option<SymbolId> {
        self.declared.get(&token).copied()
    }

    /// What an ordinary name means at a token.
    pub fn lookup(&self, name: Name, at: u32) -> Option<SymbolId> {
        lookup(&self.by_name, &self.symbols, &self.scopes, name, at)
    }

    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    pub fn directive(&self, id: DirectiveId) -> &BoundDirective {
        &self.directives[id.0 as usize]
    }

    /// The name that an automatic variable has as a register: as items of directives have it.
    pub fn automatic_key(&self, id: SymbolId, names: &Names) -> String {
        format!("{}{}", names.text(self.symbol(id).name), recurrence(&self.by_name, &self.symbols, id))
    }

    /// The innermost procedure whose definition holds a token.
    pub fn procedure_at(&self, token: u32) -> Option<ProcedureId> {
        innermost(&self.procedures, token)
    }

    /// Declares `declarator` with a type: `double *(*x)[3]` for the declarator `x`; an empty declarator
    /// gives a type name. None when the type has no name that is visible at the top of `procedure`'s
    /// body (at file level before its definition when None), or is variably modified or unknown.
    /// Qualifiers of the type itself are written; use `unqualified()` for a variable to assign to.
    pub fn spell(
        &self,
        ty: &Type,
        declarator: &str,
        procedure: Option<ProcedureId>,
        preprocessed: &Preprocessed,
    ) -> Option<String> {
        Speller { bound: self, preprocessed, procedure }.declare(ty, declarator)
    }

    /// What the runtime is told about a type; none for functions, `void`, incomplete and unknown
    /// types. Unions and structures with bit-fields are bytes.
    pub fn element(&self, ty: &Type) -> Option<Element> {
        spell_type::element(ty, &self.tables)
    }

    /// The fields of a structure for `CPPC_Define_type`; none when it cannot be described.
    pub fn leaves(&self, record: RecordId, preprocessed: &Preprocessed) -> Option<Vec<Leaf>> {
        let mut found = Vec::new();
        spell_type::leaves(record, "", self, preprocessed, &mut found)?;
        Some(found)
    }

    /// Whether a type is one of MPI's handles (`MPI_Comm`, `MPI_Datatype`, …), which do not
    /// outlive a run.
    pub fn is_mpi_handle(&self, ty: &Type, preprocessed: &Preprocessed) -> bool {
        mpi_handle(ty, &self.symbols, &preprocessed.names)
    }
}
