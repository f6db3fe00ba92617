//! Declaration specifiers, collected word by word.
//!
//! Input: the words in text order.
//! Output: `Specifiers` with one type.
//! Postcondition: the words of a basic type form a valid combination, and only one type is named.

use super::context::{fault, Built, FaultKind};
use super::symbol::{BasicWord, Qualifier, SpecifierWord};
use crate::c::tree::{Attribute, Basic, Qualifiers, Range, Specifiers, Storage, TypeSpecifier};

/// Incomplete specifiers.
#[derive(Debug)]
pub struct Draft {
    specifiers: Specifiers,
    words: Words,
    /// The last word was a record or enumeration with its body. Attributes after it belong to it.
    after_body: bool,
}

/// The number of occurrences of each word of a basic type.
#[derive(Debug, Default, Clone, Copy)]
struct Words {
    count: u8,
    sign: Option<BasicWord>,
    long: u8,
    short: bool,
    int: bool,
    complex: bool,
    /// `char`, `double`… At most one of them is allowed.
    main: Option<BasicWord>,
    clash: bool,
}

impl Draft {
    pub fn new(start: u32) -> Box<Draft> {
        Box::new(Draft {
            specifiers: Specifiers {
                range: Range { start, end: start },
                storage: Storage::None,
                thread_local: false,
                inline: false,
                noreturn: false,
                qualifiers: Qualifiers::default(),
                kind: TypeSpecifier::Implicit,
                attributes: Vec::new(),
                aligned: false,
            },
            words: Words::default(),
            after_body: false,
        })
    }

    pub fn word(mut self: Box<Self>, word: SpecifierWord) -> Box<Draft> {
        self.after_body = false;
        let specifiers = &mut self.specifiers;
        match word {
            SpecifierWord::Storage(storage) => specifiers.storage = storage,
            SpecifierWord::Inline => specifiers.inline = true,
            SpecifierWord::NoReturn => specifiers.noreturn = true,
            SpecifierWord::ThreadLocal => specifiers.thread_local = true,
            SpecifierWord::Aligned => specifiers.aligned = true,
            SpecifierWord::Constexpr => specifiers.qualifiers.constant = true,
        }
        self
    }

    pub fn qualifier(mut self: Box<Self>, qualifier: Qualifier) -> Box<Draft> {
        self.after_body = false;
        qualify(&mut self.specifiers.qualifiers, qualifier);
        self
    }

    pub fn attribute(mut self: Box<Self>, attribute: Attribute) -> Box<Draft> {
        let specifiers = &mut self.specifiers;
        let own = match &mut specifiers.kind {
            TypeSpecifier::Record(record) if self.after_body => {
                Some((&mut record.attributes, &mut record.range))
            }
            TypeSpecifier::Enum(list) if self.after_body => Some((&mut list.attributes, &mut list.range)),
            _ => None,
        };
        match own {
            Some((attributes, range)) => {
                range.end = attribute.range.end;
                attributes.push(attribute);
            }
            None => specifiers.attributes.push(attribute),
        }
        self
    }

    /// The attributes, if there is nothing else.
    pub fn into_attributes(self) -> Vec<Attribute> {
        self.specifiers.attributes
    }

    pub fn basic(mut self: Box<Self>, word: BasicWord) -> Box<Draft> {
        self.after_body = false;
        self.words.add(word);
        self
    }

    /// Adds a type that does not consist of words, with its first token.
    pub fn kind(mut self: Box<Self>, kind: TypeSpecifier, at: u32) -> Built<Box<Draft>> {
        if self.words.count > 0 || !matches!(self.specifiers.kind, TypeSpecifier::Implicit) {
            return Err(fault(at, FaultKind::TwoTypes));
        }
        self.after_body = match &kind {
            TypeSpecifier::Record(record) => record.fields.is_some(),
            TypeSpecifier::Enum(list) => list.enumerators.is_some(),
            _ => false,
        };
        self.specifiers.kind = kind;
        Ok(self)
    }

    /// Completes the specifiers, which end before the token `end`.
    pub fn finish(self, end: u32) -> Built<Specifiers> {
        let Draft { mut specifiers, words, .. } = self;
        specifiers.range.end = end;
        let last = end.saturating_sub(1);
        match (words.count, &specifiers.kind) {
            (0, TypeSpecifier::Implicit) if specifiers.storage == Storage::Auto => {
                specifiers.kind = TypeSpecifier::Inferred;
            }
            (0, _) => {}
            (_, TypeSpecifier::Implicit) => {
                let kind = words.kind();
                specifiers.kind = kind.ok_or_else(|| fault(last, FaultKind::WordsOfType))?;
            }
            _ => return Err(fault(last, FaultKind::TwoTypes)),
        }
        Ok(specifiers)
    }
}

