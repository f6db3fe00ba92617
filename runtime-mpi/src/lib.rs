//! The communicator over MPI.
//!
//! Input: a program that has called `MPI_Init`, or that never calls it.
//! Output: a communicator of the runtime: two duplicates of `MPI_COMM_WORLD`, so that its messages never match
//! those of the program. Without `MPI_Init`, the communicator of a sequential program.
//! Postcondition: MPI was neither initialized nor finalized here; all calls of MPI come from the thread that
//! calls the runtime.

mod implementation;
mod program;
pub mod memory;
mod message_check;
mod rounds;

use cppc_runtime::agree::communicator::{Counting, InTransit, Report, Words};
use cppc_runtime::agree::{Communicator, SingleProcess};
use message_check::Layer;
use mpi::collective::SystemOperation;
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{AsRaw, Communicator as _, CommunicatorCollectives as _, Root as _};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// All processes of the program.
pub struct World {
    /// Freed only before MPI is finalized.
    communicator: ManuallyDrop<SimpleCommunicator>,
    reductions: RefCell<VecDeque<Reduction>>,
    layer: Option<Layer>,
}

/// A reduction to the smallest value of all processes, in progress.
struct Reduction {
    /// MPI keeps these addresses. The box is freed in `drop`.
    values: NonNull<Values>,
    /// `None` when it is complete.
    request: Option<ffi::MPI_Request>,
}

struct Values {
    sent: i64,
    received: i64,
}

/// Maps unsigned to signed numbers without changing their order: MPICH 4.0 compares unsigned numbers of 64
/// bits as signed ones.
fn signed(value: u64) -> i64 {
    (value ^ (1 << 63)) as i64
}

fn unsigned(value: i64) -> u64 {
    value as u64 ^ (1 << 63)
}

/// Makes the communicator. Every process of the program calls this.
pub fn connect() -> Result<Box<dyn Communicator>, String> {
    if program::replaces_mpi() {
        return Ok(Box::new(SingleProcess::new()));
    }
    if !program::is_initialized() {
        return match program::never_starts_mpi() {
            true => Ok(Box::new(SingleProcess::new())),
            false => Err("`CPPC_Init` was called before `MPI_Init`: place the directive `init` after the call of `MPI_Init`. \
                          If the program never calls it, link the program with `--cppc-mpi=no`"
                .to_owned()),
        };
    }
    if program::is_finalized() {
        return Err("`CPPC_Init` was called after `MPI_Finalize`: call it before".to_owned());
    }
    implementation::compare()?;
    let communicator = SimpleCommunicator::world().duplicate();
    // SAFETY: the communicator is live. Whatever error handler the program has set for its own communicators,
    // an error in this one must be fatal.
    unsafe { ffi::MPI_Comm_set_errhandler(communicator.as_raw(), ffi::RSMPI_ERRORS_ARE_FATAL) };
    let of_rounds = rounds::open();
    let layer = Layer::find();
    if let Some(layer) = &layer {
        [communicator.as_raw(), of_rounds].into_iter().for_each(|own| layer.leave_out(own));
    }
    Ok(Box::new(World {
        communicator: ManuallyDrop::new(communicator),
        reductions: RefCell::default(),
        layer,
    }))
}

impl World {
    fn reduce(&self, value: u64, operation: SystemOperation) -> u64 {
        let mut result = 0;
        self.communicator.all_reduce_into(&signed(value), &mut result, operation);
        unsigned(result)
    }
}

impl Communicator for World {
    fn rank(&self) -> u32 {
        self.communicator.rank() as u32
    }

    fn processes(&self) -> u32 {
        self.communicator.size() as u32
    }

    fn min_u64(&self, value: u64) -> u64 {
        self.reduce(value, SystemOperation::min())
    }

    fn max_u64(&self, value: u64) -> u64 {
        self.reduce(value, SystemOperation::max())
    }

    fn broadcast_u64(&self, root: u32, value: u64) -> u64 {
        let mut value = value;
        self.communicator.process_at_rank(root as i32).broadcast_into(&mut value);
        value
    }

