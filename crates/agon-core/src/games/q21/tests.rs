//! Every end that a game of Q21 can have, with who is to blame.
