//! The names of functions and variables for the linker, if they are not the names in the source.
//!
//! Input: the declarations of a unit at file level, and its pragmas.
//! Output: the functions with weak definitions, the labels (`asm("…")`), and the aliases (`alias`, `weakref`).
//! Postcondition: labels in system headers, which select versions of library functions, are left out.

use cppc_grammar::c::token::Token;
use cppc_grammar::c::tree::{Attribute, Declarator, External, InitDeclarator, Range, Specifiers};
use cppc_source::Files;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::front::c::Unit;

/// The names of functions and variables of one unit. The keys are names in the source.
#[derive(Debug, Default)]
pub(super) struct LinkerNames {
    pub weak: FxHashSet<String>,
    pub labels: FxHashMap<String, String>,
    /// What each alias means, by its name in the source or for the linker.
    pub aliases: FxHashMap<String, String>,
}

impl LinkerNames {
    pub fn of(unit: &Unit, files: &Files) -> LinkerNames {
        let mut found = LinkerNames::default();
        let mut reader = Reader { unit, found: &mut found };
        for item in &unit.parsed.unit.items {
            match item {
                External::Function(function) => {
                    reader.attributes(&function.specifiers, &function.declarator);
                }
                External::Declaration(declaration) => {
                    for init in &declaration.declarators {
                        reader.attributes(&declaration.specifiers, &init.declarator);
                        if !is_system(unit, &init.range, files) {
                            reader.label(init);
                        }
                    }
                }
                External::StaticAssert(_) | External::Asm(_) | External::Empty(_) => {}
            }
        }
        for pragma in &unit.preprocessed.pragmas {
            reader.pragma(&pragma.tokens);
        }
        found
    }
}

/// Whether a range begins in a system header.
pub(super) fn is_system(unit: &Unit, range: &Range, files: &Files) -> bool {
    let token = unit.preprocessed.tokens.get(range.start as usize);
    token.is_some_and(|token| files.get(token.origin.span.file).path.starts_with("/usr"))
}

struct Reader<'a> {
    unit: &'a Unit,
    found: &'a mut LinkerNames,
}

impl<'a> Reader<'a> {
    fn text(&self, token: &Token) -> &'a str {
        self.unit.preprocessed.names.text(token.text)
    }

    fn tokens(&self, start: u32, end: u32) -> &'a [Token] {
        self.unit.preprocessed.tokens.get(start as usize..end as usize).unwrap_or_default()
    }

    /// `weak`, `alias("g")` and `weakref("g")`.
    fn attributes(&mut self, specifiers: &Specifiers, declarator: &Declarator) {
        let Some(name) = &declarator.name else { return };
        let name = self.unit.preprocessed.names.text(name.name);
        for Attribute { range, .. } in specifiers.attributes.iter().chain(&declarator.attributes) {
            let tokens = self.tokens(range.start, range.end);
            for (at, token) in tokens.iter().enumerate() {
                match self.text(token).trim_matches('_') {
                    "weak" => {
                        self.found.weak.insert(name.to_owned());
                    }
                    "alias" | "weakref" => {
                        if let Some(target) = self.literal(&tokens[at + 1..]) {
                            self.found.aliases.insert(name.to_owned(), target);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// `int f(void) asm("g");`
    fn label(&mut self, init: &InitDeclarator) {
        let Some(name) = &init.declarator.name else { return };
        let tokens = self.tokens(init.declarator.range.end, init.range.end);
        let is_label = |token: &&Token| matches!(self.text(token), "asm" | "__asm" | "__asm__");
        if tokens.first().filter(is_label).is_some() {
            if let Some(label) = self.literal(&tokens[1..]) {
                let name = self.unit.preprocessed.names.text(name.name);
                self.found.labels.insert(name.to_owned(), label);
            }
        }
    }

    /// `#pragma weak f`, `#pragma weak f = g` and `#pragma redefine_extname f g`.
    fn pragma(&mut self, tokens: &[Token]) {
        let texts: Vec<&str> = tokens.iter().map(|token| self.text(token)).collect();
        match texts[..] {
            ["weak", name] => {
                self.found.weak.insert(name.to_owned());
            }
            ["weak", name, "=", target] => {
                self.found.aliases.insert(name.to_owned(), target.to_owned());
            }
            ["redefine_extname", name, label] => {
                self.found.labels.insert(name.to_owned(), label.to_owned());
            }
            _ => {}
        }
    }

    /// The text of `("…" "…")`.
    fn literal(&self, tokens: &[Token]) -> Option<String> {
        let (open, rest) = tokens.split_first()?;
        let literals = rest.iter().map(|token| self.text(token));
        let literals = literals.map_while(|text| text.strip_prefix('"')?.strip_suffix('"'));
        let text: String = literals.collect();
        (self.text(open) == "(" && !text.is_empty()).then_some(text)
    }
}
