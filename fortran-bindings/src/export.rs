//! The Fortran symbols of a final library.
//!
//! Input: a function that connects to the other processes.
//! Output: the routines of the table, each under the name that most compilers use (`cppc_enter_`) and under
//! that of `f2c` and `-fsecond-underscore` (`cppc_enter__`).
//! Postcondition: the routines only read their arguments and call their verb.
//!
//! The lengths of CHARACTER arguments follow all other arguments, by value, in the order of their arguments.
//! An INTEGER function returns 8 bytes, so that it also works if the default INTEGER has 8 bytes. An OPTIONAL
//! argument of the program that is not present is a null pointer, and the routine does nothing for it.

/// Makes the routines. `$connect` (a [`crate::ffi::Connect`]) connects to the other processes.
#[macro_export]
macro_rules! export {
    ($connect:expr) => {
        mod fortran_exports {
            use super::*;
            use std::ffi::{c_char, c_int, c_void};
            use $crate::argument::{bytes, count, integer, text};
            use $crate::ffi::{here, verbs};
            use $crate::{export_routine as routine, export_type};

            routine! { "cppc_enter" "" (procedure: *const c_char, blocks: *const c_int, length: usize) -> i64
                = i64::from(verbs::enter(text(procedure, length), integer(blocks), here!())) }
            // The last call of a procedure: compilers turn it into a jump, when its frame is already off the
            // stack.
            routine! { "cppc_leave" "" () -> () = verbs::leave(0) }
            routine! { "cppc_identify" "" (fingerprint: *const c_char, length: usize) -> ()
                = verbs::identify(text(fingerprint, length)) }
            routine! { "cppc_arguments" "" () -> () = $crate::arguments::set_aside() }
            routine! { "cppc_init" "" () -> i64
                = {
                    $crate::threads::keep();
                    i64::from(verbs::init(std::ptr::null_mut(), std::ptr::null_mut(), $connect, here!()))
                } }
            routine! { "cppc_shutdown" "" () -> i64 = i64::from(verbs::shutdown()) }
            routine! { "cppc_block" "" (block: *const c_int) -> i64 = i64::from(verbs::block(integer(block), here!())) }
            routine! { "cppc_execute" "" (block: *const c_int) -> i64
                = i64::from(verbs::execute(integer(block), here!())) }
            routine! { "cppc_begin_execute" "" (block: *const c_int) -> ()
                = { verbs::execute(integer(block), here!()); } }
            routine! { "cppc_file" "" (file: *const c_int, name: *const c_char, handle: *const c_char, length: usize, of_handle: usize) -> ()
                = verbs::file_named(integer(file), bytes(name, length), text(handle, of_handle)) }
            routine! { "cppc_file_unit" ""
                (file: *const c_int, unit: *const c_int, access: *const c_char, form: *const c_char, of_access: usize, of_form: usize) -> i64
                = i64::from(verbs::file_unit(integer(file), integer(unit), text(access, of_access), text(form, of_form))) }
            routine! { "cppc_file_place" "" (place: *mut i64) -> ()
                = verbs::file_place(place) }
            routine! { "cppc_call" "" (block: *const c_int, callee: *const c_char, length: usize) -> i64
                = i64::from(verbs::call(integer(block), text(callee, length), here!())) }
            routine! { "cppc_begin_call" "" (block: *const c_int, callee: *const c_char, length: usize) -> ()
                = { verbs::call(integer(block), text(callee, length), here!()); } }
            routine! { "cppc_return" "" (block: *const c_int) -> i64
                = i64::from(verbs::return_from(integer(block), here!())) }
            routine! { "cppc_end_call" "" (block: *const c_int) -> ()
                = { verbs::return_from(integer(block), here!()); } }
            routine! { "cppc_do_checkpoint" "" (id: *const c_int) -> i64
                = i64::from(verbs::checkpoint(integer(id), here!())) }
            routine! { "cppc_do_checkpoint_at" "" (id: *const c_int, place: *const c_char, length: usize) -> i64
                = i64::from(verbs::checkpoint_at(integer(id), || text(place, length), here!())) }
            routine! { "cppc_checkpoint_at" "" (id: *const c_int, place: *const c_char, length: usize) -> ()
                = { verbs::checkpoint_at(integer(id), || text(place, length), here!()); } }
            routine! { "cppc_ranks" "" (ranks: *const c_char, length: usize) -> ()
                = verbs::ranks(ranks as usize, || text(ranks, length)) }
            routine! { "cppc_jump_next" "" () -> i64 = i64::from(verbs::jump_next()) }
            routine! { "cppc_restarting" "" () -> i64 = i64::from(verbs::restarting()) }
            routine! { "cppc_accepts_deferred" "" () -> i64 = i64::from(verbs::deferred()) }
            routine! { "cppc_wants" "" (name: *const c_char, length: usize) -> i64
                = i64::from(verbs::wants(text(name, length))) }
            routine! { "cppc_follows" "" (name: *const c_char, length: usize) -> i64
                = i64::from(verbs::follows(text(name, length))) }
            routine! { "cppc_lends" "" (name: *const c_char, lower: *const i64, upper: *const i64, length: usize) -> i64
                = i64::from(verbs::lends(text(name, length), lower, upper)) }
            routine! { "cppc_element" "" (name: *const c_char, subscripts: *mut i64, length: usize) -> i64
                = i64::from(verbs::element(text(name, length), subscripts.cast())) }
            routine! { "cppc_set_element" "" (name: *const c_char, subscripts: *mut i64, length: usize) -> ()
                = { verbs::element(text(name, length), subscripts.cast()); } }
            routine! { "cppc_next_element" "" (name: *const c_char, subscripts: *mut i64, length: usize) -> i64
                = i64::from(verbs::next_element(|| text(name, length), subscripts.cast())) }
            routine! { "cppc_next_due_element" "" (name: *const c_char, subscripts: *mut i64, length: usize) -> i64
                = i64::from(verbs::next_due_element(|| text(name, length), subscripts.cast())) }
            // The first extent of a Fortran array is the fastest, so the order is reversed.
            routine! { "cppc_shape" "" (name: *const c_char, rank: *const c_int, extents: *const i64, length: usize) -> i64
                = i64::from(verbs::shape(text(name, length), verbs::extents(integer(rank), extents).map(|extents| extents.into_iter().rev().collect()))) }
            routine! { "cppc_out_of_scope" "" (name: *const c_char, length: usize) -> ()
                = verbs::out_of_scope(text(name, length), here!()) }
            routine! { "cppc_unregister" "" (name: *const c_char, length: usize) -> i64
                = i64::from(verbs::unregister_name(text(name, length), std::ptr::null_mut())) }
            routine! { "cppc_not_contiguous" "" (name: *const c_char, length: usize) -> ()
                = verbs::not_contiguous(text(name, length)) }
            routine! { "cppc_not_allocated" "" (name: *const c_char, length: usize) -> ()
                = verbs::not_allocated(text(name, length)) }
            routine! { "cppc_register_followed" ""
                (section: *const c_int, code: *const c_int, rank: *const c_int, lower: *mut i64, upper: *mut i64, name: *const c_char, storage: *const c_int, length: usize) -> i64
                = {
                    let bounds = verbs::ArrayBounds { rank: integer(rank), lower, upper };
                    let (section, code, storage) = (integer(section), integer(code), integer(storage));
                    i64::from(verbs::register_followed(section, code, bounds, text(name, length), storage, here!()))
                } }
            routine! { "cppc_followed_length" "" (name: *const c_char, length: usize) -> i64
                = verbs::followed_length(text(name, length)) }
            routine! { "cppc_place" "" (name: *const c_char, length: usize) -> *mut c_void
                = verbs::place(text(name, length)) }
            routine! { "cppc_moved" "" (name: *const c_char, length: usize) -> ()
                = verbs::moved(text(name, length)) }
            routine! { "cppc_follow_nothing" "" (name: *const c_char, length: usize) -> ()
                = verbs::follow_nothing(text(name, length)) }
            routine! { "cppc_follow_empty" ""
                (rank: *const c_int, lower: *mut i64, upper: *mut i64, name: *const c_char, length: usize) -> ()
                = {
                    let bounds = verbs::ArrayBounds { rank: integer(rank), lower, upper };
                    verbs::follow(std::ptr::null_mut(), None, None, bounds, text(name, length))
                } }
            routine! { "cppc_type" "" (name: *const c_char, size_bytes: *const i64, length: usize) -> ()
                = verbs::begin_structure(text(name, length), count(size_bytes)) }
            routine! { "cppc_type_code" "" () -> i64 = i64::from(verbs::end_structure()) }
            routine! { "cppc_register_type" ""
                (section: *const c_int, elements: *const i64, name: *const c_char, storage: *const c_int, length: usize) -> ()
                = verbs::register_structures(integer(section), count(elements), text(name, length), integer(storage), here!()) }
            routine! { "cppc_tree" "" () -> () = verbs::begin_tree() }
            routine! { "cppc_walk" "" (name: *const c_char, length: usize) -> i64
                = i64::from(verbs::walk_tree(|| text(name, length))) }
            routine! { "cppc_walk_due" "" (name: *const c_char, length: usize) -> i64
                = i64::from(verbs::walk_due_tree(|| text(name, length))) }
            routine! { "cppc_end_walk" "" () -> () = verbs::end_walk() }
            routine! { "cppc_select" "" (name: *const c_char, subscripts: *mut i64, length: usize) -> ()
                = verbs::select_element(text(name, length), subscripts.cast()) }
            routine! { "cppc_member" "" (code: *const c_int, name: *const c_char, length: usize) -> ()
                = verbs::visit_member(integer(code), text(name, length)) }
            routine! { "cppc_follow_type" ""
                (rank: *const c_int, lower: *mut i64, upper: *mut i64, name: *const c_char, length: usize) -> ()
                = {
                    let bounds = verbs::ArrayBounds { rank: integer(rank), lower, upper };
                    verbs::follow_structures(bounds, text(name, length))
                } }
            routine! { "cppc_later" "" (kind: *const c_int) -> () = verbs::visit_later(integer(kind)) }
            routine! { "cppc_node" "" (number: *mut i64, place: *mut i64, lower: *mut i64, upper: *mut i64) -> i64
                = i64::from(verbs::next_node(number, place, lower, upper)) }
            // A compiler may check that all calls of a routine in one file pass the same type. So each derived type of a file
            // has a routine of its own.
            $crate::export_element! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 }
            routine! { "cppc_compiler" "" (version: *const c_char, length: usize) -> ()
                = verbs::begin_derived_types(text(version, length)) }
            routine! { "cppc_derived_type" "" (name: *const c_char, size_bytes: *const i64, length: usize) -> ()
                = verbs::begin_derived_type(text(name, length), count(size_bytes)) }
            routine! { "cppc_component" "" (code: *const c_int, elements: *const i64, name: *const c_char, length: usize) -> ()
                = verbs::add_component(integer(code), count(elements), text(name, length)) }
            routine! { "cppc_component_of" "" (number: *const c_int, elements: *const i64, name: *const c_char, length: usize) -> ()
                = verbs::add_component_of(integer(number), count(elements), text(name, length)) }
            routine! { "cppc_pointer_component" "" (code: *const c_int, rank: *const c_int, name: *const c_char, length: usize) -> ()
                = verbs::add_pointer_component(integer(code), integer(rank), text(name, length)) }
            routine! { "cppc_pointer_component_of" "" (number: *const c_int, rank: *const c_int, name: *const c_char, length: usize) -> ()
                = verbs::add_pointer_component_of(integer(number), integer(rank), text(name, length)) }
            routine! { "cppc_polymorphic_component" "" (number: *const c_int, rank: *const c_int, name: *const c_char, length: usize) -> ()
                = verbs::add_polymorphic_component(integer(number), integer(rank), text(name, length)) }
            routine! { "cppc_define_types" "" () -> () = verbs::define_types() }
            routine! { "cppc_type_table" "" (number: *const c_int, code: *const c_int, variable: *const c_void) -> ()
                = verbs::type_table(integer(number), integer(code), variable.cast()) }
            routine! { "cppc_announce_polymorphic" "" (section: *const c_int, number: *const c_int, name: *const c_char, storage: *const c_int, length: usize) -> ()
                = verbs::announce_polymorphic(integer(section), integer(number), text(name, length), integer(storage)) }
            routine! { "cppc_announce_passed" "" (section: *const c_int, number: *const c_int, name: *const c_char, storage: *const c_int, length: usize) -> ()
                = verbs::announce_passed(integer(section), integer(number), text(name, length), integer(storage)) }
            routine! { "cppc_announce" "" (section: *const c_int, number: *const c_int, elements: *const i64, name: *const c_char, storage: *const c_int, length: usize) -> ()
                = verbs::announce_elements(integer(section), integer(number), count(elements), text(name, length), integer(storage)) }
            routine! { "cppc_announce_pointer" "" (section: *const c_int, number: *const c_int, rank: *const c_int, name: *const c_char, storage: *const c_int, length: usize) -> ()
                = verbs::announce_pointer(integer(section), integer(number), integer(rank), text(name, length), integer(storage)) }
            $crate::export_root! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 }
            routine! { "cppc_other_part" "" (place: *const c_char, length: usize) -> () = verbs::other_part(text(place, length)) }
            routine! { "cppc_follower" "" (follower: *const c_void) -> () = verbs::follower(follower) }
            $crate::fortran_types! { export_type {} }
        }
    };
}

