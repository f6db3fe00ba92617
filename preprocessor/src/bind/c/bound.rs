//! The result of binding, and the questions that later stages ask it.

use cppc_grammar::c::token::{Name, Names, Preprocessed};
use cppc_grammar::c::tree::{ExprId, Range};
use cppc_source::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::ids::{DirectiveId, ProcedureId, RecordId, ScopeId, SymbolId};
use super::items::{Capture, Item, OpenedFile};
use super::layout::{layout, positions};
use super::regions::Region;
use super::symbols::{lookup, recurrence, Namesakes, Scope, Symbol};
use super::types::{Kind, Tables, Type};
use crate::remarks::Remark;
use crate::safety::Safety;

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
    /// Directives about the translation, in the order of the text.
    pub remarks: Vec<Remark>,
    /// Functions whose name is used other than to call them.
    pub address_taken_functions: std::collections::BTreeSet<SymbolId>,
    /// Statements that other pragmas hand to several threads: no block can stand in them.
    pub regions: Vec<Region>,
    pub diagnostics: Vec<Diagnostic>,
    /// Variables that get another value by their names, and the token where that is, in the order of the text.
    pub assigned: Vec<(SymbolId, u32)>,
    pub(super) types: Vec<Type>,
    pub(super) bindings: Vec<Option<SymbolId>>,
    /// The symbol that a declarator's name declares, by token.
    pub(super) declared: FxHashMap<u32, SymbolId>,
    pub(super) by_name: FxHashMap<Name, Namesakes>,
    /// The types that `sizeof (type)` and its like name, by their expression.
    pub(super) operand_types: FxHashMap<ExprId, Type>,
    /// Which association each `_Generic` chose.
    pub(super) chosen_associations: FxHashMap<ExprId, usize>,
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
    pub place: DirectivePosition,
}

#[derive(Debug)]
pub enum DirectiveKind {
    Init,
    Shutdown,
    Register(Vec<Item>),
    Unregister(Vec<Capture>),
    Execute { on_restart: bool, captures: Vec<Capture>, files: Vec<OpenedFile>, end: DirectiveId },
    EndExecute { begin: DirectiveId },
    Checkpoint(Safety),
}

/// Where a directive stands. Compounds and statements are named by their token ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectivePosition {
    /// Before item `index` of a compound statement; at its end when `index` is the number of items.
    Item { compound: Range, index: usize },
    /// Between a label, `case …:` or `default:` and the statement `body` that it labels. The outermost
    /// such statement is item `index` of `compound` when it stands in one.
    AfterLabel { labelled: Range, body: Range },
    /// Before the unbraced body of an `if`, `else` or loop: `if (x)` directive `body`.
    Unbraced { parent: Range, body: Range },
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

    /// The type that `sizeof (type)`, `_Alignof (type)` or `offsetof` names.
    pub fn operand_type(&self, expr: ExprId) -> Option<&Type> {
        self.operand_types.get(&expr)
    }

    /// The association that a `_Generic` chose, if the type of its operand is known.
    pub fn chosen_association(&self, expr: ExprId) -> Option<usize> {
        self.chosen_associations.get(&expr).copied()
    }

    /// The size of a type in bytes, on LP64. None if it is not certain.
    pub fn size_of(&self, ty: &Type) -> Option<u64> {
        layout(ty, &self.tables).map(|found| found.size)
    }

    /// The bit at which each field of a structure or union begins. None if that is not certain.
    pub fn field_positions(&self, record: RecordId) -> Option<Vec<u64>> {
        positions(self.tables.record(record), &self.tables)
    }

    /// Whether it is a handle of MPI, or contains one.
    pub fn has_mpi_handle(&self, ty: &Type, names: &Names) -> bool {
        let leaf = ty.leaf_element();
        let has_field = |id: RecordId| {
            let fields = self.tables.record(id).fields.as_deref().unwrap_or_default();
            fields.iter().any(|field| self.has_mpi_handle(&field.ty, names))
        };
        mpi_handle(leaf, &self.symbols, names) || matches!(leaf.kind, Kind::Record(id) if has_field(id))
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

    /// Whether a type is one of MPI's handles (`MPI_Comm`, `MPI_Datatype`, …), which do not
    /// outlive a run.
    pub fn is_mpi_handle(&self, ty: &Type, preprocessed: &Preprocessed) -> bool {
        mpi_handle(ty, &self.symbols, &preprocessed.names)
    }
}

/// The innermost procedure whose definition holds a token.
pub(super) fn innermost(procedures: &[Procedure], token: u32) -> Option<ProcedureId> {
    let last = procedures.partition_point(|procedure| procedure.range.start <= token);
    let mut candidate = last.checked_sub(1).map(|index| ProcedureId(index as u32));
    while let Some(id) = candidate {
        let procedure = &procedures[id.0 as usize];
        if token < procedure.range.end {
            return Some(id);
        }
        // A nested function that has ended leaves us in the one around it.
        candidate = procedure.inside;
    }
    None
}