    fn barrier(&self) {
        self.communicator.barrier();
    }

    fn start_min(&self, value: u64) {
        let values = NonNull::from(Box::leak(Box::new(Values { sent: signed(value), received: 0 })));
        let mut request = std::mem::MaybeUninit::uninit();
        // SAFETY: the values stay where they are until the request is complete (see `World::drop`); errors
        // are fatal, so the request exists after the call.
        let request = unsafe {
            ffi::MPI_Iallreduce(
                (&raw const (*values.as_ptr()).sent).cast(),
                (&raw mut (*values.as_ptr()).received).cast(),
                1,
                ffi::RSMPI_INT64_T,
                ffi::RSMPI_MIN,
                self.communicator.as_raw(),
                request.as_mut_ptr(),
            );
            request.assume_init()
        };
        self.reductions.borrow_mut().push_back(Reduction { values, request: Some(request) });
    }

    fn finished_min(&self) -> Option<u64> {
        let mut reductions = self.reductions.borrow_mut();
        if !reductions.front_mut()?.is_done() {
            return None;
        }
        // SAFETY: the request is complete, so MPI no longer writes; the memory lives until `drop`.
        reductions.pop_front().map(|reduction| unsafe { unsigned((*reduction.values.as_ptr()).received) })
    }

    fn wait_mins(&self) {
        for reduction in self.reductions.borrow_mut().iter_mut() {
            reduction.wait();
        }
    }

    fn start_round(&self, words: Words) {
        rounds::start(words);
    }

    fn finished_round(&self) -> Option<Words> {
        rounds::finished()
    }

    fn has_ended(&self) -> bool {
        program::is_finalized()
    }

    fn counting(&self) -> Counting {
        if self.layer.is_some() {
            Counting::Possible
        } else {
            Counting::NotLinked
        }
    }

    fn switch_counting(&self, is_on: bool) {
        if let Some(layer) = &self.layer {
            layer.switch(is_on, self.communicator.as_raw());
        }
    }

    fn check_messages(&self, report: Report) -> InTransit {
        self.layer.as_ref().map_or(InTransit::Nothing, |layer| layer.check(report))
    }

    fn end(&self, code: i32) -> ! {
        self.wait_mins();
        rounds::close();
        // SAFETY: MPI is active, and no operation of ours is pending. Every process does the same.
        unsafe { ffi::MPI_Finalize() };
        std::process::exit(code)
    }

    fn stop(&self, code: i32) -> ! {
        self.communicator.abort(code)
    }
}

impl Reduction {
    fn is_done(&mut self) -> bool {
        let Some(mut request) = self.request else { return true };
        let mut flag = 0;
        // SAFETY: the request is live; MPI frees it when it is complete.
        unsafe { ffi::MPI_Test(&mut request, &mut flag, ffi::RSMPI_STATUS_IGNORE) };
        self.request = (flag == 0).then_some(request);
        flag != 0
    }

    fn wait(&mut self) {
        let Some(mut request) = self.request.take() else { return };
        // SAFETY: as above.
        unsafe { ffi::MPI_Wait(&mut request, ffi::RSMPI_STATUS_IGNORE) };
    }
}

impl Drop for Reduction {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a box, and only this frees it. Either the request is complete, or the
        // value was forgotten instead of dropped.
        drop(unsafe { Box::from_raw(self.values.as_ptr()) });
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if program::is_finalized() {
            // After `MPI_Finalize` nothing can be freed, and memory to which MPI may still write must stay.
            self.reductions.borrow_mut().drain(..).for_each(std::mem::forget);
            return;
        }
        self.wait_mins();
        rounds::close();
        // SAFETY: dropped once, here.
        unsafe { ManuallyDrop::drop(&mut self.communicator) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_order_with_a_sign() {
        let numbers = [0, 1, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX];
        assert!(numbers.windows(2).all(|pair| signed(pair[0]) < signed(pair[1])));
        assert!(numbers.iter().all(|&number| unsigned(signed(number)) == number));
    }
}
