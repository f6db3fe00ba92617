//! The generated wrappers of the layer.
//!
//! Input: the procedures of `mpi.h`.
//! Output: a C source with a wrapper for each procedure with an effect that is not written by hand.
//! Postcondition: a wrapper calls the procedure once, with the arguments of the program, except that it asks for a status
//! that the program does not want.

use super::effect::{effect, Effect};
use super::prototypes::Prototype;

pub fn wrappers(procedures: &[Prototype]) -> String {
    let mut text = String::from("/* Generated from mpi.h. */\n#include \"layer.h\"\n");
    for procedure in procedures {
        if let Some(body) = effect(procedure).and_then(|effect| Body::of(procedure, effect)) {
            text.push_str(&wrapper(procedure, &body));
        }
    }
    text
}

/// The process and the tag of no message.
const NOTHING: &str = "MPI_PROC_NULL, -1";

/// What a wrapper does besides the call.
#[derive(Default)]
struct Body {
    /// The wrapper needs a status.
    wants_status: bool,
    /// Statements before the call, without the lock.
    before: String,
    /// Statements before the call, with the lock.
    locked_before: String,
    /// Statements after a call that has succeeded.
    after: String,
    /// Statements after a call that has received a message, also with an error.
    received: String,
}

impl Body {
    /// None if there is no generated wrapper.
    fn of(procedure: &Prototype, effect: Effect) -> Option<Body> {
        let text = |text: &str| text.to_owned();
        // The receiver's name for the sender, which MPICH does not always use.
        let source = if procedure.has("source") { "source" } else { "dest" };
        let messages = |kind: &str, sent: &str, received: &str| {
            format!("request_of_messages(call, *request, {kind}, comm, {sent}, {received});")
        };
        let (sent, received) = ("dest, tag", format!("{source}, tag"));
        let counted = format!("message_received_from(comm, {source}, seen);");
        Some(match effect {
            Effect::ByHand | Effect::None => return None,
            Effect::Send => Body { after: text("message_sent(call, comm, dest, tag);"), ..Body::default() },
            Effect::Receive => Body { wants_status: true, received: counted, ..Body::default() },
            Effect::Exchange => Body {
                wants_status: true,
                received: format!("message_sent(call, comm, dest, sendtag); {counted}"),
                ..Body::default()
            },
            Effect::StartSend => Body { after: messages("SENDS", sent, NOTHING), ..Body::default() },
            Effect::StartReceive => {
                Body { after: messages("RECEIVES", NOTHING, &received), ..Body::default() }
            }
            Effect::StartExchange => Body {
                after: messages("SENDS | RECEIVES", "dest, sendtag", "source, recvtag"),
                ..Body::default()
            },
            Effect::PrepareSend => {
                Body { after: messages("SENDS | PERSISTENT", sent, NOTHING), ..Body::default() }
            }
            Effect::PrepareReceive => {
                Body { after: messages("RECEIVES | PERSISTENT", NOTHING, &received), ..Body::default() }
            }
            Effect::Prepare => Body { after: opened(procedure, "PERSISTENT"), ..Body::default() },
            Effect::Start => Body { after: opened(procedure, "0"), ..Body::default() },
            Effect::StartGeneralized => Body { after: opened(procedure, "GENERALIZED"), ..Body::default() },
            Effect::StartDuplicate => Body {
                locked_before: text("struct reserved reserved = communicator_reserve(comm);"),
                after: text("request_to_duplicate(call, *request, newcomm, reserved);"),
                ..Body::default()
            },
            Effect::Match => Body {
                wants_status: true,
                after: text("message_matched(call, *message, comm, seen);"),
                ..Body::default()
            },
            Effect::MatchIfThere => Body {
                wants_status: true,
                after: text("if (*flag) message_matched(call, *message, comm, seen);"),
                ..Body::default()
            },
            Effect::ReceiveMatched => Body {
                before: text("MPI_Message taken = *message;"),
                received: text("message_taken(taken);"),
                ..Body::default()
            },
            Effect::StartReceiveMatched => Body {
                before: text("MPI_Message taken = *message;"),
                after: format!("message_taken(taken); {}", opened(procedure, "0")),
                ..Body::default()
            },
            Effect::MakeCommunicator => Body {
                after: format!("communicator_created(*{});", procedure.new_communicator()?),
                ..Body::default()
            },
            Effect::FreeCommunicator => {
                Body { locked_before: text("communicator_freed(*comm);"), ..Body::default() }
            }
            Effect::OneSided => Body { after: text("one_sided(call, win, target_rank);"), ..Body::default() },
            Effect::StartOneSided => Body {
                after: format!("one_sided(call, win, target_rank); {}", opened(procedure, "0")),
                ..Body::default()
            },
            Effect::OpenFile => Body { after: text("file_opened(call, *fh, filename);"), ..Body::default() },
            Effect::CloseFile => Body { locked_before: text("file_closed(*fh);"), ..Body::default() },
            Effect::BeginFile => Body { after: text("file_begun(call, fh);"), ..Body::default() },
            Effect::EndFile => Body { after: text("file_ended(fh);"), ..Body::default() },
        })
    }
}

/// The runtime uses some of these procedures itself, on its own communicators.
fn opened(procedure: &Prototype, kind: &str) -> String {
    let condition = if procedure.has("comm") { "if (!communicator_is_own(comm)) " } else { "" };
    format!("{condition}request_opened(call, *request, {kind});")
}

fn wrapper(procedure: &Prototype, body: &Body) -> String {
    let name = &procedure.name;
    let parameters: Vec<&str> = procedure.parameters.iter().map(|parameter| &*parameter.text).collect();
    let arguments = procedure.arguments();
    let given = arguments.join(", ");
    let passed: Vec<&str> = arguments
        .iter()
        .map(|name| if body.wants_status && *name == "status" { "seen" } else { name })
        .collect();
    let mut text = format!("\nSHOWN int {name}({})\n{{\n    REAL({name});\n", parameters.join(", "));
    let mut line = |line: &str| text.push_str(&format!("    {line}\n"));
    line(&format!("if (!layer_enter())\n        return real({given});"));
    line(&format!("struct call call = {{\"{name}\", PLACE}};"));
    if body.wants_status {
        line("MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;");
    }
    if !body.before.is_empty() {
        line(&body.before);
    }
    if !body.locked_before.is_empty() {
        line("layer_lock();");
        line(&body.locked_before);
        line("layer_unlock();");
    }
    line(&format!("int result = real({});", passed.join(", ")));
    let (condition, statements) = match body.received.is_empty() {
        true => ("result == MPI_SUCCESS", &body.after),
        false => ("layer_has_received(result)", &body.received),
    };
    if !statements.is_empty() {
        line("layer_lock();");
        line(&format!("if ({condition}) {{ {statements} }}"));
        line("layer_unlock();");
    }
    line("(void)call;");
    line("layer_leave();");
    line("return result;");
    text.push_str("}\n");
    // Both names are the same function.
    text.push_str(&format!("SHOWN __typeof__({name}) P{name} __attribute__((alias(\"{name}\")));\n"));
    text
}
