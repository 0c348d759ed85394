//! A mail whose sender is not vouched for is not read.
