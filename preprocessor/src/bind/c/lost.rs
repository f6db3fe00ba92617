//! Pointers that a restart does not find again.
//!
//! Input: the directives of a unit.
//! Output: warnings.
//! Postcondition: nothing has changed; what is warned of is lost, or looked for in the wrong place, in every
//! restart that gets there.
//!
//! | code | what |
//! |---|---|
//! | C0443 | warning: one register for what a loop walks through |
//! | C0444 | warning: an item is reached through a pointer that a restart does not have |
//! | C0447 | a row is named like the array of rows, so that the wrong one would be unregistered |
//! | C0448 | the same, of a captured element: the block could not be repeated |

use cppc_grammar::c::tree::{Expr, ExprKind, Range, UnaryOperator};
use cppc_source::Diagnostic;
use rustc_hash::FxHashMap;

use super::binder::Binder;
use super::bound::{BoundDirective, DirectiveKind};
use super::ids::{ProcedureId, SymbolId};
use super::items::{Capture, Item, ItemForm};
use super::lvalue::is_name;
use super::symbols::{StorageKind, SymbolKind};
use super::types::{Kind, Type};

impl Binder<'_> {
    /// The left side of an assignment.
    pub(super) fn note_assigned(&mut self, left: &Expr) {
        match &left.kind {
            ExprKind::Paren(inner) => self.note_assigned(inner),
            ExprKind::Ident(_) if self.unevaluated == 0 => {
                self.assigned.extend(self.binding(left).map(|symbol| (symbol, left.range.start)));
            }
            _ => {}
        }
    }

    pub(super) fn warn_of_lost(&mut self, directives: &[BoundDirective]) {
        let mut warnings = Vec::new();
        let mut local: FxHashMap<ProcedureId, Vec<&BoundDirective>> = FxHashMap::default();
        for directive in directives {
            local.entry(directive.procedure).or_default().push(directive);
        }
        for directive in directives {
            let near = &local[&directive.procedure];
            match &directive.kind {
                DirectiveKind::Register(items) => {
                    warnings.extend(items.iter().filter_map(|item| self.walked(directive, item)));
                    warnings.extend(
                        items.iter().filter_map(|item| self.astray(directives, near, directive, item)),
                    );
                }
                DirectiveKind::Execute { captures, .. } => {
                    warnings.extend(
                        captures
                            .iter()
                            .filter_map(|capture| self.unset(directives, near, directive, capture)),
                    );
                }
                DirectiveKind::Unregister(names) => {
                    warnings.extend(names.iter().filter_map(|name| ambiguous(directives, name)));
                }
                _ => {}
            }
        }
        self.diagnostics.extend(warnings);
    }

    /// `*p`, a node of a list or a tree, in a loop that takes `p` from node to node.
    fn walked(&self, directive: &BoundDirective, item: &Item) -> Option<Diagnostic> {
        let symbol = self.symbol(item.root);
        let is_target = item.slot != ItemForm::Pointer && sets_pointer(item);
        let is_node = symbol.ty.target().is_some_and(|target| self.leads_to_its_like(target));
        if !is_target || !is_node {
            return None;
        }
        let inside = |range: &&Range| range.start < directive.before && directive.before < range.end;
        let innermost = self.loops.iter().filter(inside).max_by_key(|range| range.start)?;
        let is_changed = self.is_assigned(item.root, innermost.start, innermost.end);
        is_changed.then(|| {
            let name = self.text(symbol.name);
            Diagnostic::warning(
                "C0443",
                item.span,
                format!("only the last `{}` of this loop stays registered", item.text),
            )
            .because(format!("there is one register, for the target that `{name}` has at the checkpoint"))
            .help("keep the nodes in an array and register it: pointers between the nodes are restored")
        })
    }

    /// Whether a structure has a pointer to another one of its type.
    fn leads_to_its_like(&self, ty: &Type) -> bool {
        let Kind::Record(id) = ty.kind else { return false };
        let is_like = |target: &Type| matches!(target.kind, Kind::Record(found) if found == id);
        let fields = self.tables.record(id).fields.as_deref().unwrap_or_default();
        fields.iter().any(|field| field.ty.leaf_element().target().is_some_and(is_like))
    }

    /// An item that is reached through a local pointer, which was set after what a restart runs again, and is
    /// neither registered nor set in an execute block.
    fn astray(
        &self,
        directives: &[BoundDirective],
        near: &[&BoundDirective],
        directive: &BoundDirective,
        item: &Item,
    ) -> Option<Diagnostic> {
        // The register of a section does not set the pointer to its array.
        let own =
            (item.section.is_some() && item.is_name && item.slot == ItemForm::Pointer).then_some(item.root);
        let pointer = match item.way.first() {
            Some(first) => first.variable?,
            None => own?,
        };
        let init = self.lost_since(directives, near, directive, pointer)?;
        let name = self.text(self.symbol(pointer).name);
        let otherwise = match init {
            true => format!("set `{name}` before `init`"),
            false => "reach it through a parameter".to_owned(),
        };
        Some(
            Diagnostic::warning("C0444", item.span, format!("a restart does not know where `{name}` points"))
                .because(format!("`{}` is accessed through it", item.text))
                .help(format!(
                    "register what `{name}` points to before it (`*{name}`, or `{name}[n]`), or {otherwise}"
                )),
        )
    }

    /// A captured element that is reached through such a pointer: there is nowhere to put its value.
    fn unset(
        &self,
        directives: &[BoundDirective],
        near: &[&BoundDirective],
        directive: &BoundDirective,
        capture: &Capture,
    ) -> Option<Diagnostic> {
        let pointer = capture.way.first()?.variable?;
        let DirectiveKind::Execute { captures, .. } = &directive.kind else { return None };
        if captures.iter().any(|other| other.is_name && other.root == pointer) {
            return None;
        }
        self.lost_since(directives, near, directive, pointer)?;
        let name = self.text(self.symbol(pointer).name);
        Some(
            Diagnostic::error("C0448", capture.span, format!("`{}` has no known address when a restart executes the block", capture.text))
                .because(format!("a restart does not know where `{name}` points"))
                .help("copy what the block needs into an array or a variable and capture it, or create it in the block"),
        )
    }

    /// Whether a restart that comes to a directive has not set a pointer of its procedure; and if so, whether `init`
    /// stands before it. `near`: the directives of the procedure.
    fn lost_since(
        &self,
        directives: &[BoundDirective],
        near: &[&BoundDirective],
        directive: &BoundDirective,
        pointer: SymbolId,
    ) -> Option<bool> {
        let symbol = self.symbol(pointer);
        let is_own =
            symbol.procedure == Some(directive.procedure) && symbol.storage != StorageKind::StaticLocal;
        if !is_own {
            return None;
        }
        let before = |other: &&&BoundDirective| other.before <= directive.before;
        let is_registered = |other: &BoundDirective| match &other.kind {
            DirectiveKind::Register(items) => {
                items.iter().any(|other| other.root == pointer && sets_pointer(other))
            }
            _ => false,
        };
        let is_saved = near.iter().filter(before).any(|other| is_registered(other));
        let init = near.iter().filter(before).find(|other| matches!(other.kind, DirectiveKind::Init));
        let from =
            init.map_or(self.procedures[directive.procedure.0 as usize].range.start, |init| init.before);
        let mut set = self
            .assigned
            .iter()
            .filter(|(symbol, at)| *symbol == pointer && (from..directive.before).contains(at));
        let executed = |at: u32| {
            near.iter().any(|other| match other.kind {
                DirectiveKind::Execute { end, .. } => {
                    let end = directives.get(end.0 as usize).map_or(u32::MAX, |end| end.before);
                    other.before <= at && at < end
                }
                _ => false,
            })
        };
        let is_made_again = set.clone().any(|(_, at)| executed(*at));
        // A restart jumps over what stands between, initialisers as well.
        let is_new = symbol.kind == SymbolKind::Variable && symbol.declared >= from;
        let is_lost = !is_saved && !is_made_again && (is_new || set.next().is_some());
        is_lost.then_some(init.is_some())
    }

    fn is_assigned(&self, variable: SymbolId, from: u32, to: u32) -> bool {
        self.assigned.iter().any(|(symbol, at)| *symbol == variable && (from..to).contains(at))
    }
}

