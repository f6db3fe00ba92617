//! A cache on disk of objects that were compiled again at a link.
//!
//! Input: how an object is compiled: compiler, options, environment and text.
//! Output: the object that was compiled earlier in this way, if all included files have the same content.
//! Postcondition: any problem with the cache is only a miss. An entry is complete. No data is used that another user could
//! have written. Objects of unknown compilers, and those that depend on more than this, are not stored.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::SystemTime;

use cppc_grammar::c::preprocess::{Digest, ProbeCache};
use twox_hash::XxHash3_128;

use super::compiler::Compiler;
use crate::language::Language;

/// The first bytes of an entry. The last of them is the version of the layout.
const MAGIC: &[u8] = b"CPPCOBJ\x01";

/// Above this size, the entries that were not used for the longest time are removed.
const BYTES_LIMIT: u64 = 512 << 20;

/// Beginnings of options with which a compiler reads or writes files that are not in its dependency file.
const OPAQUE: [&str; 14] = [
    "@",
    "--coverage",
    "-coverage",
    "-fauto-profile",
    "-fbranch-probabilities",
    "-fcallgraph-info",
    "-fdump",
    "-fplugin",
    "-fprofile",
    "-fstack-usage",
    "-ftest-coverage",
    "-gsplit-dwarf",
    "-save-temps",
    "-specs",
];

/// Environment variables that gcc, clang and the wrappers of MPI read, and the beginnings of others.
const VARIABLES: [&str; 9] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "CPATH",
    "C_INCLUDE_PATH",
    "COMPILER_PATH",
    "LIBRARY_PATH",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
];
const FAMILIES: [&str; 8] = ["GCC_", "CCC_", "CLANG_", "OMPI_", "OPAL_", "PMIX_", "PRTE_", "MPICH_"];

pub struct ObjectCache {
    directory: PathBuf,
    /// What identifies the compilers. `None` for an unknown one.
    compilers: HashMap<(Vec<OsString>, Language), Option<Vec<u8>>>,
    /// The contents of included files. `None` for a file that cannot be read.
    contents: Mutex<HashMap<PathBuf, Option<u128>>>,
}

/// How an object is compiled.
pub struct Recipe<'a> {
    pub compiler: &'a Compiler,
    pub language: Language,
    pub options: &'a [OsString],
    pub directory: &'a Path,
    pub source: &'a Path,
    pub text: &'a [u8],
    /// The digest of the object that is replaced. It differs if the compiler finds another header than before.
    pub replaced: u128,
}

/// Identifies an entry.
#[derive(Debug, Clone)]
pub struct Key(String);

impl ObjectCache {
    /// A directory in the user's cache.
    pub fn of_environment() -> Option<ObjectCache> {
        let directory = ProbeCache::of_environment()?.directory().join("objects");
        Some(ObjectCache { directory, compilers: HashMap::new(), contents: Mutex::default() })
    }

    /// `None` if the object may depend on something that cannot be observed.
    pub fn key(&mut self, recipe: &Recipe) -> Option<Key> {
        let is_opaque = |option: &OsString| {
            OPAQUE.iter().any(|beginning| option.as_bytes().starts_with(beginning.as_bytes()))
        };
        if recipe.options.iter().any(is_opaque) || reads_files(recipe.text) {
            return None;
        }
        let words = recipe.compiler.words();
        let compiler = self
            .compilers
            .entry((words.to_vec(), recipe.language))
            .or_insert_with(|| identity(recipe.compiler, recipe.language));
        let mut digest = Digest::default();
        digest.word(env!("CARGO_PKG_VERSION").as_bytes());
        digest.word(compiler.as_deref()?);
        digest.words(words);
        digest.words(recipe.options);
        if recipe.options.iter().any(|option| option.as_bytes().ends_with(b"=native")) {
            digest.word(&processor()?);
        }
        for path in [recipe.directory, recipe.source] {
            digest.word(path.as_os_str().as_bytes());
        }
        digest.word(recipe.text);
        digest.word(&recipe.replaced.to_le_bytes());
        Some(Key(digest.text()))
    }

    /// Writes the object of an entry to a path. Returns whether there is one that is still valid.
    pub fn load(&self, key: &Key, directory: &Path, object: &Path) -> bool {
        let path = self.directory.join(&key.0);
        let private = fs::symlink_metadata(&path).is_ok_and(|file| file.is_file()) && self.is_private();
        let Some(bytes) = private.then(|| fs::read(&path).ok()).flatten() else { return false };
        let Some(entry) = Entry::decode(&bytes) else { return false };
        let is_unchanged =
            |(file, digest): &(PathBuf, u128)| self.content(&directory.join(file)) == Some(*digest);
        if !entry.included.iter().all(is_unchanged) || fs::write(object, entry.object).is_err() {
            return false;
        }
        let _ = fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        true
    }

