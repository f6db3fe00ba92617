//! The text that describes memory in messages.

use cppc_analysis::program::{Affine, Dimension, Index, Step};
use cppc_grammar::c::tree::Range;
use cppc_grammar::directive::spell_tightly;

use super::body::Body;
use super::lvalue::Lvalue;

/// The maximum length of a text that is quoted from the source.
const TOKENS_LIMIT: u32 = 40;

impl Body<'_, '_, '_> {
    /// The source text if the range is given and the text is not that of a whole array; otherwise the path.
    pub fn written(&self, place: &Lvalue, range: Option<Range>) -> String {
        if let Some((text, _)) = &self.item {
            return text.clone();
        }
        match range {
            Some(range) if range.end - range.start <= TOKENS_LIMIT => self.source(range),
            _ => self.spelled(place),
        }
    }

    pub fn source(&self, range: Range) -> String {
        let preprocessed = &self.unit.unit.preprocessed;
        let tokens = preprocessed.tokens.get(range.start as usize..range.end as usize);
        spell_tightly(tokens.unwrap_or_default(), &preprocessed.names)
    }

    fn spelled(&self, place: &Lvalue) -> String {
        let mut text = self.builder.program.get_variable(place.root).name.clone();
        let mut steps = place.path.iter().peekable();
        while let Some(step) = steps.next() {
            match step {
                Step::Field { name, .. } => text = format!("{text}.{name}"),
                Step::Elements(dimensions) => {
                    for dimension in dimensions.iter().filter(|dimension| dimension.index != Index::All) {
                        text = format!("{text}[{}]", self.subscript(dimension));
                    }
                }
                Step::Dereference => match steps.peek() {
                    Some(Step::Field { name, .. }) => {
                        text = format!("{text}->{name}");
                        steps.next();
                    }
                    Some(Step::Elements(_)) => {}
                    _ if text.starts_with('*')
                        || text.ends_with(|last: char| last.is_alphanumeric() || last == '_') =>
                    {
                        text = format!("*{text}");
                    }
                    _ => text = format!("*({text})"),
                },
            }
        }
        text
    }

    fn subscript(&self, dimension: &Dimension) -> String {
        match &dimension.index {
            Index::At(index) => self.sum(index),
            Index::Range { .. } | Index::All | Index::Unknown => "…".to_owned(),
        }
    }

    fn sum(&self, value: &Affine) -> String {
        let mut text = String::new();
        for &(variable, factor) in &value.terms {
            let name = &self.builder.program.get_variable(variable).name;
            match (text.is_empty(), factor) {
                (true, 1) => text.push_str(name),
                (true, -1) => text.push_str(&format!("-{name}")),
                (true, _) => text.push_str(&format!("{factor}*{name}")),
                (false, 1) => text.push_str(&format!("+{name}")),
                (false, -1) => text.push_str(&format!("-{name}")),
                (false, _) => text.push_str(&format!("{factor:+}*{name}")),
            }
        }
        match (text.is_empty(), value.constant) {
            (false, 0) => text,
            (true, constant) => constant.to_string(),
            (false, constant) => format!("{text}{constant:+}"),
        }
    }
}
