//! Names and where they are visible.
//!
//! In: declarations, as the binder walks over them. Out: symbols and a tree of scopes. Holds
//! afterwards: a name resolves as the compiler would resolve it at that token.

use cppc_grammar::c::token::Name;
use cppc_grammar::c::tree::Range;

use super::types::Type;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

/// A procedure's number in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcedureId(pub u32);

/// A declared name. Redeclarations of one function or global are one symbol.
#[derive(Debug, Clone)]
pub struct Symbol {
    pub name: Name,
    pub kind: SymbolKind,
    pub storage: StorageKind,
    pub ty: Type,
    /// The token of the name in its first declaration (in its definition, once that is seen).
    pub declared: u32,
    /// The name is visible from this token on.
    pub visible: u32,
    pub scope: ScopeId,
    /// The procedure it is declared in; none at file scope.
    pub procedure: Option<ProcedureId>,
    pub thread_local: bool,
    /// Whether this unit defines it (tentative definitions count).
    pub defined: bool,
    /// The declaration carries `noreturn`.
    pub noreturn: bool,
    /// The value of an enumeration constant.
    pub value: Option<i128>,
    /// Called without a declaration: `int f()`.
    pub implicit: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    Variable,
    Parameter,
    Function,
    Typedef,
    EnumConstant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StorageKind {
    /// In the frame of its procedure; `auto` and parameters too.
    Automatic,
    /// The same, with `register`: its address cannot be taken.
    Register,
    /// `static` in a procedure.
    StaticLocal,
    /// `static` at file scope, functions too.
    StaticFile,
    /// External linkage, defined here or elsewhere, functions too.
    Global,
    /// Typedefs and enumeration constants.
    None,
}

/// A part of the text in which names are visible.
#[derive(Debug, Clone)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub kind: ScopeKind,
    /// With the braces; the file's scope is the whole unit.
    pub range: Range,
    pub depth: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScopeKind {
    File,
    /// The parameters of a procedure's definition, and its body.
    Procedure,
    /// A compound statement, or a `for` with its body.
    Block,
    /// The parameters of a prototype; its names are forgotten at its end.
    Prototype,
}

impl Scope {
    /// Whether a directive or token at this place is in the scope: behind its opening brace.
    pub fn holds(&self, at: u32) -> bool {
        self.kind == ScopeKind::File || self.range.start < at && at < self.range.end
    }
}
