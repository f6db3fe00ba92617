//! The cells of a frame: copies of variables that cannot be registered at their own address.
//!
//! Input: values, with the number that the translation gave to their cell.
//! Output: the same values.
//! Postcondition: the address of a cell is constant as long as its size is. A frame that reuses the memory of
//! an ended frame allocates nothing if its cells have the same shapes.

use crate::manifest::MAX_CELLS;
use crate::memory::MallocBytes;

#[derive(Debug, Default)]
pub struct Cells {
    all: Vec<Cell>,
    /// The cells from this index on are empty.
    used: usize,
}

#[derive(Debug, Default)]
pub struct Cell {
    memory: Option<MallocBytes>,
    size_bytes: usize,
    type_code: i32,
    count: usize,
    is_filled: bool,
}

impl Cells {
    /// The frame has ended: empties the cells, and keeps their memory for reuse.
    pub fn clear(&mut self) {
        for cell in &mut self.all[..self.used] {
            cell.is_filled = false;
        }
        self.used = 0;
    }

    /// The cell, if it is filled.
    #[inline]
    pub fn get(&self, number: usize) -> Option<&Cell> {
        self.all.get(number).filter(|cell| cell.is_filled)
    }

    /// The bytes of a cell that contains a value of this shape.
    #[inline]
    pub fn fitting(&mut self, number: usize, type_code: i32, count: usize) -> Option<&mut [u8]> {
        let cell = self.all.get_mut(number)?;
        if cell.is_filled && cell.type_code == type_code && cell.count == count {
            Some(&mut cell.memory.as_mut()?.as_mut_slice()[..cell.size_bytes])
        } else {
            None
        }
    }

    /// Stores a value in a cell, whatever it contained. Returns none if there is no such cell or no memory.
    pub fn put(&mut self, number: usize, type_code: i32, count: usize, bytes: &[u8]) -> Option<&Cell> {
        if number >= MAX_CELLS as usize {
            return None;
        }
        if self.all.len() <= number {
            self.all.resize_with(number + 1, Cell::default);
        }
        self.used = self.used.max(number + 1);
        let cell = &mut self.all[number];
        cell.is_filled = false;
        let memory = match cell.memory.take().filter(|memory| memory.len() >= bytes.len()) {
            Some(memory) => memory,
            None => MallocBytes::zeroed(bytes.len())?,
        };
        cell.memory.insert(memory).as_mut_slice()[..bytes.len()].copy_from_slice(bytes);
        (cell.size_bytes, cell.type_code, cell.count, cell.is_filled) = (bytes.len(), type_code, count, true);
        Some(cell)
    }

    /// All filled cells, with their numbers.
    pub fn filled(&self) -> impl Iterator<Item = (usize, &Cell)> {
        self.all[..self.used].iter().enumerate().filter(|(_, cell)| cell.is_filled)
    }
}

impl Cell {
    pub fn bytes(&self) -> &[u8] {
        self.memory.as_ref().map_or(&[], |memory| &memory.as_slice()[..self.size_bytes])
    }

    pub fn address(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.as_slice().as_ptr() as usize)
    }

    pub fn type_code(&self) -> i32 {
        self.type_code
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether the value has this shape.
    pub fn is(&self, type_code: i32, count: usize) -> bool {
        (self.type_code, self.count) == (type_code, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_keeps_its_address_and_the_next_frame_its_memory() {
        let mut cells = Cells::default();
        let address = cells.put(3, 62, 1, &[1, 2, 3, 4]).unwrap().address();
        assert!(cells.get(1).is_none());
        cells.fitting(3, 62, 1).unwrap().copy_from_slice(&[5, 6, 7, 8]);
        assert!(cells.fitting(3, 63, 1).is_none());
        cells.put(200, 81, 1, &[0; 8]).unwrap();
        assert_eq!(cells.get(3).unwrap().address(), address);
        assert_eq!(cells.get(3).unwrap().bytes(), [5, 6, 7, 8]);
        cells.clear();
        assert!(cells.get(3).is_none() && cells.filled().next().is_none());
        assert_eq!(cells.put(3, 61, 1, &[9, 9]).unwrap().address(), address);
        assert_eq!(
            cells.filled().map(|(number, cell)| (number, cell.bytes())).collect::<Vec<_>>(),
            [(3, &[9, 9][..])]
        );
    }

    #[test]
    fn there_is_an_end_to_the_numbers() {
        assert!(Cells::default().put(MAX_CELLS as usize, 62, 1, &[0; 4]).is_none());
        assert!(Cells::default().put(MAX_CELLS as usize - 1, 100, 0, &[]).is_some());
    }
}
