//! The text of entries: `docs/catalogue.md` describes it.
//!
//! Input: the text of one entry after its names.
//! Output: the entry, or a description of the mistake in the text.

use crate::effects::{OnlyIf, Opens};

use super::entry::{
    Address, Certainty, Effect, Entry, Extent, Factor, HandleUse, Parameter, Peer, Product, Sum, Until,
    Written,
};

/// How the procedures of a section are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// C: a parameter without words is a value.
    C,
    /// C, and Fortran may call the same procedure under its name with an underscore.
    CAndFortran,
    /// MPI: as C; the interfaces of Fortran follow by rule.
    Mpi,
    /// External procedures of Fortran: a parameter without words is a scalar that is read.
    Fortran,
    /// Procedures of modules of Fortran, under their names without the module.
    Modules,
    /// Intrinsic procedures and statements: `fortran%sin`. A parameter without words is read as a whole.
    Intrinsics,
}

impl Section {
    pub fn of_word(word: &str) -> Option<Section> {
        Some(match word {
            "c" => Section::C,
            "c and fortran" => Section::CAndFortran,
            "mpi" => Section::Mpi,
            "fortran" => Section::Fortran,
            "modules" => Section::Modules,
            "intrinsics" => Section::Intrinsics,
            _ => return None,
        })
    }
}

/// `(a: in(n), n) -> to(a): stops`. `value` is the value of `@`.
pub fn entry(text: &str, section: Section, value: i64) -> Result<Entry, String> {
    let close = closing(text).ok_or_else(|| "`)` is missing".to_owned())?;
    let inside = &text[1..close];
    let rest = text[close + 1..].trim();
    let (result, effects) = match rest.strip_prefix("->") {
        Some(rest) => rest.split_once(": ").unwrap_or((rest, "")),
        None => ("", rest.strip_prefix(':').unwrap_or(rest)),
    };
    if !rest.is_empty() && !rest.starts_with("->") && !rest.starts_with(':') {
        return Err(format!("expected `->` or `:` before `{rest}`"));
    }
    let listed: Vec<(&str, Option<&str>)> = separated(inside)
        .into_iter()
        .map(|text| {
            text.split_once(':').map_or((text, None), |(name, words)| (name.trim(), Some(words.trim())))
        })
        .collect();
    let names = Names { listed: &listed, value };
    let mut entry = Entry::default();
    for (name, words) in &listed {
        let parameter = names.parameter(name, *words, section)?;
        if *name == "..." {
            entry.rest = Some(parameter);
        } else if entry.rest.is_some() {
            return Err("`...` is the last parameter".to_owned());
        } else {
            entry.parameters.push(parameter);
        }
    }
    names.result(result.trim(), &mut entry)?;
    for effect in separated(effects) {
        entry.effects.push(names.effect(effect)?);
    }
    Ok(entry)
}

/// The names of the parameters, while an entry is read.
struct Names<'a> {
    listed: &'a [(&'a str, Option<&'a str>)],
    value: i64,
}

