//! The lines of a message log, through all its files, and on into the one that grows.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use agon_node::message_log_files;
use anyhow::Context;

pub(super) struct Lines {
    /// Still to be read, the next one last.
    files: Vec<BufReader<File>>,
    /// What is there of a line.
    line: Vec<u8>,
    pub(super) damaged: u64,
    pub(super) read: u64,
    pub(super) first: Option<String>,
    pub(super) last: Option<String>,
}

impl Lines {
    /// All of them are opened at once, so that none is missed that gets another name meanwhile.
    pub(super) fn open(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let opened = paths.iter().rev().map(|path| opened(path));
        let files = opened.collect::<anyhow::Result<_>>()?;
        Ok(Self { files, line: Vec::new(), damaged: 0, read: 0, first: None, last: None })
    }

    /// The next whole line, if there is one by now.
    pub(super) fn next_line(&mut self) -> anyhow::Result<Option<String>> {
        loop {
            let Some(file) = self.files.last_mut() else { return Ok(None) };
            file.read_until(b'\n', &mut self.line).context("could not read the message log")?;
            if self.line.last() == Some(&b'\n') {
                let line = std::mem::take(&mut self.line);
                let line = String::from_utf8_lossy(&line);
                return Ok(Some(line.trim_end().to_owned()));
            }
            if self.files.len() == 1 {
                return Ok(None); // It may grow.
            }
            self.end();
            self.files.pop();
        }
    }

    /// What is there of a line will not become whole any more.
    pub(super) fn end(&mut self) {
        self.damaged += u64::from(!self.line.is_empty());
        self.line.clear();
    }

    /// Goes over to the file that has come into the place of the last one.
    pub(super) fn go_on(&mut self, dir: &Path) -> anyhow::Result<()> {
        let number = |file: &BufReader<File>| file.get_ref().metadata().ok().map(|it| it.ino());
        let ours = self.files.last().and_then(number);
        // Several, if it grew fast.
        let mut newer = Vec::new();
        for path in message_log_files(dir).iter().rev() {
            let file = opened(path)?;
            if number(&file) == ours {
                break;
            }
            newer.push(file);
        }
        newer.append(&mut self.files);
        self.files = newer;
        Ok(())
    }

    pub(super) fn saw(&mut self, at: &str) {
        self.read += 1;
        self.first.get_or_insert_with(|| at.to_owned());
        self.last = Some(at.to_owned());
    }
}

fn opened(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path).with_context(|| format!("could not read {}", path.display()))?;
    Ok(BufReader::new(file))
}
