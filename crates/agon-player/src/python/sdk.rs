//! The Python files that belong to us, unpacked for as long as they are needed: the binary works
//! without its repository.

use std::fs;
use std::io;

use tempfile::TempDir;

/// The program that runs a class.
pub(super) const HOST: &str = "agon_host.py";
const FILES: [(&str, &str); 3] = [
    (HOST, include_str!("../../../../sdk/python/agon_host.py")),
    ("q21_player/__init__.py", include_str!("../../../../sdk/python/q21_player/__init__.py")),
    ("q21_referee/__init__.py", include_str!("../../../../sdk/python/q21_referee/__init__.py")),
];

/// A folder of our own with them, gone when it is dropped.
pub(super) fn unpack() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("agon-python-").tempdir()?;
    for (name, text) in FILES {
        let path = folder.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(folder)
}
