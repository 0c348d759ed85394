//! A report that contradicts itself does not count.
