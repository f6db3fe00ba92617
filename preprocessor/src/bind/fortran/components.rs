//! Derived types by component: scalars become one item for each, arrays are described.
//!
//! Input: a place of a derived type.
//! Output: items, or what is wrong with a component.
//! Postcondition: what is described has components of intrinsic types alone, arrays of them with constant
//! bounds.

use std::sync::Arc;

use cppc_grammar::fortran::tree::Bound as Extent;
use cppc_source::{Diagnostic, Span};

use super::bound::Bound;
use super::counts::Counted;
use super::ids::{ScopeId, SymbolId, TypeId};
use super::items::{Element, Field, Item, ItemKind, Record};
use super::types::{Component, Length, Type};

/// A designator with what is known of it.
#[derive(Clone)]
pub(super) struct Designator<'a> {
    pub span: Span,
    pub text: String,
    pub name: String,
    pub root: SymbolId,
    pub is_name: bool,
    pub ty: Type,
    pub shape: &'a [Extent],
    pub home: ScopeId,
    pub scope: ScopeId,
    pub allocatable: bool,
    pub pointer: bool,
    pub procedure: bool,
    pub through_pointer: bool,
    /// The allocatables on its access path, by the number of their parts: 2 for `x%y` in `x%y(3)%z`.
    pub holders: Vec<u32>,
}

impl Designator<'_> {
    /// The allocatables on the access path of a part of it.
    pub fn holders_of_part(&self) -> Vec<u32> {
        let own = self.allocatable.then(|| count_parts(&self.text));
        self.holders.iter().copied().chain(own).collect()
    }
}

/// The number of names that `%` separates, without those in subscripts.
fn count_parts(text: &str) -> u32 {
    let mut depth = 0;
    let mut count = 1;
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'%' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

/// What becomes of the allocatable components of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allocatables {
    /// The element cannot be described.
    Refused,
    /// They have registers of their own.
    Separate,
}

/// An item may become this many.
const MOST_ITEMS: usize = 4096;
/// Types nest no deeper.
const DEEPEST: u32 = 32;

impl<'a> Bound<'a> {
    /// The items that a designator stands for.
    pub(super) fn expand(&self, place: &Designator<'a>, items: &mut Vec<Item>) -> Result<(), Diagnostic> {
        self.expand_at(place, 0, items)
    }

    fn expand_at(&self, place: &Designator<'a>, depth: u32, items: &mut Vec<Item>) -> Result<(), Diagnostic> {
        if place.procedure {
            items.push(self.procedure_root(place));
            return Ok(());
        }
        self.refuse_type(place)?;
        if depth > DEEPEST || items.len() > MOST_ITEMS {
            return Err(self.cannot(
                place,
                "it has too many components",
                "register the ones that matter by name",
            ));
        }
        let moving = place.allocatable || place.pointer;
        let root = self.graph_root(place)?;
        if let Some(item) = root.map_or_else(|| self.tree(place), |root| Ok(Some(root)))? {
            items.push(item);
            return Ok(());
        }
        if let (Type::Derived(id), true, false) = (place.ty, place.shape.is_empty(), moving) {
            for component in self.components_of(id) {
                let part = self.component_place(place, id, &component.name)?;
                self.expand_at(&part, depth + 1, items)?;
            }
            return Ok(());
        }
        let counted = self.counted(place);
        let element = self.element(place)?;
        let item = self.item(place, element, self.count_of(&counted));
        items.push(Item { shape: self.shape_of(&counted), ..item });
        Ok(())
    }

