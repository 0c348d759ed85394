//! Connections between two nodes: never fewer than the calls between them, and none wasted.
