//! Items with a section: `lattice(1:n)%link`.
//!
//! Input: a designator with a section of an array.
//! Output: an item for each component that it stands for, as that of the first element, with the position of the others.
//! Postcondition: the elements of a section are at one distance from each other. The component is in each element itself.

use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Bound as Extent, Expr, ExprKind, Name};
use cppc_source::{Diagnostic, Span};

use super::bound::Bound;
use super::components::Designator;
use super::counts::Counted;
use super::items::{Element, Extents, Item, ItemKind, Section, AT};
use super::resolve_items::{DirectiveContext, Purpose};
use super::types::{derived_of, Type};

/// Types nest no deeper.
const DEEPEST: u32 = 32;

/// A designator with a section.
struct Parts<'e> {
    array: &'e Expr,
    subscripts: &'e [Argument],
    components: Vec<&'e Name>,
}

/// One dimension of a section.
struct Dimension {
    lower: String,
    /// The upper bound of the array. None for an assumed-size array.
    last: Option<String>,
    extent: String,
    /// In the name of the register: nothing for the lower bound of the array.
    key: String,
    /// The lower bound as it is written, if it is computed.
    computed: Option<String>,
}

/// The parts of a designator; none if it has no section.
fn parts_of(expr: &Expr) -> Option<Parts<'_>> {
    match &expr.kind {
        ExprKind::Component { base, name } => {
            let mut parts = parts_of(base)?;
            parts.components.push(name);
            Some(parts)
        }
        ExprKind::Reference { base, arguments } if arguments.iter().any(is_range) => {
            Some(Parts { array: base, subscripts: arguments, components: Vec::new() })
        }
        _ => None,
    }
}

fn is_range(argument: &Argument) -> bool {
    matches!(argument.kind, ArgumentKind::Range { .. })
}

impl<'a> Bound<'a> {
    /// Adds the items of a designator with a section. False if it has none.
    pub(super) fn section_items(
        &self,
        context: DirectiveContext,
        span: Span,
        expr: &Expr,
        items: &mut Vec<Item>,
    ) -> Result<bool, Diagnostic> {
        let Some(parts) = parts_of(expr) else { return Ok(false) };
        let place = self.designator(context, span, parts.array)?;
        // A substring has the form of a section.
        if place.shape.is_empty() || context.purpose == Purpose::Capture {
            return Ok(false);
        }
        let ranges = parts.subscripts.iter().filter(|subscript| is_range(subscript));
        let is_whole = parts.components.is_empty() && ranges.clone().all(is_unbounded);
        if is_whole && ranges.count() == place.shape.len() {
            self.expand(&place, items)?;
            return Ok(true);
        }
        let indexed = self.indexed(context, parts.array);
        let before = indexed.as_ref().map_or(0, |indexed| indexed.subscripts().len());
        let dimensions = self.dimensions(context, &place, parts.subscripts, before)?;
        for subscript in parts.subscripts {
            let ArgumentKind::Range { upper: Some(upper), .. } = &subscript.kind else { continue };
            if context.purpose == Purpose::Register {
                self.implied(context, upper, items);
            }
        }
        let from = items.len();
        self.add_section(&parts, &place, &dimensions, items)?;
        for item in &mut items[from..] {
            if let Some(indexed) = &indexed {
                indexed.mark(item);
            }
            item.subscripts.extend(dimensions.iter().filter_map(|dimension| dimension.computed.clone()));
        }
        Ok(true)
    }

    fn add_section(
        &self,
        parts: &Parts,
        array: &Designator<'a>,
        dimensions: &[Dimension],
        items: &mut Vec<Item>,
    ) -> Result<(), Diagnostic> {
        let lowers: Vec<&str> = dimensions.iter().map(|dimension| dimension.lower.as_str()).collect();
        let first = format!("{}({})", array.text, lowers.join(", "));
        let second = format!("{}({})", array.text, self.second_element(array, dimensions));
        let keys: Vec<String> = dimensions.iter().map(|dimension| format!("{}:", dimension.key)).collect();
        let mut place = Designator {
            text: first.clone(),
            name: format!("{}({})", array.name, keys.join(",")),
            is_name: false,
            shape: &[],
            through_pointer: array.through_pointer || array.pointer || array.allocatable,
            holders: array.holders_of_part(),
            allocatable: false,
            pointer: false,
            ..array.clone()
        };
        for name in &parts.components {
            let Some(id) = derived_of(place.ty).filter(|_| place.shape.is_empty()) else {
                return Err(self.no_section(
                    &place,
                    "a component of an array in each element",
                    "register arrays in the elements as a whole",
                ));
            };
            place = self.component_place(&place, id, &name.text)?;
        }
        let extents: Vec<&str> = dimensions.iter().map(|dimension| dimension.extent.as_str()).collect();
        self.add_parts(&place, 0, &mut |item, counted| {
            self.put_section(item, counted, (&first, &second), &extents);
            items.push(item.clone());
        })
    }

