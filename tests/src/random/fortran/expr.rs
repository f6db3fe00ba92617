//! Expressions. The value of each does not depend on the order of evaluation, and none overflows.

use super::world::{Base, Shape, Variable};
use super::Writer;

/// An expression of a default integer and the bound of its absolute value.
pub struct Bounded {
    pub text: String,
    pub bound: i64,
}

const MOST: i64 = 1_900_000_000;

impl Writer {
    /// A default integer.
    pub fn integer(&mut self, depth: u32) -> Bounded {
        if self.level > 2 {
            let n = self.random.within(0, 12);
            return Bounded { text: n.to_string(), bound: n };
        }
        if depth == 0 || self.random.chance(25) {
            return self.integer_leaf();
        }
        let a = self.integer(depth - 1);
        match self.random.below(14) {
            0..=4 => {
                let b = self.integer(depth - 1);
                let minus = self.random.chance(40);
                if a.bound + b.bound < MOST {
                    let sign = if minus { "-" } else { "+" };
                    Bounded { text: format!("({} {sign} {})", a.text, b.text), bound: a.bound + b.bound }
                } else {
                    a
                }
            }
            5 => {
                let b = self.integer(depth - 1);
                match a.bound.checked_mul(b.bound).filter(|bound| *bound < MOST) {
                    Some(bound) => {
                        Bounded { text: format!("{} * {}", a.text, b.text), bound: bound.max(1) }.closed()
                    }
                    None => a,
                }
            }
            6 => {
                let m = self.random.within(2, 97);
                let f = self.random.pick(&["mod", "modulo"]);
                Bounded { text: format!("{f}({}, {m})", a.text), bound: m - 1 }
            }
            7 => {
                let b = self.integer(depth - 1);
                let f = self.random.pick(&["min", "max"]);
                Bounded { text: format!("{f}({}, {})", a.text, b.text), bound: a.bound.max(b.bound) }
            }
            8 => {
                let b = self.integer(depth - 1);
                let l = self.logical(depth - 1);
                let bound = a.bound.max(b.bound);
                Bounded { text: format!("merge({}, {}, {l})", a.text, b.text), bound }
            }
            9 => {
                let d = self.random.within(2, 9);
                Bounded { text: format!("({} / {d})", a.text), bound: a.bound / d + 1 }
            }
            10 => Bounded { text: format!("abs({})", a.text), bound: a.bound },
            11 => {
                let f = self.random.pick(&["iand", "ieor", "ior"]);
                let m = self.random.within(1, 63);
                Bounded { text: format!("{f}(modulo({}, 64), {m})", a.text), bound: 64 }
            }
            12 => Bounded { text: format!("(-{})", a.text), bound: a.bound },
            _ => {
                if a.bound < MOST / 4 {
                    Bounded { text: format!("transfer({}, 0)", a.text), bound: a.bound }
                } else {
                    Bounded { text: format!("sign(mod({}, 50), 3)", a.text), bound: 50 }
                }
            }
        }
    }

