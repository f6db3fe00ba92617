//! Produces the terminals that the parser reads from the tokens of a unit.
//!
//! Input: tokens, and the scope that the parser's actions maintain.
//! Output: terminals with token indices. Each identifier becomes a `Name` followed by a `Type` or a
//! `Variable` of width zero. The choice is made when the parser requests the second terminal: by then it has
//! done the reductions that a `Name` triggers, including the declarations before it (Jourdan and Pottier, "A
//! simple, possibly correct LR parser for C11"). Attributes, `asm` and similar become one terminal with their
//! brackets.
//! Postcondition: brackets are not nested deeper than `NESTING_LIMIT`.

use super::context::{Context, Fault, FaultKind};
use super::scope::Class;
use super::symbol::{BasicWord, Compound, Qualifier, Soft, SpecifierWord, Symbol, Symbols};
use crate::c::token::Name;

/// The limit of clang.
pub const NESTING_LIMIT: usize = 256;

pub type Terminal = (u32, Symbol, u32);

pub struct Stream<'p> {
    context: &'p Context<'p>,
    symbols: &'p Symbols,
    next: u32,
    end: u32,
    start: Option<Symbol>,
    /// The name that was returned last. It is classified at the next request.
    unclassified: Option<Name>,
    brackets: Vec<Bracket>,
    /// The end of the last leading attribute. Another one may follow.
    led_to: u32,
    /// The end of the last attribute of a label.
    dropped_to: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Enumerators,
    Other,
}

