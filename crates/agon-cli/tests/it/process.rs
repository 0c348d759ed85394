//! `agon` as a process of its own: started, listened to, waited for, and gone when the test ends.
//!
//! Nothing here waits for time to pass. What is waited for is a line, the end of a pipe or an exit,
//! and every wait has an end of its own that fails the test.

use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than anything takes, even on a busy machine. Only a failing test waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A process that runs.
pub(crate) struct Process {
    name: String,
    child: Child,
    out: Lines,
    err: Lines,
}

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Process {
    /// Starts `agon` in that folder, so that no configuration of this machine is read.
    pub(crate) fn agon(dir: &Path, args: &[&str]) -> Self {
        Self::agon_with(dir, args, &[])
    }

    /// The same, with variables in its environment.
    pub(crate) fn agon_with(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> Self {
        Self::start(env!("CARGO_BIN_EXE_agon"), dir, args, env)
    }

    /// Starts any program with nothing in its environment but what is said here.
    pub(crate) fn start(program: &str, dir: &Path, args: &[&str], env: &[(&str, &str)]) -> Self {
        let name = format!("{program} {}", args.join(" "));
        let mut command = Command::new(program);
        command.args(args).current_dir(dir).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs(env.iter().copied()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{name}: {error}"));
        let out = Lines::of(child.stdout.take().unwrap());
        let err = Lines::of(child.stderr.take().unwrap());
        Self { name, child, out, err }
    }

    /// The endpoint that it announces on its first line, with `--json`.
    #[track_caller]
    pub(crate) fn endpoint(&mut self) -> String {
        self.says()["endpoint"].as_str().unwrap().to_owned()
    }

    /// The next object that it prints, with `--json`.
    #[track_caller]
    pub(crate) fn says(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// The next line that it prints.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        let line = self.out.next(PATIENCE);
        line.unwrap_or_else(|| panic!("{} ended: {}", self.name, self.err.rest()))
    }

    /// The next line of its log; `None` once it has ended.
    #[track_caller]
    pub(crate) fn log(&mut self) -> Option<Value> {
        let line = self.err.next(PATIENCE)?;
        Some(serde_json::from_str(&line).unwrap_or(Value::String(line)))
    }

    /// The lines of its log that come within this time.
    #[track_caller]
    pub(crate) fn logs_within(&mut self, time: Duration) -> Vec<Value> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self.err.lines.recv_timeout(end.duration_since(Instant::now())) {
            lines.push(serde_json::from_str(&line).unwrap_or(Value::String(line)));
        }
        lines
    }

    /// Reads the log until a line says this.
    #[track_caller]
    pub(crate) fn logs(&mut self, message: &str) -> Value {
        loop {
            match self.log() {
                Some(line) if line["message"] == message => return line,
                Some(_) => {}
                None => panic!("{} ended without {message:?}: {}", self.name, self.err.seen),
            }
        }
    }

    /// Asks it to stop, as an operator would.
    pub(crate) fn terminate(&self) {
        self.signal("TERM");
    }

    /// Its number in the system.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal: `STOP` freezes it, `CONT` lets it go on.
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    /// Ends it without a word: SIGKILL. What it had written before stays to be read.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits until it ends by itself.
    #[track_caller]
    pub(crate) fn wait(mut self) -> Ended {
        let out = self.out.rest();
        let code = self.child.wait().unwrap().code();
        Ended { code, out, err: self.err.rest() }
    }

    /// Waits until it ends by itself, and well.
    #[track_caller]
    pub(crate) fn succeed(self) -> Ended {
        self.exit(0)
    }

    /// Waits until it ends by itself with that code.
    #[track_caller]
    pub(crate) fn exit(self, code: i32) -> Ended {
        let name = self.name.clone();
        let ended = self.wait();
        assert_eq!(ended.code, Some(code), "{name}\n{}\n{}", ended.out, ended.err);
        ended
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// The same, if it ended well.
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "{}\n{}", self.out, self.err);
        self
    }

    /// What it said on stdout, as one object.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// Runs `agon` to its end.
pub(crate) fn agon(dir: &Path, args: &[&str]) -> Ended {
    Process::agon(dir, args).wait()
}

/// The lines of a pipe, read as they come, so that the writer never waits for us.
struct Lines {
    lines: Receiver<String>,
    seen: String,
}

impl Lines {
    fn of(pipe: impl Read + Send + 'static) -> Self {
        let (tell, lines) = channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(pipe);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
                line.clear();
                if tell.send(text).is_err() {
                    return;
                }
            }
        });
        Self { lines, seen: String::new() }
    }

    /// The next line; `None` at the end of the pipe.
    #[track_caller]
    fn next(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                self.seen.push_str(&line);
                self.seen.push('\n');
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing came any more after:\n{}", self.seen),
        }
    }

    /// Reads to the end. Returns everything that was ever read.
    #[track_caller]
    fn rest(&mut self) -> String {
        while self.next(PATIENCE).is_some() {}
        std::mem::take(&mut self.seen)
    }
}

/// Looks until it is so.
#[track_caller]
pub(crate) fn wait_until(mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it never came to be so");
        thread::yield_now();
    }
}

/// A port that is free now and that nobody is given by chance: it lies below the range from which
/// systems take the ports of outgoing connections. For what must come back at the same address.
pub(crate) fn quiet_port() -> u16 {
    let start = 12_000 + u16::try_from(std::process::id() % 12_000).unwrap();
    (start..start + 4_000).find(|port| claim(*port)).expect("one of four thousand ports is free")
}

/// The first of eighty ports that no other test of this run uses, below that same range.
pub(crate) fn quiet_block() -> u16 {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    let start = u16::try_from(std::process::id() % 40).unwrap();
    32_000 - 80 * (1 + (start + TAKEN.fetch_add(1, Ordering::Relaxed)) % 40)
}

/// Takes a port for this test run, unless another test or another program has it.
fn claim(port: u16) -> bool {
    use std::sync::Mutex;
    static TAKEN: Mutex<Vec<u16>> = Mutex::new(Vec::new());
    let mut taken = TAKEN.lock().unwrap();
    if taken.contains(&port) || TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err() {
        return false;
    }
    taken.push(port);
    true
}
