//! What the simulated disk keeps and loses.

use super::*;

fn path(name: &str) -> PathBuf {
    Path::new("/").join(name)
}

#[test]
fn what_was_synced_is_there_and_the_rest_may_be() {
    let disk = Simulated::new();
    let file = disk.open_for_writing(&path("a")).unwrap();
    file.write_at(0, b"old").unwrap();
    file.sync().unwrap();
    disk.sync_dir(Path::new("/")).unwrap();
    file.write_at(0, b"new").unwrap();
    disk.rename(&path("a"), &path("b")).unwrap();

    let lost = disk.after_crash(Unsynced::Lost);
    assert_eq!(content(&lost, "a").as_deref(), Some(&b"old"[..]));
    assert_eq!(content(&lost, "b"), None);
    let kept = disk.after_crash(Unsynced::Kept);
    assert_eq!(content(&kept, "b").as_deref(), Some(&b"new"[..]));
    assert_eq!(content(&kept, "a"), None);
}

#[test]
fn a_stop_lets_nothing_happen_any_more() {
    let disk = Simulated::new();
    let file = disk.open_for_writing(&path("a")).unwrap();
    disk.stop_before(2);
    file.write_at(0, b"x").unwrap();
    assert!(file.sync().is_err() && disk.has_stopped());
    assert!(disk.list(Path::new("/")).is_err());
    assert_eq!(content(&disk.after_crash(Unsynced::Lost), "a"), None);
}

#[test]
fn a_failed_sync_is_not_mended_by_another() {
    let disk = Simulated::new();
    let file = disk.open_for_writing(&path("a")).unwrap();
    disk.sync_dir(Path::new("/")).unwrap();
    file.write_at(0, b"x").unwrap();
    disk.fail_at(disk.operations(), libc::EIO, false);
    assert_eq!(file.sync().unwrap_err().raw_os_error(), Some(libc::EIO));
    file.sync().unwrap();
    assert_eq!(content(&disk.after_crash(Unsynced::Lost), "a").as_deref(), Some(&b""[..]));
}

#[test]
fn a_name_needs_both_its_directories() {
    let disk = Simulated::new();
    disk.create_dir(&path("d")).unwrap();
    disk.open_for_writing(&path("a")).unwrap();
    disk.sync_dir(Path::new("/")).unwrap();
    disk.rename(&path("a"), &path("d/a")).unwrap();
    disk.sync_dir(&path("d")).unwrap();
    assert!(content(&disk.after_crash(Unsynced::Lost), "a").is_some());
    disk.sync_dir(Path::new("/")).unwrap();
    assert!(content(&disk.after_crash(Unsynced::Lost), "d/a").is_some());
}

fn content(disk: &Simulated, name: &str) -> Option<Vec<u8>> {
    let file = disk.open_for_reading(&path(name)).ok()?;
    let mut content = vec![0; file.size_bytes().ok()? as usize];
    file.read_at(0, &mut content).ok()?;
    Some(content)
}

#[test]
fn what_a_stopped_process_wrote_is_seen_and_not_durable() {
    let disk = Simulated::new();
    let file = disk.open_for_writing(&path("a")).unwrap();
    file.write_at(0, b"x").unwrap();
    disk.stop_before(disk.operations());
    assert!(file.sync().is_err());
    disk.restart_process();
    assert_eq!(content(&disk, "a").as_deref(), Some(&b"x"[..]));
    assert_eq!(content(&disk.after_crash(Unsynced::Lost), "a"), None);
    // Another process may make it durable.
    disk.open_for_reading(&path("a")).unwrap().sync().unwrap();
    disk.sync_dir(Path::new("/")).unwrap();
    assert_eq!(content(&disk.after_crash(Unsynced::Lost), "a").as_deref(), Some(&b"x"[..]));
}

#[test]
fn a_failed_sync_of_a_directory_is_not_mended_by_another() {
    let disk = Simulated::new();
    drop(disk.open_for_writing(&path("a")).unwrap());
    disk.fail_at(disk.operations(), libc::EIO, false);
    assert!(disk.sync_dir(Path::new("/")).is_err());
    drop(disk.open_for_writing(&path("b")).unwrap());
    disk.sync_dir(Path::new("/")).unwrap();
    let lost = disk.after_crash(Unsynced::Lost);
    assert_eq!((content(&lost, "a"), content(&lost, "b")), (None, Some(Vec::new())));
}

#[test]
fn a_full_disk_takes_what_it_has_room_for() {
    let disk = Simulated::new();
    disk.limit(Some(10), libc::ENOSPC);
    let file = disk.open_for_writing(&path("a")).unwrap();
    file.write_at(0, b"12345678").unwrap();
    assert_eq!(file.write_at(8, b"9abc").unwrap_err().raw_os_error(), Some(libc::ENOSPC));
    assert_eq!(disk.used_bytes(), 10);
    file.write_at(2, b"again").unwrap();
}
