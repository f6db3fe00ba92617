//! Macros whose value depends on the context: `__LINE__`, `__has_attribute` and others.
//!
//! Input: the name, and its arguments if it has some.
//! Output: the lexeme that is read next.

use std::time::{SystemTime, UNIX_EPOCH};

use cppc_source::{Diagnostic, Span};

use super::compiler::Compiler;
use super::lexeme::{Kind, Lexeme};
use super::macros::{Builtin, Definition, MacroKind};
use super::state::Preprocessor;
use super::{codes, words};

const ALWAYS: [(&str, Builtin); 7] = [
    ("__FILE__", Builtin::File),
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__LINE__", Builtin::Line),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__COUNTER__", Builtin::Counter),
    ("__DATE__", Builtin::Date),
    ("__TIME__", Builtin::Time),
];

/// Builtins that not every compiler has.
const WHERE_KNOWN: [(&str, Builtin); 21] = [
    ("__FILE_NAME__", Builtin::FileName),
    ("__TIMESTAMP__", Builtin::Timestamp),
    ("__has_include", Builtin::HasInclude),
    ("__has_include_next", Builtin::HasIncludeNext),
    ("__has_embed", Builtin::HasEmbed),
    ("__has_attribute", Builtin::Question),
    ("__has_builtin", Builtin::Question),
    ("__has_c_attribute", Builtin::Question),
    ("__has_cpp_attribute", Builtin::Question),
    ("__has_declspec_attribute", Builtin::Question),
    ("__has_feature", Builtin::Question),
    ("__has_extension", Builtin::Question),
    ("__has_warning", Builtin::Question),
    ("__has_constexpr_builtin", Builtin::Question),
    ("__is_identifier", Builtin::Question),
    ("__building_module", Builtin::Question),
    ("__is_target_arch", Builtin::Question),
    ("__is_target_vendor", Builtin::Question),
    ("__is_target_os", Builtin::Question),
    ("__is_target_environment", Builtin::Question),
    ("__is_target_variant_os", Builtin::Question),
];

