//! Generated statements with their labels and depths, before they become lines.

use cppc_source::Span;

/// One line of generated text, before it is folded.
#[derive(Debug, Clone)]
pub(super) enum Sentence {
    Statement { label: Option<u32>, depth: usize, text: String },
    /// The program's text as a comment.
    Note(Span),
}

#[derive(Debug, Default)]
pub(super) struct Sentences {
    pub list: Vec<Sentence>,
    label: Option<u32>,
    depth: usize,
}

impl Sentences {
    pub fn new() -> Sentences {
        Sentences::default()
    }

    /// Those that stand behind a header.
    pub fn inside() -> Sentences {
        Sentences { depth: 1, ..Sentences::default() }
    }

    pub fn say(&mut self, text: String) {
        let label = self.label.take();
        self.list.push(Sentence::Statement { label, depth: self.depth, text });
    }

    /// The next statement has this label.
    pub fn label(&mut self, label: u32, nothing: &str) {
        if self.label.is_some() {
            self.say(nothing.to_owned());
        }
        self.label = Some(label);
    }

    pub fn note(&mut self, span: Span) {
        self.list.push(Sentence::Note(span));
    }

    /// `IF (…) THEN` and the like: what follows stands deeper.
    pub fn open(&mut self, text: String) {
        self.say(text);
        self.depth += 1;
    }

    /// `ELSE`, `CASE (…)`: deeper than what is around, as what was before.
    pub fn turn(&mut self, text: String) {
        self.depth = self.depth.saturating_sub(1);
        self.open(text);
    }

    pub fn close(&mut self, text: String) {
        self.depth = self.depth.saturating_sub(1);
        self.say(text);
    }

    /// Those of another list, as deep as they are there.
    pub fn append(&mut self, other: Sentences) {
        self.list.extend(other.list);
    }

    /// What follows stands as deep as what was before the last header.
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Whether a header of ours is open.
    pub fn is_inside(&self) -> bool {
        self.depth > 0
    }

    /// The routines of ours that are called.
    pub fn called(&self) -> Vec<String> {
        let texts = self.list.iter().filter_map(|sentence| match sentence {
            Sentence::Statement { text, .. } => Some(text),
            Sentence::Note(_) => None,
        });
        let names = texts.flat_map(|text| {
            // Behind a condition, a call is not what a statement begins with.
            let words: Vec<&str> = text.split([' ', '(']).filter(|word| !word.is_empty()).collect();
            let pairs = words.windows(2).filter(|pair| pair[0].eq_ignore_ascii_case("call"));
            pairs.map(|pair| pair[1].to_owned()).collect::<Vec<_>>()
        });
        names.filter(|name| name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("cppc_"))).collect()
    }

    /// Whether the program's text is among them as a comment.
    pub fn has_note(&self) -> bool {
        self.list.iter().any(|sentence| matches!(sentence, Sentence::Note(_)))
    }
}