    fn integer_leaf(&mut self) -> Bounded {
        if self.scope.calls && self.random.chance(22) {
            if let Some(call) = self.function_call(|base| matches!(base, Base::Integer(_))) {
                let (text, base) = call;
                return self.as_default(text, base);
            }
        }
        match self.random.below(20) {
            0..=9 => {
                if let Some(v) = self.readable(|v| matches!(v.base, Base::Integer(_))) {
                    let text = self.element(&v);
                    return self.as_default(text, v.base);
                }
            }
            10..=12 => {
                if let Some(b) = self.inquiry() {
                    return b;
                }
            }
            13 => {
                if let Some(v) = self.readable(|v| matches!(v.base, Base::Real(_))) {
                    let text = self.element(&v);
                    let f = self.random.pick(&["int", "nint", "floor"]);
                    let k = kind_of(v.base);
                    return Bounded { text: format!("{f}(mod({text}, 1000.0_{k}))"), bound: 1001 };
                }
            }
            14 => {
                if let Some(v) =
                    self.readable(|v| matches!(v.base, Base::Character(_)) && v.shape == Shape::Scalar)
                {
                    let Base::Character(length) = v.base else { unreachable!() };
                    return match self.random.below(4) {
                        0 => Bounded { text: format!("ichar({}(1:1))", v.name), bound: 130 },
                        1 => Bounded { text: format!("len_trim({})", v.name), bound: i64::from(length) },
                        2 => Bounded { text: format!("index({}, 'b')", v.name), bound: i64::from(length) },
                        _ => Bounded { text: format!("scan({}, 'ace')", v.name), bound: i64::from(length) },
                    }
                    .indexed(self, &v);
                }
            }
            _ => {}
        }
        let n = self.random.within(0, 12);
        Bounded { text: n.to_string(), bound: n }
    }

    fn as_default(&mut self, text: String, base: Base) -> Bounded {
        let bound = base.limit();
        match base {
            Base::Integer(4) => Bounded { text, bound },
            _ => Bounded { text: format!("int({text})"), bound },
        }
    }

    /// Inquiry functions of arrays.
    fn inquiry(&mut self) -> Option<Bounded> {
        let v =
            self.readable(|v| v.shape.rank() > 0 && !matches!(v.base, Base::Derived(_) | Base::Complex(_)))?;
        let name = self.placed(&v);
        let rank = v.shape.rank();
        let dim = self.random.within(1, rank as i64);
        let counted = matches!(v.shape, Shape::Counted(_));
        let is_integer = matches!(v.base, Base::Integer(_));
        let whole = match &v.shape {
            // An assumed-size array cannot be used as a whole.
            Shape::Counted(n) => format!("{name}(1:{n})"),
            _ => name.clone(),
        };
        let flat = rank == 1;
        Some(match self.random.below(10) {
            0 | 1 => Bounded { text: format!("lbound({name}, {dim})"), bound: 20 },
            2 if !counted => Bounded { text: format!("ubound({name}, {dim})"), bound: 20 },
            3 if !counted => Bounded { text: format!("size({name}, {dim})"), bound: 20 },
            4 if is_integer => Bounded { text: format!("int(sum({whole}))"), bound: v.base.limit() * 200 }
                .small_sum(v.base, &whole),
            5 if is_integer && flat => {
                let f = self.random.pick(&["maxloc", "minloc"]);
                Bounded { text: format!("{f}({whole}, 1)"), bound: 20 }
            }
            6 if is_integer && flat => {
                let k = kind_of(v.base);
                let e = self.random.within(0, 9);
                Bounded { text: format!("findloc({whole}, {e}_{k}, 1)"), bound: 20 }
            }
            7 if is_integer => {
                let f = self.random.pick(&["maxval", "minval"]);
                Bounded { text: format!("int({f}({whole}))"), bound: v.base.limit() }
            }
            8 if is_integer => {
                let k = kind_of(v.base);
                Bounded { text: format!("count({whole} > {}_{k})", self.random.within(0, 9)), bound: 200 }
            }
            8 if matches!(v.base, Base::Logical(_)) => {
                Bounded { text: format!("count({whole})"), bound: 200 }
            }
            _ if !counted => Bounded { text: format!("size({name})"), bound: 200 },
            _ => return None,
        })
    }

