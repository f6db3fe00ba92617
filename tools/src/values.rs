//! Bytes as values of a type.
//!
//! In: bytes from a state file, a type code, the machine that wrote them. Out: text. Holds
//! afterwards: whatever the bytes are, there is a text for them; what has no better one is shown in
//! hexadecimal.

use crate::words::plain;
use cppc_abi::types::{self, by_code, Class, FIRST_STRUCTURE};
use cppc_runtime::manifest::{Manifest, StructType};
use cppc_runtime::verify::Machine;

/// Structures in structures are shown this deep.
const MOST_DEPTH: usize = 4;
const MOST_FIELDS: usize = 8;

/// How the values of one file are to be read.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub manifest: &'a Manifest,
    pub machine: &'a Machine,
}

impl<'a> Reader<'a> {
    /// The name of a type.
    pub fn type_name(&self, code: i32) -> String {
        match (by_code(code), self.structure(code)) {
            (Some(known), _) => known.spelling.split(',').next().unwrap_or_default().to_owned(),
            (None, Some(structure)) => plain(&structure.name),
            (None, None) => format!("type {code}"),
        }
    }

    fn structure(&self, code: i32) -> Option<&'a StructType> {
        self.manifest.types.get(usize::try_from(code.checked_sub(FIRST_STRUCTURE)?).ok()?)
    }

    /// The bytes of one element of a type on the machine that wrote it.
    fn size(&self, code: i32) -> Option<usize> {
        let long_double = usize::from(self.machine.long_double_bytes);
        Some(match code {
            types::LONG | types::UNSIGNED_LONG => self.machine.long_bytes.into(),
            types::POINTER => self.machine.pointer_bytes.into(),
            types::LONG_DOUBLE => long_double,
            types::LONG_DOUBLE_COMPLEX => 2 * long_double,
            _ => match (by_code(code), self.structure(code)) {
                (Some(known), _) => known.size_bytes,
                (None, structure) => usize::try_from(structure?.size_bytes).ok()?,
            },
        })
    }

    /// The elements in `bytes`, each of `element_bytes`.
    pub fn elements(&self, code: i32, element_bytes: usize, bytes: &[u8]) -> String {
        let class = by_code(code).map(|known| known.class);
        if class == Some(Class::Character) && element_bytes == 1 && bytes.len() > 1 {
            return text(bytes);
        }
        let elements = bytes.chunks_exact(element_bytes.max(1));
        elements.map(|element| self.element(code, element, 0)).collect::<Vec<_>>().join(" ")
    }

    fn element(&self, code: i32, bytes: &[u8], depth: usize) -> String {
        if let Some(structure) = self.structure(code) {
            return self.fields(structure, bytes, depth);
        }
        let Some(class) = by_code(code).map(|known| known.class) else { return hexadecimal(bytes) };
        // From here on the least significant byte comes first.
        let mut bytes = bytes.to_vec();
        if self.machine.big_endian && class != Class::Complex {
            bytes.reverse();
        }
        let text = match class {
            Class::Signed => integer(&bytes, true),
            Class::Unsigned => integer(&bytes, false),
            Class::Logical => Some(if bytes.iter().any(|&byte| byte != 0) { "true" } else { "false" }.to_owned()),
            Class::Real => real(code, &bytes, self.machine),
            Class::Complex => self.complex(code, &bytes),
            Class::Character => Some(text(&bytes)),
            Class::Pointer if bytes.iter().all(|&byte| byte == 0) => Some("null".to_owned()),
            Class::Pointer => Some("pointer".to_owned()),
            Class::Byte => None,
        };
        text.unwrap_or_else(|| hexadecimal(&bytes))
    }

    /// Two reals, each in the machine's order.
    fn complex(&self, code: i32, bytes: &[u8]) -> Option<String> {
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let part = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            if self.machine.big_endian {
                bytes.reverse();
            }
            real(code, &bytes, self.machine)
        };
        Some(format!("({}, {})", part(first)?, part(second)?))
    }

    fn fields(&self, structure: &StructType, bytes: &[u8], depth: usize) -> String {
        if depth >= MOST_DEPTH {
            return "{…}".to_owned();
        }
        let mut parts: Vec<String> = Vec::new();
        for field in structure.fields.iter().take(MOST_FIELDS) {
            let value = self.size(field.type_code).and_then(|size| {
                let start = usize::try_from(field.offset_bytes).ok()?;
                bytes.get(start..start.checked_add(size)?)
            });
            let value = value.map_or("?".to_owned(), |value| self.element(field.type_code, value, depth + 1));
            let more = if field.count > 1 { " …" } else { "" };
            parts.push(format!("{}={value}{more}", plain(&field.name)));
        }
        if structure.fields.len() > MOST_FIELDS {
            parts.push("…".to_owned());
        }
        format!("{{{}}}", parts.join(" "))
    }
}

/// Least significant byte first.
fn integer(bytes: &[u8], signed: bool) -> Option<String> {
    if bytes.is_empty() || bytes.len() > 16 {
        return None;
    }
    let negative = signed && bytes[bytes.len() - 1] & 0x80 != 0;
    let mut wide = if negative { [0xff; 16] } else { [0; 16] };
    wide[..bytes.len()].copy_from_slice(bytes);
    Some(if signed { i128::from_le_bytes(wide).to_string() } else { u128::from_le_bytes(wide).to_string() })
}

