//! Directives at their positions.
//!
//! Input: the directives of a procedure, which the binder has placed.
//! Output: one operation for each, with the memory that its items name.

use cppc_analysis::program::{Access, Affine, Dimension, Directive, Index, Item, OperationKind, Step, Value};
use cppc_grammar::c::tree::{Expr, ExprId, Range};
use cppc_source::Span;

use super::body::Body;
use super::lvalue::Lvalue;
use crate::bind::c::{
    self as bind, parts, ArrayLength, Capture, Count, DirectiveKind, ItemForm, Kind, Lower, OpenedFile, Type,
};
use crate::bind::Amount;

impl Body<'_, '_, '_> {
    /// Lowers the directives that are before a token and are not lowered yet.
    pub fn directives_before(&mut self, token: u32) {
        while let Some(&index) = self.directives.front() {
            let directive = &self.bound().directives[index];
            if directive.before > token {
                return;
            }
            self.directives.pop_front();
            let lowered = match &directive.kind {
                DirectiveKind::Init => Directive::Init,
                DirectiveKind::Shutdown => Directive::Shutdown,
                DirectiveKind::Checkpoint(_) => Directive::Checkpoint,
                DirectiveKind::Register(items) => {
                    Directive::Register(items.iter().flat_map(|item| self.items_of(item)).collect())
                }
                DirectiveKind::Unregister(items) => Directive::Unregister(self.captures(items)),
                DirectiveKind::Execute { on_restart, captures, files, .. } => {
                    let captures = self.captures(captures);
                    let has_files = !files.is_empty();
                    let files = files.iter().filter_map(|file| self.file(file)).collect();
                    Directive::BeginExecute { captures, has_files, files, on_restart: *on_restart }
                }
                DirectiveKind::EndExecute { .. } => Directive::EndExecute,
            };
            self.builder.emit(OperationKind::Directive(Box::new(lowered)), directive.span);
        }
    }

    /// An item, and the variables of its size and its subscripts: the translation registers them too.
    fn items_of(&mut self, item: &bind::Item) -> Vec<Item> {
        let counts = match item.amount {
            Amount::Allocation | Amount::Deep => None,
            Amount::Constant | Amount::Computed => Some(&item.counts[..]),
        };
        let own = self.within(&item.text, item.span, |body| match &item.section {
            Some(section) => body.section_memory(&item.lvalue, item.slot, section),
            None => body.memory(&item.lvalue, item.slot, counts),
        });
        let is_deep = matches!(item.amount, Amount::Deep);
        let allocation = matches!(item.amount, Amount::Allocation);
        let keeps_pointer = item.section.is_some();
        let is_untyped = item.slot == ItemForm::Pointer && item.element.is_void() && item.graph.is_none();
        let is_known = item.section.as_ref().is_none_or(|section| is_known(section, &item.ty));
        let own = is_known.then_some(Item { deep: is_deep, allocation, keeps_pointer, is_untyped, ..own });
        let mut all = Vec::from_iter(own);
        let bounds = item.section.iter().flat_map(|section| &section.bounds);
        let bounds = bounds.flat_map(|bounds| bounds.lower.iter().chain(&bounds.count));
        let sizes = item.counts.iter().chain(bounds).map(|count| &count.expr);
        let expressions: Vec<&Expr> = std::iter::once(&item.lvalue).chain(sizes).collect();
        for size in item.size_variables.iter().filter(|size| !size.constant) {
            if let Some(lvalue) = expressions.iter().find_map(|expr| part(expr, size.expr)) {
                let memory = |body: &mut Self| body.memory(lvalue, ItemForm::Scalar, None);
                all.push(self.within(&size.text, item.span, memory));
            }
        }
        all
    }

    fn captures(&mut self, captures: &[Capture]) -> Vec<Item> {
        let lowered = captures.iter().map(|capture| {
            self.within(&capture.text, capture.span, |body| match &capture.section {
                Some(section) => body.section_memory(&capture.lvalue, capture.slot, section),
                None => body.memory(&capture.lvalue, capture.slot, None),
            })
        });
        lowered.collect()
    }

    fn file(&mut self, file: &OpenedFile) -> Option<Item> {
        let lvalue = &file.lvalue;
        Some(self.within(&file.handle, file.span, |body| body.memory(lvalue, ItemForm::Scalar, None)))
    }

    /// Lowers an item: its ranges are not those of the unit.
    fn within(&mut self, text: &str, span: Span, memory: impl FnOnce(&mut Self) -> Access) -> Item {
        self.item = Some((text.to_owned(), span));
        let memory = memory(self);
        self.item = None;
        Item {
            text: text.to_owned(),
            memory,
            deep: false,
            allocation: false,
            keeps_pointer: false,
            is_untyped: false,
            span,
        }
    }

    /// `counts` is `None` if the item is only an lvalue.
    fn memory(&mut self, lvalue: &Expr, slot: ItemForm, counts: Option<&[Count]>) -> Access {
        let nowhere = Range { start: 0, end: 0 };
        match (slot, counts) {
            (ItemForm::Scalar, _) => {
                let place = self.place(lvalue);
                self.access(&place, Some(nowhere))
            }
            (ItemForm::Aggregate, None | Some([])) => {
                let place = self.place(lvalue);
                self.access(&place, Some(nowhere))
            }
            (ItemForm::Aggregate, Some(counts)) => {
                let place = self.place(lvalue);
                self.counted_place(place, counts)
            }
            (ItemForm::Pointer, counts) => {
                let address = self.address(lvalue);
                let place = self.pointed(address, lvalue);
                match counts {
                    // `*p`, which the binder has made an item of `p`.
                    Some([]) => self.access(&place, Some(nowhere)),
                    Some(counts) => self.counted_pointer(place, counts),
                    None => {
                        let all = self.section(&place, Index::All, None);
                        self.access(&all, Some(nowhere))
                    }
                }
            }
        }
    }

    /// `a[n]` of an array: its first elements.
    fn counted_place(&mut self, place: Lvalue, counts: &[Count]) -> Access {
        let mut place = place;
        for count in counts {
            let index = self.first_so_many(count);
            place = self.element(place, index);
        }
        self.access(&place, None)
    }

    /// `p[n]`, `p[rows][columns]`: the memory that a pointer points to. If there are more counts than
    /// dimensions in the type, they describe the shape of the same elements.
    fn counted_pointer(&mut self, place: Lvalue, counts: &[Count]) -> Access {
        let mut inner = &place.ty;
        let mut own = 1;
        while let (true, Some(element)) = (inner.is_array() && own < counts.len(), inner.target()) {
            inner = element;
            own += 1;
        }
        let product = |body: &mut Self, counts: &[Count]| {
            let mut product = Some(Affine::constant(1));
            for count in counts {
                let value = body.count(count);
                product = product.zip(value).and_then(|(product, value)| product.multiply(&value));
            }
            product
        };
        let is_flat = own == 1;
        let first = if is_flat { product(self, counts) } else { self.count(&counts[0]) };
        let index = first.map_or(Index::All, so_many);
        let mut section = self.section(&place, index, None);
        if !is_flat {
            for count in &counts[1..own] {
                let index = self.first_so_many(count);
                section = self.element(section, index);
            }
        }
        self.access(&section, None)
    }

    /// `a[lower:count].field`
    fn section_memory(&mut self, lvalue: &Expr, slot: ItemForm, section: &bind::Section) -> Access {
        let mut place = match slot {
            ItemForm::Pointer => {
                let address = self.address(lvalue);
                self.pointed(address, lvalue)
            }
            ItemForm::Scalar | ItemForm::Aggregate => self.place(lvalue),
        };
        for (dimension, bounds) in section.bounds.iter().enumerate() {
            let is_pointed_to = dimension == 0 && slot == ItemForm::Pointer;
            let length = match &place.ty.kind {
                Kind::Array { size: ArrayLength::Known(length), .. } if !is_pointed_to => Some(*length),
                _ => None,
            };
            place = match (self.index_of(bounds, length), is_pointed_to) {
                (Some(index), true) => self.section(&place, index, None),
                (Some(index), false) => self.element(place, index),
                // It is not known which elements are saved.
                (None, _) => {
                    let element = place.ty.target().cloned().unwrap_or(Type::UNKNOWN);
                    place.blurred(element)
                }
            };
        }
        for name in &section.path {
            place = self.field(place, *name);
        }
        self.access(&place, None)
    }

    /// The elements that are certainly saved. An unknown number of elements from the first one means all of them, as for
    /// `p[n]`.
    fn index_of(&mut self, bounds: &bind::Bounds, length: Option<u64>) -> Option<Index> {
        let lower = match &bounds.lower {
            None => Affine::constant(0),
            Some(lower) => self.count(lower)?,
        };
        if lower == Affine::constant(0) {
            let count = bounds.count.as_ref().and_then(|count| self.count(count));
            return Some(count.map_or(Index::All, so_many));
        }
        lower.as_constant()?;
        let end = match &bounds.count {
            Some(count) => lower.add(&self.count(count)?)?,
            None => Affine::constant(i64::try_from(length?).ok()?),
        };
        end.as_constant()?;
        Some(Index::Range { first: lower, last: end.sub(&Affine::constant(1))?, step: 1 })
    }

    /// Elements of the memory that a pointer points to.
    fn section(&mut self, place: &Lvalue, index: Index, extent: Option<Affine>) -> Lvalue {
        let stride = self.bound().size_of(&place.ty);
        let dimension = Dimension { index, lower: Some(Affine::constant(0)), extent, stride };
        let mut section = place.clone();
        let is_shifted = matches!(section.path.last(), Some(Step::Elements(_)));
        section.in_array &= !is_shifted;
        let shape = section.shape;
        let element = section.ty.clone();
        Lvalue { shape, ..self.extended(section, dimension, element) }
    }

    fn first_so_many(&mut self, count: &Count) -> Index {
        self.count(count).map_or(Index::All, so_many)
    }

    /// A number of elements. The value of a product of variables is not known. Then it means all elements.
    fn count(&mut self, count: &Count) -> Option<Affine> {
        if let Some(value) = count.value {
            return i64::try_from(value).ok().map(Affine::constant);
        }
        match self.number(&count.expr) {
            Value::Affine(value) => Some(value),
            _ => None,
        }
    }
}

/// The part of an expression with this number.
fn part(expr: &Expr, id: ExprId) -> Option<&Expr> {
    if expr.id == id {
        return Some(expr);
    }
    parts(expr).into_iter().find_map(|inner| part(inner, id))
}

/// Whether it is known which elements of an array a section has. If not, the analyses do not count any as saved.
fn is_known(section: &bind::Section, array: &Type) -> bool {
    let count = section.bounds.first().and_then(|bounds| bounds.count.as_ref());
    let has_length = matches!(array.kind, Kind::Array { size: ArrayLength::Known(_), .. });
    match section.lower {
        Lower::Constant(0) => true,
        Lower::Constant(_) => count.map_or(has_length, |count| count.value.is_some()),
        Lower::Computed(_) => false,
    }
}

fn so_many(count: Affine) -> Index {
    match count.sub(&Affine::constant(1)) {
        Some(last) => Index::Range { first: Affine::constant(0), last, step: 1 },
        None => Index::All,
    }
}