    /// The parts of an element that are registers.
    fn add_parts(
        &self,
        place: &Designator<'a>,
        depth: u32,
        add: &mut dyn FnMut(&mut Item, &Counted),
    ) -> Result<(), Diagnostic> {
        self.refuse_type(place)?;
        let is_apart = place.allocatable || place.pointer || place.procedure || depth > DEEPEST;
        if is_apart || matches!(place.ty, Type::Class(_)) {
            return Err(self.no_section(
                place,
                "it is allocatable or a pointer, so its memory is not in the elements",
                "register the whole array, or the component of each element in a loop",
            ));
        }
        if let (Type::Derived(id), true) = (place.ty, place.shape.is_empty()) {
            for component in self.components_of(id) {
                let part = self.component_place(place, id, &component.name)?;
                self.add_parts(&part, depth + 1, add)?;
            }
            return Ok(());
        }
        let counted = self.counted(place);
        let mut item = self.item(place, self.element(place)?, self.count_of(&counted));
        add(&mut item, &counted);
        Ok(())
    }

    /// Makes the item of the first element one of the whole section.
    fn put_section(&self, item: &mut Item, counted: &Counted, elements: (&str, &str), extents: &[&str]) {
        let (first, second) = elements;
        let (part, code) = match (&item.element, item.kind) {
            (Element::Record(record), _) => {
                let of = item.first_element.clone().unwrap_or_else(|| item.lvalue.clone());
                let Some(field) = record.fields.first() else { return };
                (format!("{of}%{}", field.path), field.code)
            }
            (Element::Code(code), ItemKind::Array) => (self.first_element(counted), *code),
            (Element::Code(code), _) => (item.lvalue.clone(), *code),
        };
        let inner = match item.kind {
            ItemKind::Array => counted.shape.len(),
            ItemKind::Scalar | ItemKind::Followed { .. } => 0,
        };
        let own = (0..inner).map(|dimension| self.extent_text(counted, dimension));
        let all: Vec<String> = own.chain(extents.iter().map(|extent| (*extent).to_owned())).collect();
        item.shape = (all.len() > 1)
            .then(|| Extents { rank: all.len() as u32, text: format!("(/{}/)", all.join(", ")) });
        let factors: Vec<String> = extents.iter().map(|extent| format!("({extent})")).collect();
        let known = extents.iter().map(|extent| extent.strip_suffix("_8")?.parse::<u64>().ok());
        let structures = match (known.collect::<Option<Vec<u64>>>(), extents) {
            (Some(known), _) => format!("{}_8", known.iter().product::<u64>()),
            (None, [one]) => (*one).to_owned(),
            (None, _) => factors.join(" * "),
        };
        item.section =
            Some(Section { second: part.replacen(first, second, 1), first: part, code, structures });
    }

    fn dimensions(
        &self,
        context: DirectiveContext,
        place: &Designator<'a>,
        subscripts: &[Argument],
        before: usize,
    ) -> Result<Vec<Dimension>, Diagnostic> {
        let rank = place.shape.len();
        if subscripts.len() != rank {
            let message = format!("`{}` has {rank} dimensions, not {}", place.text, subscripts.len());
            return Err(Diagnostic::error("C0426", place.span, message).help("write `:` for each dimension"));
        }
        let symbol = self.symbol(place.root);
        let has_gaps = (place.is_name && symbol.may_have_gaps()) || (place.pointer && !symbol.is.contiguous);
        if rank > 1 && has_gaps {
            return Err(self.scattered_section(
                place,
                "its columns may not be contiguous",
                "declare the array `contiguous`, or register each column in a loop",
            ));
        }
        let counted = self.counted(place);
        let mut found = Vec::new();
        for (index, subscript) in subscripts.iter().enumerate() {
            let ArgumentKind::Range { lower, upper, stride: None } = &subscript.kind else {
                return Err(self.scattered_section(
                    place,
                    "it has a stride, or single subscripts next to a section",
                    "write `:` for each dimension but the last one",
                ));
            };
            if index + 1 < rank && (lower.is_some() || upper.is_some()) {
                return Err(self.scattered_section(
                    place,
                    "a part of each column",
                    "write `:` for each dimension but the last one, or register each column in a loop",
                ));
            }
            let bounds = (lower.as_deref(), upper.as_deref());
            self.check_bounds(context, place, index, bounds)?;
            found.push(self.dimension(context, &counted, index, before, bounds));
        }
        Ok(found)
    }

