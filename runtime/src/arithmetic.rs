//! How the processor computes with reals: rounding, subnormal numbers, exceptions.
//!
//! Input: the control registers of the calling thread, or their state in a file.
//! Output: the other of the two.
//! Postcondition: on the architecture that wrote the state, operations on reals give the same results as before. Another
//! architecture names what it cannot do.
//!
//! A program may change these modes (`fesetround`, `feenableexcept`, flush-to-zero), usually when it starts. A restart
//! skips these calls.

/// The modes of one thread. Bits that the processor does not have are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arithmetic {
    pub rounding: Rounding,
    /// Results that are subnormal become 0.
    pub flushes_results: bool,
    /// Operands that are subnormal count as 0.
    pub flushes_operands: bool,
    /// The exceptions that stop the program.
    pub traps: Exceptions,
    /// The exceptions that have occurred.
    pub raised: Exceptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Nearest,
    Down,
    Up,
    TowardZero,
}

/// Bits, from the lowest: invalid operation, division by zero, overflow, underflow, inexact result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exceptions(u8);

const ALL_EXCEPTIONS: u8 = 0x1f;

impl Rounding {
    const ALL: [Rounding; 4] = [Rounding::Nearest, Rounding::Down, Rounding::Up, Rounding::TowardZero];

    fn code(self) -> u32 {
        match self {
            Rounding::Nearest => 0,
            Rounding::Down => 1,
            Rounding::Up => 2,
            Rounding::TowardZero => 3,
        }
    }

    fn of_code(code: u32) -> Rounding {
        Rounding::ALL[code as usize & 3]
    }
}

/// Marks modes that are known, so that 0 is none.
const KNOWN: u32 = 1 << 31;

impl Arithmetic {
    /// The form in a state file. 0 stands for unknown modes.
    pub fn encode(modes: Option<Arithmetic>) -> u32 {
        modes.map_or(0, |modes| {
            KNOWN
                | modes.rounding.code()
                | u32::from(modes.flushes_results) << 2
                | u32::from(modes.flushes_operands) << 3
                | u32::from(modes.traps.0) << 8
                | u32::from(modes.raised.0) << 16
        })
    }

    /// The modes of a number from a file. `None` if there are no modes with this number.
    pub fn decode(number: u32) -> Option<Option<Arithmetic>> {
        if number == 0 {
            return Some(None);
        }
        let modes = Arithmetic {
            rounding: Rounding::of_code(number),
            flushes_results: number & 1 << 2 != 0,
            flushes_operands: number & 1 << 3 != 0,
            traps: Exceptions((number >> 8) as u8 & ALL_EXCEPTIONS),
            raised: Exceptions((number >> 16) as u8 & ALL_EXCEPTIONS),
        };
        (Arithmetic::encode(Some(modes)) == number).then_some(Some(modes))
    }

    /// The modes of the calling thread. `None` on an architecture that this library does not know.
    pub fn current() -> Option<Arithmetic> {
        processor::current()
    }

    /// Sets the modes of the calling thread. Returns what this processor cannot do.
    pub fn set(self) -> Option<&'static str> {
        let is_flushed = |modes: Arithmetic| modes.flushes_results || modes.flushes_operands;
        if !processor::set(self) {
            let is_usual = self.rounding == Rounding::Nearest
                && !is_flushed(self)
                && self.traps == Exceptions::default();
            return (!is_usual).then_some(
                "the program changed the rounding or another mode of arithmetic with reals, which this library cannot set on this processor: results may differ",
            );
        }
        let can_flush = Arithmetic::current().is_some_and(is_flushed);
        (is_flushed(self) && !can_flush).then_some(
            "the program replaced subnormal numbers by 0, which this processor cannot do: results may differ",
        )
    }
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "x86"), not(miri)))]
mod processor {
    use std::arch::asm;

    use super::{Arithmetic, Exceptions, Rounding, ALL_EXCEPTIONS};

