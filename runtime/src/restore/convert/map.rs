//! The offsets of the bytes of a memory block on this machine.
//!
//! Input: the registers of a memory block, with their shapes, sorted by offset.
//! Output: for an offset in the memory block of the file, the offset in the memory block on this machine.
//! Postcondition: registers that share memory share the same elements. Registers that may not are refused.

use super::element_map::{ElementKind, ElementMap, FieldMap};
use std::sync::Arc;

/// A memory block as consecutive runs of elements.
#[derive(Debug, Default)]
pub struct BlockMap {
    runs: Vec<Run>,
}

#[derive(Debug)]
struct Run {
    from: usize,
    to: usize,
    count: usize,
    shape: Arc<ElementMap>,
}

/// The register does not agree with those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

impl BlockMap {
    /// The number of bytes in the file that are mapped.
    pub fn from_bytes(&self) -> usize {
        self.runs.last().map_or(0, |run| run.from + run.count * run.shape.from_bytes)
    }

    /// The number of bytes on this machine.
    pub fn to_bytes(&self) -> usize {
        self.runs.last().map_or(0, |run| run.to + run.count * run.shape.to_bytes)
    }

    /// Adds a register. Registers must be added in the order of their offsets; at the same offset the largest
    /// comes first.
    pub fn add(&mut self, from: usize, count: usize, shape: &Arc<ElementMap>) -> Result<(), Mismatch> {
        if count == 0 || shape.from_bytes == 0 {
            return Ok(());
        }
        let fits = |start: usize, bytes| count.checked_mul(bytes).and_then(|size| size.checked_add(start));
        let end = fits(from, shape.from_bytes).ok_or(Mismatch)?;
        let covered = self.from_bytes();
        if end <= covered {
            return self.holds(from, count, shape).map(|_| ()).ok_or(Mismatch);
        }
        if from == covered {
            let to = self.to_bytes();
            fits(to, shape.to_bytes).ok_or(Mismatch)?;
            self.runs.push(Run { from, to, count, shape: Arc::clone(shape) });
            return Ok(());
        }
        // It extends beyond the mapped bytes, which must be by more elements of the same kind.
        let last = self
            .runs
            .last_mut()
            .filter(|last| last.from <= from && is_alike(&last.shape, shape))
            .ok_or(Mismatch)?;
        let before = from - last.from;
        if before % shape.from_bytes != 0 || before / shape.from_bytes > last.count {
            return Err(Mismatch);
        }
        let count = before / shape.from_bytes + count;
        fits(last.to, shape.to_bytes)
            .and(count.checked_mul(shape.to_bytes))
            .and_then(|size| size.checked_add(last.to))
            .ok_or(Mismatch)?;
        last.count = count;
        Ok(())
    }

    /// The offset of these elements on this machine; none if the memory block has other elements there.
    pub fn holds(&self, from: usize, count: usize, shape: &ElementMap) -> Option<usize> {
        let run = self.run(from)?;
        let within = find(&run.shape, run.count, from - run.from, shape, count)?;
        Some(run.to + within)
    }

    /// The offset on this machine; none inside a scalar, and for an offset that is not mapped.
    pub fn offset(&self, from: usize) -> Option<usize> {
        let run = self.run(from)?;
        let within = from - run.from;
        let is_inside = within <= run.count * run.shape.from_bytes;
        is_inside.then(|| run.shape.offset(within))?.map(|offset| run.to + offset)
    }

    /// The same for a pointer in the memory block.
    pub fn pointer(&self, from: usize) -> Option<usize> {
        let run = self.run(from)?;
        let within = from - run.from;
        let is_inside = within < run.count * run.shape.from_bytes;
        is_inside.then(|| run.shape.pointer(within))?.map(|offset| run.to + offset)
    }

    /// The runs: their range in the file, their range on this machine, and the shape of their elements.
    pub fn runs(
        &self,
    ) -> impl Iterator<Item = (std::ops::Range<usize>, std::ops::Range<usize>, &ElementMap)> {
        self.runs.iter().map(|run| {
            let from = run.from..run.from + run.count * run.shape.from_bytes;
            let to = run.to..run.to + run.count * run.shape.to_bytes;
            (from, to, &*run.shape)
        })
    }

