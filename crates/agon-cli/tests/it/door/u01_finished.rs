//! A folder with a finished season says so at the start.