    pub(super) fn counted<'b>(&self, place: &'b Designator<'a>) -> Counted<'b, 'a> {
        Counted {
            text: &place.text,
            shape: place.shape,
            home: place.home,
            scope: place.scope,
            ty: place.ty,
            moving: place.allocatable || place.pointer,
        }
    }

    /// An item of a place that is one register.
    pub(super) fn item(&self, place: &Designator<'a>, element: Element, count: String) -> Item {
        let symbol = self.symbol(place.root);
        let moving = place.allocatable || place.pointer;
        let rank = place.shape.len() as u32;
        let kind = match (moving, rank) {
            (true, rank) => ItemKind::Followed { rank },
            (false, 0) => ItemKind::Scalar,
            (false, _) => ItemKind::Array,
        };
        let counted = self.counted(place);
        let record = matches!(element, Element::Record(_)) && rank > 0;
        Item {
            span: place.span,
            lvalue: place.text.clone(),
            name: place.name.clone(),
            subscripts: Vec::new(),
            root: place.root,
            is_name: place.is_name,
            kind,
            element,
            count,
            shape: None,
            automatic: !self.is_static(place.root) && !place.through_pointer,
            through_pointer: place.through_pointer,
            implied: false,
            optional: symbol.is.optional,
            assumed_size: symbol.has_assumed_size(),
            gaps: (place.is_name && symbol.may_have_gaps())
                || (place.pointer && rank > 0 && !symbol.is.contiguous),
            pointer: place.pointer,
            read_only: symbol.is.intent_in && symbol.is.dummy,
            first_element: record.then(|| self.first_element(&counted)),
            length: self.length_of(&counted),
            holders: place.holders.clone(),
            tree: None,
            graph: None,
            section: None,
        }
    }

    /// `p(1, 0)`, with the lower bounds of the array.
    pub(super) fn first_element(&self, counted: &Counted) -> String {
        let bounds = (0..counted.shape.len()).map(|dimension| match &counted.shape[dimension] {
            Extent::Explicit { lower: None, .. } if !counted.moving => "1".to_owned(),
            Extent::Explicit { lower: Some(lower), .. } if !counted.moving => {
                match self.integer(counted.home, lower) {
                    Some(value) => value.to_string(),
                    None => self.lbound(counted, dimension),
                }
            }
            _ => self.lbound(counted, dimension),
        });
        format!("{}({})", counted.text, bounds.collect::<Vec<_>>().join(", "))
    }

    fn lbound(&self, counted: &Counted, dimension: usize) -> String {
        format!("{}({}, {})", self.cased(counted.scope, "lbound"), counted.text, dimension + 1)
    }

    /// What the runtime is told of an element of a place.
    pub(super) fn element(&self, place: &Designator<'a>) -> Result<Element, Diagnostic> {
        self.element_with(place, Allocatables::Refused)
    }

    pub(super) fn element_with(
        &self,
        place: &Designator<'a>,
        allocatables: Allocatables,
    ) -> Result<Element, Diagnostic> {
        if let Some(code) = place.ty.code() {
            return Ok(Element::Code(code));
        }
        match place.ty {
            Type::Derived(id) => {
                let mut fields = Vec::new();
                self.describe(place, id, "", 0, allocatables, &mut fields)?;
                let name = self.derived(id).name.clone();
                Ok(Element::Record(Arc::new(Record { name, fields })))
            }
            _ => Err(self.no_code(place)),
        }
    }

    pub(super) fn no_code(&self, place: &Designator<'a>) -> Diagnostic {
        let help = "copy it into a variable of another type, and register that";
        self.cannot(place, "the runtime knows no such type", help)
    }

    /// The components of an element, nested ones by their paths.
    fn describe(
        &self,
        place: &Designator<'a>,
        ty: TypeId,
        before: &str,
        depth: u32,
        allocatables: Allocatables,
        fields: &mut Vec<Field>,
    ) -> Result<(), Diagnostic> {
        for component in self.components_of(ty) {
            let path = format!("{before}{}", component.name);
            let what = format!("{}%{path}", place.text);
            let home = self.component_of(ty, &component.name).map_or(ty, |(_, home)| home);
            self.refuse_private(place, home, component)?;
            if component.allocatable && allocatables == Allocatables::Separate {
                continue;
            }
            if component.allocatable || component.pointer || component.procedure {
                let word = if component.allocatable { "allocatable" } else { "a pointer" };
                return Err(Diagnostic::error(
                    "C0450",
                    place.span,
                    format!(
                        "`{}` is an array of a type whose component `{}` is {word}",
                        place.text, component.name
                    ),
                )
                .because("the memory of each element is at a different address")
                .help(match component.allocatable {
                    true => "register the whole array: its allocatable components are saved with it",
                    false => "register the components element by element, or copy them into arrays and register these",
                }));
            }
            let part = Designator { text: what, ty: component.ty, ..place.clone() };
            self.refuse_type(&part)?;
            let home = self.derived(home).scope;
            let extents: Option<Vec<i128>> = self.extents(home, component.shape).into_iter().collect();
            let Some(extents) = extents else {
                return Err(self.cannot(
                    &part,
                    "its bounds are not constant",
                    "declare it with constant bounds",
                ));
            };
            let count = extents.iter().try_fold(1_i128, |product, extent| product.checked_mul(*extent));
            let count = count.and_then(|count| u64::try_from(count).ok()).unwrap_or(u64::MAX);
            if fields.len() > MOST_ITEMS || depth > DEEPEST {
                return Err(self.cannot(
                    &part,
                    "it has too many components",
                    "register the ones that matter by name",
                ));
            }
            let lowers = self.lowers(home, component.shape);
            match component.ty {
                Type::Derived(inner) => {
                    for element in elements(&extents, &lowers, count.min(MOST_ITEMS as u64 + 1)) {
                        let before = format!("{path}{element}%");
                        self.describe(place, inner, &before, depth + 1, allocatables, fields)?;
                    }
                }
                ty => {
                    let Some(code) = ty.code() else { return Err(self.no_code(&part)) };
                    let bytes = match ty {
                        Type::Character { length: Length::Known(length), .. } => length,
                        _ => 1,
                    };
                    let first = elements(&extents, &lowers, 1).pop().unwrap_or_default();
                    let count = count.saturating_mul(bytes);
                    fields.push(Field { path: format!("{path}{first}"), code, count });
                }
            }
        }
        Ok(())
    }

    fn lowers(&self, home: ScopeId, shape: &[Extent]) -> Vec<i128> {
        let lower = |bound: &Extent| match bound {
            Extent::Explicit { lower: Some(lower), .. } => self.integer(home, lower).unwrap_or(1),
            _ => 1,
        };
        shape.iter().map(lower).collect()
    }

    /// The place of a component.
    pub(super) fn component_place(
        &self,
        base: &Designator<'a>,
        ty: TypeId,
        name: &str,
    ) -> Result<Designator<'a>, Diagnostic> {
        if let Some((component, home)) = self.component_of(ty, name) {
            self.refuse_private(base, home, component)?;
            return Ok(Designator {
                span: base.span,
                text: format!("{}%{name}", base.text),
                name: format!("{}%{name}", base.name),
                root: base.root,
                is_name: false,
                ty: component.ty,
                shape: component.shape,
                home: self.derived(home).scope,
                scope: base.scope,
                allocatable: component.allocatable,
                pointer: component.pointer,
                procedure: component.procedure,
                through_pointer: base.through_pointer || base.allocatable || base.pointer,
                holders: base.holders_of_part(),
            });
        }
        if let Some(ancestor) = self.ancestor_named(ty, name) {
            return Ok(Designator {
                text: format!("{}%{name}", base.text),
                ty: Type::Derived(ancestor),
                is_name: false,
                ..base.clone()
            });
        }
        let mut diagnostic = Diagnostic::error("C0421", base.span, format!("unknown component `{name}`"))
            .because(format!("`{}` has no component of this name", self.derived(ty).name));
        if let Some(best) = self.nearest_component(ty, name) {
            diagnostic = diagnostic.help(format!("did you mean `{best}`"));
        }
        Err(diagnostic)
    }

    /// Generated code names the components, so they must be visible where the directive is. `home` is the type that has the
    /// component.
    fn refuse_private(
        &self,
        place: &Designator<'a>,
        home: TypeId,
        component: &Component,
    ) -> Result<(), Diagnostic> {
        if !self.is_hidden(place.scope, home, component) {
            return Ok(());
        }
        let module = self.outer_scope(self.derived(home).scope);
        let (ty, module) = (&self.derived(home).name, &self.scope(module).name);
        let message = format!("the component `{}` of `{}` is private", component.name, place.text);
        Err(Diagnostic::error("C0454", place.span, message)
            .because(format!("generated code cannot name the components of type `{ty}` here"))
            .help(format!(
                "register the variable in a procedure of module `{module}`, and call this procedure after `init`"
            )))
    }

    /// Whether a component is private in another module. `home` is the type that has the component.
    pub(super) fn is_hidden(&self, scope: ScopeId, home: TypeId, component: &Component) -> bool {
        let module = self.outer_scope(self.derived(home).scope);
        let around = |scope: &ScopeId| self.scope(*scope).parent;
        component.private && !std::iter::successors(Some(scope), around).any(|scope| scope == module)
    }

    /// Types that nobody can save.
    pub(super) fn refuse_type(&self, place: &Designator<'a>) -> Result<(), Diagnostic> {
        if place.procedure {
            let reason = "a pointer to a procedure: the address of the procedure differs in every run";
            return Err(self.cannot(place, reason, "set it again in an `execute` block"));
        }
        if place.allocatable && self.symbol(place.root).is.coarray {
            let reason = "it is a coarray, which a restart cannot allocate by itself";
            return Err(self.cannot(place, reason, "save its values in an array that is not a coarray"));
        }
        match place.ty {
            Type::Derived(id) if self.derived(id).handle => Err(Diagnostic::error(
                "C0433",
                place.span,
                format!("`{}` is an MPI handle, which is not valid after a restart", place.text),
            )
            .because("its value is not valid in the next run")
            .help("create it in an `execute` block")),
            Type::Derived(id) if matches!(self.derived(id).name.as_str(), "c_ptr" | "c_funptr") => Err(self
                .cannot(
                    place,
                    "it is an address, which is not valid in the next run",
                    "set it in an `execute` block",
                )),
            Type::Derived(id) | Type::Class(Some(id)) if self.derived(id).parameterized => {
                let reason = format!("`{}` is a parameterized derived type", self.derived(id).name);
                let help = "copy its components to variables of other types before the checkpoint, register these, and copy them back after it";
                Err(self.cannot(place, &reason, help))
            }
            Type::Derived(id) if self.is_opaque(id) => {
                let reason = format!("what the type `{}` consists of is not known", self.derived(id).name);
                let help =
                    "give the source of its module along with the others, or create it in an `execute` block";
                Err(self.cannot(place, &reason, help))
            }
            Type::Class(Some(id)) if self.derived(id).handle || self.is_opaque(id) => {
                let reason = format!("what the type `{}` consists of is not known", self.derived(id).name);
                Err(self.cannot(place, &reason, "give the source of its module along with the others"))
            }
            Type::Anything => {
                Err(self.cannot(place, "its type is not known here", "register it where it is declared"))
            }
            Type::Unknown => Err(Diagnostic::error(
                "C0451",
                place.span,
                format!("the type of `{}` is not known", place.text),
            )
            .because("no source that was read declares it")
            .help(
                "declare it here, or give the source of the module that declares it along with the others",
            )),
            Type::Character { kind, .. } if kind != 1 => Err(self.cannot(
                place,
                "characters of this kind are unknown to the runtime",
                "use characters of the default kind",
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn cannot(&self, place: &Designator<'a>, reason: &str, help: &str) -> Diagnostic {
        Diagnostic::error("C0424", place.span, format!("`{}` cannot be saved", place.text))
            .because(reason)
            .help(help)
    }

    /// Whether a variable lives as long as the program.
    pub fn is_static(&self, id: SymbolId) -> bool {
        use super::symbols::ScopeKind;
        let symbol = self.symbol(id);
        let is = &symbol.is;
        if is.dummy || is.result {
            return false;
        }
        let scope = self.scope(symbol.scope);
        let named = symbol.common.is_some() || is.save || is.initialised || is.coarray || scope.saves_all;
        if matches!(scope.kind, ScopeKind::Inner) && !is.construct {
            // The variables of a BLOCK end with it, also in the main program.
            return named;
        }
        let scope = self.scope(self.outer_scope(symbol.scope));
        named
            || scope.saves_all
            || matches!(scope.kind, ScopeKind::Module | ScopeKind::BlockData)
            || self.is_of_main(id)
    }

    /// The memory of an item ends with the host of the procedure that names it.
    pub(super) fn ends_with_host(&self, scope: ScopeId, item: &Item) -> bool {
        let owner = self.procedure_of(self.symbol(item.root).scope);
        item.automatic && owner.is_some() && owner != self.procedure_of(scope)
    }

    pub(super) fn belongs_to_host(&self, item: &Item) -> Diagnostic {
        let symbol = self.symbol(item.root);
        let owner = self.procedure_of(symbol.scope).map_or("", |id| self.procedure(id).name.as_str());
        Diagnostic::error("C0455", item.span, format!("`{}` belongs to `{owner}`", symbol.name))
            .because("its memory ends with that procedure")
            .help(format!("register it in `{owner}` itself, before this procedure is called"))
    }

    /// A variable of the main program.
    pub fn is_of_main(&self, id: SymbolId) -> bool {
        let procedure = self.procedure_of(self.symbol(id).scope);
        procedure.is_some_and(|id| self.procedure(id).kind == super::bound::ProcedureKind::Main)
    }
}

/// `(1, 1)`, `(2, 1)`, …: the subscripts of the first elements; nothing for a scalar.
fn elements(extents: &[i128], lowers: &[i128], most: u64) -> Vec<String> {
    if extents.is_empty() {
        return vec![String::new()];
    }
    let mut list = Vec::new();
    let mut index = vec![0_i128; extents.len()];
    while (list.len() as u64) < most && extents.iter().all(|&extent| extent > 0) {
        let subscripts: Vec<String> =
            index.iter().zip(lowers).map(|(index, lower)| (index + lower).to_string()).collect();
        list.push(format!("({})", subscripts.join(", ")));
        let step = (0..extents.len()).find(|&dimension| index[dimension] + 1 < extents[dimension]);
        let Some(step) = step else { break };
        index[step] += 1;
        index[..step].fill(0);
    }
    list
}