pub fn qualify(qualifiers: &mut Qualifiers, qualifier: Qualifier) {
    match qualifier {
        Qualifier::Const => qualifiers.constant = true,
        Qualifier::Volatile => qualifiers.volatile = true,
        Qualifier::Restrict => qualifiers.restrict = true,
        Qualifier::Atomic => qualifiers.atomic = true,
    }
}

impl Words {
    fn add(&mut self, word: BasicWord) {
        self.count = self.count.saturating_add(1);
        match word {
            BasicWord::Signed | BasicWord::Unsigned => {
                self.clash |= self.sign.is_some_and(|sign| sign != word);
                self.sign = Some(word);
            }
            BasicWord::Long => self.long += u8::from(self.long < 3),
            BasicWord::Short => self.short = true,
            BasicWord::Int => self.int = true,
            BasicWord::Complex => self.complex = true,
            main => {
                self.clash |= self.main.is_some();
                self.main = Some(main);
            }
        }
    }

    fn kind(self) -> Option<TypeSpecifier> {
        if self.clash || self.long > 2 || (self.short && self.long > 0) {
            return None;
        }
        let plain = self.count == 1;
        match self.main {
            Some(BasicWord::VaList) => plain.then_some(TypeSpecifier::VaList),
            Some(BasicWord::AutoType) => plain.then_some(TypeSpecifier::Inferred),
            _ => self.basic().map(TypeSpecifier::Basic),
        }
    }

    fn basic(self) -> Option<Basic> {
        let unsigned = self.sign == Some(BasicWord::Unsigned);
        let pick = |signed, without| Some(if unsigned { without } else { signed });
        let basic = match self.main {
            None if self.integer_words() => match (self.short, self.long) {
                (true, _) => pick(Basic::Short, Basic::UnsignedShort),
                (_, 0) => pick(Basic::Int, Basic::UnsignedInt),
                (_, 1) => pick(Basic::Long, Basic::UnsignedLong),
                _ => pick(Basic::LongLong, Basic::UnsignedLongLong),
            },
            // `_Complex` alone.
            None => Some(Basic::Double),
            Some(main) => self.main_alone(main),
        }?;
        Some(if self.complex { complex(basic) } else { basic })
    }

    fn integer_words(self) -> bool {
        self.sign.is_some() || self.long > 0 || self.short || self.int
    }

    /// A type with one main word, combined with the few words that are allowed next to it.
    fn main_alone(self, main: BasicWord) -> Option<Basic> {
        let signed = self.sign.is_some();
        let sized = self.short || self.int || self.long > 0;
        match main {
            BasicWord::Char if !sized => Some(match self.sign {
                Some(BasicWord::Signed) => Basic::SignedChar,
                Some(_) => Basic::UnsignedChar,
                None => Basic::Char,
            }),
            BasicWord::Int128 if !sized => Some(match self.sign {
                Some(BasicWord::Unsigned) => Basic::UnsignedInt128,
                _ => Basic::Int128,
            }),
            BasicWord::Double if !signed && !self.short && !self.int && self.long < 2 => {
                Some(if self.long == 1 { Basic::LongDouble } else { Basic::Double })
            }
            // `unsigned _BitInt(8)`, `_Sat` and similar.
            BasicWord::Other(name) => Some(Basic::Other(name)),
            _ if signed || sized => None,
            BasicWord::Void => Some(Basic::Void),
            BasicWord::Bool => Some(Basic::Bool),
            BasicWord::Float => Some(Basic::Float),
            BasicWord::LongDouble => Some(Basic::LongDouble),
            BasicWord::Float128 => Some(Basic::Float128),
            BasicWord::UnsignedInt128 => Some(Basic::UnsignedInt128),
            _ => None,
        }
    }
}

fn complex(basic: Basic) -> Basic {
    match basic {
        Basic::Float => Basic::ComplexFloat,
        Basic::Double => Basic::ComplexDouble,
        Basic::LongDouble => Basic::ComplexLongDouble,
        Basic::Float128 => Basic::ComplexFloat128,
        other @ Basic::Other(_) => other,
        _ => Basic::ComplexOther,
    }
}
