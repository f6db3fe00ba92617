//! The words with which statements begin.
//!
//! Input: a cursor.
//! Output: the longest keyword at its position. Keywords are not reserved: the caller has determined that the
//! statement is not an assignment.

use crate::fortran::cursor::Cursor;

macro_rules! keywords {
    ($($keyword:ident: $($part:literal)+;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Keyword { $($keyword),* }

        /// If one begins with another, the longer one is first.
        const KEYWORDS: &[(Keyword, &[&str])] = &[$((Keyword::$keyword, &[$($part),+])),*];
    };
}

keywords! {
    AbstractInterface: "abstract" "interface";
    Accept: "accept";
    Allocatable: "allocatable";
    Allocate: "allocate";
    Assign: "assign";
    Associate: "associate";
    Asynchronous: "asynchronous";
    Automatic: "automatic";
    Backspace: "backspace";
    Bind: "bind";
    BlockData: "block" "data";
    Block: "block";
    Byte: "byte";
    Call: "call";
    CaseDefault: "case" "default";
    Case: "case";
    ChangeTeam: "change" "team";
    Character: "character";
    ClassDefault: "class" "default";
    ClassIs: "class" "is";
    Class: "class";
    Close: "close";
    Codimension: "codimension";
    Common: "common";
    Complex: "complex";
    Contains: "contains";
    Contiguous: "contiguous";
    Continue: "continue";
    Critical: "critical";
    Cycle: "cycle";
    Data: "data";
    Deallocate: "deallocate";
    Decode: "decode";
    DefineFile: "define" "file";
    Delete: "delete";
    Dimension: "dimension";
    DoubleComplex: "double" "complex";
    DoublePrecision: "double" "precision";
    Do: "do";
    Elemental: "elemental";
    ElseIf: "else" "if";
    ElseWhere: "else" "where";
    Else: "else";
    Encode: "encode";
    EndFile: "end" "file";
    Entry: "entry";
    Enumerator: "enumerator";
    Enum: "enum";
    Equivalence: "equivalence";
    ErrorStop: "error" "stop";
    EventPost: "event" "post";
    EventWait: "event" "wait";
    Exit: "exit";
    External: "external";
    FailImage: "fail" "image";
    Final: "final";
    Find: "find";
    Flush: "flush";
    Forall: "forall";
    FormTeam: "form" "team";
    Format: "format";
    Function: "function";
    Generic: "generic";
    Goto: "go" "to";
    If: "if";
    Implicit: "implicit";
    Import: "import";
    Impure: "impure";
    Include: "include";
    Inquire: "inquire";
    Integer: "integer";
    Intent: "intent";
    Interface: "interface";
    Intrinsic: "intrinsic";
    Lock: "lock";
    Logical: "logical";
    Map: "map";
    ModuleProcedure: "module" "procedure";
    Module: "module";
    Namelist: "namelist";
    NonRecursive: "non_recursive";
    NotifyWait: "notify" "wait";
    Nullify: "nullify";
    Open: "open";
    Optional: "optional";
    Options: "options";
    Parameter: "parameter";
    Pause: "pause";
    Pointer: "pointer";
    Print: "print";
    Private: "private";
    Procedure: "procedure";
    Program: "program";
    Protected: "protected";
    Public: "public";
    Pure: "pure";
    RankDefault: "rank" "default";
    Rank: "rank";
    Read: "read";
    Real: "real";
    Record: "record";
    Recursive: "recursive";
    Return: "return";
    Rewind: "rewind";
    Rewrite: "rewrite";
    Save: "save";
    SelectCase: "select" "case";
    SelectRank: "select" "rank";
    SelectType: "select" "type";
    Sequence: "sequence";
    Static: "static";
    Stop: "stop";
    Structure: "structure";
    Submodule: "submodule";
    Subroutine: "subroutine";
    SyncAll: "sync" "all";
    SyncImages: "sync" "images";
    SyncMemory: "sync" "memory";
    SyncTeam: "sync" "team";
    Target: "target";
    TypeIs: "type" "is";
    Type: "type";
    Union: "union";
    Unlock: "unlock";
    Use: "use";
    Value: "value";
    Virtual: "virtual";
    Volatile: "volatile";
    Wait: "wait";
    Where: "where";
    Write: "write";
}

/// Reads the current keyword. `allowed` can reject one, so that a shorter one is tried.
pub fn take(cursor: &mut Cursor<'_>, allowed: impl Fn(Keyword) -> bool) -> Option<Keyword> {
    let letter = cursor.word()?.as_bytes().first().copied()?;
    let begin = KEYWORDS.partition_point(|(_, parts)| parts[0].as_bytes()[0] < letter);
    let candidates = KEYWORDS[begin..].iter();
    let candidates = candidates.take_while(|(_, parts)| parts[0].as_bytes()[0] == letter);
    let found = candidates.filter(|&&(keyword, _)| allowed(keyword)).find(|(_, parts)| cursor.take(parts));
    found.map(|&(keyword, _)| keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_in_order() {
        for pair in KEYWORDS.windows(2) {
            let [(_, first), (_, second)] = pair else { continue };
            assert!(first[0].as_bytes()[0] <= second[0].as_bytes()[0], "{pair:?}");
        }
        for (at, (keyword, parts)) in KEYWORDS.iter().enumerate() {
            let longer =
                KEYWORDS[at + 1..].iter().find(|(_, other)| other.concat().starts_with(&parts.concat()));
            assert!(longer.is_none(), "{keyword:?} hides {longer:?}");
        }
    }
}
