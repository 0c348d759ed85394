//! The rules of Agon, pure: roles, gate, registry, formats, rounds, matches, games, standings.