    pub fn logical(&mut self, depth: u32) -> String {
        if self.scope.calls && self.level < 3 && self.random.chance(8) {
            if let Some((text, _)) = self.function_call(|base| matches!(base, Base::Logical(_))) {
                return text;
            }
        }
        match self.random.below(8) {
            0 if depth > 0 => {
                let (a, b) = (self.logical(depth - 1), self.logical(depth - 1));
                let op = self.random.pick(&[".and.", ".or.", ".eqv.", ".neqv."]);
                format!("({a} {op} {b})")
            }
            1 if depth > 0 => format!("(.not. {})", self.logical(depth - 1)),
            2 => match self.readable(|v| matches!(v.base, Base::Logical(_))) {
                Some(v) => {
                    let text = self.element(&v);
                    if kind_of(v.base) == 4 {
                        text
                    } else {
                        format!("logical({text})")
                    }
                }
                None => ".true.".to_owned(),
            },
            3 => {
                let a = self.real(8, 0);
                let b = self.real(8, 1);
                let op = self.random.pick(&["<", "<=", ">", ".ge."]);
                format!("({a} {op} {b})")
            }
            4 => match self.readable(|v| matches!(v.base, Base::Character(_))) {
                Some(v) => {
                    let text = self.element(&v);
                    let op = self.random.pick(&["==", "/=", "<", ".gt."]);
                    format!("({text} {op} '{}')", self.letters(2))
                }
                None => ".false.".to_owned(),
            },
            5 => {
                let a = self.integer(1);
                format!("btest(modulo({}, 64), {})", a.text, self.random.within(0, 5))
            }
            _ => {
                let (a, b) = (self.integer(depth.min(1)), self.integer(depth.min(1)));
                let op = self.random.pick(&["<", ">", "==", "/=", "<=", ".lt.", ".ge.", ".eq."]);
                format!("({} {op} {})", a.text, b.text)
            }
        }
    }

    /// A real of a kind; only operations that every processor rounds in the same way.
    pub fn real(&mut self, kind: u8, depth: u32) -> String {
        if depth == 0 || self.random.chance(30) {
            return self.real_leaf(kind);
        }
        let a = self.real(kind, depth - 1);
        match self.random.below(9) {
            0..=2 => {
                let b = self.real(kind, depth - 1);
                let op = self.random.pick(&["+", "-", "+"]);
                format!("({a} {op} {b})")
            }
            3 => format!("({a} * {})", self.real_literal(kind)),
            4 => format!("({a} / {}.0_{kind})", self.random.pick(&[2, 3, 5, 8])),
            5 => {
                let b = self.real(kind, depth - 1);
                format!("{}({a}, {b})", self.random.pick(&["min", "max"]))
            }
            6 => format!("abs({a})"),
            7 => {
                let b = self.real(kind, depth - 1);
                let l = self.logical(0);
                format!("merge({a}, {b}, {l})")
            }
            _ => format!("sqrt(abs({a}))"),
        }
    }

    fn real_leaf(&mut self, kind: u8) -> String {
        if self.scope.calls && self.random.chance(18) {
            if let Some((text, base)) = self.function_call(|base| matches!(base, Base::Real(_))) {
                return to_kind(text, base, kind);
            }
        }
        match self.random.below(6) {
            0..=2 => match self.readable(|v| matches!(v.base, Base::Real(_))) {
                Some(v) => {
                    let text = self.element(&v);
                    to_kind(text, v.base, kind)
                }
                None => self.real_literal(kind),
            },
            3 => {
                let e = self.integer(1);
                format!("real(mod({}, 500), {kind})", e.text)
            }
            4 => match self.readable(|v| matches!(v.base, Base::Complex(_))) {
                Some(v) => {
                    let text = self.element(&v);
                    let part = format!("{}({text})", self.random.pick(&["real", "aimag"]));
                    to_kind(part, v.base, kind)
                }
                None => self.real_literal(kind),
            },
            _ => self.real_literal(kind),
        }
    }

    pub fn real_literal(&mut self, kind: u8) -> String {
        let n = self.random.within(0, 7);
        let f = self.random.pick(&["0", "5", "25", "125", "1"]);
        match kind {
            8 if self.random.chance(50) => format!("{n}.{f}d0"),
            4 if self.random.chance(50) => format!("{n}.{f}"),
            _ => format!("{n}.{f}_{kind}"),
        }
    }

