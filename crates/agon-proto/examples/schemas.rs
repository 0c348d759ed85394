//! Writes the JSON Schema of every message into a folder.
//!
//! `cargo run -p agon-proto --features schema --example schemas -- docs/protocol/schema`

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("which folder shall they go to?"))?;
    fs::create_dir_all(&folder)?;
    for (name, schema) in agon_proto::schema::all() {
        fs::write(folder.join(format!("{name}.schema.json")), format!("{schema:#}\n"))?;
    }
    Ok(())
}
