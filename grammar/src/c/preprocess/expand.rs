//! Macro expansion: the name of a macro is replaced by its body, which is read next.
//!
//! Input: lexemes of files and directives.
//! Output: lexemes with macros expanded, and padding between them.
//! Postcondition: a macro is never expanded within its own expansion. The open contexts show which macros are
//! being expanded; their names in the text are painted and never expanded again.
//!
//! gcc and clang use this method. Prosser's hide sets give the same result except where the standard leaves
//! it unspecified: an expansion that takes its arguments from the text after its own end.

use cppc_source::{Diagnostic, Span};

use super::lexeme::{Kind, Lexeme};
use super::macros::{MacroId, MacroKind};
use super::state::{Argument, Context, Preprocessor};
use super::{codes, words};

/// The maximum nesting depth of arguments, because each level uses stack of this program.
const DEPTH_LIMIT: u32 = 400;

impl Preprocessor<'_> {
    /// The next lexeme after expansion.
    pub fn next(&mut self) -> Lexeme {
        loop {
            let lexeme = self.read();
            if lexeme.kind != Kind::Identifier || lexeme.has(Lexeme::PAINTED) {
                return lexeme;
            }
            let Some(id) = self.macros.find(lexeme.name) else { return lexeme };
            if self.macros.get(id).disabled {
                return lexeme.with(Lexeme::PAINTED);
            }
            if !self.expand(lexeme, id) {
                return lexeme;
            }
        }
    }

    /// The next lexeme that is not padding.
    pub fn next_solid(&mut self) -> Lexeme {
        loop {
            let lexeme = self.next();
            if lexeme.kind != Kind::Padding {
                return lexeme;
            }
        }
    }

    /// The next lexeme without expansion. A name that may not be expanded here is painted.
    pub fn next_unexpanded(&mut self) -> Lexeme {
        let lexeme = self.read();
        if lexeme.kind == Kind::Identifier {
            if let Some(id) = self.macros.find(lexeme.name) {
                if self.macros.get(id).disabled {
                    return lexeme.with(Lexeme::PAINTED);
                }
            }
        }
        lexeme
    }

    fn read(&mut self) -> Lexeme {
        loop {
            if self.stopped {
                return Lexeme::end(self.buffer.end());
            }
            let Some(context) = self.contexts.last_mut() else { return self.read_file() };
            if context.at < context.end {
                let lexeme = self.pending[context.at as usize];
                context.at += 1;
                return lexeme;
            }
            if context.barrier {
                return Lexeme::end(self.buffer.end());
            }
            self.pop_context();
        }
    }

    /// Makes the lexemes of `pending` from `start` on the next to be read.
    pub fn push_context(&mut self, start: usize, expands: Option<MacroId>, place: Span) {
        if let Some(id) = expands {
            self.macros.get_mut(id).disabled = true;
        }
        let (start, end) = (start as u32, self.pending.len() as u32);
        self.contexts.push(Context { start, at: start, end, expands, place, barrier: false });
    }

    /// Like `push_context`, but reading stops after them.
    pub fn push_barrier(&mut self, start: usize, place: Span) {
        self.push_context(start, None, place);
        if let Some(context) = self.contexts.last_mut() {
            context.barrier = true;
        }
    }

    pub fn pop_context(&mut self) {
        if let Some(context) = self.contexts.pop() {
            self.pending.truncate(context.start as usize);
            if let Some(id) = context.expands {
                self.macros.get_mut(id).disabled = false;
            }
        }
    }

    /// Closes contexts down to a depth, including the barrier there.
    pub fn close_contexts(&mut self, depth: usize) {
        while self.contexts.len() > depth {
            self.pop_context();
        }
    }

    /// Replaces the name of a macro by its expansion. A function-like macro without arguments is not
    /// replaced.
    fn expand(&mut self, name: Lexeme, id: MacroId) -> bool {
        let outermost = !name.has(Lexeme::EXPANDED) && !self.in_condition;
        match self.macros.get(id).kind {
            MacroKind::Object => {
                if outermost {
                    self.begin_expansion(name);
                }
                let start = self.pending.len();
                self.pending.push(Lexeme::padding_for(name));
                self.substitute(id, self.arguments.len(), name.span);
                self.finish(start, id, name.span);
                true
            }
            MacroKind::Function => {
                if !self.parenthesis_follows() {
                    return false;
                }
                if outermost {
                    self.begin_expansion(name);
                }
                self.expand_function(name, id)
            }
            MacroKind::Builtin(builtin) => {
                if outermost {
                    self.begin_expansion(name);
                }
                self.expand_builtin(name, builtin)
            }
        }
    }

    fn expand_function(&mut self, name: Lexeme, id: MacroId) -> bool {
        let first_argument = self.arguments.len();
        let first_lexeme = self.argument_lexemes.len();
        let close = self.collect_arguments(name, id, first_argument);
        let close = close.filter(|_| self.expand_arguments(id, first_argument));
        if let Some(close) = close {
            let in_one_file = close.file == name.span.file && name.span.start < close.end;
            let place = if in_one_file { name.span.to(close) } else { name.span };
            let start = self.pending.len();
            self.pending.push(Lexeme::padding_for(name));
            self.substitute(id, first_argument, name.span);
            self.finish(start, id, place);
        }
        self.arguments.truncate(first_argument);
        self.argument_lexemes.truncate(first_lexeme);
        close.is_some()
    }

    fn finish(&mut self, start: usize, id: MacroId, place: Span) {
        self.pending.push(Lexeme::padding(place));
        let length = self.pending.len() - start;
        if self.may_work(length, place) {
            self.push_context(start, Some(id), place);
        } else {
            self.pending.truncate(start);
        }
    }

    /// True if the next lexeme, from any source, is `(`. Nothing is consumed.
    pub fn parenthesis_follows(&self) -> bool {
        for context in self.contexts.iter().rev() {
            let rest = &self.pending[context.at as usize..context.end as usize];
            if let Some(next) = rest.iter().find(|lexeme| lexeme.kind != Kind::Padding) {
                return next.is(words::LEFT_PAREN);
            }
            if context.barrier {
                return false;
            }
        }
        self.parenthesis_follows_in_file()
    }

    /// Reads `(…)` into the arguments. Returns the span of `)`, or `None` after an error.
    fn collect_arguments(&mut self, name: Lexeme, id: MacroId, first: usize) -> Option<Span> {
        let was_collecting = std::mem::replace(&mut self.collecting, true);
        let close = self.collect(id);
        self.collecting = was_collecting;
        let Some(close) = close else {
            if !self.stopped {
                let text = format!("the arguments of `{}` do not end", self.text(name.name));
                let diagnostic = Diagnostic::error(codes::OPEN_ARGUMENTS, name.span, text);
                self.report(diagnostic.help("close them with `)`"));
            }
            return None;
        };
        if !close.has(Lexeme::EXPANDED) && !self.in_condition {
            self.extend_expansion(close.span);
        }
        self.check_count(name, id, first).then_some(close.span)
    }

    /// Reads up to the closing parenthesis and returns it.
    fn collect(&mut self, id: MacroId) -> Option<Lexeme> {
        while !self.next_unexpanded().is(words::LEFT_PAREN) {
            if self.stopped {
                return None;
            }
        }
        let (count, variadic) = (self.macros.get(id).parameter_count(), self.macros.get(id).variadic);
        let mut depth = 0u32;
        let mut index = 1;
        let mut start = self.argument_lexemes.len();
        loop {
            let lexeme = self.next_unexpanded();
            if lexeme.kind == Kind::End {
                return None;
            }
            if lexeme.kind == Kind::Padding && self.argument_lexemes.len() == start {
                continue;
            }
            let close = lexeme.is(words::RIGHT_PAREN);
            if depth == 0 && close {
                self.end_argument(start);
                return Some(lexeme);
            }
            if depth == 0 && lexeme.is(words::COMMA) && !(variadic && index >= count) {
                self.end_argument(start);
                start = self.argument_lexemes.len();
                index += 1;
                continue;
            }
            if close {
                depth -= 1;
            } else if lexeme.is(words::LEFT_PAREN) {
                depth += 1;
            }
            self.argument_lexemes.push(lexeme.with(Lexeme::EXPANDED));
        }
    }

    fn end_argument(&mut self, start: usize) {
        let trailing = self.argument_lexemes[start..].iter().rev();
        let padding = trailing.take_while(|lexeme| lexeme.kind == Kind::Padding).count();
        let end = self.argument_lexemes.len() - padding;
        self.argument_lexemes.truncate(end);
        let (start, end) = (start as u32, end as u32);
        let argument = Argument { start, end, expanded_start: 0, expanded_end: 0, given: true };
        self.arguments.push(argument);
    }

    /// Checks that the number of arguments equals that of the parameters, and reports an error if not.
    fn check_count(&mut self, name: Lexeme, id: MacroId, first: usize) -> bool {
        let found = self.macros.get(id);
        let (wanted, variadic, place) = (found.parameter_count(), found.variadic, found.definition);
        let given = self.arguments.len() - first;
        let only_is_empty = given == 1 && self.arguments[first].start == self.arguments[first].end;
        if wanted == 0 && only_is_empty {
            self.arguments.truncate(first);
            return true;
        }
        if variadic && given + 1 == wanted {
            let at = self.argument_lexemes.len() as u32;
            let missing = Argument { start: at, end: at, expanded_start: 0, expanded_end: 0, given: false };
            self.arguments.push(missing);
            return true;
        }
        if variadic && wanted == 1 && only_is_empty && !self.language.strict {
            // GNU: `, ## args` removes its comma here too.
            self.arguments[first].given = false;
        }
        if given == wanted {
            return true;
        }
        let text = format!(
            "the macro `{}` takes {wanted} argument{}, not {given}",
            self.text(name.name),
            if wanted == 1 { "" } else { "s" },
        );
        let mut diagnostic = Diagnostic::error(codes::ARGUMENT_COUNT, name.span, text);
        if !place.is_empty() {
            diagnostic = diagnostic.label(place, "defined here");
        }
        self.report(diagnostic);
        false
    }

    /// Expands the arguments that occur in the body without `#` or `##`.
    fn expand_arguments(&mut self, id: MacroId, first: usize) -> bool {
        let body = self.macros.get(id).body();
        let mut pasted = false;
        for at in body {
            let lexeme = self.macros.bodies[at];
            let operand = pasted || lexeme.has(Lexeme::PASTED | Lexeme::QUOTED);
            pasted = lexeme.has(Lexeme::PASTED);
            let index = match lexeme.kind {
                Kind::Parameter if !operand => first + lexeme.name.0 as usize,
                Kind::OptionalStart => self.arguments.len() - 1,
                _ => continue,
            };
            if self.arguments[index].expanded_end == 0 && !self.expand_argument(index) {
                return false;
            }
        }
        true
    }

    fn expand_argument(&mut self, index: usize) -> bool {
        let Argument { start, end, .. } = self.arguments[index];
        let (written, expanded) = (start as usize..end as usize, self.argument_lexemes.len());
        if let Some(&first) = self.argument_lexemes[written.clone()].first() {
            if !self.may_work(written.len(), first.span) || !self.may_nest(first.span) {
                return false;
            }
            self.expansion_depth += 1;
            let depth = self.contexts.len();
            let from = self.pending.len();
            self.pending.extend_from_slice(&self.argument_lexemes[written]);
            self.push_barrier(from, first.span);
            loop {
                let lexeme = self.next();
                if lexeme.kind == Kind::End {
                    break;
                }
                self.argument_lexemes.push(lexeme);
            }
            self.close_contexts(depth);
            self.expansion_depth -= 1;
        }
        let argument = &mut self.arguments[index];
        argument.expanded_start = expanded as u32;
        argument.expanded_end = self.argument_lexemes.len() as u32;
        !self.stopped
    }

    fn may_nest(&mut self, place: Span) -> bool {
        if self.expansion_depth >= DEPTH_LIMIT {
            self.stop(
                Diagnostic::error(codes::LIMIT, place, "macro arguments are nested too deeply")
                    .note(format!("the limit is {DEPTH_LIMIT}")),
            );
        }
        !self.stopped
    }
}