    /// Stores an object. `rule` is the dependency file. It also names the compiled file itself, and the modules that this
    /// file defines and uses: the files and directories in `own`.
    pub fn store(&self, key: &Key, directory: &Path, object: &Path, rule: &Path, own: &[&Path]) {
        let _ = self.try_store(key, directory, object, rule, own);
    }

    fn try_store(
        &self,
        key: &Key,
        directory: &Path,
        object: &Path,
        rule: &Path,
        own: &[&Path],
    ) -> Option<()> {
        let mut included = Vec::new();
        for file in prerequisites(&fs::read(rule).ok()?)? {
            if !own.iter().any(|own| file.starts_with(own)) {
                let digest = self.content(&directory.join(&file))?;
                included.push((file, digest));
            }
        }
        let object = fs::read(object).ok()?;
        let entry = Entry { included, object: &object }.encode();
        use std::os::unix::fs::DirBuilderExt as _;
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.directory).ok()?;
        if !self.is_private() {
            return None;
        }
        let mut draft = tempfile::Builder::new().prefix(DRAFT).tempfile_in(&self.directory).ok()?;
        draft.write_all(&entry).ok()?;
        draft.persist(self.directory.join(&key.0)).ok()?;
        Some(())
    }

    /// Removes old entries if the cache is too large.
    pub fn prune(&self) {
        let Ok(files) = fs::read_dir(&self.directory) else { return };
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = files
            .flatten()
            .filter_map(|file| {
                let metadata = file.metadata().ok()?;
                Some((metadata.modified().ok()?, metadata.len(), file.path()))
            })
            .collect();
        let mut size: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        if size <= BYTES_LIMIT {
            return;
        }
        entries.sort();
        for (_, bytes, path) in entries {
            if size <= BYTES_LIMIT / 4 * 3 {
                return;
            }
            let _ = fs::remove_file(path);
            size -= bytes;
        }
    }

    fn is_private(&self) -> bool {
        ProbeCache::in_directory(self.directory.clone()).is_private()
    }

    /// The digest of a file, which is read once. `None` if it cannot be read, or reads other files.
    fn content(&self, path: &Path) -> Option<u128> {
        let mut contents = self.contents.lock().ok()?;
        if let Some(known) = contents.get(path) {
            return *known;
        }
        let bytes = fs::read(path).ok().filter(|bytes| !reads_files(bytes));
        let digest = bytes.map(|bytes| XxHash3_128::oneshot(&bytes));
        contents.insert(path.to_owned(), digest);
        digest
    }
}

const DRAFT: &str = ".draft-";

/// Whether the assembler may read a file that no dependency file names.
fn reads_files(text: &[u8]) -> bool {
    memchr::memmem::find(text, b".incbin").is_some()
}

/// The version of a compiler with its own description of how it was built, its file, and its environment.
fn identity(compiler: &Compiler, language: Language) -> Option<Vec<u8>> {
    let known: &[&[u8]] = match language {
        Language::C => &[b"gcc version ", b"clang version "],
        // Only the dependency file of gfortran names module files.
        Language::Fortran => &[b"gcc version "],
    };
    let output = compiler.command(&["-v".into()]).stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    let is_known = known.iter().any(|known| text.windows(known.len()).any(|found| found == *known));
    if !output.status.success() || !is_known {
        return None;
    }
    let mut digest = Digest::default();
    digest.word(&text);
    let reads = |name: &OsStr| {
        let begins = |family: &&str| name.as_bytes().starts_with(family.as_bytes());
        VARIABLES.iter().any(|known| name == *known) || FAMILIES.iter().any(begins)
    };
    let mut variables: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| reads(name)).collect();
    variables.sort();
    for (name, value) in variables {
        digest.words(&[name, value]);
    }
    Some(digest.text().into_bytes())
}

/// The processor of this machine, on which the meaning of `-march=native` depends.
fn processor() -> Option<Vec<u8>> {
    const LINES: [&str; 5] = ["model name", "flags", "Features", "CPU part", "isa"];
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let first = text.split("\n\n").next()?;
    let lines: Vec<&str> =
        first.lines().filter(|line| LINES.iter().any(|known| line.starts_with(known))).collect();
    (!lines.is_empty()).then(|| lines.join("\n").into_bytes())
}

/// The files after the colon of a rule of make.
fn prerequisites(rule: &[u8]) -> Option<Vec<PathBuf>> {
    let colon = rule.windows(2).position(|two| two == b": " || two == b":\\")?;
    let mut files = Vec::new();
    let mut name = Vec::new();
    let mut bytes = rule[colon + 1..].iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(&next @ (b' ' | b'#'))) => {
                name.push(next);
                bytes.next();
            }
            (b'\\', Some(b'\n')) => {}
            (b'$', Some(b'$')) => {
                name.push(b'$');
                bytes.next();
            }
            (b' ' | b'\n', _) => {
                if !name.is_empty() {
                    files.push(PathBuf::from(OsString::from_vec(std::mem::take(&mut name))));
                }
            }
            _ => name.push(byte),
        }
    }
    files.extend((!name.is_empty()).then(|| PathBuf::from(OsString::from_vec(name))));
    Some(files)
}