    /// The bits of MXCSR.
    const OPERANDS: u32 = 1 << 6;
    const MASKS: u32 = 7;
    const ROUNDING: u32 = 13;
    const RESULTS: u32 = 1 << 15;

    pub fn current() -> Option<Arithmetic> {
        let mxcsr = mxcsr();
        Some(Arithmetic {
            rounding: Rounding::of_code(mxcsr >> ROUNDING),
            flushes_results: mxcsr & RESULTS != 0,
            flushes_operands: mxcsr & OPERANDS != 0,
            traps: exceptions(!(mxcsr >> MASKS)),
            raised: exceptions(mxcsr | u32::from(status())),
        })
    }

    pub fn set(modes: Arithmetic) -> bool {
        let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        // The mask of the exception for subnormal operands stays.
        let masks = places(Exceptions(ALL_EXCEPTIONS)) << MASKS;
        let kept =
            mxcsr() & !(masks | places(Exceptions(ALL_EXCEPTIONS)) | 3 << ROUNDING | RESULTS | OPERANDS);
        let new = kept
            | places(modes.raised)
            | flag(modes.flushes_operands, OPERANDS)
            | (masks & !(places(modes.traps) << MASKS))
            | modes.rounding.code() << ROUNDING
            | flag(modes.flushes_results, RESULTS);
        // The x87 unit has the same masks and rounding in its control word, and a precision of its own.
        let mut control = 0u16;
        // SAFETY: it stores the control word in a variable.
        unsafe { asm!("fnstcw [{}]", in(reg) &raw mut control, options(nostack, preserves_flags)) };
        let all = places(Exceptions(ALL_EXCEPTIONS)) as u16;
        control &= !(all | 3 << 10);
        control |= (all & !(places(modes.traps) as u16)) | (modes.rounding.code() as u16) << 10;
        // SAFETY: the exceptions of the x87 unit are cleared first, so that no trap is pending. Both control words are valid.
        // Reserved bits have the values that the processor gave them.
        unsafe {
            asm!("fnclex", options(nomem, nostack));
            asm!("fldcw [{}]", in(reg) &raw const control, options(nostack, readonly));
            asm!("ldmxcsr [{}]", in(reg) &raw const new, options(nostack, readonly));
        }
        true
    }

    /// The exceptions of the x87 unit, which computes with `long double`. `feraiseexcept` uses it too.
    fn status() -> u16 {
        let mut status = 0u16;
        // SAFETY: it stores the status word in a variable.
        unsafe { asm!("fnstsw [{}]", in(reg) &raw mut status, options(nostack, preserves_flags)) };
        status
    }

    fn mxcsr() -> u32 {
        let mut mxcsr = 0u32;
        // SAFETY: it stores the register in a variable.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack, preserves_flags)) };
        mxcsr
    }

    /// The processor has the exception for subnormal operands between the first two.
    fn exceptions(bits: u32) -> Exceptions {
        Exceptions((bits & 1 | bits >> 1 & 0x1e) as u8)
    }

    fn places(exceptions: Exceptions) -> u32 {
        let bits = u32::from(exceptions.0);
        bits & 1 | (bits & 0x1e) << 1
    }
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
mod processor {
    use std::arch::asm;

    use super::{Arithmetic, Exceptions, Rounding, ALL_EXCEPTIONS};

    /// The bits of FPCR.
    const TRAPS: u32 = 8;
    const ROUNDING: u32 = 22;
    const FLUSHES: u64 = 1 << 24;

    /// The processor has the codes of `Up` and `Down` the other way round.
    fn reordered(code: u32) -> u32 {
        match code & 3 {
            1 => 2,
            2 => 1,
            other => other,
        }
    }

    pub fn current() -> Option<Arithmetic> {
        let (control, status) = registers();
        let flushes = control & FLUSHES != 0;
        Some(Arithmetic {
            rounding: Rounding::of_code(reordered((control >> ROUNDING) as u32)),
            flushes_results: flushes,
            flushes_operands: flushes,
            traps: Exceptions((control >> TRAPS) as u8 & ALL_EXCEPTIONS),
            raised: Exceptions(status as u8 & ALL_EXCEPTIONS),
        })
    }

