//! The street of Agon: HTTP server and client. Moves bytes with an address.
