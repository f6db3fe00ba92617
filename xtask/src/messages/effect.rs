//! The effect of each procedure of MPI on what is in transit.
//!
//! Input: a prototype.
//! Output: its effect; none if the procedure is unknown.
//! Postcondition: the variant of a procedure for large counts has the effect of the procedure.

use super::prototypes::Prototype;

/// What a procedure does to messages, requests and epochs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Sends a message, and returns when the buffer can be used again.
    Send,
    Receive,
    /// Sends a message and receives one.
    Exchange,
    StartSend,
    StartReceive,
    StartExchange,
    PrepareSend,
    PrepareReceive,
    /// A persistent request of a collective operation.
    Prepare,
    /// Opens a request: a collective operation, an operation on a file.
    Start,
    StartGeneralized,
    /// Opens a request whose end makes a communicator.
    StartDuplicate,
    /// Finds a message that no other procedure receives.
    Match,
    MatchIfThere,
    ReceiveMatched,
    StartReceiveMatched,
    MakeCommunicator,
    FreeCommunicator,
    OneSided,
    StartOneSided,
    OpenFile,
    CloseFile,
    BeginFile,
    EndFile,
    /// The wrapper is written by hand in the layer.
    ByHand,
    /// Nothing is in transit because of it.
    None,
}

const BY_HAND: &[&str] = &[
    "Wait",
    "Test",
    "Waitall",
    "Testall",
    "Waitany",
    "Testany",
    "Waitsome",
    "Testsome",
    "Request_free",
    "Start",
    "Startall",
    "Win_fence",
    "Win_flush",
    "Win_flush_all",
    "Win_unlock_all",
    "Win_lock",
    "Win_unlock",
    "Win_start",
    "Win_complete",
    "Win_post",
    "Win_wait",
    "Win_test",
    "Win_free",
    "Finalize",
];

/// The families of procedures that do not communicate, by the first part of their names.
const QUIET_FAMILIES: &[&str] = &[
    "T",
    "Type",
    "Info",
    "Group",
    "Op",
    "Errhandler",
    "Error",
    "Session",
    "Status",
    "Add",
    "Attr",
    "Keyval",
    "Cartdim",
    "Graphdims",
];

/// Collective operations that are complete when they return.
const COLLECTIVE: &[&str] = &[
    "Allgather",
    "Allgatherv",
    "Allreduce",
    "Alltoall",
    "Alltoallv",
    "Alltoallw",
    "Barrier",
    "Bcast",
    "Exscan",
    "Gather",
    "Gatherv",
    "Reduce",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Scan",
    "Scatter",
    "Scatterv",
    "Neighbor_allgather",
    "Neighbor_allgatherv",
    "Neighbor_alltoall",
    "Neighbor_alltoallv",
    "Neighbor_alltoallw",
];

/// Other procedures without effect on what is in transit.
const QUIET: &[&str] = &[
    "Abort",
    "Address",
    "Aint_add",
    "Aint_diff",
    "Alloc_mem",
    "Free_mem",
    "Get_address",
    "Get_count",
    "Get_elements",
    "Get_elements_x",
    "Get_library_version",
    "Get_processor_name",
    "Get_version",
    "Init",
    "Init_thread",
    "Initialized",
    "Finalized",
    "Is_thread_main",
    "Query_thread",
    "Pack",
    "Pack_external",
    "Pack_external_size",
    "Pack_size",
    "Unpack",
    "Unpack_external",
    "Pcontrol",
    "Reduce_local",
    "Register_datarep",
    "Sizeof",
    "Dims_create",
    "Topo_test",
    // They do not receive: the message is received by another call, which is counted.
    "Probe",
    "Iprobe",
    // They do not end a request: the call that does is counted.
    "Cancel",
    "Test_cancelled",
    "Request_get_status",
    "Request_c2f",
    "Request_f2c",
    "Grequest_complete",
    "Message_c2f",
    // Parts of an operation between `MPI_Start` and its end.
    "Pready",
    "Pready_list",
    "Pready_range",
    "Parrived",
    // A message in the buffer is counted when it is sent. `MPI_Buffer_detach` waits for it.
    "Buffer_attach",
    "Buffer_detach",
    "Cart_coords",
    "Cart_get",
    "Cart_map",
    "Cart_rank",
    "Cart_shift",
    "Graph_get",
    "Graph_map",
    "Graph_neighbors",
    "Graph_neighbors_count",
    "Dist_graph_neighbors",
    "Dist_graph_neighbors_count",
    "Comm_c2f",
    "Comm_call_errhandler",
    "Comm_compare",
    "Comm_create_errhandler",
    "Comm_create_keyval",
    "Comm_delete_attr",
    "Comm_free_keyval",
    "Comm_get_attr",
    "Comm_get_errhandler",
    "Comm_get_info",
    "Comm_get_name",
    "Comm_get_parent",
    "Comm_group",
    "Comm_rank",
    "Comm_remote_group",
    "Comm_remote_size",
    "Comm_set_attr",
    "Comm_set_errhandler",
    "Comm_set_info",
    "Comm_set_name",
    "Comm_size",
    "Comm_test_inter",
    "Open_port",
    "Close_port",
    "Publish_name",
    "Unpublish_name",
    "Lookup_name",
    "File_c2f",
    "File_call_errhandler",
    "File_create_errhandler",
    "File_delete",
    "File_get_amode",
    "File_get_atomicity",
    "File_get_byte_offset",
    "File_get_errhandler",
    "File_get_group",
    "File_get_info",
    "File_get_position",
    "File_get_position_shared",
    "File_get_size",
    "File_get_type_extent",
    "File_get_view",
    "File_preallocate",
    "File_read",
    "File_read_all",
    "File_read_at",
    "File_read_at_all",
    "File_read_ordered",
    "File_read_shared",
    "File_seek",
    "File_seek_shared",
    "File_set_atomicity",
    "File_set_errhandler",
    "File_set_info",
    "File_set_size",
    "File_set_view",
    "File_sync",
    "File_write",
    "File_write_all",
    "File_write_at",
    "File_write_at_all",
    "File_write_ordered",
    "File_write_shared",
    "Win_allocate",
    "Win_allocate_shared",
    "Win_attach",
    "Win_c2f",
    "Win_call_errhandler",
    "Win_create",
    "Win_create_dynamic",
    "Win_create_errhandler",
    "Win_create_keyval",
    "Win_delete_attr",
    "Win_detach",
    "Win_free_keyval",
    "Win_get_attr",
    "Win_get_errhandler",
    "Win_get_group",
    "Win_get_info",
    "Win_get_name",
    "Win_set_attr",
    "Win_set_errhandler",
    "Win_set_info",
    "Win_set_name",
    "Win_shared_query",
    "Win_sync",
    // Complete at the origin only: the operation is still open at its target.
    "Win_flush_local",
    "Win_flush_local_all",
    // Alone it is no reason to skip a checkpoint, see `windows.c`.
    "Win_lock_all",
];

