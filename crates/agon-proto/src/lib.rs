//! The vocabulary of Agon: ids, messages, envelope, error codes, JSON-RPC frame.
