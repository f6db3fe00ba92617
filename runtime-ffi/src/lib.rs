//! The C interface of the runtime.