pub fn effect(procedure: &Prototype) -> Option<Effect> {
    let name = procedure.name.strip_prefix("MPI_")?;
    let name = name.strip_suffix("_c").unwrap_or(name);
    Some(match name {
        "Send" | "Bsend" | "Ssend" | "Rsend" => Effect::Send,
        "Recv" => Effect::Receive,
        "Sendrecv" | "Sendrecv_replace" => Effect::Exchange,
        "Isend" | "Ibsend" | "Issend" | "Irsend" => Effect::StartSend,
        "Irecv" => Effect::StartReceive,
        "Isendrecv" | "Isendrecv_replace" => Effect::StartExchange,
        "Send_init" | "Bsend_init" | "Ssend_init" | "Rsend_init" | "Psend_init" => Effect::PrepareSend,
        "Recv_init" | "Precv_init" => Effect::PrepareReceive,
        "Grequest_start" => Effect::StartGeneralized,
        "Comm_idup" | "Comm_idup_with_info" => Effect::StartDuplicate,
        "Mprobe" => Effect::Match,
        "Improbe" => Effect::MatchIfThere,
        "Mrecv" => Effect::ReceiveMatched,
        "Imrecv" => Effect::StartReceiveMatched,
        "File_open" => Effect::OpenFile,
        "File_close" => Effect::CloseFile,
        "Comm_free" | "Comm_disconnect" => Effect::FreeCommunicator,
        "Put" | "Get" | "Accumulate" | "Get_accumulate" | "Fetch_and_op" | "Compare_and_swap" => {
            Effect::OneSided
        }
        "Rput" | "Rget" | "Raccumulate" | "Rget_accumulate" => Effect::StartOneSided,
        name if BY_HAND.contains(&name) => Effect::ByHand,
        name if QUIET.contains(&name) || COLLECTIVE.contains(&name) => Effect::None,
        name => return of_family(name, procedure),
    })
}

/// The effect of a procedure that belongs to a family with many members.
fn of_family(name: &str, procedure: &Prototype) -> Option<Effect> {
    let is_collective = |name: &str| COLLECTIVE.iter().any(|known| known.eq_ignore_ascii_case(name));
    let opens_request = procedure.has("request");
    let family = name.split('_').next().unwrap_or_default();
    if opens_request && name.strip_suffix("_init").is_some_and(is_collective) {
        return Some(Effect::Prepare);
    }
    let starts = name.strip_prefix('I').is_some_and(is_collective) || name.starts_with("File_i");
    if opens_request && starts {
        return Some(Effect::Start);
    }
    if name.starts_with("File_") {
        return match name {
            _ if name.ends_with("_begin") => Some(Effect::BeginFile),
            _ if name.ends_with("_end") => Some(Effect::EndFile),
            _ => None,
        };
    }
    if procedure.new_communicator().is_some() {
        return Some(Effect::MakeCommunicator);
    }
    QUIET_FAMILIES.contains(&family).then_some(Effect::None)
}
