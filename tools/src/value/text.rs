//! Elements as text, and as JSON.
//!
//! Input: bytes and their type.
//! Output: the usual notation of programs.
//! Postcondition: the text has a limited length and contains no control characters.

use super::element::{Element, Kind, Reader};
use super::real::{Real, RealFormat};
use crate::display::plain;
use cppc_abi::bits;
use cppc_runtime::manifest::condition::Integer;
use cppc_runtime::manifest::{Field, StructType};
use serde_json::{json, Value};

/// The depth to which nested structures are shown.
const MOST_DEPTH: usize = 4;
const MOST_FIELDS: usize = 16;
const MOST_BYTES: usize = 16;

impl Reader<'_> {
    /// The text of the elements in `bytes`.
    pub fn text(&self, element: Element, bytes: &[u8]) -> String {
        if element.kind == Kind::Character && bytes.len() > 1 {
            return quoted(bytes);
        }
        let elements = bytes.chunks_exact(element.size_bytes.max(1));
        elements.map(|bytes| self.one(element, bytes, 0)).collect::<Vec<_>>().join(" ")
    }

    /// The same for programs: characters are one text.
    pub fn values(&self, element: Element, bytes: &[u8]) -> Vec<Value> {
        if element.kind == Kind::Character {
            return vec![json!(letters(bytes))];
        }
        bytes.chunks_exact(element.size_bytes.max(1)).map(|bytes| self.value(element, bytes, 0)).collect()
    }

    fn one(&self, element: Element, bytes: &[u8], depth: usize) -> String {
        match element.kind {
            Kind::Integer { signed } => integer(bytes, signed, self.machine.big_endian),
            Kind::Bits(bits) => bits.value(bytes, self.machine.big_endian).to_string(),
            Kind::Logical => is_true(bytes).to_string(),
            Kind::Real(form) => self.real(form, bytes).text(),
            Kind::Complex(form) => {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                format!("({}, {})", self.real(form, real).text(), self.real(form, imaginary).text())
            }
            Kind::Character => quoted(bytes),
            // The address belongs to a run that has ended.
            Kind::Pointer => if is_true(bytes) { "pointer" } else { "null" }.to_owned(),
            Kind::Bytes => hexadecimal(bytes),
            Kind::Structure(_) if depth >= MOST_DEPTH => "{…}".to_owned(),
            Kind::Structure(index) => self.fields(index, bytes, depth),
        }
    }

    /// Whether these bytes contain the field: a member of a union must be selected.
    fn is_present(&self, structure: &StructType, field: &Field, bytes: &[u8]) -> bool {
        let Some(condition) = field.condition() else { return true };
        // The integer itself stands for a union without content.
        if field.path() == condition.integer {
            return false;
        }
        let integer = structure.integer_of(condition).and_then(|found| Integer::of(found, self.machine));
        integer.is_none_or(|integer| {
            integer.value(bytes).is_some_and(|value| integer.is(value, condition.value))
        })
    }

    fn fields(&self, index: usize, bytes: &[u8], depth: usize) -> String {
        let Some(structure) = self.manifest.types.get(index) else { return hexadecimal(bytes) };
        let mut parts: Vec<String> = Vec::new();
        let present = structure.fields.iter().filter(|field| self.is_present(structure, field, bytes));
        for field in present.take(MOST_FIELDS) {
            let element = self.element(field.type_code, 1);
            let value = match self.field(element, field.offset_bytes, field.count, bytes) {
                Some(value) if element.kind == Kind::Character => quoted(value),
                Some(value) => {
                    let first = value.get(..element.size_bytes).unwrap_or(value);
                    self.one(element, first, depth + 1) + if field.count > 1 { " …" } else { "" }
                }
                None => "?".to_owned(),
            };
            parts.push(format!("{}={value}", plain(field.path())));
        }
        if structure.fields.len() > MOST_FIELDS {
            parts.push("…".to_owned());
        }
        format!("{{{}}}", parts.join(" "))
    }

    fn value(&self, element: Element, bytes: &[u8], depth: usize) -> Value {
        match element.kind {
            Kind::Integer { signed } => from_integer(bytes, signed, self.machine.big_endian),
            Kind::Bits(bits) => json!(bits.value(bytes, self.machine.big_endian) as i64),
            Kind::Logical => json!(is_true(bytes)),
            Kind::Real(form) => from_real(self.real(form, bytes)),
            Kind::Complex(form) => {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                json!([from_real(self.real(form, real)), from_real(self.real(form, imaginary))])
            }
            Kind::Character => json!(letters(bytes)),
            Kind::Pointer | Kind::Bytes => json!(self.one(element, bytes, depth)),
            Kind::Structure(_) if depth >= MOST_DEPTH => Value::Null,
            Kind::Structure(index) => self.object(index, bytes, depth),
        }
    }

    fn object(&self, index: usize, bytes: &[u8], depth: usize) -> Value {
        let mut object = serde_json::Map::new();
        let structures = self.manifest.types.get(index).into_iter();
        let fields =
            structures.flat_map(|structure| structure.fields.iter().map(move |field| (structure, field)));
        let present = fields.filter(|(structure, field)| self.is_present(structure, field, bytes));
        for (_, field) in present.take(MOST_FIELDS) {
            let element = self.element(field.type_code, 1);
            let value = self.field(element, field.offset_bytes, field.count, bytes).map(|value| {
                if element.kind == Kind::Character {
                    return json!(letters(value));
                }
                let mut values = value.chunks_exact(element.size_bytes.max(1)).take(MOST_FIELDS);
                if field.count == 1 {
                    return values.next().map_or(Value::Null, |bytes| self.value(element, bytes, depth + 1));
                }
                values.map(|bytes| self.value(element, bytes, depth + 1)).collect()
            });
            object.insert(field.path().to_owned(), value.unwrap_or(Value::Null));
        }
        Value::Object(object)
    }

    fn field<'b>(
        &self,
        element: Element,
        offset_bytes: u64,
        count: u64,
        bytes: &'b [u8],
    ) -> Option<&'b [u8]> {
        let start = usize::try_from(offset_bytes).ok()?;
        let size_bytes = element.size_bytes.checked_mul(usize::try_from(count).ok()?)?;
        bytes.get(start..start.checked_add(size_bytes)?)
    }

    pub fn real(&self, form: RealFormat, bytes: &[u8]) -> Real {
        Real::read(bytes, form, self.machine.big_endian)
    }
}

