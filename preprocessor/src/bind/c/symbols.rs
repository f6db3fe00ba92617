//! Names and where they are visible.
//!
//! Input: declarations, as the binder walks over them.
//! Output: symbols and a tree of scopes.
//! Postcondition: a name resolves as the compiler would resolve it at that token.

use cppc_grammar::c::token::Name;
use cppc_grammar::c::tree::Range;
use rustc_hash::FxHashMap;

use super::ids::{ProcedureId, ScopeId, SymbolId};
use super::types::Type;

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

/// The symbols of one name.
#[derive(Debug, Default)]
pub struct Namesakes {
    /// In the order of declaration.
    file: Vec<SymbolId>,
    /// Those of procedures, in the order in which they become visible. Many procedures may have a variable `i`.
    inner: Vec<SymbolId>,
}

impl Namesakes {
    pub fn add(&mut self, id: SymbolId, symbols: &[Symbol], scopes: &[Scope]) {
        let symbol = &symbols[id.0 as usize];
        if scopes[symbol.scope.0 as usize].kind == ScopeKind::File {
            self.file.push(id);
            return;
        }
        let is_before = |other: &SymbolId| symbols[other.0 as usize].visible <= symbol.visible;
        self.inner.insert(self.inner.partition_point(is_before), id);
    }
}

/// What a name means at a token, by the scopes that hold it.
pub(super) fn lookup(
    by_name: &FxHashMap<Name, Namesakes>,
    symbols: &[Symbol],
    scopes: &[Scope],
    name: Name,
    at: u32,
) -> Option<SymbolId> {
    let namesakes = by_name.get(&name)?;
    let scope = |id: SymbolId| &scopes[symbols[id.0 as usize].scope.0 as usize];
    let is_visible = |id: &SymbolId| symbols[id.0 as usize].visible <= at;
    // The outermost scopes of procedures do not overlap. So after one that ends before the token, no earlier symbol is
    // visible.
    let outermost = |id: SymbolId| {
        let parents = std::iter::successors(Some(scope(id)), |scope| Some(&scopes[scope.parent?.0 as usize]));
        parents.take_while(|scope| scope.kind != ScopeKind::File).last()
    };
    let earlier = &namesakes.inner[..namesakes.inner.partition_point(is_visible)];
    let near = earlier.iter().rev().take_while(|&&id| outermost(id).is_none_or(|scope| scope.holds(at)));
    let mut deepest: Option<SymbolId> = None;
    for &id in near.filter(|&&id| scope(id).holds(at)) {
        if deepest.is_none_or(|known| scope(known).depth < scope(id).depth) {
            deepest = Some(id);
        }
    }
    deepest.or_else(|| namesakes.file.iter().rfind(|id| is_visible(id)).copied())
}

/// What tells the variables of one name apart that a procedure has: `.2` for the second.
pub(super) fn recurrence(by_name: &FxHashMap<Name, Namesakes>, symbols: &[Symbol], id: SymbolId) -> String {
    let symbol = &symbols[id.0 as usize];
    let framed = |storage| matches!(storage, StorageKind::Automatic | StorageKind::Register);
    let alike = |other: &&SymbolId| {
        let found = &symbols[other.0 as usize];
        found.procedure.is_some()
            && found.procedure == symbol.procedure
            && framed(found.storage) == framed(symbol.storage)
            && matches!(found.kind, SymbolKind::Variable | SymbolKind::Parameter)
    };
    let all = by_name.get(&symbol.name).into_iter().flat_map(|namesakes| &namesakes.inner);
    let earlier = all.filter(|other| **other < id).filter(alike).count();
    if earlier > 0 {
        format!(".{}", earlier + 1)
    } else {
        String::new()
    }
}