/// The routines of one type. Those of CHARACTER also receive the length of the elements.
#[doc(hidden)]
#[macro_export]
macro_rules! export_type {
    ({} $type:ident $code:literal character) => { $crate::export_type! { @each $type $code element } };
    ({} $type:ident $code:literal integer) => {
        $crate::export_type! { @each $type $code }
        routine! { "cppc_loop" $type (slot: *const c_int, first: *mut c_void, last: *mut c_void, step: *mut c_void) -> ()
            = verbs::enter_loop(integer(slot), first, last, step, $code, here!()) }
        routine! { "cppc_size_variable" $type (x: *const c_void, name: *const c_char, length: usize) -> ()
            = verbs::size_variable(x, $crate::argument::size_of_type($code), text(name, length)) }
    };
    ({} $type:ident $code:literal other) => { $crate::export_type! { @each $type $code } };
    (@each $type:ident $code:literal $($element:ident)?) => {
        routine! { "cppc_register" $type
            (section: *const c_int, x: *mut c_void, name: *const c_char, storage: *const c_int, $($element: usize,)? length: usize) -> ()
            = if !x.is_null() { verbs::register(integer(section), x, 1 $(* $element)?, $code, text(name, length), integer(storage), here!(), true); } }
        routine! { "cppc_register_array" $type
            (section: *const c_int, a: *mut c_void, elements: *const i64, name: *const c_char, storage: *const c_int, $($element: usize,)? length: usize) -> ()
            = if !a.is_null() {
                let elements = count(elements)$(.saturating_mul($element))?;
                verbs::register(integer(section), a, elements, $code, text(name, length), integer(storage), here!(), true);
            } }
        routine! { "cppc_register_value" $type
            (section: *const c_int, slot: *const c_int, x: *mut c_void, name: *const c_char, storage: *const c_int, $($element: usize,)? length: usize) -> ()
            = if !x.is_null() {
                let (section, slot, storage) = (integer(section), integer(slot), integer(storage));
                verbs::register_saved(section, slot, x, 1 $(* $element)?, $code, text(name, length), storage, here!());
            } }
        routine! { "cppc_save" $type (slot: *const c_int, x: *const c_void $(, $element: usize)?) -> ()
            = if !x.is_null() { verbs::save(integer(slot), x, 1 $(* $element)?, $code, here!()) } }
        routine! { "cppc_take" $type (slot: *const c_int, x: *mut c_void $(, $element: usize)?) -> ()
            = if !x.is_null() { verbs::take(integer(slot), x, 1 $(* $element)?, $code, here!()) } }
        routine! { "cppc_name" $type (_x: *const c_void) -> () = () }
        routine! { "cppc_name_array" $type (_a: *const c_void) -> () = () }
        routine! { "cppc_fields" $type
            (first: *const c_void, second: *const c_void, structures: *const i64, name: *const c_char, $($element: usize, _of_second: usize,)? length: usize) -> ()
            = { $(let _ = $element;)? verbs::fields_between(text(name, length), first, second, count(structures)) } }
        routine! { "cppc_capture" $type (x: *mut c_void, name: *const c_char, $($element: usize,)? length: usize) -> ()
            = if !x.is_null() { verbs::capture(x, 1 $(* $element)?, $code, text(name, length), false) } }
        routine! { "cppc_capture_array" $type
            (a: *mut c_void, elements: *const i64, name: *const c_char, $($element: usize,)? length: usize) -> ()
            = if !a.is_null() {
                let elements = count(elements)$(.saturating_mul($element))?;
                verbs::capture(a, elements, $code, text(name, length), false)
            } }
        routine! { "cppc_put_back" $type (x: *mut c_void, value: *const c_void $(, $element: usize, _of_value: usize)?) -> ()
            = if !x.is_null() { verbs::put_back(x, value, 1 $(* $element)?, $code) } }
        $crate::export_type! { @follow "cppc_follow" $type $code $($element)? }
        $crate::export_type! { @follow "cppc_follow_first" $type $code $($element)? }
        routine! { "cppc_deliver" $type (a: *mut c_void, name: *const c_char, $($element: usize,)? length: usize) -> ()
            = { $(let _ = $element;)? verbs::deliver(a, text(name, length)) } }
        routine! { "cppc_deliver_first" $type (x: *mut c_void, name: *const c_char, $($element: usize,)? length: usize) -> ()
            = { $(let _ = $element;)? verbs::deliver(x, text(name, length)) } }
        routine! { "cppc_field" $type
            (x: *const c_void, elements: *const i64, name: *const c_char, $($element: usize,)? length: usize) -> ()
            = verbs::add_field(x, count(elements)$(.saturating_mul($element))?, $code, text(name, length)) }
    };
    (@follow $verb:literal $type:ident $code:literal $($element:ident)?) => {
        routine! { $verb $type
            (a: *mut c_void, rank: *const c_int, lower: *mut i64, upper: *mut i64, name: *const c_char, $($element: usize,)? length: usize) -> ()
            = {
                let bounds = verbs::ArrayBounds { rank: integer(rank), lower, upper };
                let of_element: Option<i64> = [$(i64::try_from($element).ok())?].into_iter().next().flatten();
                verbs::follow(a, Some($code), of_element, bounds, text(name, length))
            } }
    };
}

