//! The rehearsal stage of Agon: whole seasons in virtual time under faults.
