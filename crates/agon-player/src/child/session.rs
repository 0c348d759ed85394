//! One running child: started with a clean environment, asked, and killed when dropped.

use std::ffi::OsString;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tracing::info;

use super::Launch;
use super::fault::{Fault, excerpt};

/// The longest line of its stderr that is looked at as one.
const NOTE_MAX: usize = 64 * 1024;
/// So many lines of its stderr are shown in such a time.
const NOTES_MAX: u32 = 200;
const NOTES_TIME: Duration = Duration::from_secs(60);
const TOO_MANY: u32 = NOTES_MAX + 1;
/// What every child gets of our environment.
const ENV: [&str; 3] = ["PATH", "HOME", "LANG"];
/// How long a child that has closed its stdout may take to end.
const END_GRACE: Duration = Duration::from_secs(1);
/// How long we listen for the last words of a child that is dead. Only the log waits for it.
const LAST_WORDS_GRACE: Duration = Duration::from_millis(100);

/// A child and the pipes to it.
pub(crate) struct Session {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    line_max: usize,
    /// The last line on its stderr.
    last_words: watch::Receiver<Box<str>>,
    /// Who reads its stderr. Ends with us.
    listener: JoinSet<()>,
}

impl Session {
    pub(crate) fn start(launch: &Launch) -> Result<Self, Fault> {
        let handed_down = ENV.into_iter().chain(launch.terms.env.iter().map(String::as_str));
        let mut child = Command::new(&launch.program)
            .args(&launch.arguments)
            .env_clear()
            .envs(handed_down.filter_map(variable))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(Fault::Start)?;
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        let (heard, last_words) = watch::channel(Box::default());
        let mut listener = JoinSet::new();
        listener.spawn(listen(launch.called.clone(), stderr, heard));
        let (stdout, line_max) = (BufReader::new(stdout), launch.line_max);
        Ok(Self { child, stdin, stdout, line_max, last_words, listener })
    }

    /// Asks one question. After a fault the session must not be used again.
    pub(crate) async fn ask(&mut self, question: &[u8]) -> Result<String, Fault> {
        self.expect_silence().await?;
        // A child that has ended breaks the pipe; its stdout then says so, and says it better.
        let _ = self.stdin.write_all(question).await;
        let _ = self.stdin.flush().await;
        match next_line(&mut self.stdout, self.line_max).await.map_err(Fault::Pipe)? {
            Line::Whole(said) => Ok(said),
            Line::TooLong(_) => Err(Fault::TooLong(self.line_max)),
            Line::End => Err(match timeout(END_GRACE, self.child.wait()).await {
                Ok(Ok(status)) => Fault::Died(status),
                Ok(Err(error)) => Fault::Pipe(error),
                Err(_) => Fault::Silent,
            }),
        }
    }

    /// A line that is there already cannot be the answer to a question that is not.
    async fn expect_silence(&mut self) -> Result<(), Fault> {
        tokio::select! {
            biased;
            there = self.stdout.fill_buf() => match there {
                Ok([]) => Ok(()), // The end. Reading the answer will find out.
                Ok(said) => Err(Fault::Unasked(excerpt(&String::from_utf8_lossy(said)))),
                Err(error) => Err(Fault::Pipe(error)),
            },
            () = std::future::ready(()) => Ok(()),
        }
    }

    /// How it ended, if it does so within this time although nobody has asked it anything.
    pub(crate) async fn ends_within(&mut self, time: Duration) -> Option<ExitStatus> {
        timeout(time, self.child.wait()).await.ok()?.ok()
    }

    /// Kills the child and returns what it said last on stderr.
    pub(crate) async fn bury(mut self) -> Box<str> {
        let _ = timeout(END_GRACE, self.child.kill()).await;
        let _ = timeout(LAST_WORDS_GRACE, self.listener.join_next()).await;
        self.last_words.borrow().clone()
    }
}

/// A variable of a child's environment: `NAME=VALUE`, or a name that we know the value of.
fn variable(said: &str) -> Option<(&str, OsString)> {
    match said.split_once('=') {
        Some((name, value)) => Some((name, value.into())),
        None => Some((said, std::env::var_os(said)?)),
    }
}

/// Shows what a child says on stderr, a bounded number of lines in each minute, and remembers the
/// last one.
async fn listen(called: String, stderr: ChildStderr, heard: watch::Sender<Box<str>>) {
    let mut stderr = BufReader::new(stderr);
    let (mut since, mut lines) = (Instant::now(), 0);
    loop {
        match next_line(&mut stderr, NOTE_MAX).await {
            Ok(Line::Whole(said) | Line::TooLong(said)) => {
                let said = excerpt(&said);
                if since.elapsed() > NOTES_TIME {
                    (since, lines) = (Instant::now(), 0);
                }
                lines += 1;
                match lines {
                    1..=NOTES_MAX => info!("{called}: {said}"),
                    TOO_MANY => info!("{called} says more than is shown in a minute"),
                    _ => {}
                }
                if !said.is_empty() {
                    heard.send_replace(said);
                }
            }
            Ok(Line::End) | Err(_) => return,
        }
    }
}

/// What came of reading a line of bounded length.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// A line without its end. The last one may lack it.
    Whole(String),
    /// So much of a line that is longer than we read.
    TooLong(String),
    /// There are no more lines.
    End,
}

/// Reads the next line, or the first so many bytes of it. What is not UTF-8 in it is replaced.
async fn next_line(
    reader: &mut (impl AsyncBufRead + Unpin),
    length_max: usize,
) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let mut bounded = reader.take(length_max as u64);
    bounded.read_until(b'\n', &mut bytes).await?;
    let ends = bytes.pop_if(|last| *last == b'\n').is_some();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(match bytes.len() {
        length if length == length_max && !ends => Line::TooLong(text),
        0 if !ends => Line::End,
        _ => Line::Whole(text),
    })
}

#[cfg(test)]
mod tests;
