//! Bit-fields: their type codes, and their values in the bytes of a structure.
//!
//! Input: the bytes that contain a bit-field.
//! Output: its value.
//! Postcondition: bits are counted in the order in which compilers allocate them: from the lowest bit of the first byte on
//! little-endian machines, and from its highest bit on big-endian machines.

/// The smallest code of a bit-field. Codes of structures are smaller.
pub const FIRST_BIT_FIELD: i32 = 1 << 30;

/// The widest bit-field.
pub const MOST_BITS: u8 = 64;

/// A bit-field as the type of a field. The offset of the field is that of its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitField {
    /// From 1 to 64.
    width: u8,
    /// Its first bit in its first byte, from 0 to 7.
    first: u8,
    is_signed: bool,
}

impl BitField {
    pub fn new(width: u8, first: u8, is_signed: bool) -> Option<BitField> {
        ((1..=MOST_BITS).contains(&width) && first < 8).then_some(BitField { width, first, is_signed })
    }

    /// The bit-field whose bits are set in these bytes, and no others, and the offset of its first byte.
    pub fn find(bytes: &[u8], is_signed: bool, is_big_endian: bool) -> Option<(BitField, usize)> {
        let bit = |at: usize| {
            let shift = if is_big_endian { 7 - at % 8 } else { at % 8 };
            bytes[at / 8] >> shift & 1 == 1
        };
        let first = (0..8 * bytes.len()).find(|at| bit(*at))?;
        let width = (first..8 * bytes.len()).take_while(|at| bit(*at)).count();
        let has_others = (first + width..8 * bytes.len()).any(bit);
        let found = BitField::new(u8::try_from(width).ok()?, (first % 8) as u8, is_signed)?;
        (!has_others).then_some((found, first / 8))
    }

    pub fn code(self) -> i32 {
        FIRST_BIT_FIELD | i32::from(self.is_signed) << 16 | i32::from(self.first) << 8 | i32::from(self.width)
    }

    /// None for a code of another type.
    pub fn from_code(code: i32) -> Option<BitField> {
        let rest = code.checked_sub(FIRST_BIT_FIELD).filter(|rest| (0..1 << 17).contains(rest))?;
        BitField::new((rest & 0xff) as u8, (rest >> 8 & 0xff) as u8, rest >> 16 == 1)
    }

    pub fn is_signed(self) -> bool {
        self.is_signed
    }

    pub fn width(self) -> u8 {
        self.width
    }

    /// The number of bytes that contain it.
    pub fn size_bytes(self) -> usize {
        usize::from(self.first + self.width).div_ceil(8)
    }

    /// How far its lowest bit is from the lowest bit of these bytes as one number.
    fn shift(self, is_big_endian: bool) -> u32 {
        match is_big_endian {
            true => (8 * self.size_bytes()) as u32 - u32::from(self.first) - u32::from(self.width),
            false => u32::from(self.first),
        }
    }

    fn mask(self) -> u128 {
        (1 << self.width) - 1
    }

    /// The value in the bytes that contain it.
    pub fn value(self, bytes: &[u8], is_big_endian: bool) -> i128 {
        let bits = number(bytes, is_big_endian) >> self.shift(is_big_endian) & self.mask();
        let unused = 128 - u32::from(self.width);
        match self.is_signed {
            true => (bits << unused) as i128 >> unused,
            false => bits as i128,
        }
    }

    /// Sets the value, and keeps the other bits. Returns false, and does nothing, if the value does not fit.
    pub fn set(self, value: i128, bytes: &mut [u8], is_big_endian: bool) -> bool {
        let (width, is_signed) = (u32::from(self.width), self.is_signed);
        let least = if is_signed { -1 << (width - 1) } else { 0 };
        let most = if is_signed { (1 << (width - 1)) - 1 } else { (1 << width) - 1 };
        if !(least..=most).contains(&value) {
            return false;
        }
        let shift = self.shift(is_big_endian);
        let others = number(bytes, is_big_endian) & !(self.mask() << shift);
        put_number(others | (value as u128 & self.mask()) << shift, bytes, is_big_endian);
        true
    }
}

/// The number in these bytes, at most sixteen.
pub fn number(bytes: &[u8], is_big_endian: bool) -> u128 {
    let gather = |bits: u128, byte: &u8| bits << 8 | u128::from(*byte);
    match is_big_endian {
        true => bytes.iter().fold(0, gather),
        false => bytes.iter().rev().fold(0, gather),
    }
}

/// Writes the lower bytes of the number.
pub fn put_number(number: u128, bytes: &mut [u8], is_big_endian: bool) {
    let size_bytes = bytes.len();
    for (index, byte) in number.to_le_bytes().iter().take(size_bytes).enumerate() {
        bytes[if is_big_endian { size_bytes - 1 - index } else { index }] = *byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_written_in_both_orders() {
        assert_eq!(number(&[1, 2, 3], true), 0x01_02_03);
        assert_eq!(number(&[1, 2, 3], false), 0x03_02_01);
        let mut bytes = [0; 4];
        put_number(0x0102_0304, &mut bytes, true);
        assert_eq!(bytes, [1, 2, 3, 4]);
        put_number(0x0102_0304, &mut bytes, false);
        assert_eq!(bytes, [4, 3, 2, 1]);
    }

    #[test]
    fn a_code_contains_all_of_a_bit_field() {
        for (width, first, is_signed) in [(1, 0, false), (64, 7, true), (3, 5, false)] {
            let bits = BitField::new(width, first, is_signed).expect("it is possible");
            assert_eq!(BitField::from_code(bits.code()), Some(bits));
        }
        assert_eq!(BitField::from_code(1000).or(BitField::from_code(FIRST_BIT_FIELD)), None);
        assert!(BitField::new(0, 0, false)
            .or(BitField::new(65, 0, false))
            .or(BitField::new(1, 8, false))
            .is_none());
    }

    #[test]
    fn bits_are_allocated_from_the_other_end_on_big_endian_machines() {
        // unsigned a : 3; unsigned b : 10;
        let bits = BitField::new(10, 3, false).expect("it is possible");
        assert_eq!(BitField::find(&[0, 0b1111_1000, 0b0001_1111], false, false), Some((bits, 1)));
        assert_eq!(BitField::find(&[0, 0b0001_1111, 0b1111_1000], false, true), Some((bits, 1)));
        assert_eq!(BitField::find(&[0b101], false, false).or(BitField::find(&[0, 0], false, true)), None);
    }

    #[test]
    fn a_value_changes_no_other_bit() {
        for is_big_endian in [false, true] {
            for (width, first) in [(1, 0), (10, 3), (64, 7), (64, 0), (8, 0)] {
                for is_signed in [false, true] {
                    let bits = BitField::new(width, first, is_signed).expect("it is possible");
                    let value = if is_signed { -1 } else { 1 };
                    let mut bytes = vec![0; bits.size_bytes()];
                    assert!(bits.set(value, &mut bytes, is_big_endian));
                    assert_eq!(bits.value(&bytes, is_big_endian), value);
                    bytes.fill(255);
                    assert!(bits.set(0, &mut bytes, is_big_endian));
                    let others: u32 = bytes.iter().map(|byte| byte.count_ones()).sum();
                    assert_eq!(others, 8 * bytes.len() as u32 - u32::from(width));
                    assert!(!bits.set(1 << 64, &mut bytes, is_big_endian));
                }
            }
        }
        let bits = BitField::new(3, 0, true).expect("it is possible");
        assert!(
            bits.set(-4, &mut [0], false) && !bits.set(4, &mut [0], false) && !bits.set(-5, &mut [0], false)
        );
    }
}
