//! What a checkpoint says about the messages that may be in transit.
//!
//! Input: the directive.
//! Output: whether its safety is checked, or asserted, or is known for some numbers of processes only.

use cppc_abi::ranks::Ranks;
use cppc_grammar::directive::Safety as Written;
use cppc_grammar::directive_words::{CHECKPOINT, RANKS, SAFE};
use cppc_source::{Diagnostic, Span};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// CPPC checks it.
    Checked,
    /// `safe`: the user asserts that no message is in transit.
    Asserted,
    /// `ranks(…)`: state is saved only in runs with these numbers of processes.
    Ranks(Ranks),
}

impl Safety {
    /// # Errors
    /// An item is not a number of processes. `span` and `text` are those of an item.
    pub fn read<I>(
        written: &Written<I>,
        span: impl Fn(&I) -> Span,
        text: impl Fn(&I) -> String,
    ) -> Result<Safety, Diagnostic> {
        let items = match written {
            Written::Checked => return Ok(Safety::Checked),
            Written::Asserted => return Ok(Safety::Asserted),
            Written::Ranks(items) => items,
        };
        if let Some(wrong) = items.iter().find(|item| Ranks::parse(&text(item)).is_none()) {
            let message = format!("`{}` is not a number of processes", text(wrong));
            return Err(Diagnostic::error("C0313", span(wrong), message)
                .because("a number or a range was expected here")
                .help("write numbers and ranges, for example `ranks(2, 4:16)`"));
        }
        let all: Vec<String> = items.iter().map(text).collect();
        Ok(Ranks::parse(&all.join(",")).map_or(Safety::Checked, Safety::Ranks))
    }

    /// The numbers of processes, if the directive names them.
    pub fn ranks(&self) -> Option<&Ranks> {
        match self {
            Safety::Ranks(ranks) => Some(ranks),
            Safety::Checked | Safety::Asserted => None,
        }
    }

    /// The directive.
    pub fn directive(&self) -> String {
        match self {
            Safety::Checked => CHECKPOINT.to_owned(),
            Safety::Asserted => format!("{CHECKPOINT} {SAFE}"),
            Safety::Ranks(ranks) => format!("{CHECKPOINT} {RANKS}({ranks})"),
        }
    }
}