/// The routines that receive an element of a derived type.
#[doc(hidden)]
#[macro_export]
macro_rules! export_element {
    ($($number:literal)*) => {
        $($crate::export_routine! { @names (concat!("cppc_element_", $number, "_")) (concat!("cppc_element_", $number, "__"))
            (x: *const c_void) -> () = verbs::element_address(x, here!()) })*
    };
}

/// The routines that receive a pointer or an allocatable of a derived type.
#[doc(hidden)]
#[macro_export]
macro_rules! export_root {
    ($($number:literal)*) => {
        $($crate::export_routine! { @names (concat!("cppc_root_", $number, "_")) (concat!("cppc_root_", $number, "__"))
            (x: *mut c_void) -> () = verbs::root(x, here!()) })*
    };
}

/// One routine, under both of its names.
#[doc(hidden)]
#[macro_export]
macro_rules! export_routine {
    ($verb:literal $type:ident $($rest:tt)*) => {
        $crate::export_routine! { @names (concat!($verb, "_", stringify!($type), "_")) (concat!($verb, "_", stringify!($type), "__")) $($rest)* }
    };
    ($verb:literal "" $($rest:tt)*) => {
        $crate::export_routine! { @names (concat!($verb, "_")) (concat!($verb, "__")) $($rest)* }
    };
    (@names ($($one:tt)*) ($($two:tt)*) $($rest:tt)*) => {
        $crate::export_routine! { @function [$($one)*] $($rest)* }
        $crate::export_routine! { @function [$($two)*] $($rest)* }
    };
    (@function [$($symbol:tt)*] ($($argument:ident: $type:ty),* $(,)?) -> $returns:ty = $body:expr) => {
        const _: () = {
            /// # Safety
            /// The arguments meet the requirements in `docs/restart-model-fortran.md`.
            #[export_name = $($symbol)*]
            #[allow(unused_unsafe)]
            unsafe extern "C" fn exported($($argument: $type),*) -> $returns {
                // SAFETY: the Fortran program guarantees its arguments.
                unsafe { $body }
            }
        };
    };
}
