//! One field of consecutive structures.
//!
//! Input: the position of the field in the first structure, the distance between two structures, their number.
//! Output: the addresses of the field, and positions in the gathered content.
//! Postcondition: the gathered content has the fields one after the other, and no byte between them.

use super::memory::Range;

/// The position of a field in an array of structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldLayout {
    /// From the address of the register to the first field.
    pub offset_bytes: usize,
    /// From one structure to the next.
    pub stride_bytes: usize,
    /// The number of elements of the field in one structure.
    pub elements: usize,
}

/// The memory of a field in consecutive structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldRange {
    /// The address of the first structure, and of the field in it.
    pub start: usize,
    pub first: usize,
    pub stride_bytes: usize,
    pub field_bytes: usize,
    pub structures: usize,
}

/// The position of an address with respect to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldPosition {
    Outside,
    /// In one of the structures, but in another field.
    OtherField,
    /// In the field, at this offset of the gathered content.
    At(usize),
}

impl FieldLayout {
    /// The memory of `count` elements of this size, where `address` is that of the register. None if that cannot be.
    pub fn range(&self, address: usize, count: usize, element_bytes: usize) -> Option<FieldRange> {
        let structures = count.checked_div(self.elements)?;
        let field_bytes = self.elements.checked_mul(element_bytes)?;
        let before = self.offset_bytes.checked_rem(self.stride_bytes).unwrap_or(0);
        let first = address.checked_add(self.offset_bytes)?;
        let range = FieldRange {
            start: first - before,
            first,
            stride_bytes: self.stride_bytes,
            field_bytes,
            structures,
        };
        let last = self.stride_bytes.checked_mul(structures)?.checked_add(field_bytes)?;
        let is_possible = structures <= 1 || field_bytes <= self.stride_bytes;
        (structures * self.elements == count && is_possible && first.checked_add(last).is_some())
            .then_some(range)
    }
}

impl FieldRange {
    /// The size of the gathered content.
    pub fn size_bytes(self) -> usize {
        self.structures * self.field_bytes
    }

    /// The range from the first field to the end of the last one.
    pub fn hull(self) -> Range {
        let size_bytes = match self.structures.checked_sub(1) {
            Some(before) if self.field_bytes > 0 => before * self.stride_bytes + self.field_bytes,
            Some(_) | None => 0,
        };
        Range { address: self.first, size_bytes }
    }

    /// The end of the last structure.
    pub fn end(self) -> usize {
        (self.start + self.structures * self.stride_bytes).max(self.hull().end())
    }

    /// Whether there are no other bytes between the fields.
    pub fn is_contiguous(self) -> bool {
        self.structures <= 1 || self.stride_bytes == self.field_bytes
    }

    /// The position of an address. The end of a field is not in it: another field may begin there.
    pub fn position(self, address: usize) -> FieldPosition {
        if !(self.start..self.end()).contains(&address) || self.size_bytes() == 0 {
            return FieldPosition::Outside;
        }
        let Some(from_first) = address.checked_sub(self.first) else { return FieldPosition::OtherField };
        let structure = from_first.checked_div(self.stride_bytes).unwrap_or(0).min(self.structures - 1);
        let within = from_first - structure * self.stride_bytes;
        match within < self.field_bytes {
            true => FieldPosition::At(structure * self.field_bytes + within),
            false => FieldPosition::OtherField,
        }
    }

    /// The address of an offset of the gathered content.
    pub fn address(self, offset: usize) -> Option<usize> {
        let structure = offset.checked_div(self.field_bytes).filter(|found| *found < self.structures)?;
        Some(self.first + structure * self.stride_bytes + offset % self.field_bytes)
    }

    /// Whether a field has a byte in common with a range.
    pub fn overlaps(self, range: Range) -> bool {
        let hull = self.hull();
        if range.size_bytes == 0 || range.address >= hull.end() || hull.address >= range.end() {
            return false;
        }
        // The last field that begins before the end of the range.
        let before = range.end() - 1 - self.first.min(range.end() - 1);
        let structure = before.checked_div(self.stride_bytes).unwrap_or(0).min(self.structures - 1);
        self.first + structure * self.stride_bytes + self.field_bytes > range.address
    }

    /// Whether two fields have a byte in common.
    pub fn overlaps_field(self, other: FieldRange) -> bool {
        let (hull, others) = (self.hull(), other.hull());
        if hull.address >= others.end() || others.address >= hull.end() {
            return false;
        }
        if self.stride_bytes == other.stride_bytes && self.stride_bytes > 0 {
            let (low, high) = if self.first <= other.first { (self, other) } else { (other, self) };
            let between = (high.first - low.first) % self.stride_bytes;
            if between >= low.field_bytes && between + high.field_bytes <= self.stride_bytes {
                return false;
            }
        }
        let (few, many) = if self.structures <= other.structures { (self, other) } else { (other, self) };
        (0..few.structures).any(|structure| {
            let address = few.first + structure * few.stride_bytes;
            many.overlaps(Range { address, size_bytes: few.field_bytes })
        })
    }
}

