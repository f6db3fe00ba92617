//! Declarations, types and declarators as nodes.

use super::{group, leaf, node, Node, Writer};
use crate::c::tree::{
    ArraySize, Basic, Declaration, Declarator, Derivation, Designator, Enumeration, FieldDeclaration,
    Function, InitList, Initializer, Parameter, Qualifiers, Range, Record, Specifiers, Storage, TypeName,
    TypeSpecifier,
};

impl Writer<'_> {
    pub(super) fn function(&self, function: &Function) -> Node {
        let mut children = vec![self.specifiers(&function.specifiers), self.declarator(&function.declarator)];
        children.extend(function.old_parameters.iter().map(|old| self.declaration(old)));
        children.push(self.compound(&function.body));
        node("function", function.range, children)
    }

    pub(super) fn declaration(&self, declaration: &Declaration) -> Node {
        let mut children = vec![self.specifiers(&declaration.specifiers)];
        for declared in &declaration.declarators {
            let mut parts = vec![self.declarator(&declared.declarator)];
            parts.extend(declared.initializer.iter().map(|value| self.initializer(value)));
            children.push(node("declared", declared.range, parts));
        }
        node("declaration", declaration.range, children)
    }

    fn initializer(&self, initializer: &Initializer) -> Node {
        match initializer {
            Initializer::Expr(value) => self.expression(value),
            Initializer::List(list) => self.list(list),
        }
    }

    pub(super) fn list(&self, list: &InitList) -> Node {
        let items = list.items.iter().map(|item| {
            let mut parts: Vec<Node> =
                item.designators.iter().map(|designator| self.designator(designator)).collect();
            let value = self.initializer(&item.value);
            if parts.is_empty() {
                return value;
            }
            parts.push(value);
            group("designated", parts)
        });
        node("list", list.range, items.collect())
    }

    fn designator(&self, designator: &Designator) -> Node {
        match designator {
            Designator::Field(name) => {
                let range = Range { start: name.token, end: name.token + 1 };
                leaf(format!(".{}", self.name(*name)), range)
            }
            Designator::Index(index) => group("index", vec![self.expression(index)]),
            Designator::Span(first, last) => {
                group("span", vec![self.expression(first), self.expression(last)])
            }
        }
    }

    pub(super) fn specifiers(&self, specifiers: &Specifiers) -> Node {
        let mut words: Vec<&str> = Vec::new();
        words.extend(match specifiers.storage {
            Storage::None => None,
            Storage::Typedef => Some("typedef"),
            Storage::Extern => Some("extern"),
            Storage::Static => Some("static"),
            Storage::Auto => Some("auto"),
            Storage::Register => Some("register"),
        });
        let flags = [
            (specifiers.thread_local, "_Thread_local"),
            (specifiers.inline, "inline"),
            (specifiers.noreturn, "_Noreturn"),
            (specifiers.aligned, "_Alignas"),
        ];
        words.extend(flags.iter().filter(|(on, _)| *on).map(|(_, word)| word));
        words.extend(qualifiers(specifiers.qualifiers));
        let (kind, mut children) = self.kind(&specifiers.kind);
        children.extend(self.attributes(&specifiers.attributes));
        node(with(words.into_iter(), &kind), specifiers.range, children)
    }

    fn kind(&self, kind: &TypeSpecifier) -> (String, Vec<Node>) {
        match kind {
            TypeSpecifier::Implicit => ("implicit int".to_owned(), Vec::new()),
            TypeSpecifier::Inferred => ("inferred".to_owned(), Vec::new()),
            TypeSpecifier::Basic(basic) => (self.basic(*basic), Vec::new()),
            TypeSpecifier::Record(record) => self.record(record),
            TypeSpecifier::Enum(list) => self.enumeration(list),
            TypeSpecifier::Typedef(name) => (format!("type {}", self.name(*name)), Vec::new()),
            TypeSpecifier::TypeofExpr(of) => ("typeof".to_owned(), vec![self.expression(of)]),
            TypeSpecifier::TypeofType(of) => ("typeof".to_owned(), vec![self.type_name(of)]),
            TypeSpecifier::Atomic(of) => ("_Atomic".to_owned(), vec![self.type_name(of)]),
            TypeSpecifier::VaList => ("va_list".to_owned(), Vec::new()),
        }
    }

    fn record(&self, record: &Record) -> (String, Vec<Node>) {
        let mut label = if record.union { "union" } else { "struct" }.to_owned();
        if let Some(tag) = record.tag {
            label = format!("{label} {}", self.name(tag));
        }
        let fields = record.fields.iter().flatten();
        let mut children: Vec<Node> = fields.map(|field| self.field(field)).collect();
        children.extend(self.attributes(&record.attributes));
        (label, children)
    }

    fn field(&self, field: &FieldDeclaration) -> Node {
        let mut children = vec![self.specifiers(&field.specifiers)];
        for declared in &field.declarators {
            let mut parts: Vec<Node> = Vec::new();
            parts.extend(declared.declarator.iter().map(|declarator| self.declarator(declarator)));
            parts.extend(declared.bits.iter().map(|bits| self.expression(bits)));
            let label = if declared.bits.is_some() { "bit-field" } else { "declared" };
            children.push(node(label, declared.range, parts));
        }
        node("field", field.range, children)
    }

    fn enumeration(&self, list: &Enumeration) -> (String, Vec<Node>) {
        let tag = list.tag.map(|tag| format!(" {}", self.name(tag))).unwrap_or_default();
        let mut children = Vec::new();
        for enumerator in list.enumerators.iter().flatten() {
            let start = enumerator.name.token;
            let end = enumerator.value.as_ref().map_or(start + 1, |value| value.range.end);
            let value = enumerator.value.iter().map(|value| self.expression(value)).collect();
            children.push(node(self.name(enumerator.name), Range { start, end }, value));
        }
        children.extend(self.attributes(&list.attributes));
        (format!("enum{tag}"), children)
    }

    pub(super) fn declarator(&self, declarator: &Declarator) -> Node {
        let label = match declarator.name {
            Some(name) => format!("`{}`", self.name(name)),
            None => "no name".to_owned(),
        };
        let mut children: Vec<Node> =
            declarator.derivations.iter().map(|derivation| self.derivation(derivation)).collect();
        children.extend(self.attributes(&declarator.attributes));
        node(label, declarator.range, children)
    }

    fn derivation(&self, derivation: &Derivation) -> Node {
        match derivation {
            Derivation::Pointer(of) => group(with(qualifiers(*of), "pointer"), Vec::new()),
            Derivation::Array { range, qualifiers: of, size } => {
                let (label, size) = match size {
                    ArraySize::None => ("array", None),
                    ArraySize::Star => ("array of [*]", None),
                    ArraySize::Expr(size) => ("array", Some(self.expression(size))),
                };
                node(with(qualifiers(*of), label), *range, size.into_iter().collect())
            }
            Derivation::Function(parameters) => {
                let mut label = "function".to_owned();
                if parameters.unspecified {
                    label.push_str(" of anything");
                }
                if parameters.variadic {
                    label.push_str(" variadic");
                }
                for name in &parameters.identifiers {
                    label = format!("{label} `{}`", self.name(*name));
                }
                let list = parameters.list.iter().map(|parameter| self.parameter(parameter));
                node(label, parameters.range, list.collect())
            }
        }
    }

    fn parameter(&self, parameter: &Parameter) -> Node {
        let parts = vec![self.specifiers(&parameter.specifiers), self.declarator(&parameter.declarator)];
        node("parameter", parameter.range, parts)
    }

    pub(super) fn type_name(&self, name: &TypeName) -> Node {
        let mut parts = vec![self.specifiers(&name.specifiers)];
        if !name.declarator.derivations.is_empty() {
            parts.push(self.declarator(&name.declarator));
        }
        node("type name", name.range, parts)
    }

    fn basic(&self, basic: Basic) -> String {
        let text = match basic {
            Basic::Void => "void",
            Basic::Bool => "_Bool",
            Basic::Char => "char",
            Basic::SignedChar => "signed char",
            Basic::UnsignedChar => "unsigned char",
            Basic::Short => "short",
            Basic::UnsignedShort => "unsigned short",
            Basic::Int => "int",
            Basic::UnsignedInt => "unsigned int",
            Basic::Long => "long",
            Basic::UnsignedLong => "unsigned long",
            Basic::LongLong => "long long",
            Basic::UnsignedLongLong => "unsigned long long",
            Basic::Int128 => "__int128",
            Basic::UnsignedInt128 => "unsigned __int128",
            Basic::Other(name) => self.text(name),
            Basic::Float => "float",
            Basic::Double => "double",
            Basic::LongDouble => "long double",
            Basic::Float128 => "_Float128",
            Basic::ComplexFloat => "float _Complex",
            Basic::ComplexDouble => "double _Complex",
            Basic::ComplexLongDouble => "long double _Complex",
            Basic::ComplexFloat128 => "_Float128 _Complex",
            Basic::ComplexOther => "other _Complex",
        };
        text.to_owned()
    }
}

fn qualifiers(qualifiers: Qualifiers) -> impl Iterator<Item = &'static str> {
    let words = [
        (qualifiers.constant, "const"),
        (qualifiers.volatile, "volatile"),
        (qualifiers.restrict, "restrict"),
        (qualifiers.atomic, "_Atomic"),
    ];
    words.into_iter().filter(|(on, _)| *on).map(|(_, word)| word)
}

fn with<'a>(words: impl Iterator<Item = &'a str>, last: &'a str) -> String {
    words.chain(std::iter::once(last)).collect::<Vec<_>>().join(" ")
}
