//! Items with subscripts that are computed: `tiles(t)%u`.
//!
//! Input: a designator.
//! Output: the subscripts, and how its text and its name are written with places for them.
//! Postcondition: what is left in text and name is the same in every run of the directive; a designator whose
//! subscripts are all constant is none.

use cppc_grammar::fortran::tree::{ArgumentKind, Expr, ExprKind};

use super::bound::Bound;
use super::items::{Item, AT};
use super::resolve_items::DirectiveContext;

/// The part of a designator that ends with its last computed subscript.
pub(super) struct Indexed {
    /// As it is written, and with places in generated code.
    text: (String, String),
    /// Behind the variable's name: as it is in a register's name, and with places there.
    name: (String, String),
    subscripts: Vec<String>,
}

impl Bound<'_> {
    pub(super) fn indexed(&self, context: DirectiveContext, expr: &Expr) -> Option<Indexed> {
        let mut computed = Vec::new();
        let (root, end) = self.computed(context, expr, &mut computed)?;
        let (mut text, mut name) = (String::new(), String::new());
        let mut at = root.at.end;
        text.push_str(self.written(context.source, root));
        let between = |from: u32, to: u32| {
            self.text(context.source, cppc_grammar::fortran::logical::At { start: from, end: to, ..root.at })
        };
        for (index, subscript) in computed.iter().enumerate() {
            let piece = between(at, subscript.at.start);
            text.push_str(&format!("{piece}{AT}({})", index + 1));
            name.push_str(&format!("{}?", key(piece)));
            at = subscript.at.end;
        }
        let last = between(at, end);
        Some(Indexed {
            text: (between(root.at.start, end).trim().to_owned(), text + last.trim_end()),
            name: (key(between(root.at.end, end)), name + &key(last)),
            subscripts: computed
                .iter()
                .map(|subscript| self.written(context.source, subscript).to_owned())
                .collect(),
        })
    }

    /// The computed subscripts in the order of the text; the variable, and the end of the last element with any.
    fn computed<'e>(
        &self,
        context: DirectiveContext,
        expr: &'e Expr,
        found: &mut Vec<&'e Expr>,
    ) -> Option<(&'e Expr, u32)> {
        match &expr.kind {
            ExprKind::Component { base, .. } => self.computed(context, base, found),
            ExprKind::Reference { base, arguments } => {
                let before = self.computed(context, base, found);
                let inner = found.len();
                let values = arguments.iter().filter_map(|argument| match &argument.kind {
                    ArgumentKind::Value(value) => Some(value),
                    _ => None,
                });
                found.extend(values.filter(|value| self.integer(context.scope, value).is_none()));
                match found.len() > inner {
                    true => Some((first_name(base), expr.at.end)),
                    false => before,
                }
            }
            _ => None,
        }
    }
}

/// The variable that a designator begins with.
fn first_name(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Component { base, .. } | ExprKind::Reference { base, .. } => first_name(base),
        _ => expr,
    }
}

/// As registers are named.
fn key(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_ascii_lowercase()
}

impl Indexed {
    pub fn subscripts(&self) -> &[String] {
        &self.subscripts
    }

    /// The places go into everything that is said of an item of this designator.
    pub fn mark(&self, item: &mut Item) {
        let (written, marked) = &self.text;
        let places = |text: &mut String| *text = text.replace(written.as_str(), marked);
        places(&mut item.lvalue);
        places(&mut item.count);
        item.first_element.iter_mut().for_each(places);
        item.length.iter_mut().for_each(places);
        item.shape.iter_mut().for_each(|shape| places(&mut shape.text));
        if let Some(section) = &mut item.section {
            [&mut section.first, &mut section.second, &mut section.structures].into_iter().for_each(places);
        }
        item.name = item.name.replacen(&self.name.0, &self.name.1, 1);
        item.subscripts.clone_from(&self.subscripts);
    }
}