    fn letters(&mut self, count: usize) -> String {
        (0..=self.random.below(count)).map(|_| char::from(b'a' + self.random.below(6) as u8)).collect()
    }

    /// A character expression of some length.
    pub fn characters(&mut self) -> String {
        if self.scope.calls && self.level < 3 && self.random.chance(20) {
            if let Some((text, _)) = self.function_call(|base| matches!(base, Base::Character(_))) {
                return if self.random.chance(50) { text } else { format!("{text} // 'z'") };
            }
        }
        match self.random.below(6) {
            0 | 1 => format!("'{}'", self.letters(5)),
            2 => match self.readable(|v| matches!(v.base, Base::Character(_))) {
                Some(v) => {
                    let text = self.element(&v);
                    format!(
                        "{}'{}'",
                        if self.random.chance(50) {
                            format!("trim({text}) // ")
                        } else {
                            format!("{text} // ")
                        },
                        self.letters(2)
                    )
                }
                None => "'none'".to_owned(),
            },
            3 => {
                let e = self.integer(1);
                format!("achar(97 + modulo({}, 26)) // '{}'", e.text, self.letters(2))
            }
            4 => match self.readable(|v| {
                matches!(v.base, Base::Character(n) if n > 3) && v.shape == Shape::Scalar && v.holder == 0
            }) {
                Some(v) => {
                    let e = self.integer(1);
                    format!("{}(1 + modulo({}, 2):3)", v.name, e.text)
                }
                None => "'some'".to_owned(),
            },
            _ => {
                let l = self.logical(1);
                format!("merge('yes', 'no ', {l})")
            }
        }
    }

    /// An expression that may be assigned to a variable of this type.
    pub fn value(&mut self, base: Base) -> String {
        match base {
            Base::Integer(kind) => {
                let limit = base.limit();
                let e = self.integer(2);
                let bounded = if e.bound > limit { format!("mod({}, {limit})", e.text) } else { e.text };
                match kind {
                    4 => bounded,
                    _ if self.random.chance(60) => format!("int({bounded}, {kind})"),
                    _ => bounded,
                }
            }
            Base::Real(kind) => {
                let e = self.real(kind, 2);
                format!("mod({e}, 512.0_{kind})")
            }
            Base::Complex(kind) => {
                let (a, b) = (self.real(kind, 1), self.real(kind, 1));
                match self.readable(|v| v.base == base && v.shape == Shape::Scalar && v.holder == 0) {
                    Some(v) if self.random.chance(50) => {
                        format!("{} * 0.25_{kind} + cmplx(mod({a}, 32.0_{kind}), 1, {kind})", v.name)
                    }
                    Some(v) if self.random.chance(30) => format!("conjg({})", v.name),
                    _ => format!("cmplx(mod({a}, 64.0_{kind}), mod({b}, 64.0_{kind}), {kind})"),
                }
            }
            Base::Logical(kind) => {
                let e = self.logical(2);
                if kind == 4 {
                    e
                } else {
                    format!("logical({e}, {kind})")
                }
            }
            Base::Character(_) => self.characters(),
            Base::Derived(_) => unreachable!("structures are not made by expressions"),
        }
    }

    /// An expression of exactly this type and kind, as an argument.
    pub fn exact(&mut self, base: Base) -> String {
        match base {
            Base::Integer(4) => {
                let e = self.integer(2);
                if e.bound > base.limit() {
                    format!("mod({}, 997)", e.text)
                } else {
                    e.text
                }
            }
            Base::Integer(kind) => {
                if self.random.chance(30) {
                    return format!("{}_{kind}", self.random.within(0, 9));
                }
                let e = self.integer(1);
                format!("int(mod({}, 89), {kind})", e.text)
            }
            Base::Real(kind) => {
                let e = self.real(kind, 2);
                format!("mod({e}, 64.0_{kind})")
            }
            _ => self.value(base),
        }
    }

