//! Who may be a referee: callers on this machine, and whoever shows the code.