    fn run(&self, from: usize) -> Option<&Run> {
        let after = self.runs.partition_point(|run| run.from <= from);
        self.runs.get(after.checked_sub(1)?)
    }
}

/// The offset on this machine of the elements of `inner` in `outer_count` elements of `outer`.
fn find(
    outer: &ElementMap,
    outer_count: usize,
    at: usize,
    inner: &ElementMap,
    count: usize,
) -> Option<usize> {
    let size_bytes = outer.from_bytes.max(1);
    let end = count.checked_mul(inner.from_bytes)?.checked_add(at)?;
    if end > outer_count.checked_mul(outer.from_bytes)? {
        return None;
    }
    let (element, rest) = (at / size_bytes, at % size_bytes);
    if is_alike(outer, inner) {
        return (rest == 0).then_some(element * outer.to_bytes);
    }
    let within = end - element * outer.from_bytes <= outer.from_bytes;
    let found = match (&outer.kind, &inner.kind) {
        (ElementKind::Structure(fields), _) if within => find_in_fields(fields, rest, inner, count),
        (ElementKind::Complex { was, is }, _) => {
            let half = |bytes: usize| bytes / 2;
            let part = ElementMap {
                from_bytes: half(outer.from_bytes),
                to_bytes: half(outer.to_bytes),
                kind: ElementKind::Real { was: *was, is: *is },
            };
            return is_alike(&part, inner).then(|| find(&part, 2 * outer_count, at, inner, count))?;
        }
        _ => None,
    };
    found
        .map(|found| element * outer.to_bytes + found)
        .or_else(|| find_parts(outer, outer_count, at, inner, count))
        .or_else(|| find_all(outer, at, inner))
}

/// Structures that contain only elements of the inner type, such as `struct { double x, y, z; }` as doubles.
fn find_all(outer: &ElementMap, at: usize, inner: &ElementMap) -> Option<usize> {
    let is_structure = |shape: &ElementMap| matches!(shape.kind, ElementKind::Structure(_));
    if !is_structure(outer) || is_structure(inner) || at.checked_rem(inner.from_bytes)? != 0 {
        return None;
    }
    let each = outer.from_bytes / inner.from_bytes;
    find_parts(inner, each, 0, outer, 1).map(|_| at / inner.from_bytes * inner.to_bytes)
}

fn find_in_fields(fields: &[FieldMap], rest: usize, inner: &ElementMap, count: usize) -> Option<usize> {
    fields.iter().filter(|field| field.is_alone()).find_map(|field| {
        let within = rest.checked_sub(field.from_offset)?;
        Some(field.to_offset + find(&field.shape, field.count, within, inner, count)?)
    })
}

/// The case that the inner element is a structure of several elements of the outer type.
fn find_parts(
    outer: &ElementMap,
    outer_count: usize,
    at: usize,
    inner: &ElementMap,
    count: usize,
) -> Option<usize> {
    let ElementKind::Structure(fields) = &inner.kind else { return None };
    let each = inner.from_bytes.checked_div(outer.from_bytes)?;
    let is_made_of_it =
        each > 0 && each * outer.from_bytes == inner.from_bytes && each * outer.to_bytes == inner.to_bytes;
    if !is_made_of_it || at % outer.from_bytes != 0 || fields.is_empty() {
        return None;
    }
    let start = at / outer.from_bytes * outer.to_bytes;
    let fits = fields.iter().all(|field| {
        let place = find(outer, outer_count, at + field.from_offset, &field.shape, field.count);
        place == Some(start + field.to_offset)
    });
    (fits && at + count * inner.from_bytes <= outer_count * outer.from_bytes).then_some(start)
}

