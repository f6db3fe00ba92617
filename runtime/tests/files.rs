//! Files that execute blocks open, through a stop and a restart.
//!
//! Input: the calls of a translated program that writes a file.
//! Output: the file, and other files next to it.
//! Postcondition: the file is what it was at the checkpoint, or the restart was refused and nothing is lost.

mod running;

use cppc_runtime::files::ProgramHandle;
use cppc_runtime::manifest::{Access, Before, Condition, OpenFile, PlanEntry};
use running::{Program, TestDirectory};
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A directory with the state and the files of one program.
struct Scene {
    place: TestDirectory,
    room: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Scene {
        let room = std::env::temp_dir().join(format!("cppc-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&room);
        fs::create_dir_all(&room).unwrap();
        Scene { place: TestDirectory::new(&format!("files-{name}")), room: room.canonicalize().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.room.join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.room)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Writes `early` to the file before the checkpoint, and `late` after it.
    fn written(&self, early: &str, late: &str) {
        let (mut program, next) = self.place.start(3);
        assert_eq!(next, 0);
        let mut file = block(&mut program, &self.path("out"), create).unwrap();
        program.jump_next();
        file.write_all(early.as_bytes()).unwrap();
        assert!(!program.checkpoint(3));
        file.write_all(late.as_bytes()).unwrap();
    }

    fn saved(&self) -> OpenFile {
        let manifest = self.place.manifest(1);
        let PlanEntry::Open { entries, .. } = &manifest.plan[0] else { panic!("main is open") };
        let files = entries.iter().find_map(|entry| match entry {
            PlanEntry::Execute { files, .. } => files.first().cloned(),
            _ => None,
        });
        files.expect("the block opens a file")
    }

    fn aside(&self) -> PathBuf {
        let run = self.place.manifest(1).provenance.run;
        self.path(&format!("out.cppc-{run:016x}"))
    }

    /// Starts again, up to the end of the block.
    fn resumed(&self) -> Result<(Program, File), String> {
        let (mut program, next) = self.place.start(3);
        assert_eq!(next, 2);
        let file = block(&mut program, &self.path("out"), create)?;
        assert_eq!(program.jump_next(), 3);
        assert!(program.checkpoint(3));
        Ok((program, file))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.room);
    }
}

fn create(path: &Path) -> File {
    File::create(path).unwrap()
}

/// Execute block 2, up to the call at its end. Returns the message if the run has to stop.
fn block(program: &mut Program, path: &Path, open: fn(&Path) -> File) -> Result<File, String> {
    program.execute(2);
    program.controller.file(1, path.as_os_str().as_bytes(), "out").map_err(|stop| stop.message)?;
    let file = open(path);
    // SAFETY: there is no stream.
    unsafe { program.controller.opened(1, ProgramHandle::Descriptor(file.as_raw_fd())) }
        .map_err(|stop| stop.message)?;
    Ok(file)
}

#[test]
fn what_was_written_after_the_checkpoint_is_cut_off() {
    let scene = Scene::new("cut");
    scene.written("up to the checkpoint\n", "and beyond\n");
    let saved = scene.saved();
    assert_eq!(
        (saved.condition, saved.access, saved.before),
        (Condition::Open, Access::Writing, Before::Missing)
    );
    assert_eq!((saved.length_bytes, saved.position_bytes), (21, 21));
    let (_program, mut file) = scene.resumed().unwrap();
    assert_eq!(scene.read("out"), "up to the checkpoint\n");
    assert_eq!(file.stream_position().unwrap(), 21);
    file.write_all(b"again\n").unwrap();
    assert_eq!(scene.read("out"), "up to the checkpoint\nagain\n");
    assert_eq!(scene.names(), ["out"]);
}

#[test]
fn a_file_that_is_missing_or_shorter_ends_the_restart_by_name() {
    let scene = Scene::new("shorter");
    scene.written("up to the checkpoint\n", "");
    fs::write(scene.path("out"), "up to").unwrap();
    let said = scene.resumed().err().unwrap();
    assert!(said.contains("out` has 5 bytes, but 21 at the checkpoint"), "{said}");
    assert_eq!(scene.read("out"), "up to");
    fs::remove_file(scene.path("out")).unwrap();
    let said = scene.resumed().err().unwrap();
    assert!(said.contains("out` is missing; it had 21 bytes"), "{said}");
    fs::create_dir(scene.path("out")).unwrap();
    let said = scene.resumed().err().unwrap();
    assert!(said.contains("out` is a directory"), "{said}");
    assert_eq!(scene.names(), ["out"]);
}

#[test]
fn killed_while_the_file_is_aside_it_is_found_there() {
    let scene = Scene::new("aside");
    scene.written("up to the checkpoint\n", "and beyond\n");
    let (mut program, _) = scene.place.start(3);
    program.execute(2);
    program.controller.file(1, scene.path("out").as_os_str().as_bytes(), "out").unwrap();
    drop(program);
    assert!(!scene.path("out").exists() && scene.aside().exists());
    // If the left-over file equals the start of the set-aside file, removing it loses nothing. Any other
    // file is kept.
    fs::write(scene.path("out"), "up to").unwrap();
    drop(scene.resumed().unwrap());
    assert_eq!(
        (scene.names(), scene.read("out")),
        (vec!["out".to_owned()], "up to the checkpoint\n".to_owned())
    );
    fs::rename(scene.path("out"), scene.aside()).unwrap();
    fs::write(scene.path("out"), "of somebody else").unwrap();
    drop(scene.resumed().unwrap());
    assert_eq!(scene.read("out"), "up to the checkpoint\n");
    let left = format!("{}.1", scene.aside().file_name().unwrap().to_str().unwrap());
    assert_eq!(scene.names(), ["out", &left]);
    assert_eq!(scene.read(&left), "of somebody else");
}

#[test]
fn what_another_run_has_put_aside_is_left_there() {
    let scene = Scene::new("other-run");
    scene.written("up to the checkpoint\n", "and beyond\n");
    fs::write(scene.path("out.cppc-0000000000000001"), "of another run").unwrap();
    drop(scene.resumed().unwrap());
    assert_eq!(scene.read("out"), "up to the checkpoint\n");
    assert_eq!(scene.read("out.cppc-0000000000000001"), "of another run");
}

#[test]
fn a_link_in_the_place_of_what_was_put_aside_is_not_followed() {
    let scene = Scene::new("planted");
    scene.written("up to the checkpoint\n", "");
    fs::write(scene.path("precious"), "a long text that nobody may cut off anywhere").unwrap();
    std::os::unix::fs::symlink(scene.path("precious"), scene.aside()).unwrap();
    let said = scene.resumed().err().unwrap();
    assert!(said.contains("is a symbolic link"), "{said}");
    assert_eq!(scene.read("precious").len(), 44);
    assert_eq!(scene.read("out"), "up to the checkpoint\n");
}

#[test]
fn only_the_file_that_the_program_names_again_is_touched() {
    let scene = Scene::new("renamed");
    scene.written("up to the checkpoint\n", "and beyond\n");
    fs::write(scene.path("else"), "another").unwrap();
    let (mut program, _) = scene.place.start(3);
    let said = block(&mut program, &scene.path("else"), create).err().unwrap();
    assert!(said.contains("else`, but the state file has"), "{said}");
    assert_eq!((scene.read("else"), scene.read("out").len()), ("another".to_owned(), 32));
}

#[test]
fn a_block_that_opens_something_else_gets_nothing_thrown_away() {
    let scene = Scene::new("elsewhere");
    scene.written("up to the checkpoint\n", "and beyond\n");
    let (mut program, _) = scene.place.start(3);
    let other = |path: &Path| {
        fs::write(path, "made by the block in another way").unwrap();
        File::create(path.with_file_name("else")).unwrap()
    };
    let said = block(&mut program, &scene.path("out"), other).err().unwrap();
    assert!(said.contains("is not the file that the execute block has opened"), "{said}");
    assert_eq!(fs::read_to_string(scene.aside()).unwrap(), "up to the checkpoint\n");
    assert_eq!(scene.read("out"), "made by the block in another way");
}

#[test]
fn links_are_followed_as_the_program_follows_them() {
    let scene = Scene::new("link");
    fs::create_dir(scene.path("far")).unwrap();
    std::os::unix::fs::symlink("far/file", scene.path("out")).unwrap();
    scene.written("up to the checkpoint\n", "and beyond\n");
    drop(scene.resumed().unwrap());
    assert!(fs::symlink_metadata(scene.path("out")).unwrap().is_symlink());
    assert_eq!(scene.read("far/file"), "up to the checkpoint\n");
    assert_eq!(fs::read_dir(scene.path("far")).unwrap().count(), 1);
}

#[test]
fn a_name_that_leads_elsewhere_stops_the_writing_of_state() {
    let scene = Scene::new("misnamed");
    let (mut program, _) = scene.place.start(3);
    let elsewhere = |path: &Path| File::create(path.with_file_name("else")).unwrap();
    let _file = block(&mut program, &scene.path("out"), elsewhere).unwrap();
    program.jump_next();
    program.checkpoint(3);
    assert!(!scene.place.path(1).exists(), "state was written that nobody could resume");
}

#[test]
fn a_file_without_its_name_stops_the_writing_of_state() {
    let scene = Scene::new("unlinked");
    let (mut program, _) = scene.place.start(3);
    let _file = block(&mut program, &scene.path("out"), create).unwrap();
    program.jump_next();
    program.checkpoint(3);
    assert!(scene.place.path(1).exists());
    fs::rename(scene.path("out"), scene.path("moved")).unwrap();
    program.checkpoint(3);
    assert!(!scene.place.path(2).exists());
}

#[test]
fn what_has_no_length_is_left_alone() {
    let scene = Scene::new("device");
    let (mut program, _) = scene.place.start(3);
    let _file = block(&mut program, Path::new("/dev/null"), |path| {
        OpenOptions::new().write(true).open(path).unwrap()
    });
    program.jump_next();
    program.checkpoint(3);
    assert_eq!(scene.saved().condition, Condition::LeftAlone);
    drop(program);
    let (mut program, _) = scene.place.start(3);
    block(&mut program, Path::new("/dev/null"), |path| OpenOptions::new().write(true).open(path).unwrap())
        .unwrap();
    assert_eq!(program.jump_next(), 3);
}

#[test]
fn a_pipe_that_is_open_stops_the_writing_of_state_until_it_is_closed() {
    let scene = Scene::new("pipe");
    assert!(std::process::Command::new("mkfifo").arg(scene.path("out")).status().unwrap().success());
    let (mut program, _) = scene.place.start(3);
    let both = |path: &Path| OpenOptions::new().read(true).write(true).open(path).unwrap();
    let pipe = block(&mut program, &scene.path("out"), both).unwrap();
    program.jump_next();
    program.checkpoint(3);
    assert!(!scene.place.path(1).exists(), "state was written, and what is in the pipe would be lost");
    drop(pipe);
    program.checkpoint(3);
    assert!(scene.place.path(2).exists());
}

#[test]
fn a_file_that_was_closed_is_not_emptied_either() {
    let scene = Scene::new("closed");
    let (mut program, _) = scene.place.start(3);
    let mut file = block(&mut program, &scene.path("out"), create).unwrap();
    program.jump_next();
    file.write_all(b"all of it\n").unwrap();
    drop(file);
    program.checkpoint(3);
    assert_eq!((scene.saved().condition, scene.saved().length_bytes), (Condition::Closed, 10));
    OpenOptions::new().append(true).open(scene.path("out")).unwrap().write_all(b"more").unwrap();
    drop(program);
    let (program, mut file) = scene.resumed().unwrap();
    assert_eq!((scene.read("out"), scene.names()), ("all of it\n".to_owned(), vec!["out".to_owned()]));
    // If the program finds the handle open and uses it, nothing is lost.
    file.write_all(b"late\n").unwrap();
    assert_eq!(scene.read("out"), "all of it\nlate\n");
    drop((program, file));
    // The file was removed after the checkpoint, because the program no longer needed it.
    fs::remove_file(scene.path("out")).unwrap();
    drop(scene.resumed().unwrap());
    assert_eq!(scene.names(), [""; 0]);
}

#[test]
fn a_file_that_was_there_before_is_there_for_the_block() {
    let scene = Scene::new("before");
    let update = |path: &Path| {
        let mut file = OpenOptions::new().read(true).write(true).open(path).unwrap();
        let header = std::io::read_to_string(&mut file).unwrap();
        assert!(header.starts_with("header\n") && header.len() < 20, "{header}");
        file.rewind().unwrap();
        file.write_all(b"HEADER\n").unwrap();
        file
    };
    fs::write(scene.path("out"), "header\n").unwrap();
    let (mut program, _) = scene.place.start(3);
    let mut file = block(&mut program, &scene.path("out"), update).unwrap();
    program.jump_next();
    fs::write(scene.path("out"), "header\none\n").unwrap();
    file.seek(std::io::SeekFrom::End(0)).unwrap();
    program.checkpoint(3);
    assert_eq!(scene.saved().before, Before::Kept);
    file.write_all(b"much later than that\n").unwrap();
    drop((program, file));
    let (mut program, _) = scene.place.start(3);
    let mut file = block(&mut program, &scene.path("out"), update).unwrap();
    assert_eq!((scene.read("out"), file.stream_position().unwrap()), ("header\none\n".to_owned(), 11));
    assert_eq!(scene.names(), ["out"]);
}

#[test]
fn a_file_that_was_seen_to_be_written_anew_may_be_shorter() {
    let scene = Scene::new("anew");
    let (mut program, _) = scene.place.start(3);
    let mut file = block(&mut program, &scene.path("out"), create).unwrap();
    program.jump_next();
    for number in 1..=3u8 {
        file.set_len(0).unwrap();
        file.rewind().unwrap();
        file.write_all(&[b'0' + number; 9]).unwrap();
        // The clock of a file system may be coarse.
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(u64::from(number));
        file.set_modified(later).unwrap();
        program.checkpoint(3);
    }
    file.set_len(0).unwrap();
    drop((program, file));
    fs::write(scene.path("out"), "4").unwrap();
    let (program, mut file) = scene.resumed().unwrap();
    assert_eq!((scene.read("out"), file.stream_position().unwrap()), ("4\0\0\0\0\0\0\0\0".to_owned(), 9));
    drop(program);
}

#[test]
fn what_a_lost_run_has_opened_after_the_checkpoint_is_undone() {
    let scene = Scene::new("undone");
    fs::write(scene.path("log"), "before\n").unwrap();
    let fresh = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path).unwrap();
    let log = |path: &Path| OpenOptions::new().append(true).open(path).unwrap();
    let both = |program: &mut Program| {
        block(program, &scene.path("fresh"), fresh).unwrap().write_all(b"new").unwrap();
        program.jump_next();
        block(program, &scene.path("log"), log).unwrap().write_all(b"after\n").unwrap();
        program.jump_next();
    };
    let (mut program, _) = scene.place.start(3);
    program.checkpoint(3);
    both(&mut program);
    // The result does not depend on how often a run is lost.
    for _ in 0..2 {
        drop(program);
        let (next, found) = scene.place.start(3);
        (program, _) = (next, assert_eq!(found, 3));
        assert!(program.checkpoint(3));
        both(&mut program);
        assert_eq!(
            (scene.read("fresh"), scene.read("log")),
            ("new".to_owned(), "before\nafter\n".to_owned())
        );
    }
    drop(program);
    // A file that was created there after the checkpoint does not belong to the run.
    fs::write(scene.path("other"), "of somebody else\n").unwrap();
    fs::rename(scene.path("other"), scene.path("log")).unwrap();
    let (mut program, _) = scene.place.start(3);
    assert!(program.checkpoint(3));
    both(&mut program);
    assert_eq!(scene.read("log"), "of somebody else\nafter\n");
    assert!(!scene.place.path(2).exists());
}

#[test]
fn runs_whose_files_are_closed_leave_the_plan_but_for_the_last() {
    let scene = Scene::new("many");
    let (mut program, _) = scene.place.start(3);
    let mut open = Vec::new();
    for number in 0..300 {
        let file = block(&mut program, &scene.path(&format!("part.{number}")), create).unwrap();
        program.jump_next();
        if number % 100 == 0 {
            open.push(file);
        }
    }
    program.checkpoint(3);
    let runs = |number: u32| {
        let manifest = scene.place.manifest(number);
        let PlanEntry::Open { entries, .. } = &manifest.plan[0] else { panic!("main is open") };
        let names = entries.iter().filter_map(|entry| match entry {
            PlanEntry::Execute { files, .. } => {
                Some(files[0].name.rsplit('.').next().unwrap().parse::<u32>().unwrap())
            }
            _ => None,
        });
        names.collect::<Vec<_>>()
    };
    // Three files are open, and 256 entries of the others stay in the plan.
    assert_eq!(runs(1), [vec![0], (42..300).collect()].concat());
    drop((program, open));
    let (mut program, _) = scene.place.start(3);
    for number in runs(1) {
        // The program keeps it open to the end.
        std::mem::forget(block(&mut program, &scene.path(&format!("part.{number}")), create).unwrap());
        program.jump_next();
    }
    assert!(program.checkpoint(3));
}

/// One process, two files in one block.
fn announce(program: &mut Program, names: [&[u8]; 2]) -> Result<(), String> {
    program.execute(2);
    for (number, name) in (1..).zip(names) {
        program.controller.file(number, name, "out").map_err(|stop| stop.message)?;
    }
    Ok(())
}

#[test]
fn a_name_that_is_lost_stops_the_restart_before_any_file_of_the_block_is_touched() {
    let scene = Scene::new("lost-name");
    let (first, second) = (scene.path("first"), scene.path("second"));
    let names = [first.as_os_str().as_bytes(), second.as_os_str().as_bytes()];
    {
        let (mut program, _) = scene.place.start(3);
        announce(&mut program, names).unwrap();
        let files = [create(&first), create(&second)];
        for (number, file) in (1..).zip(&files) {
            // SAFETY: there is no stream.
            unsafe { program.controller.opened(number, ProgramHandle::Descriptor(file.as_raw_fd())) }
                .unwrap();
        }
        program.jump_next();
        files.iter().for_each(|mut file| file.write_all(b"up to the checkpoint\n").unwrap());
        assert!(!program.checkpoint(3));
    }
    for (lost, shown) in [
        (&b"\xfe\xfe\x1b"[..], r"`\xfe\xfe\x1b`"),
        (b"", "``"),
        (&[b'x'; 5000], "xxx...`"),
        (first.as_os_str().as_bytes(), "first`"),
    ] {
        let (mut program, _) = scene.place.start(3);
        let said = announce(&mut program, [names[0], lost]).unwrap_err();
        assert!(said.contains(shown) && said.contains("second` there: add `capture("), "{said}");
        assert_eq!(scene.names(), ["first", "second"]);
        assert_eq!(scene.read("first"), "up to the checkpoint\n");
    }
}

#[test]
fn a_name_that_no_state_file_can_keep_stops_the_writing_of_state() {
    for (what, name, reason) in [
        ("bytes", &b"\xfe"[..], "is not UTF-8 text"),
        ("empty", b"", "is empty"),
        ("long", &[b'x'; 5000], "is longer than any path"),
    ] {
        let scene = Scene::new(&format!("unkept-{what}"));
        let (mut program, _) = scene.place.start(3);
        program.execute(2);
        program.controller.file(1, name, "out").unwrap();
        program.jump_next();
        program.checkpoint(3);
        assert!(!scene.place.path(1).exists(), "{reason}");
    }
}