/// The first pair of fields with a byte in common, as indices.
pub fn overlapping_fields(fields: &[FieldRange]) -> Option<(usize, usize)> {
    let mut order: Vec<usize> = (0..fields.len()).filter(|&index| fields[index].size_bytes() > 0).collect();
    order.sort_unstable_by_key(|&index| fields[index].first);
    let mut open: Vec<usize> = Vec::new();
    for index in order {
        open.retain(|&other| fields[other].hull().end() > fields[index].first);
        if let Some(&other) = open.iter().find(|&&other| fields[other].overlaps_field(fields[index])) {
            return Some((other.min(index), other.max(index)));
        }
        open.push(index);
    }
    None
}

/// The first field that has a byte in common with one of these sorted, disjoint ranges, as indices.
pub fn overlapping_range(fields: &[FieldRange], ranges: &[Range]) -> Option<(usize, usize)> {
    fields.iter().enumerate().find_map(|(index, field)| {
        let hull = field.hull();
        let from = ranges.partition_point(|range| range.end() <= hull.address);
        let near = ranges[from..].iter().take_while(|range| range.address < hull.end());
        let found = near.zip(from..).find(|(range, _)| field.overlaps(**range))?;
        Some((index, found.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four structures of 24 bytes at 100 with a field of two elements of 4 bytes at 8.
    fn link() -> FieldRange {
        let layout = FieldLayout { offset_bytes: 8, stride_bytes: 24, elements: 2 };
        layout.range(100, 8, 4).expect("it is possible")
    }

    fn range(address: usize, size_bytes: usize) -> Range {
        Range { address, size_bytes }
    }

    #[test]
    fn addresses_and_offsets_are_inverse() {
        let found = link();
        assert_eq!((found.size_bytes(), found.hull(), found.end()), (32, range(108, 80), 196));
        for offset in 0..found.size_bytes() {
            let address = found.address(offset).expect("it is in a field");
            assert_eq!(found.position(address), FieldPosition::At(offset));
        }
        assert_eq!(found.address(32), None);
        assert_eq!((found.address(7), found.address(8)), (Some(115), Some(132)));
    }

    #[test]
    fn other_fields_of_the_structures_have_no_position() {
        let found = link();
        for address in [100, 107, 116, 131, 188, 195] {
            assert_eq!(found.position(address), FieldPosition::OtherField, "{address}");
        }
        assert_eq!(
            (found.position(99), found.position(196)),
            (FieldPosition::Outside, FieldPosition::Outside)
        );
    }

    #[test]
    fn a_part_of_an_array_begins_at_its_first_structure() {
        let layout = FieldLayout { offset_bytes: 2 * 24 + 8, stride_bytes: 24, elements: 2 };
        let found = layout.range(100, 4, 4).expect("it is possible");
        assert_eq!((found.start, found.first, found.structures), (148, 156, 2));
        assert_eq!(found.position(147), FieldPosition::Outside);
    }

    #[test]
    fn an_impossible_layout_has_no_range() {
        let layout = |stride_bytes, elements| FieldLayout { offset_bytes: 0, stride_bytes, elements };
        assert_eq!(layout(24, 2).range(100, 7, 4), None, "half a field");
        assert_eq!(layout(4, 2).range(100, 8, 4), None, "fields that overlap");
        assert_eq!(layout(24, 0).range(100, 8, 4), None);
        assert_eq!(layout(usize::MAX, 2).range(100, 8, 4), None);
        assert!(layout(0, 2).range(100, 2, 4).is_some(), "one structure");
        assert!(layout(24, 2).range(100, 0, 4).is_some());
    }

    #[test]
    fn fields_overlap_only_where_they_have_bytes() {
        let found = link();
        for (address, size_bytes, expected) in [
            (100, 8, false),
            (100, 9, true),
            (115, 1, true),
            (116, 16, false),
            (116, 17, true),
            (116, 80, true),
            (188, 100, false),
            (0, 1000, true),
            (110, 0, false),
        ] {
            assert_eq!(found.overlaps(range(address, size_bytes)), expected, "{address} {size_bytes}");
        }
        assert_eq!(overlapping_range(&[found], &[range(100, 8), range(116, 16), range(120, 4)]), None);
        assert_eq!(overlapping_range(&[found], &[range(100, 8), range(116, 17)]), Some((0, 1)));
    }

    #[test]
    fn two_fields_of_one_array_are_apart() {
        let of = |offset_bytes, stride_bytes, count| {
            let layout = FieldLayout { offset_bytes, stride_bytes, elements: 1 };
            layout.range(100, count, 8).expect("it is possible")
        };
        assert_eq!(overlapping_fields(&[of(16, 24, 9), of(8, 24, 9), of(0, 24, 9)]), None);
        assert_eq!(overlapping_fields(&[of(0, 24, 9), of(16, 24, 9), of(4, 24, 9)]), Some((0, 2)));
        assert_eq!(overlapping_fields(&[of(0, 24, 4), of(96, 24, 4)]), None);
        assert_eq!(overlapping_fields(&[of(0, 24, 9), of(8, 40, 9)]), Some((0, 1)));
        assert_eq!(overlapping_fields(&[of(0, 24, 2), of(8, 16, 1)]), None);
    }
}
