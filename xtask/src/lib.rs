//! Tasks of the house.
