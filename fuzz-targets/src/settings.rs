//! Settings from a command line, the environment and a file: lines that begin with `-` are arguments, those with a `=`
//! behind capitals are variables, all others are the file.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use cppc_runtime::settings::Settings;

pub fn gathered(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a directory for temporary files");
    let (mut arguments, mut environment) = (vec![OsString::from("program")], Vec::new());
    let mut file = Vec::new();
    for line in bytes.split(|&byte| byte == b'\n') {
        let name = line.iter().take_while(|byte| byte.is_ascii_uppercase() || **byte == b'_').count();
        match line.get(name) {
            _ if line.starts_with(b"-") => arguments.push(OsStr::from_bytes(line).to_owned()),
            Some(b'=') if name > 0 => {
                let (name, value) = (OsStr::from_bytes(&line[..name]), OsStr::from_bytes(&line[name + 1..]));
                environment.push((name.to_owned(), value.to_owned()));
            }
            _ => {
                file.extend_from_slice(line);
                file.push(b'\n');
            }
        }
    }
    std::fs::write(folder.path().join("cppc.toml"), file).expect("a temporary file");
    let given = arguments.clone();
    if let Err(error) = Settings::gather(&mut arguments, environment, folder.path()) {
        assert!(!error.to_string().is_empty());
    }
    assert!(arguments.iter().all(|argument| given.contains(argument)), "no argument is made up");
}