impl Names<'_> {
    fn position(&self, name: &str) -> Result<usize, String> {
        let found = self.listed.iter().position(|(listed, _)| *listed == name);
        found.ok_or_else(|| format!("there is no parameter `{name}`"))
    }

    fn parameter(&self, name: &str, words: Option<&str>, section: Section) -> Result<Parameter, String> {
        let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if name.is_empty() || (name != "..." && !is_name(name)) {
            return Err(format!("`{name}` is not a name of a parameter"));
        }
        let mut parameter = Parameter { name: name.to_owned(), ..Parameter::default() };
        if words.is_none() {
            parameter.reads = match section {
                Section::C | Section::CAndFortran | Section::Mpi => None,
                Section::Fortran | Section::Modules => Some(Extent::element()),
                Section::Intrinsics => Some(Extent::All),
            };
        }
        for (word, inside) in Words(words.unwrap_or_default()) {
            self.word(&mut parameter, word, inside)?;
        }
        if section == Section::Intrinsics || section == Section::Modules {
            whole(&mut parameter);
        }
        Ok(parameter)
    }

    fn word(&self, parameter: &mut Parameter, word: &str, inside: Option<&str>) -> Result<(), String> {
        let extent = || inside.map_or(Ok(Extent::Unknown), |text| self.extent(text));
        let kind =
            || inside.map(str::to_owned).ok_or_else(|| format!("`{word}` needs a kind: `{word}(stream)`"));
        let written = |extent, certainty| Some(Written { extent, certainty });
        match word {
            "in" => parameter.reads = Some(extent()?),
            "out" => {
                let extent = inside.map_or(Ok(Extent::element()), |text| self.extent(text))?;
                parameter.writes = written(extent, Certainty::Certain);
            }
            "part" => parameter.writes = written(extent()?, Certainty::Possible),
            "message" => parameter.writes = written(extent()?, Certainty::Message),
            "both" => {
                parameter.reads = Some(extent()?);
                parameter.writes = written(extent()?, Certainty::Possible);
            }
            "deep" => parameter.deep = true,
            "keep" => {
                parameter.keeps = Some(match inside {
                    Some(name) => Until::Handle(self.position(name)?),
                    None => Until::End,
                });
            }
            "started" => {
                parameter.keeps = Some(Until::Started(self.position(inside.unwrap_or_default())?));
            }
            "frees" => parameter.frees = true,
            "calls" => parameter.calls = true,
            "copied" => parameter.copied_to = Some(self.position(inside.unwrap_or_default())?),
            "inplace" => parameter.in_place = Some(self.position(inside.unwrap_or_default())?),
            "handle" => parameter.handle = Some(HandleUse::Uses(kind()?)),
            "makes" => {
                parameter.handle = Some(HandleUse::Makes(kind()?));
                if parameter.writes.is_none() {
                    parameter.writes = written(Extent::element(), Certainty::Certain);
                }
            }
            "ends" => parameter.handle = Some(HandleUse::Ends(kind()?)),
            _ => match self.address(word, inside)? {
                Some(address) => parameter.stores.push(address),
                None => return Err(format!("unknown word `{word}`")),
            },
        }
        Ok(())
    }

    fn address(&self, word: &str, inside: Option<&str>) -> Result<Option<Address>, String> {
        Ok(Some(match word {
            "to" => Address::Into(self.position(inside.unwrap_or_default())?),
            "at" => Address::At(self.position(inside.unwrap_or_default())?),
            "new" => {
                let bytes = inside.map(|text| self.sum(text)).transpose()?;
                Address::New { bytes, zeroed: false, copies: None }
            }
            "static" => Address::Static,
            "unknown" => Address::Unknown,
            _ => return Ok(None),
        }))
    }

    fn result(&self, text: &str, entry: &mut Entry) -> Result<(), String> {
        for (word, inside) in Words(text) {
            if let Some(address) = self.address(word, inside)? {
                entry.result.push(address);
                continue;
            }
            match (word, inside, entry.result.last_mut()) {
                ("zeroed", None, Some(Address::New { zeroed, .. })) => *zeroed = true,
                ("copy", Some(name), Some(Address::New { copies, .. })) => {
                    *copies = Some(self.position(name)?)
                }
                ("makes", Some(kind), _) => entry.result_handle = Some(HandleUse::Makes(kind.to_owned())),
                ("handle", Some(kind), _) => entry.result_handle = Some(HandleUse::Uses(kind.to_owned())),
                _ => return Err(format!("unknown word `{word}` after `->`")),
            }
        }
        Ok(())
    }

    fn effect(&self, text: &str) -> Result<Effect, String> {
        let Some((word, inside)) = Words(text).next() else { return Err("an effect is missing".to_owned()) };
        let listed = inside.map(separated).unwrap_or_default();
        let optional = |name: &str| if name == "-" { Ok(None) } else { self.position(name).map(Some) };
        let peer = || match listed[..] {
            [process, tag, communicator] => Ok(Peer {
                process: optional(process)?,
                tag: optional(tag)?,
                communicator: optional(communicator)?,
            }),
            _ => Err(format!("`{word}` needs three names: `{word}(peer, tag, comm)`")),
        };
        let one = || match listed[..] {
            [name] => Ok(name),
            _ => Err(format!("`{word}` needs one name")),
        };
        let state = |reads, writes, adds, begins| {
            let (name, only_if) = match listed[..] {
                [name] => (name, None),
                [name, condition] => (name, Some(self.condition(condition)?)),
                _ => return Err(format!("`{word}` needs a state, and possibly a condition")),
            };
            Ok(Effect::State { reads, writes, adds, begins, name: name.to_owned(), only_if })
        };
        Ok(match word {
            "stops" => Effect::Stops,
            "jumps" => Effect::Jumps,
            "twice" => Effect::ReturnsTwice,
            "threads" => Effect::Threads,
            "opaque" => Effect::Opaque,
            "sends" => Effect::Sends(peer()?),
            "receives" => Effect::Receives(peer()?),
            "probes" => Effect::Probes(peer()?),
            "collective" => Effect::Collective(optional(one()?)?),
            "waits" => Effect::Waits(self.position(one()?)?),
            "tests" => Effect::Tests(self.position(one()?)?),
            "starts" => Effect::Starts(self.position(one()?)?),
            "reads" => state(true, false, false, false)?,
            "writes" => state(false, true, false, false)?,
            "changes" => state(true, true, false, false)?,
            "adds" => state(true, true, true, false)?,
            "begins" => state(false, false, false, true)?,
            "sets" => Effect::Sets { variable: one()?.to_owned(), reads: false },
            "updates" => Effect::Sets { variable: one()?.to_owned(), reads: true },
            "opens" => match listed[..] {
                [file] => Effect::Opens(Opens { file: self.position(file)?, mode: None }),
                [file, mode] => {
                    Effect::Opens(Opens { file: self.position(file)?, mode: Some(self.position(mode)?) })
                }
                _ => return Err("`opens` needs the name of a file, and possibly a mode".to_owned()),
            },
            "removes" => Effect::Removes(self.position(one()?)?),
            "renames" => match listed[..] {
                [old, new] => Effect::Renames(self.position(old)?, self.position(new)?),
                _ => return Err("`renames` needs two names of files".to_owned()),
            },
            "asks" => Effect::Asks(self.position(one()?)?),
            "creates" => Effect::Creates(self.position(one()?)?),
            "truncates" => Effect::Truncates(self.position(one()?)?),
            "shortens" => Effect::Shortens(self.position(one()?)?),
            _ => return Err(format!("unknown effect `{word}`")),
        })
    }

    /// `cmd=2|4`, `stream=stdin`, `path=relative`, `text=null`.
    fn condition(&self, text: &str) -> Result<OnlyIf, String> {
        let Some((parameter, values)) = text.split_once('=') else {
            return Err(format!("`{text}` needs a parameter, `=` and its values"));
        };
        let mut found = OnlyIf {
            argument: self.position(parameter.trim())?,
            numbers: Vec::new(),
            names: Vec::new(),
            is_relative: values.trim() == "relative",
            is_null: values.trim() == "null",
        };
        if found.is_relative || found.is_null {
            return Ok(found);
        }
        for value in values.split('|').map(str::trim).filter(|value| *value != "stdin") {
            match value.parse() {
                Ok(number) => found.numbers.push(number),
                Err(_) => found.names.push(value.to_lowercase()),
            }
        }
        Ok(found)
    }

    fn extent(&self, text: &str) -> Result<Extent, String> {
        Ok(match text {
            "text" => Extent::Text,
            "all" => Extent::All,
            _ => Extent::Bytes(self.sum(text)?),
        })
    }

    /// `8*n + m*one`
    fn sum(&self, text: &str) -> Result<Sum, String> {
        let mut sum = Sum::default();
        for text in text.split('+') {
            let mut product = Product { constant: 1, factors: Vec::new() };
            for factor in text.split('*').map(str::trim) {
                let number = match factor {
                    "int" => Some(4),
                    "pointer" => Some(8),
                    "@" => Some(self.value),
                    _ => factor.parse().ok(),
                };
                match number {
                    Some(number) => product.constant *= number,
                    None => product.factors.push(self.factor(factor)?),
                }
            }
            sum.0.push(product);
        }
        Ok(sum)
    }

    fn factor(&self, text: &str) -> Result<Factor, String> {
        if text == "one" {
            return Ok(Factor::Element);
        }
        if let Some(name) = text.strip_prefix("members(").and_then(|text| text.strip_suffix(')')) {
            return Ok(Factor::Members(self.position(name)?));
        }
        let position = self.position(text)?;
        let is_datatype = self.listed[position].1.is_some_and(|words| words.contains("handle(datatype)"));
        Ok(if is_datatype { Factor::Datatype(position) } else { Factor::Argument(position) })
    }
}