/// Least significant byte first. None for forms that nothing here can print exactly.
fn real(code: i32, bytes: &[u8], machine: &Machine) -> Option<String> {
    let extended = matches!(code, types::LONG_DOUBLE | types::LONG_DOUBLE_COMPLEX) && machine.long_double_digits == 64
        || matches!(code, 82 | 92);
    match bytes {
        [a, b, c, d] => Some(f32::from_le_bytes([*a, *b, *c, *d]).to_string()),
        [a, b, c, d, e, f, g, h] => Some(f64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]).to_string()),
        longer if extended && longer.len() >= 10 => Some(extended_real(longer)),
        _ => None,
    }
}

/// The 80 bits of an x87 number, rounded to what can be printed.
fn extended_real(bytes: &[u8]) -> String {
    let mut fraction = [0; 8];
    fraction.copy_from_slice(&bytes[..8]);
    let fraction = u64::from_le_bytes(fraction);
    let high = u16::from_le_bytes([bytes[8], bytes[9]]);
    let exponent = i32::from(high & 0x7fff);
    let value = match (exponent, fraction << 1) {
        (0x7fff, 0) => f64::INFINITY,
        (0x7fff, _) => f64::NAN,
        // In two steps, so that neither power is out of range before the other brings it back.
        _ => {
            let power = exponent - 16383 - 63;
            fraction as f64 * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
        }
    };
    let sign = if high & 0x8000 != 0 { "-" } else { "" };
    format!("{sign}{value}")
}

fn text(bytes: &[u8]) -> String {
    let letters: String = bytes.iter().flat_map(|byte| std::ascii::escape_default(*byte)).map(char::from).collect();
    format!("\"{letters}\"")
}

fn hexadecimal(bytes: &[u8]) -> String {
    let shown: String = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > 16 { "…" } else { "" };
    format!("0x{shown}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cppc_runtime::manifest::Field;

    fn said(code: i32, element_bytes: usize, bytes: &[u8]) -> String {
        let manifest = Manifest::default();
        let machine = Machine { big_endian: false, ..Machine::THIS };
        Reader { manifest: &manifest, machine: &machine }.elements(code, element_bytes, bytes)
    }

    #[test]
    fn values_are_what_they_are() {
        assert_eq!(said(types::INT, 4, &[255, 255, 255, 255, 5, 0, 0, 0]), "-1 5");
        assert_eq!(said(types::UNSIGNED_CHAR, 1, &[200, 3]), "200 3");
        assert_eq!(said(types::DOUBLE, 8, &1.5f64.to_le_bytes()), "1.5");
        assert_eq!(said(types::FLOAT_COMPLEX, 8, &[1f32.to_le_bytes(), (-2f32).to_le_bytes()].concat()), "(1, -2)");
        assert_eq!(said(types::CHAR, 1, b"hi\n\0"), "\"hi\\n\\x00\"");
        assert_eq!(said(types::BOOL, 1, &[1, 0]), "true false");
        assert_eq!(said(types::POINTER, 8, &[0; 8]), "null");
        assert_eq!(said(types::BYTE, 1, &[0xab]), "0xab");
        assert_eq!(said(77777, 4, &[1, 2, 3, 4]), "0x01020304");
        assert_eq!(said(types::UNSIGNED_INT128, 16, &[255; 16]), u128::MAX.to_string());
    }

    #[test]
    fn the_other_byte_order_is_read() {
        let manifest = Manifest::default();
        let machine = Machine { big_endian: true, ..Machine::THIS };
        let reader = Reader { manifest: &manifest, machine: &machine };
        assert_eq!(reader.elements(types::INT, 4, &[0, 0, 1, 2]), "258");
        assert_eq!(reader.elements(types::DOUBLE_COMPLEX, 16, &[1.5f64.to_be_bytes(), 2.5f64.to_be_bytes()].concat()), "(1.5, 2.5)");
    }

    #[test]
    fn extended_reals() {
        let one = [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f, 0, 0, 0, 0, 0, 0];
        assert_eq!(extended_real(&one), "1");
        let minus_two = [0, 0, 0, 0, 0, 0, 0, 0x80, 0x00, 0xc0];
        assert_eq!(extended_real(&minus_two), "-2");
        assert_eq!(extended_real(&[0; 10]), "0");
    }

    #[test]
    fn structures_show_their_fields() {
        let field = |name: &str, offset_bytes, type_code| Field { name: name.to_owned(), offset_bytes, type_code, count: 1 };
        let point = StructType { name: "point".to_owned(), size_bytes: 16, fields: vec![field("x", 0, types::DOUBLE), field("n", 8, types::INT)] };
        let far = StructType { name: "far".to_owned(), size_bytes: 8, fields: vec![field("y", 6, types::INT)] };
        let manifest = Manifest { types: vec![point, far], ..Manifest::default() };
        let machine = Machine { big_endian: false, ..Machine::THIS };
        let reader = Reader { manifest: &manifest, machine: &machine };
        let mut bytes = 2.5f64.to_le_bytes().to_vec();
        bytes.extend([7, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(reader.elements(1000, 16, &bytes), "{x=2.5 n=7}");
        assert_eq!(reader.type_name(1000), "point");
        assert_eq!(reader.elements(1001, 8, &[0; 8]), "{y=?}");
    }
}