/// The sign and the magnitude of an integer of at most 16 bytes.
pub fn signed_magnitude(bytes: &[u8], signed: bool, big_endian: bool) -> (bool, u128) {
    let bits = bits::number(bytes, big_endian);
    let unused = 128 - 8 * bytes.len().clamp(1, 16) as u32;
    let value = (bits << unused) as i128 >> unused;
    if signed {
        (value < 0, value.unsigned_abs())
    } else {
        (false, bits)
    }
}

fn integer(bytes: &[u8], signed: bool, big_endian: bool) -> String {
    let (is_negative, magnitude) = signed_magnitude(bytes, signed, big_endian);
    format!("{}{magnitude}", if is_negative { "-" } else { "" })
}

/// A number if it fits into 64 bits, else a text.
fn from_integer(bytes: &[u8], signed: bool, big_endian: bool) -> Value {
    let (is_negative, magnitude) = signed_magnitude(bytes, signed, big_endian);
    match (is_negative, u64::try_from(magnitude), i64::try_from(magnitude)) {
        (false, Ok(value), _) => json!(value),
        (true, _, Ok(value)) => json!(-value),
        _ => json!(integer(bytes, signed, big_endian)),
    }
}

/// A number if a double represents it exactly, else a text.
pub fn from_real(real: Real) -> Value {
    let value = real.to_f64();
    let is_exact = value.is_finite() && real.distance(Real::Pair(value, 0.0)) == 0.0;
    if is_exact {
        json!(value)
    } else {
        json!(real.text())
    }
}

fn is_true(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte != 0)
}

/// In the notation of C. Zeros at the end are not part of the text.
fn quoted(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let text: String = match std::str::from_utf8(&bytes[..used]) {
        Ok(text) => text.chars().map(escaped).collect(),
        Err(_) => {
            bytes[..used].iter().flat_map(|byte| std::ascii::escape_default(*byte)).map(char::from).collect()
        }
    };
    format!("\"{text}\"")
}

fn escaped(letter: char) -> String {
    match letter {
        '"' | '\\' | '\n' | '\t' | '\r' => letter.escape_default().collect(),
        letter if letter.is_ascii_control() => format!("\\x{:02x}", u32::from(letter)),
        letter => plain(letter.encode_utf8(&mut [0; 4])),
    }
}

/// Without zeros at the end. If the bytes are not UTF-8, each is a letter of Latin-1.
fn letters(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let bytes = &bytes[..used];
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(char::from).collect(), str::to_owned)
}