/// Arguments of intrinsic and of module procedures are arrays and scalars with known bounds.
fn whole(parameter: &mut Parameter) {
    // The value of a handle is read, also to destroy it.
    if parameter.handle.is_some() && parameter.writes.is_none() {
        parameter.reads.get_or_insert(Extent::All);
    }
    let unclear = |extent: &Extent| *extent == Extent::Unknown || *extent == Extent::element();
    if let Some(extent) = parameter.reads.as_mut().filter(|extent| unclear(extent)) {
        *extent = Extent::All;
    }
    if let Some(written) = parameter.writes.as_mut().filter(|written| unclear(&written.extent)) {
        written.extent = Extent::All;
    }
}

/// The words of a parameter, each with the text in its parentheses.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = (&'a str, Option<&'a str>);

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.0.trim_start();
        if text.is_empty() {
            return None;
        }
        let end = text.find([' ', '(']).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        match rest.starts_with('(').then(|| closing(rest)).flatten() {
            Some(close) => {
                self.0 = &rest[close + 1..];
                Some((word, Some(rest[1..close].trim())))
            }
            None => {
                self.0 = rest.strip_prefix('(').unwrap_or(rest);
                Some((word, None))
            }
        }
    }
}

/// The position of the `)` that closes the first `(` of a text.
pub fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' if depth == 1 => return Some(at),
            b')' | b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The parts between commas that are not in parentheses.
pub fn separated(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}