/// Whether elements of both have the same layout on both sides.
fn is_alike(one: &ElementMap, other: &ElementMap) -> bool {
    let is_integer = |shape: &ElementMap| matches!(shape.kind, ElementKind::Integer { .. });
    let is_same_size = (one.from_bytes, one.to_bytes) == (other.from_bytes, other.to_bytes);
    one == other || is_same_size && one.from_bytes == one.to_bytes && is_integer(one) && is_integer(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(from_bytes: usize, to_bytes: usize) -> ElementMap {
        ElementMap { from_bytes, to_bytes, kind: ElementKind::Integer { was_signed: true, is_signed: true } }
    }

    fn field(from_offset: usize, to_offset: usize, count: usize, shape: ElementMap) -> FieldMap {
        FieldMap { name: "f".to_owned(), from_offset, to_offset, count, shape, when: None }
    }

    /// `struct { int a; long b[3]; char *c; }`, from a machine with `long` and pointers of 4 bytes.
    fn structure() -> ElementMap {
        let pointer = ElementMap { from_bytes: 4, to_bytes: 8, kind: ElementKind::Pointer };
        let fields =
            vec![field(0, 0, 1, integer(4, 4)), field(4, 8, 3, integer(4, 8)), field(16, 32, 1, pointer)];
        ElementMap { from_bytes: 20, to_bytes: 40, kind: ElementKind::Structure(fields) }
    }

    fn map(registers: &[(usize, usize, &ElementMap)]) -> Result<BlockMap, Mismatch> {
        let mut map = BlockMap::default();
        for (from, count, shape) in registers {
            map.add(*from, *count, &Arc::new((*shape).clone()))?;
        }
        Ok(map)
    }

    #[test]
    fn windows_of_an_array_make_one_run() {
        let long = integer(4, 8);
        let map = map(&[(0, 5, &long), (8, 10, &long), (12, 0, &long)]).expect("they are of one kind");
        assert_eq!((map.from_bytes(), map.to_bytes()), (48, 96));
        assert_eq!(
            (map.offset(8), map.offset(48), map.offset(9), map.offset(52)),
            (Some(16), Some(96), None, None)
        );
    }

    #[test]
    fn parts_of_structures_are_found() {
        let (long, outer) = (integer(4, 8), structure());
        let map =
            map(&[(0, 3, &outer), (24, 3, &long), (28, 1, &long), (40, 1, &outer)]).expect("they are parts");
        assert_eq!(map.to_bytes(), 120);
        assert_eq!(map.holds(24, 2, &long), Some(48));
        assert_eq!((map.pointer(36), map.pointer(24), map.offset(36)), (Some(72), None, Some(72)));
        let odd =
            [(4, 4, integer(4, 8)), (0, 1, integer(4, 8)), (4, 1, integer(4, 4)), (10, 1, integer(4, 8))];
        assert!(odd.iter().all(|(from, count, shape)| map.holds(*from, *count, shape).is_none()));
    }

    #[test]
    fn structures_over_an_array_are_made_of_its_elements() {
        let long = integer(4, 8);
        let pair = ElementMap {
            from_bytes: 8,
            to_bytes: 16,
            kind: ElementKind::Structure(vec![field(0, 0, 1, long.clone()), field(4, 8, 1, long.clone())]),
        };
        assert!(map(&[(0, 10, &long), (8, 4, &pair)]).is_ok());
        let wide = ElementMap { to_bytes: 24, ..pair };
        assert_eq!(map(&[(0, 10, &long), (8, 4, &wide)]).err(), Some(Mismatch));
    }

    #[test]
    fn structures_of_one_kind_may_be_seen_as_an_array() {
        let long = integer(4, 8);
        let fields = vec![field(0, 0, 1, long.clone()), field(4, 8, 2, long.clone())];
        let triple =
            ElementMap { from_bytes: 12, to_bytes: 24, kind: ElementKind::Structure(fields.clone()) };
        let map = map(&[(0, 4, &triple), (0, 12, &long), (8, 5, &long), (12, 2, &triple)])
            .expect("they are of one kind");
        assert_eq!(
            (map.holds(8, 5, &long), map.holds(8, 11, &long), map.holds(10, 2, &long)),
            (Some(16), None, None)
        );
        let padded = ElementMap { from_bytes: 12, to_bytes: 32, kind: ElementKind::Structure(fields) };
        assert_eq!(self::map(&[(0, 4, &padded), (0, 12, &long)]).err(), Some(Mismatch));
    }

    #[test]
    fn what_lies_across_elements_is_refused() {
        let (int, long) = (integer(4, 4), integer(4, 8));
        assert_eq!(map(&[(0, 4, &long), (8, 4, &int)]).err(), Some(Mismatch));
        assert_eq!(map(&[(0, 4, &long), (2, 4, &long)]).err(), Some(Mismatch));
        assert_eq!(map(&[(4, 4, &long)]).err(), Some(Mismatch));
    }
}
