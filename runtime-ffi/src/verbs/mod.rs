//! One file for each verb of the interface.
//!
//! Input: arguments from C.
//! Output: the result for C.
//! Postcondition: each verb has passed the boundary once.

mod arguments;
mod block;
mod call;
mod capture;
mod cells;
mod checkpoint;
mod define_type;
mod element;
mod enter;
mod execute;
mod file;
mod followed;
mod identify;
mod init;
mod jump_next;
mod jumps;
mod leave;
mod register;
mod restarting;
mod return_from;
mod shape;
mod shutdown;
mod structures;
mod unregister;
mod wants;
mod way;

pub use arguments::arguments;
pub use block::block;
pub use call::call;
pub use capture::{capture, capture_pointers};
pub use cells::{enter_loop, lends, put_back, register_saved, save, take};
pub use checkpoint::{checkpoint, checkpoint_at};
pub use define_type::{define_type, Field};
pub use element::{element, next_element, replays};
pub use enter::enter;
pub use execute::execute;
pub use file::{file, file_descriptor, file_named, file_place, file_stream, file_unit};
pub use followed::{
    deliver, follow, follow_nothing, followed_length, follows, moved, place, register_followed, ArrayBounds,
};
pub use identify::identify;
pub use init::init;
pub use jump_next::jump_next;
pub use jumps::{frame, jump_point, land};
pub use leave::leave;
pub use register::{not_contiguous, register, register_pointer, register_value};
pub use restarting::restarting;
pub use return_from::return_from;
pub use shape::{extents, shape};
pub use shutdown::shutdown;
pub use structures::{add_field, begin_structure, end_structure, register_structures};
pub use unregister::{out_of_scope, unregister, unregister_name};
pub use wants::wants;
pub use way::way;