impl Preprocessor<'_> {
    pub fn define_builtins(&mut self, compiler: &Compiler, place: Span) {
        let known = WHERE_KNOWN.iter().filter(|(name, _)| compiler.has_operator(name));
        for &(name, builtin) in ALWAYS.iter().chain(known) {
            let name = self.out.names.intern(name);
            let kind = MacroKind::Builtin(builtin);
            self.macros.define(Definition { name, kind, parameters: &[], variadic: false, body: &[], place });
        }
    }

    /// Makes the value of a builtin the next lexeme.
    pub fn expand_builtin(&mut self, name: Lexeme, builtin: Builtin) -> bool {
        let (kind, text) = match builtin {
            Builtin::File => (Kind::String, quote(&self.presumed_name())),
            Builtin::FileName => (Kind::String, quote(last_part(&self.presumed_name()))),
            Builtin::BaseFile => {
                self.names_main = true;
                (Kind::String, quote(&self.path_text(self.main)))
            }
            Builtin::Line => (Kind::Number, self.presumed_line(name).to_string()),
            Builtin::IncludeLevel => (Kind::Number, self.including.len().to_string()),
            Builtin::Counter => {
                let counter = self.counter;
                self.counter = self.counter.wrapping_add(1);
                (Kind::Number, counter.to_string())
            }
            Builtin::Date => (Kind::String, format!("\"{}\"", Moment::now().date())),
            Builtin::Time => (Kind::String, format!("\"{}\"", Moment::now().time())),
            Builtin::Timestamp => (Kind::String, format!("\"{}\"", Moment::now().timestamp())),
            Builtin::HasInclude | Builtin::HasIncludeNext | Builtin::HasEmbed => {
                if !self.in_condition {
                    return false;
                }
                match self.has_include(name, builtin) {
                    Some(found) => (Kind::Number, u8::from(found).to_string()),
                    None => return false,
                }
            }
            Builtin::Question => match self.question(name) {
                Some(answer) => (Kind::Number, answer.to_string()),
                None => return false,
            },
        };
        let start = self.pending.len();
        self.pending.push(Lexeme::padding_for(name));
        let text = self.out.names.intern(&text);
        let flags = Lexeme::EXPANDED;
        self.pending.push(Lexeme { kind, flags, name: text, span: name.span });
        self.pending.push(Lexeme::padding(name.span));
        self.push_context(start, None, name.span);
        true
    }

    /// Asks the compiler about the text between the parentheses.
    fn question(&mut self, name: Lexeme) -> Option<u64> {
        let mut text = Vec::new();
        let mut depth = 0;
        loop {
            let lexeme = self.next_unexpanded();
            match lexeme.kind {
                Kind::Padding => continue,
                Kind::End => return self.no_parenthesis(name),
                _ if lexeme.is(words::LEFT_PAREN) => depth += 1,
                _ if lexeme.is(words::RIGHT_PAREN) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                if text.is_empty() {
                    return self.no_parenthesis(name);
                }
                if !lexeme.has(Lexeme::EXPANDED) && !self.in_condition {
                    self.extend_expansion(lexeme.span);
                }
                break;
            }
            if !(depth == 1 && lexeme.is(words::LEFT_PAREN)) {
                self.spell(lexeme, &mut text);
            }
        }
        if self.unevaluated {
            return Some(0);
        }
        let operator = self.text(name.name).to_owned();
        let compiler = self.compiler;
        Some(compiler.answer(&operator, &String::from_utf8_lossy(&text)))
    }

    pub fn no_parenthesis<T>(&mut self, name: Lexeme) -> Option<T> {
        let text = format!("`{}` needs an argument in parentheses", self.text(name.name));
        self.report(Diagnostic::error(codes::BAD_CONDITION, name.span, text));
        None
    }

    /// The name of the file that is being read, as set by `#line`.
    fn presumed_name(&self) -> String {
        match &self.buffer.presumed_name {
            Some(name) => name.clone(),
            None => self.path_text(self.buffer.file),
        }
    }

    fn path_text(&self, file: cppc_source::FileId) -> String {
        self.files.get(file).path.to_string_lossy().into_owned()
    }

    /// The line of the token in the file, or of the use of the macro that produced it.
    fn presumed_line(&self, name: Lexeme) -> i64 {
        let place = self.place_in_file(name.span);
        let (line, _) = self.files.get(place.file).line_column(place.start);
        i64::from(line) + self.buffer.line_offset
    }

    fn place_in_file(&self, written: Span) -> Span {
        let current = self.buffer.last_read();
        let Some(id) = self.expansion.filter(|_| !self.in_condition) else { return current };
        let whole = self.out.expansions.get(id).invocation;
        if whole.contains(written) {
            return written;
        }
        // The innermost macro whose use is in the file, possibly in the argument of another.
        let mut uses = self.contexts.iter().rev().map(|context| context.place);
        let usage = uses.find(|&place| whole.contains(place)).unwrap_or(whole);
        if usage.file != current.file {
            return current;
        }
        // gcc uses the line of the name, clang that of the closing parenthesis.
        match self.language.clang {
            0 => usage,
            _ => Span { start: usage.end.saturating_sub(1), ..usage },
        }
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The time of translation, or that of `SOURCE_DATE_EPOCH`. It is in UTC: the text is not part of the
/// translation, and only its length must be correct.
struct Moment {
    seconds: u64,
}

impl Moment {
    fn now() -> Moment {
        let wanted = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        // The year has four digits at most.
        Moment { seconds: wanted.unwrap_or_else(now).min(253_402_300_799) }
    }

    /// Year, month (from 0) and day (from 1) of the Gregorian calendar.
    fn civil(&self) -> (u64, usize, u64) {
        let mut days = self.seconds / 86_400;
        let mut year = 1970;
        let leap = |year: u64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        while days >= 365 + u64::from(leap(year)) {
            days -= 365 + u64::from(leap(year));
            year += 1;
        }
        let february = 28 + u64::from(leap(year));
        let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut month = 0;
        while days >= lengths[month] {
            days -= lengths[month];
            month += 1;
        }
        (year, month, days + 1)
    }

    fn date(&self) -> String {
        let (year, month, day) = self.civil();
        format!("{} {day:2} {year}", MONTHS[month])
    }

    fn time(&self) -> String {
        let second = self.seconds % 86_400;
        format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
    }

    fn timestamp(&self) -> String {
        let (year, month, day) = self.civil();
        // 1 January 1970 was a Thursday.
        let weekday = WEEKDAYS[(self.seconds / 86_400 % 7) as usize];
        format!("{weekday} {} {day:2} {} {year}", MONTHS[month], self.time())
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_the_form_of_the_standard() {
        let moment = Moment { seconds: 951_868_799 };
        assert_eq!(moment.date(), "Feb 29 2000");
        assert_eq!(moment.time(), "23:59:59");
        assert_eq!(moment.timestamp(), "Tue Feb 29 23:59:59 2000");
        assert_eq!(Moment { seconds: 0 }.date(), "Jan  1 1970");
        assert_eq!(Moment { seconds: 253_402_300_799 }.date(), "Dec 31 9999");
    }
}
