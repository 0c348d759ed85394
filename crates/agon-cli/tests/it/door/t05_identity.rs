//! An agent that keeps its token is not replaced without it.
