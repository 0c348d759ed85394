//! Reading lines of bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

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

/// Reads the next line, or the first so many bytes of it. What is not UTF-8 in it is replaced.
pub(super) async fn next(
    reader: &mut (impl AsyncBufRead + Unpin),
    length_max: usize,
) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let mut bounded = reader.take(length_max as u64);
    bounded.read_until(b'\n', &mut bytes).await?;
    let ends = bytes.pop_if(|last| *last == b'\n').is_some();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(if ends {
        Line::Whole(text)
    } else if bytes.len() == length_max {
        Line::TooLong(text)
    } else if bytes.is_empty() {
        Line::End
    } else {
        Line::Whole(text)
    })
}

#[cfg(test)]
mod tests;