/// Whether a restart sets the pointer in which the item starts: `p[n]`, `*p`.
fn sets_pointer(item: &Item) -> bool {
    if item.section.is_some() {
        return false;
    }
    let mut lvalue = &item.lvalue;
    while let ExprKind::Paren(inner) = &lvalue.kind {
        lvalue = inner;
    }
    match &lvalue.kind {
        ExprKind::Unary { operator: UnaryOperator::Dereference, operand } => is_name(operand),
        _ => item.is_name && item.slot == ItemForm::Pointer,
    }
}

/// `unregister(rows[r])` where `rows[2]` and `rows[r][n]` are registered: brackets at the end say how many elements, so
/// that `rows` itself is meant; who writes another number there means a row.
fn ambiguous(directives: &[BoundDirective], name: &Capture) -> Option<Diagnostic> {
    let registered = || {
        directives.iter().flat_map(|directive| match &directive.kind {
            DirectiveKind::Register(items) => &items[..],
            _ => &[],
        })
    };
    let mut whole = registered().filter(|item| item.indexed.is_none() && item.key == name.key).peekable();
    let row = registered()
        .find(|item| item.indexed.as_ref().is_some_and(|indexed| indexed.key == format!("{}[]", name.key)))?;
    let is_counted = name.slot == ItemForm::Pointer && whole.peek().is_some();
    let is_other = whole.all(|item| item.count_text != name.count_text);
    (is_counted && is_other).then(|| {
        let (text, key) = (&name.text, &name.key);
        Diagnostic::error("C0447", name.span, format!("this unregisters `{key}`, not one of its rows"))
            .because("the number in the last brackets is a number of elements, not a subscript")
            .label(row.span, "rows are registered here")
            .help(format!(
                "write `unregister({text}[{}][{}])` for a row, `unregister({text})` for `{key}`",
                name.count_text, row.count_text
            ))
    })
}