    fn check_bounds(
        &self,
        context: DirectiveContext,
        place: &Designator<'a>,
        index: usize,
        (lower, upper): (Option<&Expr>, Option<&Expr>),
    ) -> Result<(), Diagnostic> {
        let is_open = matches!(place.shape[index], Extent::AssumedSize { .. } | Extent::AssumedRank);
        if is_open && upper.is_none() {
            let message = format!("the size of `{}` is not known", place.text);
            return Err(Diagnostic::error("C0425", place.span, message)
                .because("it is an assumed-size array")
                .help("write the upper bound of the section"));
        }
        for bound in [lower, upper].into_iter().flatten() {
            let typed = self.type_of(context.scope, bound);
            let is_array = typed.rank.is_some_and(|rank| rank > 0);
            if is_array || !matches!(typed.ty, Type::Integer(_) | Type::Unknown) {
                let message = format!("a bound of `{}` is not an integer", place.text);
                return Err(Diagnostic::error("C0427", place.span, message)
                    .help("write the first and the last element"));
            }
        }
        Ok(())
    }

    /// `before` is the number of computed subscripts before the section.
    fn dimension(
        &self,
        context: DirectiveContext,
        counted: &Counted,
        index: usize,
        before: usize,
        (lower, upper): (Option<&Expr>, Option<&Expr>),
    ) -> Dimension {
        let own = self.lower_of(counted, index);
        let (lower_text, key, computed) = match lower.map(|lower| (lower, self.integer(context.scope, lower)))
        {
            None => (own.map_or_else(|text| text, |value| value.to_string()), String::new(), None),
            Some((_, Some(value))) if own == Ok(value) => (value.to_string(), String::new(), None),
            Some((_, Some(value))) => (value.to_string(), value.to_string(), None),
            Some((lower, None)) => {
                let written = self.written(context.source, lower).to_owned();
                (format!("{AT}({})", before + 1), "?".to_owned(), Some(written))
            }
        };
        let ubound = format!("{}({}, {})", self.cased(counted.scope, "ubound"), counted.text, index + 1);
        let is_open = matches!(counted.shape[index], Extent::AssumedSize { .. } | Extent::AssumedRank);
        let last_value = match upper {
            Some(upper) => self.integer(context.scope, upper),
            None => None,
        };
        let upper_text = upper.map(|upper| self.written(context.source, upper).to_owned());
        let upper_text = upper_text.unwrap_or_else(|| ubound.clone());
        let extent = match (lower, upper, lower_text.parse::<i128>(), last_value) {
            (None, None, ..) => self.extent_text(counted, index),
            (_, _, Ok(first), Some(last)) => format!("{}_8", (last - first + 1).max(0)),
            _ => {
                let int = self.cased(counted.scope, "int");
                format!("1_8 + {int}({upper_text}, 8) - {int}({lower_text}, 8)")
            }
        };
        Dimension { lower: lower_text, last: (!is_open).then_some(ubound), extent, key, computed }
    }

    /// The subscripts of the second element in memory. If there is only one, they are those of the first.
    fn second_element(&self, array: &Designator, dimensions: &[Dimension]) -> String {
        let cased = |text| self.cased(array.scope, text);
        let int = |text: &str| match text.parse::<i128>() {
            Ok(_) => format!("{text}_8"),
            Err(_) => format!("{}({text}, 8)", cased("int")),
        };
        let mut carry = "1_8".to_owned();
        let mut texts = Vec::new();
        for (index, dimension) in dimensions.iter().enumerate() {
            let lower = int(&dimension.lower);
            texts.push(match (index + 1 == dimensions.len(), &dimension.last) {
                (true, Some(last)) => format!("{}({lower} + {carry}, {})", cased("min"), int(last)),
                (true, None) => format!("{lower} + {carry}"),
                (false, _) => format!("{lower} + {}({carry}, {})", cased("mod"), dimension.extent),
            });
            carry = format!("{carry} / ({})", dimension.extent);
        }
        texts.join(", ")
    }

    /// The elements are not at one distance from each other.
    fn scattered_section(&self, place: &Designator, because: &'static str, help: &'static str) -> Diagnostic {
        let message = format!("the elements of a section of `{}` are not contiguous", place.text);
        Diagnostic::error("C0452", place.span, message).because(because).help(help)
    }

    fn no_section(&self, place: &Designator, because: &'static str, help: &'static str) -> Diagnostic {
        Diagnostic::error(
            "C0464",
            place.span,
            format!("the section of `{}` cannot be registered", place.text),
        )
        .because(because)
        .help(help)
    }
}

fn is_unbounded(argument: &Argument) -> bool {
    matches!(argument.kind, ArgumentKind::Range { lower: None, upper: None, stride: None })
}
