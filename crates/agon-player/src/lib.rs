//! The guest room of Agon: all that an outside player needs.