    pub fn set(modes: Arithmetic) -> bool {
        let (control, status) = registers();
        let all = u64::from(ALL_EXCEPTIONS);
        let mut control = control & !(all << TRAPS | 3 << ROUNDING | FLUSHES);
        control |= u64::from(modes.traps.0) << TRAPS;
        control |= u64::from(reordered(modes.rounding.code())) << ROUNDING;
        if modes.flushes_results || modes.flushes_operands {
            control |= FLUSHES;
        }
        let status = status & !all | u64::from(modes.raised.0);
        // SAFETY: reserved bits have the values that the processor gave them. It ignores traps that it does not have.
        unsafe {
            asm!("msr fpcr, {}", "msr fpsr, {}", in(reg) control, in(reg) status, options(nomem, nostack, preserves_flags));
        }
        true
    }

    fn registers() -> (u64, u64) {
        let (control, status): (u64, u64);
        // SAFETY: it only reads the registers.
        unsafe {
            asm!("mrs {}, fpcr", "mrs {}, fpsr", out(reg) control, out(reg) status, options(nomem, nostack, preserves_flags));
        }
        (control, status)
    }
}

#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64"))))]
mod processor {
    use super::Arithmetic;

    pub fn current() -> Option<Arithmetic> {
        None
    }

    pub fn set(_modes: Arithmetic) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Arithmetic> {
        Rounding::ALL.into_iter().flat_map(|rounding| {
            (0..32).map(move |bits: u8| Arithmetic {
                rounding,
                flushes_results: bits & 1 != 0,
                flushes_operands: bits & 1 != 0,
                // A trap would stop the test at the next inexact result.
                traps: Exceptions(0),
                raised: Exceptions(bits),
            })
        })
    }

    #[test]
    fn each_mode_has_a_number_and_no_other_number_is_read() {
        let traps = (0..32).map(|bits| Arithmetic {
            rounding: Rounding::Nearest,
            flushes_results: true,
            flushes_operands: false,
            traps: Exceptions(bits),
            raised: Exceptions(!bits & ALL_EXCEPTIONS),
        });
        for modes in all().chain(traps) {
            assert_eq!(Arithmetic::decode(Arithmetic::encode(Some(modes))), Some(Some(modes)));
        }
        assert_eq!(Arithmetic::decode(0), Some(None));
        assert_eq!(Arithmetic::decode(1), None);
        assert_eq!(Arithmetic::decode(KNOWN | 1 << 4), None);
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[test]
    fn an_exception_of_long_double_is_read() {
        std::thread::spawn(|| {
            let Some(before) = Arithmetic::current() else { return };
            let without = Arithmetic { raised: Exceptions(0), ..before };
            assert_eq!(without.set(), None);
            // SAFETY: it divides 1 by 0, and leaves the stack of the x87 unit empty. The exception is masked.
            unsafe {
                std::arch::asm!("fld1", "fldz", "fdivp", "fstp st(0)", out("st(0)") _, out("st(1)") _, options(nomem, nostack));
            }
            let now = Arithmetic::current();
            assert_eq!(without.set(), None);
            let cleared = Arithmetic::current();
            assert_eq!(before.set(), None);
            assert_eq!(now, Some(Arithmetic { raised: Exceptions(1 << 1), ..before }));
            assert_eq!(cleared, Some(without));
        })
        .join()
        .unwrap();
    }

    #[test]
    fn the_modes_of_a_thread_can_be_set_and_read() {
        std::thread::spawn(|| {
            let Some(before) = Arithmetic::current() else { return };
            for modes in all() {
                assert_eq!(modes.set(), None);
                let now = Arithmetic::current();
                assert_eq!(before.set(), None);
                assert_eq!(now, Some(modes));
            }
        })
        .join()
        .unwrap();
    }
}
