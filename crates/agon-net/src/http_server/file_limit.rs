//! How many connections fit: each needs one of the files that the system lets a process open.

use std::sync::Once;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// One file in so many is kept for calls of our own, journals and logs.
const KEPT: u64 = 4;

/// Asks the system for as many files as it grants, and says how many of the wanted connections fit.
pub(super) fn fitting(connections: usize) -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // Nothing is lost if it is refused: we look at what we have.
    let _refused = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let Some(files) = getrlimit(Resource::Nofile).current.or(current) else {
        return connections;
    };
    let fits = usize::try_from(files - files / KEPT).unwrap_or(usize::MAX);
    if fits < connections {
        static SAID: Once = Once::new(); // Once a process, however many servers it has.
        SAID.call_once(|| {
            let hint = "raise the limit of open files (ulimit -Hn) or lower connections_max";
            tracing::warn!(connections_max = connections, files, fits, hint, "too few open files");
        });
    }
    fits.min(connections)
}
