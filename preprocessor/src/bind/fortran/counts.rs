//! How many elements: the text of an expression of `INTEGER(8)`.
//!
//! Input: a designator with its declared shape.
//! Output: a number where everything is constant, else an expression of intrinsic functions, or of the
//! declared bounds where the program has another meaning for the names of these functions.

use cppc_grammar::fortran::logical::Lines;
use cppc_grammar::fortran::tree::{Bound as Extent, Expr};

use super::bound::Bound;
use super::ids::ScopeId;
use super::types::{Length, Type};

/// Something with elements.
#[derive(Clone, Copy)]
pub(super) struct Counted<'b, 'a> {
    /// How it is written.
    pub text: &'b str,
    pub shape: &'a [Extent],
    /// Where its bounds are to be understood.
    pub home: ScopeId,
    /// Where the text will stand.
    pub scope: ScopeId,
    pub ty: Type,
    /// Bounds are not those of the declaration: it is allocated, or a pointer.
    pub moving: bool,
}

impl Bound<'_> {
    /// `SIZE` or `size`, as the source has its keywords.
    pub(super) fn cased(&self, scope: ScopeId, text: &str) -> String {
        let source = self.scope(scope).source;
        match self.writes_capitals(source) {
            true => text.to_ascii_uppercase(),
            false => text.to_owned(),
        }
    }

    /// Whether most of a source's letters are capitals.
    pub fn writes_capitals(&self, source: usize) -> bool {
        self.capitals.get(source).copied().unwrap_or(false)
    }

    /// Whether a name means the intrinsic function in generated code.
    pub(super) fn is_free(&self, scope: ScopeId, name: &str) -> bool {
        self.lookup(scope, name).is_none_or(|id| self.symbol(id).is.intrinsic)
    }

    /// All elements.
    pub(super) fn count_of(&self, counted: &Counted) -> String {
        match self.known_extents(counted) {
            _ if counted.shape.is_empty() => "1_8".to_owned(),
            Some(count) => format!("{count}_8"),
            None => self.size_text(counted),
        }
    }

    fn known_extents(&self, counted: &Counted) -> Option<i128> {
        let extents = self.extents(counted.home, counted.shape).into_iter();
        let product = extents.map(|extent| extent.filter(|_| !counted.moving));
        product.into_iter().try_fold(1_i128, |product, extent| product.checked_mul(extent?))
    }

    /// The length of a character variable in bytes.
    pub(super) fn length_of(&self, counted: &Counted) -> Option<String> {
        let Type::Character { length, .. } = counted.ty else { return None };
        Some(match length {
            Length::Known(length) => format!("{length}_8"),
            _ if self.is_free(counted.scope, "len") => {
                format!(
                    "{}({}, {}=8)",
                    self.cased(counted.scope, "len"),
                    counted.text,
                    self.cased(counted.scope, "kind")
                )
            }
            _ => format!("({}({}, 8) / 8_8)", self.cased(counted.scope, "storage_size"), counted.text),
        })
    }

    fn size_text(&self, counted: &Counted) -> String {
        let scope = counted.scope;
        if self.is_free(scope, "size") {
            return format!(
                "{}({}, {}=8)",
                self.cased(scope, "size"),
                counted.text,
                self.cased(scope, "kind")
            );
        }
        let extents = (0..counted.shape.len()).map(|dimension| self.extent_text(counted, dimension));
        let factors: Vec<String> = extents.map(|extent| format!("({extent})")).collect();
        factors.join(" * ")
    }

    /// The extent of one dimension.
    pub(super) fn extent_text(&self, counted: &Counted, dimension: usize) -> String {
        let bound = &counted.shape[dimension];
        let known = self.extents(counted.home, std::slice::from_ref(bound))[0].filter(|_| !counted.moving);
        if let Some(extent) = known {
            return format!("{extent}_8");
        }
        let scope = counted.scope;
        if self.is_free(scope, "size") {
            let (size, kind) = (self.cased(scope, "size"), self.cased(scope, "kind"));
            return format!("{size}({}, {}, {kind}=8)", counted.text, dimension + 1);
        }
        if let (Extent::Explicit { lower, upper }, false) = (bound, counted.moving) {
            let source = self.scope(counted.home).source;
            let upper = self.written(source, upper);
            return match lower {
                Some(lower) => format!("1_8 + ({upper}) - ({})", self.written(source, lower)),
                None => format!("0_8 + ({upper})"),
            };
        }
        let (ubound, lbound) = (self.cased(scope, "ubound"), self.cased(scope, "lbound"));
        let of = format!("({}, {})", counted.text, dimension + 1);
        format!("1_8 + {ubound}{of} - {lbound}{of}")
    }

    /// From the first element through the one with these subscripts, in storage order. The number, when it is
    /// known; else the text.
    pub(super) fn count_through(&self, counted: &Counted, subscripts: &[&Expr]) -> Result<i128, String> {
        let mut constant: i128 = 1;
        let mut stride = Factor { known: 1, text: Vec::new() };
        let mut terms = Vec::new();
        for (dimension, subscript) in subscripts.iter().enumerate() {
            let lower = self.lower_of(counted, dimension);
            let value = self.integer(counted.scope, subscript);
            match (value, &lower, stride.text.is_empty()) {
                (Some(value), Ok(lower), true) => {
                    constant = constant.saturating_add((value - lower).saturating_mul(stride.known));
                }
                (value, lower, _) => {
                    let written = self.written(self.scope(counted.scope).source, subscript);
                    let index = value.map_or_else(|| grouped(written), |value| value.to_string());
                    terms.push(match lower {
                        // Where the stride is a number, the lower bound joins the constant part.
                        Ok(lower) if stride.text.is_empty() => {
                            constant = constant.saturating_sub(lower.saturating_mul(stride.known));
                            stride.times(&index)
                        }
                        Ok(0) => stride.times(&index),
                        Ok(lower) if *lower < 0 => stride.times(&format!("({index} + {})", -lower)),
                        Ok(lower) => stride.times(&format!("({index} - {lower})")),
                        Err(lower) => stride.times(&format!("({index} - {lower})")),
                    });
                }
            }
            if dimension + 1 < subscripts.len() {
                let bound = std::slice::from_ref(&counted.shape[dimension]);
                match self.extents(counted.home, bound)[0].filter(|_| !counted.moving) {
                    Some(extent) => stride.known = stride.known.saturating_mul(extent),
                    None => stride.text.push(grouped(&self.extent_text(counted, dimension))),
                }
            }
        }
        if terms.is_empty() {
            return Ok(constant);
        }
        let mut text = terms.join(" + ");
        match constant {
            0 => {}
            1.. => text.push_str(&format!(" + {constant}_8")),
            _ => text.push_str(&format!(" - {}_8", -constant)),
        }
        Err(text)
    }

    pub(super) fn lower_of(&self, counted: &Counted, dimension: usize) -> Result<i128, String> {
        let lower = match &counted.shape[dimension] {
            Extent::Explicit { lower, .. }
            | Extent::AssumedSize { lower }
            | Extent::AssumedShape { lower } => lower,
            Extent::AssumedRank => &None,
        };
        match lower {
            _ if counted.moving => {}
            None => return Ok(1),
            Some(lower) => {
                if let Some(value) = self.integer(counted.home, lower) {
                    return Ok(value);
                }
            }
        }
        let lbound = self.cased(counted.scope, "lbound");
        Err(format!("{lbound}({}, {})", counted.text, dimension + 1))
    }

    /// The count of a part.
    pub(super) fn part_text(&self, counted: &Counted, elements: Result<i128, String>) -> String {
        match elements {
            Ok(number) => format!("{number}_8"),
            Err(text) if text.contains("_8") || text.to_ascii_lowercase().contains("kind=8") => text,
            Err(text) => format!("{}({text}, 8)", self.cased(counted.scope, "int")),
        }
    }

    /// The number of elements of a declared array, when it is constant.
    pub(super) fn declared_count(&self, counted: &Counted) -> Option<i128> {
        self.known_extents(counted)
    }
}

/// Whether most letters of a source are capitals, as its first lines show.
pub(super) fn has_capitals(lines: &Lines) -> bool {
    let letters = lines.lines.iter().take(2000).flat_map(|line| &line.text);
    let letters = letters.filter(|byte| byte.is_ascii_alphabetic());
    let (capitals, all) = letters.fold((0usize, 0usize), |(capitals, all), letter| {
        (capitals + usize::from(letter.is_ascii_uppercase()), all + 1)
    });
    2 * capitals > all
}

/// In parentheses, unless it is one name, one number or one call.
fn grouped(text: &str) -> String {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let name = text.bytes().take_while(|&byte| is_word(byte)).count();
    let rest = &text[name..];
    let call = name > 0 && rest.starts_with('(') && rest.ends_with(')') && !rest[1..].contains('(');
    if rest.is_empty() || call {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// A product of a number and of texts.
struct Factor {
    known: i128,
    text: Vec<String>,
}

impl Factor {
    fn times(&self, index: &str) -> String {
        let mut factors = Vec::new();
        if self.known != 1 {
            factors.push(format!("{}_8", self.known));
        }
        factors.extend(self.text.iter().cloned());
        factors.push(index.to_owned());
        factors.join(" * ")
    }
}
