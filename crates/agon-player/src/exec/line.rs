//! Reading lines of bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// The longest line that is read from a child.
pub(super) const LINE_MAX: usize = 64 * 1024;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its end. The last one may lack it.
    Whole(String),
    /// So much of a line that is longer than we read.
    TooLong(String),
    /// There are no more lines.
    End,
}

/// Reads the next line. What is not UTF-8 in it is replaced.
pub(super) async fn next(reader: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let mut bounded = reader.take(LINE_MAX as u64);
    bounded.read_until(b'\n', &mut bytes).await?;
    let ends = bytes.pop_if(|last| *last == b'\n').is_some();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(if ends {
        Line::Whole(text)
    } else if bytes.len() == LINE_MAX {
        Line::TooLong(text)
    } else if bytes.is_empty() {
        Line::End
    } else {
        Line::Whole(text)
    })
}

#[cfg(test)]
mod tests;
