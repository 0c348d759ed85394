//! Many processes, watched together: whatever any of them prints comes in one line of events.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::office::Office;
use crate::process::PATIENCE;

/// Its stdout and its stderr.
const PIPES: u32 = 2;

/// What a process did.
#[derive(Debug)]
pub(super) enum Said {
    /// It printed a line.
    Line(String),
    /// It has ended, with this code; without one it was killed.
    End(Option<i32>),
}

/// One member of the crowd.
struct Member {
    args: Vec<String>,
    child: Child,
    life: u32,
    /// Pipes of this life that are still open.
    pipes: u32,
}

pub(super) struct Crowd {
    dir: PathBuf,
    env: Vec<(String, String)>,
    members: Vec<Member>,
    tell: Sender<(usize, u32, Option<String>)>,
    told: Receiver<(usize, u32, Option<String>)>,
    /// Everything that was said, for the report of a failure.
    seen: Vec<String>,
}

impl Crowd {
    pub(super) fn new(dir: &Path, env: &[(&str, &str)]) -> Self {
        let (tell, told) = channel();
        let env = env.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        Self { dir: dir.to_owned(), env, members: Vec::new(), tell, told, seen: Vec::new() }
    }

    /// The manager of that office and nobody else yet; the season begins with so many teams.
    pub(super) fn with_manager(office: &Office, start_when: &str) -> Self {
        Self::with_manager_of(office, "manager.toml", start_when)
    }

    /// The same, with another mailbox file.
    pub(super) fn with_manager_of(office: &Office, file: &str, start_when: &str) -> Self {
        let mut crowd = Self::new(office.path(), &Office::env());
        let files = ["--mail", file, "--data", "manager", "--listen", "127.0.0.1:0"];
        let start = ["manager", "--game", "q21", "--start-when", start_when];
        crowd.join(&[&start[..], &files].concat());
        crowd
    }

    /// An agent of a team, with the mailbox that it has in the office.
    pub(super) fn agent(&mut self, role: &str, team: u32, more: &[&str]) {
        let letter = &role[..1];
        let (file, data) = (format!("{letter}{team}.toml"), format!("{letter}{team}"));
        let args = [role, "--game", "q21", "--mail", &file, "--data", &data];
        self.join(&[&args[..], more].concat());
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// Starts `agon` with these arguments; its place in the crowd.
    pub(super) fn join(&mut self, args: &[&str]) -> usize {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let place = self.members.len();
        let child = self.spawn(place, 1, &args, None);
        self.members.push(Member { args, child, life: 1, pipes: PIPES });
        place
    }

    /// Kills it without a word, and starts it again at once.
    pub(super) fn kill(&mut self, place: usize) {
        self.end(place);
        self.revive(place, None);
    }

    /// The same, and the new one dies by itself at that failpoint.
    pub(super) fn kill_and_doom(&mut self, place: usize, failpoint: &str) {
        self.end(place);
        self.revive(place, Some(failpoint));
    }

    fn end(&mut self, place: usize) {
        let child = &mut self.members[place].child;
        child.kill().unwrap();
        child.wait().unwrap();
    }

    pub(super) fn revive(&mut self, place: usize, failpoint: Option<&str>) {
        let life = self.members[place].life + 1;
        let args = self.members[place].args.clone();
        let child = self.spawn(place, life, &args, failpoint);
        let member = &mut self.members[place];
        (member.child, member.life, member.pipes) = (child, life, PIPES);
    }

    fn spawn(&self, place: usize, life: u32, args: &[String], failpoint: Option<&str>) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(args).current_dir(&self.dir).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs(self.env.iter().cloned()).stdin(Stdio::null());
        if let Some(failpoint) = failpoint {
            command.env("AGON_FAILPOINT", failpoint);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        self.listen(place, life, child.stdout.take().unwrap());
        self.listen(place, life, child.stderr.take().unwrap());
        child
    }

    fn listen(&self, place: usize, life: u32, pipe: impl Read + Send + 'static) {
        let tell = self.tell.clone();
        thread::spawn(move || {
            for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
                let text = String::from_utf8_lossy(&line).into_owned();
                if tell.send((place, life, Some(text))).is_err() {
                    return;
                }
            }
            let _ = tell.send((place, life, None));
        });
    }

    /// The next thing that a living member says.
    #[track_caller]
    pub(super) fn next(&mut self) -> (usize, Said) {
        loop {
            let Ok((place, life, said)) = self.told.recv_timeout(PATIENCE) else {
                panic!("nothing happens any more; the last of it:\n{}", self.tail());
            };
            if let Some(line) = &said {
                self.seen.push(format!("{place}: {line}"));
            }
            let member = &mut self.members[place];
            if member.life != life {
                continue;
            }
            if let Some(line) = said {
                return (place, Said::Line(line));
            }
            member.pipes -= 1;
            if member.pipes == 0 {
                return (place, Said::End(member.child.wait().unwrap().code()));
            }
        }
    }

    /// Waits until everybody but the manager has ended well.
    #[track_caller]
    pub(super) fn see_home(&mut self) {
        let mut home = 0;
        while home < self.len() - 1 {
            if let (place, Said::End(code)) = self.next() {
                assert_eq!(code, Some(0), "{place}:\n{}", self.tail());
                home += 1;
            }
        }
    }

    /// The last things that were said.
    pub(super) fn tail(&self) -> String {
        self.seen[self.seen.len().saturating_sub(120)..].join("\n")
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for member in &mut self.members {
            let _ = member.child.kill();
            let _ = member.child.wait();
        }
    }
}
