//! The verbs of the interface, by subject.
//!
//! Input: arguments from C.
//! Output: the result for C.
//! Postcondition: each verb has passed the boundary once.

mod block;
mod cells;
mod followers;
mod checkpoint;
mod define_type;
mod element;
mod file;
mod followed;
mod frame;
mod graph_roots;
mod register;
mod start;
mod structures;
mod trees;

pub use block::{block, call, capture, capture_pointers, evaluates, execute, jump_next, return_from};
pub use cells::{enter_loop, lends, put_back, register_saved, save, take};
pub use checkpoint::{checkpoint, checkpoint_at, ranks, restarting};
pub use define_type::{bit_field, define_type, points, select, stated, Field};
pub use element::{element, next_due_element, next_element, replays, select_element};
pub use file::{file, file_descriptor, file_named, file_place, file_stream, file_unit};
pub use followed::{
    deliver, follow, follow_nothing, followed_length, follows, moved, place, register_followed, ArrayBounds,
};
pub use followers::follower;
pub use frame::{enter, frame, jump_point, land, leave, other_part, size_variable};
pub use graph_roots::{
    add_component, add_component_of, add_pointer_component, add_pointer_component_of,
    add_polymorphic_component, announce_elements, announce_passed, announce_pointer, announce_polymorphic,
    begin_derived_type, begin_derived_types, define_types, root, type_table,
};
pub use register::{
    deferred, extents, fields, fields_between, not_allocated, not_contiguous, out_of_scope, register,
    register_pointer, register_value, shape, unregister, unregister_name, wants, way,
};
pub use start::{arguments, identify, init, shutdown};
pub use structures::{add_field, begin_structure, end_structure, register_structures};
pub use trees::{
    begin_tree, element_address, end_walk, follow_structures, next_node, visit_later, visit_member,
    walk_due_tree, walk_tree,
};
