//! The symbols of a final library.
//!
//! Input: a function that connects to the other processes.
//! Output: one C function for each call of the table.
//! Postcondition: the functions only record the position of the stack and call their verb.

/// Makes the C functions. `$connect` (a [`crate::Connect`]) connects to the other processes.
#[macro_export]
macro_rules! export {
    ($connect:expr) => {
        $crate::export! { @functions $connect }
    };
    (@functions $connect:expr) => {
        mod exports {
            use super::*;
            use std::ffi::{c_char, c_int, c_void};
            use $crate::text::text;
            use $crate::{here, verbs};

            $crate::export! { @each
                fn CPPC_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) -> c_int = verbs::init(argc, argv, $connect, here!());
                fn CPPC_Arguments(argc: *mut c_int, argv: *mut *mut *mut c_char) -> () = verbs::arguments(argc, argv);
                fn CPPC_Shutdown() -> c_int = verbs::shutdown();
                fn CPPC_Register(section: c_int, address: *mut c_void, count: usize, r#type: c_int, name: *const c_char, storage: c_int) -> *mut c_void
                    = verbs::register(section, address, count, r#type, text(name), storage, here!(), false);
                fn CPPC_Register_value(section: c_int, address: *mut c_void, r#type: c_int, name: *const c_char, storage: c_int) -> c_int
                    = verbs::register_value(section, address, r#type, text(name), storage, here!());
                fn CPPC_Register_pointer(section: c_int, slot: *mut c_void, count: usize, r#type: c_int, name: *const c_char, storage: c_int) -> *mut c_void
                    = verbs::register_pointer(section, slot, count, r#type, text(name), storage, here!());
                fn CPPC_Shape(name: *const c_char, rank: c_int, extents: *const usize) -> c_int = verbs::shape(text(name), verbs::extents(rank, extents));
                fn CPPC_Fields(name: *const c_char, offset: usize, stride: usize, elements: usize) -> c_int
                    = verbs::fields(text(name), offset, stride, elements);
                fn CPPC_Way(name: *const c_char, slot: *mut c_void, storage: c_int) -> c_int = verbs::way(text(name), slot, storage);
                fn CPPC_Unregister(address: *mut c_void) -> c_int = verbs::unregister(address);
                fn CPPC_Unregister_name(name: *const c_char, address: *mut c_void) -> c_int = verbs::unregister_name(text(name), address);
                fn CPPC_Out_of_scope(name: *const c_char) -> () = verbs::out_of_scope(text(name), here!());
                fn CPPC_Do_checkpoint(id: c_int) -> c_int = verbs::checkpoint(id, here!());
                fn CPPC_Do_checkpoint_at(id: c_int, place: *const c_char) -> c_int = verbs::checkpoint_at(id, || text(place), here!());
                fn CPPC_Ranks(ranks: *const c_char) -> () = verbs::ranks(ranks as usize, || text(ranks));
                fn CPPC_Jump_next() -> c_int = verbs::jump_next();
                fn CPPC_Restarting() -> c_int = verbs::restarting();
                fn CPPC_Define_type(name: *const c_char, size: usize, fields: c_int, field: *const verbs::Field) -> c_int
                    = verbs::define_type(name, size, fields, field);
                fn CPPC_Bit_field(field: *mut verbs::Field, sample: *mut c_void, size: usize, negative: c_int) -> c_int
                    = verbs::bit_field(field, sample, size, negative);
                fn CPPC_Select(name: *const c_char, selector: *mut c_void, r#type: c_int) -> c_int = verbs::select(text(name), selector, r#type);
                fn CPPC_Points(r#type: c_int, field: *const c_char, target: c_int) -> c_int = verbs::points(r#type, text(field), target);
                fn CPPC_Stated(r#type: c_int, field: *const c_char) -> c_int = verbs::stated(r#type, text(field));
                fn CPPC_Enter(procedure: *const c_char, blocks: c_int) -> c_int = verbs::enter(text(procedure), blocks, here!());
                // The last call of a procedure: compilers turn it into a jump, when its frame is already off
                // the stack.
                fn CPPC_Leave() -> () = verbs::leave(0);
                fn CPPC_Frame() -> c_int = verbs::frame();
                fn CPPC_Land(frame: c_int) -> () = verbs::land(frame);
                fn CPPC_Jump_point(place: *const c_char) -> () = verbs::jump_point(text(place));
                fn CPPC_Size_variable(address: *mut c_void, size: usize, name: *const c_char) -> () = verbs::size_variable(address, size, text(name));
                fn CPPC_Identify(fingerprint: *const c_char) -> () = verbs::identify(text(fingerprint));
                fn CPPC_Block(block: c_int) -> c_int = verbs::block(block, here!());
                fn CPPC_Accepts_deferred() -> c_int = verbs::deferred();
                fn CPPC_Wants(name: *const c_char) -> c_int = verbs::wants(text(name));
                fn CPPC_Replays() -> c_int = verbs::replays();
                fn CPPC_Element(name: *const c_char, subscripts: *mut c_void) -> c_int = verbs::element(text(name), subscripts);
                fn CPPC_Execute(block: c_int) -> c_int = verbs::execute(block, here!());
                fn CPPC_Call(block: c_int, callee: *const c_char) -> c_int = verbs::call(block, text(callee), here!());
                fn CPPC_Capture(address: *mut c_void, count: usize, r#type: c_int, name: *const c_char) -> ()
                    = verbs::capture(address, count, r#type, text(name), true);
                fn CPPC_Capture_pointers(address: *mut c_void, count: usize, r#type: c_int, name: *const c_char, elsewhere: c_int) -> ()
                    = verbs::capture_pointers(address, count, r#type, text(name), elsewhere);
                fn CPPC_Evaluates(name: *const c_char) -> c_int = verbs::evaluates(text(name));
                fn CPPC_Register_saved(section: c_int, slot: c_int, address: *mut c_void, count: usize, r#type: c_int, name: *const c_char, storage: c_int) -> c_int
                    = verbs::register_saved(section, slot, address, count, r#type, text(name), storage, here!());
                fn CPPC_Save(slot: c_int, address: *mut c_void, count: usize, r#type: c_int) -> () = verbs::save(slot, address, count, r#type, here!());
                fn CPPC_Take(slot: c_int, address: *mut c_void, count: usize, r#type: c_int) -> () = verbs::take(slot, address, count, r#type, here!());
                fn CPPC_Loop(slot: c_int, first: *mut c_void, last: *mut c_void, step: *mut c_void, r#type: c_int) -> ()
                    = verbs::enter_loop(slot, first, last, step, r#type, here!());
                fn CPPC_Register_followed(section: c_int, r#type: c_int, rank: c_int, lower: *mut c_void, upper: *mut c_void, name: *const c_char, storage: c_int) -> c_int
                    = verbs::register_followed(section, r#type, verbs::ArrayBounds { rank, lower: lower.cast(), upper: upper.cast() }, text(name), storage, here!());
                fn CPPC_Deliver(address: *mut c_void, name: *const c_char) -> () = verbs::deliver(address, text(name));
                fn CPPC_Follow(address: *mut c_void, length: usize, rank: c_int, lower: *mut c_void, upper: *mut c_void, name: *const c_char) -> ()
                    = verbs::follow(address, None, i64::try_from(length).ok().filter(|length| *length > 0), verbs::ArrayBounds { rank, lower: lower.cast(), upper: upper.cast() }, text(name));
                fn CPPC_Follow_nothing(name: *const c_char) -> () = verbs::follow_nothing(text(name));
                fn CPPC_Place(name: *const c_char) -> *mut c_void = verbs::place(text(name));
                fn CPPC_Capture_value(address: *mut c_void, count: usize, r#type: c_int, name: *const c_char) -> ()
                    = verbs::capture(address, count, r#type, text(name), false);
                fn CPPC_File(file: c_int, name: *const c_char, handle: *const c_char) -> () = verbs::file(file, name, text(handle));
                fn CPPC_File_stream(file: c_int, stream: *mut c_void) -> () = verbs::file_stream(file, stream);
                fn CPPC_File_descriptor(file: c_int, descriptor: c_int) -> () = verbs::file_descriptor(file, descriptor);
                fn CPPC_Return(block: c_int) -> c_int = verbs::return_from(block, here!());
            }
        }
    };
    (@each $(fn $name:ident($($argument:ident: $type:ty),*) -> $returns:ty = $body:expr;)*) => {
        $(
            /// See `cppc.h`.
            ///
            /// # Safety
            /// The arguments meet the requirements in `cppc.h`.
            #[no_mangle]
            #[allow(non_snake_case, unused_unsafe)]
            pub unsafe extern "C" fn $name($($argument: $type),*) -> $returns {
                // SAFETY: the C program guarantees its arguments.
                unsafe { $body }
            }
        )*
    };
}

/// The address of a local variable of the function that contains the macro.
#[macro_export]
macro_rules! here {
    () => {{
        let marker = std::mem::MaybeUninit::<u8>::uninit();
        std::hint::black_box(marker.as_ptr()) as usize
    }};
}