fn hexadecimal(bytes: &[u8]) -> String {
    let shown: String = bytes.iter().take(MOST_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > MOST_BYTES { "…" } else { "" };
    format!("0x{shown}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cppc_abi::types;
    use cppc_runtime::manifest::{Field, Manifest, StructType};
    use cppc_runtime::verify::Machine;

    const LITTLE: Machine = Machine { big_endian: false, ..Machine::THIS };

    fn with<T>(
        manifest: &Manifest,
        machine: Machine,
        code: i32,
        call: impl FnOnce(&Reader, Element) -> T,
    ) -> T {
        let reader = Reader { manifest, machine: &machine };
        call(&reader, reader.element(code, 4))
    }

    fn said(code: i32, machine: Machine, bytes: &[u8]) -> String {
        with(&Manifest::default(), machine, code, |reader, element| reader.text(element, bytes))
    }

    #[test]
    fn values_are_what_they_are() {
        let said = |code, bytes: &[u8]| said(code, LITTLE, bytes);
        assert_eq!(said(types::INT, &[255, 255, 255, 255, 5, 0, 0, 0]), "-1 5");
        assert_eq!(said(types::UNSIGNED_CHAR, &[200, 3]), "200 3");
        assert_eq!(said(types::DOUBLE, &1.5f64.to_le_bytes()), "1.5");
        assert_eq!(said(types::DOUBLE, &1e300f64.to_le_bytes()), "1e300");
        assert_eq!(
            said(types::FLOAT_COMPLEX, &[1f32.to_le_bytes(), (-2f32).to_le_bytes()].concat()),
            "(1, -2)"
        );
        assert_eq!(said(types::CHAR, b"hi\n\x1b\0\0"), "\"hi\\n\\x1b\"");
        assert_eq!(said(types::CHARACTER, "größe \u{202e}".as_bytes()), "\"größe \\u{202e}\"");
        assert_eq!(said(types::CHAR, &[0xff, 0x9b, b'a']), "\"\\xff\\x9ba\"");
        assert_eq!(said(types::BOOL, &[1, 0]), "true false");
        assert_eq!(said(types::POINTER, &[0; 8]), "null");
        assert_eq!(said(types::BYTE, &[0xab]), "0xab");
        assert_eq!(said(77777, &[1, 2, 3, 4]), "0x01020304");
        assert_eq!(said(types::UNSIGNED_INT128, &[255; 16]), u128::MAX.to_string());
        assert_eq!(said(types::INT128, &i128::MIN.to_le_bytes()), i128::MIN.to_string());
        assert_eq!(said(types::FLOAT16, &0x3e00u16.to_le_bytes()), "1.5");
    }

    #[test]
    fn each_machine_is_read_as_it_writes() {
        let s390x = Machine {
            big_endian: true,
            long_bytes: 8,
            pointer_bytes: 8,
            long_double_bytes: 16,
            long_double_digits: 113,
        };
        let i386 = Machine {
            big_endian: false,
            long_bytes: 4,
            pointer_bytes: 4,
            long_double_bytes: 12,
            long_double_digits: 64,
        };
        assert_eq!(said(types::INT, s390x, &[0, 0, 1, 2]), "258");
        assert_eq!(
            said(types::DOUBLE_COMPLEX, s390x, &[1.5f64.to_be_bytes(), 2.5f64.to_be_bytes()].concat()),
            "(1.5, 2.5)"
        );
        assert_eq!(said(types::LONG, i386, &[1, 0, 0, 0, 2, 0, 0, 0]), "1 2");
        let quad = 0x4000_4000u128 << 96;
        assert_eq!(said(types::LONG_DOUBLE, s390x, &quad.to_be_bytes()), "2.5");
        assert_eq!(said(types::FLOAT128, i386, &quad.to_le_bytes()), "2.5");
        let extended = [0, 0, 0, 0, 0, 0, 0, 0xa0, 0, 0x40, 0xee, 0xee];
        assert_eq!(said(types::LONG_DOUBLE, i386, &extended), "2.5");
        assert_eq!(said(types::REAL_10, i386, &[extended, extended].concat()), "2.5 2.5");
        let power = Machine { long_double_digits: 106, ..s390x };
        assert_eq!(
            said(types::LONG_DOUBLE, power, &[3.0f64.to_be_bytes(), 0.0f64.to_be_bytes()].concat()),
            "3"
        );
    }

    #[test]
    fn programs_get_numbers_where_those_are_exact() {
        let values = |code, bytes: &[u8]| {
            with(&Manifest::default(), LITTLE, code, |reader, element| {
                serde_json::Value::Array(reader.values(element, bytes)).to_string()
            })
        };
        assert_eq!(values(types::LONG, &i64::MIN.to_le_bytes()), "[\"-9223372036854775808\"]");
        assert_eq!(values(types::UNSIGNED_LONG, &u64::MAX.to_le_bytes()), "[18446744073709551615]");
        assert_eq!(
            values(types::DOUBLE, &[f64::NAN.to_le_bytes(), 0.5f64.to_le_bytes()].concat()),
            "[\"nan\",0.5]"
        );
        assert_eq!(values(types::FLOAT, &0.1f32.to_le_bytes()), "[0.10000000149011612]");
        assert_eq!(values(types::CHAR, b"ab\0\0"), "[\"ab\"]");
        assert_eq!(
            values(types::FLOAT128, &(0x3ffb_9999_9999_9999_9999_9999_9999_999au128).to_le_bytes()),
            "[\"0.1\"]"
        );
    }

    #[test]
    fn structures_show_their_fields() {
        let field = |name: &str, offset_bytes, type_code, count| Field {
            name: name.to_owned(),
            offset_bytes,
            type_code,
            count,
        };
        let point = StructType {
            name: "point".to_owned(),
            size_bytes: 16,
            fields: vec![field("x", 0, types::DOUBLE, 1), field("n", 8, types::INT, 2)],
        };
        let outer = StructType {
            name: "outer".to_owned(),
            size_bytes: 40,
            fields: vec![field("p", 0, 1000, 2), field("t", 32, types::CHAR, 8)],
        };
        let far =
            StructType { name: "far".to_owned(), size_bytes: 8, fields: vec![field("y", 6, types::INT, 1)] };
        let manifest = Manifest { types: vec![point, outer, far], ..Manifest::default() };
        let mut bytes = 2.5f64.to_le_bytes().to_vec();
        bytes.extend([7, 0, 0, 0, 9, 0, 0, 0]);
        let nested = [&bytes[..], &bytes, b"text\0\0\0\0"].concat();
        with(&manifest, LITTLE, 1000, |reader, element| {
            assert_eq!(reader.text(element, &bytes), "{x=2.5 n=7 …}")
        });
        with(&manifest, LITTLE, 1001, |reader, element| {
            assert_eq!(reader.text(element, &nested), "{p={x=2.5 n=7 …} … t=\"text\"}");
            assert_eq!(
                reader.values(element, &nested)[0].to_string(),
                r#"{"p":[{"n":[7,9],"x":2.5},{"n":[7,9],"x":2.5}],"t":"text"}"#
            );
            let (parts, is_all) = reader.parts(element);
            assert!(is_all);
            let paths: Vec<&str> = parts.iter().map(|part| part.path.as_str()).collect();
            assert_eq!(paths, [".p.x", ".p.n", ".t"]);
            let mut found = Vec::new();
            parts[1].each(&nested, |number, bytes| found.push((parts[1].at(number), bytes[0])));
            assert_eq!(
                found,
                [
                    (".p.n[0][0]".to_owned(), 7),
                    (".p.n[0][1]".to_owned(), 9),
                    (".p.n[1][0]".to_owned(), 7),
                    (".p.n[1][1]".to_owned(), 9)
                ]
            );
        });
        with(&manifest, LITTLE, 1002, |reader, element| assert_eq!(reader.text(element, &[0; 8]), "{y=?}"));
    }

    #[test]
    fn structures_that_multiply_are_cut() {
        let field = |code| Field { name: "f".to_owned(), offset_bytes: 0, type_code: code, count: 1 };
        let mut manifest = Manifest::default();
        manifest.types.push(StructType {
            name: "s".to_owned(),
            size_bytes: 8,
            fields: vec![field(types::DOUBLE); 50],
        });
        for code in 1000..1100 {
            manifest.types.push(StructType {
                name: "s".to_owned(),
                size_bytes: 8,
                fields: vec![field(code); 50],
            });
        }
        for code in [1001, 1005, 1099] {
            with(&manifest, LITTLE, code, |reader, element| {
                let (parts, is_all) = reader.parts(element);
                assert!(!is_all && parts.len() <= 256);
                assert!(reader.text(element, &[0; 8]).len() < 1 << 20);
            });
        }
    }
}