    /// A variable with its subscripts.
    pub fn element(&mut self, v: &Variable) -> String {
        let calls = std::mem::replace(&mut self.scope.calls, false);
        self.level += 1;
        // Functions in subscripts are rare.
        self.scope.calls = calls && self.random.chance(25);
        let name = self.placed(v);
        let text = match &v.shape {
            Shape::Scalar => name,
            Shape::Fixed(bounds) => {
                let subscripts: Vec<String> = bounds
                    .iter()
                    .map(|(low, high)| {
                        if self.random.chance(35) {
                            return self.random.within(*low, *high).to_string();
                        }
                        let e = self.integer(1);
                        match self.random.below(3) {
                            0 if v.shape.rank() == 1 && v.holder == 0 => {
                                format!("lbound({name}, 1) + modulo({}, {})", e.text, high - low + 1)
                            }
                            _ => format!("{low} + modulo({}, {})", e.text, high - low + 1),
                        }
                    })
                    .collect();
                format!("{name}({})", subscripts.join(", "))
            }
            Shape::Counted(n) => {
                let e = self.integer(1);
                format!("{name}(1 + modulo({}, {n}))", e.text)
            }
            Shape::Dynamic(rank) => {
                let subscripts: Vec<String> = (1..=*rank)
                    .map(|d| {
                        let e = self.integer(1);
                        match self.random.below(3) {
                            0 => format!("ubound({name}, {d}) - modulo({}, size({name}, {d}))", e.text),
                            1 => format!("lbound({name}, {d})"),
                            _ => format!("lbound({name}, {d}) + modulo({}, size({name}, {d}))", e.text),
                        }
                    })
                    .collect();
                format!("{name}({})", subscripts.join(", "))
            }
        };
        self.scope.calls = calls;
        self.level -= 1;
        text
    }

    /// The name, with the subscript of the array of structures that it is part of.
    pub fn placed(&mut self, v: &Variable) -> String {
        if v.holder == 0 {
            return v.name.clone();
        }
        let subscript = if self.random.chance(50) {
            self.random.within(1, v.holder).to_string()
        } else {
            self.level += 1;
            let e = self.integer(0);
            self.level -= 1;
            format!("1 + modulo({}, {})", e.text, v.holder)
        };
        v.name.replace('#', &subscript)
    }

    pub fn readable(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let chosen = {
            let found: Vec<&Variable> = self.scope.variables.iter().filter(|v| fits(v)).collect();
            if found.is_empty() {
                return None;
            }
            self.random.pick(&found).clone()
        };
        self.scope.touches.insert(chosen.group);
        Some(chosen)
    }

    pub fn writable(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        self.readable(|v| v.writable && fits(v))
    }
}

impl Bounded {
    fn closed(self) -> Bounded {
        Bounded { text: format!("({})", self.text), bound: self.bound }
    }

    fn indexed(self, writer: &mut Writer, v: &Variable) -> Bounded {
        if v.holder == 0 {
            return self;
        }
        let place = writer.random.within(1, v.holder).to_string();
        Bounded { text: self.text.replace('#', &place), bound: self.bound }
    }

    /// A sum in a small kind would overflow: the elements are widened first.
    fn small_sum(self, base: Base, whole: &str) -> Bounded {
        match base {
            Base::Integer(1 | 2) => Bounded { text: format!("sum(int({whole}, 4))"), bound: self.bound },
            _ => self,
        }
    }
}

pub fn to_kind(text: String, base: Base, kind: u8) -> String {
    if kind_of(base) == kind {
        text
    } else {
        format!("real({text}, {kind})")
    }
}

pub fn kind_of(base: Base) -> u8 {
    match base {
        Base::Integer(k) | Base::Real(k) | Base::Complex(k) | Base::Logical(k) => k,
        Base::Character(_) => 1,
        Base::Derived(_) => 0,
    }
}