impl Iterator for Stream<'_> {
    type Item = Result<Terminal, Fault>;

    fn next(&mut self) -> Option<Result<Terminal, Fault>> {
        let at = self.next;
        if let Some(start) = self.start.take() {
            return Some(Ok((at, start, at)));
        }
        if let Some(name) = self.unclassified.take() {
            let is_type = self.context.class(name) == Class::Type;
            return Some(Ok((at, if is_type { Symbol::Type } else { Symbol::Variable }, at)));
        }
        while self.next < self.end {
            match self.read() {
                Ok(None) => {}
                Ok(Some(terminal)) => return Some(Ok(terminal)),
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

impl<'p> Stream<'p> {
    /// Reads the tokens from `from` to `end`, after a terminal that gives their kind.
    pub fn new(
        context: &'p Context<'p>,
        symbols: &'p Symbols,
        start: Symbol,
        from: u32,
        end: u32,
    ) -> Stream<'p> {
        Stream {
            context,
            symbols,
            next: from,
            end,
            start: Some(start),
            unclassified: None,
            brackets: Vec::new(),
            led_to: from,
            dropped_to: u32::MAX,
        }
    }

    /// The next terminal, or `None` if the text there is skipped.
    fn read(&mut self) -> Result<Option<Terminal>, Fault> {
        let at = self.next;
        let symbol = match self.symbol(at) {
            Symbol::Soft(soft) => self.resolve_soft_keyword(soft, at),
            symbol => symbol,
        };
        match symbol {
            Symbol::Compound(compound) => return self.compound(compound, at),
            Symbol::Name(name) => self.unclassified = Some(name),
            Symbol::OpenBracket if self.symbol(at + 1) == Symbol::OpenBracket => {
                return self.bracket_attribute(at);
            }
            Symbol::OpenParen | Symbol::OpenBracket | Symbol::OpenBrace => self.open(symbol, at)?,
            Symbol::CloseParen | Symbol::CloseBracket | Symbol::CloseBrace => {
                self.brackets.pop();
            }
            Symbol::Colon if self.follows_enum_tag(at) => {
                if let Some(end) = self.underlying_type(at + 1) {
                    return Ok(self.take(at, end, Symbol::EnumType));
                }
            }
            _ => {}
        }
        Ok(self.take(at, at + 1, symbol))
    }

    fn take(&mut self, start: u32, end: u32, symbol: Symbol) -> Option<Terminal> {
        self.next = end;
        Some((start, symbol, end))
    }

    /// The terminal of a token in its table, or `Stray` beyond the end.
    fn symbol(&self, at: u32) -> Symbol {
        match self.context.tokens.get(at as usize) {
            Some(&token) if at < self.end => self.symbols.of(token),
            _ => Symbol::Stray,
        }
    }

    fn before(&self, at: u32) -> Symbol {
        at.checked_sub(1).map_or(Symbol::Stray, |before| self.symbol(before))
    }

    fn open(&mut self, symbol: Symbol, at: u32) -> Result<(), Fault> {
        if self.brackets.len() >= NESTING_LIMIT {
            return Err(Fault { token: at, kind: FaultKind::Nesting });
        }
        let enumerators = symbol == Symbol::OpenBrace && self.follows_enum(at);
        self.brackets.push(if enumerators { Bracket::Enumerators } else { Bracket::Other });
        Ok(())
    }

    /// True if `enum`, `enum tag` or `enum tag : type` directly precedes.
    fn follows_enum(&self, at: u32) -> bool {
        let mut at = at;
        // The underlying type has a few words, or is one name.
        for _ in 0..6 {
            match self.before(at) {
                Symbol::Enum => return true,
                Symbol::Name(_) | Symbol::Colon | Symbol::Basic(_) | Symbol::Qualifier(_) => at -= 1,
                _ => return false,
            }
        }
        false
    }

    fn follows_enum_tag(&self, at: u32) -> bool {
        match self.before(at) {
            Symbol::Enum => true,
            Symbol::Name(_) => self.before(at - 1) == Symbol::Enum,
            _ => false,
        }
    }

    /// The end of the type after `enum tag :`. `None` for the width of an unnamed bit-field.
    fn underlying_type(&self, from: u32) -> Option<u32> {
        let word = |at: u32| {
            matches!(self.symbol(at), Symbol::Basic(_) | Symbol::Qualifier(_) | Symbol::Soft(Soft::Bool))
        };
        let words = (from..self.end).take_while(|&at| word(at)).count() as u32;
        let next = from + words;
        match self.symbol(next) {
            Symbol::Typeof | Symbol::Soft(Soft::Typeof) => self.close(next + 1, next).ok(),
            Symbol::Name(name) if words == 0 && self.context.class(name) == Class::Type => Some(next + 1),
            _ => (words > 0).then_some(next),
        }
    }

    /// Decides whether a word that became a keyword in C23 is a keyword here, or a name as in older programs.
    fn resolve_soft_keyword(&self, soft: Soft, at: u32) -> Symbol {
        let name = self.context.tokens[at as usize].text;
        let before = self.before(at);
        let after = self.symbol(at + 1);
        let constant = matches!(soft, Soft::True | Soft::False | Soft::Nullptr);
        let enumerator = constant
            && self.brackets.last() == Some(&Bracket::Enumerators)
            && matches!(before, Symbol::OpenBrace | Symbol::Comma);
        let ends = matches!(after, Symbol::Semicolon | Symbol::OpenBracket);
        let declared = match (soft, before) {
            (Soft::Asm | Soft::StaticAssert, _) => false,
            (Soft::ThreadLocal | Soft::Constexpr, _) => {
                ends || matches!(after, Symbol::Comma | Symbol::CloseParen | Symbol::Equals)
            }
            _ if after == Symbol::Equals => true,
            (Soft::Bool, Symbol::Basic(_)) => true,
            (Soft::Bool, Symbol::Name(_) | Symbol::CloseBrace | Symbol::Star) => ends,
            (_, Symbol::Basic(_) | Symbol::Name(_) | Symbol::Qualifier(_)) => {
                soft != Soft::Bool && after != Symbol::OpenParen
            }
            _ => false,
        };
        let bare = match soft {
            Soft::Asm => {
                !matches!(after, Symbol::OpenParen | Symbol::Qualifier(_) | Symbol::Goto | Symbol::Word(_))
            }
            soft => soft.needs_paren() && after != Symbol::OpenParen,
        };
        let is_name = self.context.class(name) != Class::Unknown
            || matches!(
                before,
                Symbol::Dot | Symbol::Arrow | Symbol::Goto | Symbol::Record { .. } | Symbol::Enum
            )
            || (constant && after == Symbol::OpenParen)
            || enumerator
            || declared
            || bare;
        if is_name {
            Symbol::Name(name)
        } else {
            soft.keyword()
        }
    }

    fn compound(&mut self, compound: Compound, at: u32) -> Result<Option<Terminal>, Fault> {
        match compound {
            Compound::Attribute => {
                let end = self.close(at + 1, at)?;
                // After a label it would be treated as the start of a declaration.
                if self.before(at) == Symbol::Colon || self.dropped_to == at {
                    self.dropped_to = end;
                    self.next = end;
                    return Ok(None);
                }
                Ok(self.take(at, end, Symbol::Attribute))
            }
            Compound::Asm => self.asm(at),
            Compound::StaticAssert => {
                let end = self.close(at + 1, at)?;
                Ok(self.take(at, end, Symbol::StaticAssert))
            }
            Compound::Alignas => {
                let end = self.close(at + 1, at)?;
                Ok(self.take(at, end, Symbol::Word(SpecifierWord::Aligned)))
            }
            Compound::BitInt => {
                let end = self.close(at + 1, at)?;
                let name = self.context.tokens[at as usize].text;
                Ok(self.take(at, end, Symbol::Basic(BasicWord::Other(name))))
            }
            Compound::Atomic => {
                let type_follows = self.symbol(at + 1) == Symbol::OpenParen;
                let qualifier = Symbol::Qualifier(Qualifier::Atomic);
                let symbol = if type_follows { Symbol::AtomicType } else { qualifier };
                Ok(self.take(at, at + 1, symbol))
            }
            Compound::LocalLabels => {
                let end = (at..self.end).find(|&t| self.symbol(t) == Symbol::Semicolon);
                let end = end.ok_or(Fault { token: at, kind: FaultKind::Brackets })?;
                Ok(self.take(at, end, Symbol::LocalLabels))
            }
        }
    }

    fn asm(&mut self, at: u32) -> Result<Option<Terminal>, Fault> {
        let mut open = at + 1;
        let mut goto = false;
        while !matches!(self.symbol(open), Symbol::OpenParen | Symbol::Stray) {
            match self.symbol(open) {
                Symbol::Goto => goto = true,
                Symbol::Qualifier(_) | Symbol::Word(SpecifierWord::Inline) => {}
                _ => return Err(Fault { token: at, kind: FaultKind::Brackets }),
            }
            open += 1;
        }
        let end = self.close(open, at)?;
        Ok(self.take(at, end, Symbol::Asm { goto }))
    }

    /// `[[…]]`, which is a leading attribute where a declaration or a statement may begin.
    fn bracket_attribute(&mut self, at: u32) -> Result<Option<Terminal>, Fault> {
        let end = self.close(at, at)?;
        let leads = match self.before(at) {
            Symbol::Semicolon | Symbol::OpenBrace | Symbol::CloseBrace | Symbol::Colon => true,
            _ => at == self.led_to,
        };
        if leads {
            self.led_to = end;
        }
        let symbol = if leads { Symbol::LeadingAttribute } else { Symbol::Attribute };
        Ok(self.take(at, end, symbol))
    }

    /// The token after the bracket that closes the one at `open`.
    fn close(&self, open: u32, reported: u32) -> Result<u32, Fault> {
        let mut depth = 0;
        for at in open..self.end {
            match self.symbol(at) {
                Symbol::OpenParen | Symbol::OpenBracket | Symbol::OpenBrace => depth += 1,
                Symbol::CloseParen | Symbol::CloseBracket | Symbol::CloseBrace => depth -= 1,
                _ if depth == 0 => break,
                _ => {}
            }
            if depth == 0 {
                return Ok(at + 1);
            }
        }
        Err(Fault { token: reported, kind: FaultKind::Brackets })
    }
}
