//! The one table of calls, type codes, storage classes and statuses.
