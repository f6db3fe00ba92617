//! A simulated program that calls the controller itself and can be started again.
//!
//! Input: settings.
//! Output: controllers that share a state directory.
//! Postcondition: the directory is removed.

use cppc_runtime::agree::SingleProcess;
use cppc_runtime::controller::cells::{Loop, Value};
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::controller::{Controller, Stop};
use cppc_runtime::manifest::{Kind, Manifest};
use cppc_runtime::storage::Posix;
use cppc_runtime::verify::describe;
use std::ffi::OsString;
use std::path::PathBuf;

/// The address of a local variable of the outermost frame; those of inner frames are lower.
const HERE: usize = 1 << 40;
pub const INTEGER_4: i32 = 62;

pub struct TestDirectory(PathBuf);

#[allow(dead_code)] // as below
impl TestDirectory {
    pub fn new(name: &str) -> TestDirectory {
        let path = std::env::temp_dir().join(format!("cppc-running-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        TestDirectory(path)
    }

    /// Starts the program: `main` with this number of blocks, the first of which is `init`. Returns the next
    /// block.
    pub fn start(&self, blocks: i32) -> (Program, i32) {
        let mut controller = Controller::default();
        let dir = format!("--cppc-dir={}", self.0.display());
        let mut arguments = ["running", &dir, "--cppc-every=1", "--cppc-async=false", "--cppc-log=quiet"]
            .map(OsString::from)
            .to_vec();
        controller.enter("main", blocks, HERE).unwrap();
        controller.init(&mut arguments, || Ok(Box::new(SingleProcess::new())), HERE).unwrap();
        let next = controller.jump_next().unwrap();
        (Program { controller, depth: 1 }, next)
    }

    /// The content of the newest state file.
    pub fn manifest(&self, line: u32) -> Manifest {
        describe(&Posix, &self.path(line)).unwrap().manifest().clone()
    }

    /// The path of a state file.
    pub fn path(&self, line: u32) -> PathBuf {
        self.0.join(format!("running/rank-0000/line-{line:06}.cppc"))
    }
}

impl Drop for TestDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub struct Program {
    pub controller: Controller,
    depth: usize,
}

#[allow(dead_code)] // each test uses a part of it
impl Program {
    pub fn here(&self) -> usize {
        HERE - 10_000 * (self.depth - 1)
    }

    pub fn enter(&mut self, name: &str, blocks: i32) -> i32 {
        self.depth += 1;
        let here = self.here();
        self.controller.enter(name, blocks, here).unwrap()
    }

    pub fn leave(&mut self) {
        let here = self.here();
        self.controller.leave(here).unwrap();
        self.depth -= 1;
    }

    pub fn value(&self, slot: i32, x: &i32) -> Value {
        Value {
            cell_number: slot,
            address: x as *const i32 as usize,
            count: 1,
            type_code: INTEGER_4,
            here: self.here(),
        }
    }

    pub fn save(&mut self, slot: i32, x: &i32) {
        let value = self.value(slot, x);
        if !self.controller.save_at_once(value) {
            self.controller.save(value);
        }
    }

    pub fn take(&mut self, slot: i32, x: &mut i32) {
        let value = self.value(slot, x);
        self.controller.take(value).unwrap();
    }

    /// Whether the saved value was restored.
    pub fn register_value(&mut self, slot: i32, x: &mut i32, name: &str) -> bool {
        let value = self.value(slot, x);
        self.controller.register_cell(value, 0, name, cppc_abi::storage::AUTOMATIC).unwrap().is_delivered
    }

    pub fn enter_loop(&mut self, slot: i32, bounds: &mut [i32; 3]) {
        let at = |index: usize| &raw const bounds[index] as usize;
        let header = Loop {
            cell_number: slot,
            first: at(0),
            last: at(1),
            step: at(2),
            type_code: INTEGER_4,
            here: self.here(),
        };
        self.controller.enter_loop(header).unwrap();
    }

    pub fn block(&mut self, block: i32) {
        let here = self.here();
        self.controller.block(block, here).unwrap();
    }

    pub fn call(&mut self, block: i32, callee: &str) -> bool {
        let here = self.here();
        self.controller.call(block, Some(callee), here).unwrap()
    }

    pub fn return_from(&mut self, block: i32) -> bool {
        let here = self.here();
        self.controller.return_from(block, here).unwrap()
    }

    pub fn execute(&mut self, block: i32) -> bool {
        let here = self.here();
        self.controller.execute(block, here).unwrap()
    }

    pub fn jump_next(&mut self) -> i32 {
        self.controller.jump_next().unwrap()
    }

    pub fn checkpoint(&mut self, id: i32) -> bool {
        self.try_checkpoint(id).unwrap()
    }

    pub fn try_checkpoint(&mut self, id: i32) -> Result<bool, Stop> {
        let here = self.here();
        self.controller.checkpoint(id, here)
    }

    pub fn registration<'a>(&self, name: &'a str, type_code: i32, storage: i32) -> Registration<'a> {
        let (section, address, count, kind) = (0, 0, 0, Kind::Memory);
        let (here, keeps_size) = (self.here(), false);
        Registration { section, address, count, type_code, name, storage, kind, here, keeps_size }
    }
}