/// An object, and the files that were included when it was compiled.
struct Entry<'a> {
    included: Vec<(PathBuf, u128)>,
    object: &'a [u8],
}

impl<'a> Entry<'a> {
    fn encode(&self) -> Vec<u8> {
        let mut body = (self.included.len() as u32).to_le_bytes().to_vec();
        for (path, digest) in &self.included {
            let path = path.as_os_str().as_bytes();
            body.extend((path.len() as u32).to_le_bytes());
            body.extend(path);
            body.extend(digest.to_le_bytes());
        }
        body.extend(self.object);
        [MAGIC, &XxHash3_128::oneshot(&body).to_le_bytes(), &body].concat()
    }

    fn decode(bytes: &'a [u8]) -> Option<Entry<'a>> {
        let (digest, body) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<16>()?;
        if XxHash3_128::oneshot(body) != u128::from_le_bytes(*digest) {
            return None;
        }
        let (count, mut rest) = body.split_first_chunk::<4>()?;
        let mut included = Vec::new();
        for _ in 0..u32::from_le_bytes(*count) {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let (path, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            let (digest, after) = after.split_first_chunk::<16>()?;
            included.push((OsStr::from_bytes(path).into(), u128::from_le_bytes(*digest)));
            rest = after;
        }
        Some(Entry { included, object: rest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_of_an_object_names_its_files() {
        let rule = b"object.o: /tmp/0/a.c \\\n /usr/include/stdio.h my\\ dir/a$$b.h \\\n c\\#.h\n";
        let expected = ["/tmp/0/a.c", "/usr/include/stdio.h", "my dir/a$b.h", "c#.h"];
        assert_eq!(prerequisites(rule).unwrap(), expected.map(PathBuf::from));
        assert_eq!(prerequisites(b"nothing"), None);
    }

    #[test]
    fn an_entry_is_used_as_long_as_the_included_files_are_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let cache = || ObjectCache {
            directory: at("objects"),
            compilers: HashMap::new(),
            contents: Mutex::default(),
        };
        for (name, text) in [("a.h", "int a;\n"), ("a.o", "object"), ("a.d", "a.o: /tmp/a.c a.h\n")] {
            fs::write(at(name), text).unwrap();
        }
        let key = Key("0".repeat(32));
        let load = || cache().load(&key, directory.path(), &at("again.o"));
        assert!(!load());
        cache().store(&key, directory.path(), &at("a.o"), &at("a.d"), &[Path::new("/tmp/a.c")]);
        assert!(load());
        assert_eq!(fs::read(at("again.o")).unwrap(), b"object");
        fs::write(at("a.h"), "int b;\n").unwrap();
        assert!(!load());
        fs::write(at("a.h"), "int a;\n").unwrap();
        let entry = at("objects").join(&key.0);
        let mut bytes = fs::read(&entry).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&entry, bytes).unwrap();
        assert!(!load());
    }

    #[test]
    fn what_cannot_be_observed_has_no_key() {
        let directory = tempfile::tempdir().unwrap();
        let mut cache = ObjectCache {
            directory: directory.path().to_owned(),
            compilers: HashMap::new(),
            contents: Mutex::default(),
        };
        let compiler = Compiler::of_words(vec!["gcc".into()]);
        let mut key = |option: &str, text: &str| {
            let options = [OsString::from(option)];
            let (directory, source) = (Path::new("/src"), Path::new("a.c"));
            let recipe = Recipe {
                compiler: &compiler,
                language: Language::C,
                options: &options,
                directory,
                source,
                text: text.as_bytes(),
                replaced: 1,
            };
            cache.key(&recipe).map(|key| key.0)
        };
        let usual = key("-O2", "int a;");
        assert!(usual.is_some());
        assert_eq!(key("-O2", "int a;"), usual);
        assert_ne!(key("-O3", "int a;"), usual);
        assert_ne!(key("-O2", "int b;"), usual);
        assert_eq!(key("--coverage", "int a;"), None);
        assert_eq!(key("-O2", "asm(\".incbin \\\"a\\\"\");"), None);
        let unknown = Compiler::of_words(vec!["true".into()]);
        let (directory, source) = (Path::new("/src"), Path::new("a.c"));
        let recipe = Recipe {
            compiler: &unknown,
            language: Language::C,
            options: &[],
            directory,
            source,
            text: b"",
            replaced: 1,
        };
        assert!(cache.key(&recipe).is_none());
    }
}
