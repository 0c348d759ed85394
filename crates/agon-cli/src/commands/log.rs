//! `agon log`: the messages that an agent kept, those of them that somebody wants to see.
//!
//! The files are only read, so whoever writes them may be running. A line that is damaged is left
//! out, and said to be.

mod entry;
mod files;

use std::process::ExitCode;
use std::time::Duration;

use agon_node::message_log_files;
use agon_proto::{MatchId, Timestamp};
use anyhow::{Context, bail};

use crate::args::{Common, Log};
use crate::output;
use entry::{Entry, Known};
use files::Lines;

/// How often somebody who follows looks for more.
const LOOK: Duration = Duration::from_millis(200);

pub(super) async fn run(common: &Common, args: &Log) -> anyhow::Result<ExitCode> {
    let mut reader = Reader { common, args, known: Known::default(), day: String::new(), shown: 0 };
    let mut lines = Lines::open(&files(args)?)?;
    reader.read(&mut lines)?;
    if args.follow {
        loop {
            tokio::time::sleep(LOOK).await;
            lines.go_on(&args.data)?;
            reader.read(&mut lines)?;
        }
    }
    lines.end();
    if lines.damaged > 0 {
        let damaged = lines.damaged;
        eprintln!("agon: {damaged} damaged or unfinished lines of this log are left out");
    }
    if reader.shown == 0 {
        let Lines { read, first, last, .. } = &lines;
        match (first, last) {
            (Some(first), Some(last)) => {
                eprintln!("none of {read} messages fits; they are from {first} to {last}");
            }
            _ => eprintln!("the message log is empty: nobody has said anything yet"),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The files of the log.
fn files(args: &Log) -> anyhow::Result<Vec<std::path::PathBuf>> {
    let dir = args.data.display();
    let files = message_log_files(&args.data);
    if !files.is_empty() {
        return Ok(files);
    }
    let inside = std::fs::read_dir(&args.data)
        .with_context(|| format!("there is no folder {dir}; name a data folder with --data"))?;
    let inside = inside.filter_map(Result::ok).map(|entry| entry.path());
    let mut inside: Vec<_> = inside.filter(|it| !message_log_files(it).is_empty()).collect();
    inside.sort();
    if let Some(first) = inside.first() {
        let (first, many) = (first.display(), output::counted(inside.len() as u32, "agent"));
        bail!("{dir} holds the folders of {many}; name one of them: --data {first}");
    }
    bail!(
        "{dir} holds no message log; a manager, and an agent with --data, keeps one while \
         [log] messages is true, as it is unless agon.toml or AGON_LOG__MESSAGES says otherwise"
    )
}

/// Shows what fits.
struct Reader<'a> {
    common: &'a Common,
    args: &'a Log,
    known: Known,
    /// Of the last line that was shown.
    day: String,
    shown: u64,
}

impl Reader<'_> {
    fn read(&mut self, lines: &mut Lines) -> anyhow::Result<()> {
        while let Some(line) = lines.next_line()? {
            let Ok(entry) = serde_json::from_str::<Entry<'_>>(&line) else {
                lines.damaged += 1;
                continue;
            };
            lines.saw(&entry.at);
            self.known.learn(&entry);
            if self.fits(&entry) {
                self.shown += 1;
                self.show(&entry, &line);
            }
        }
        Ok(())
    }

    fn fits(&self, entry: &Entry<'_>) -> bool {
        let Log { match_id, agent, message, since, until, outcome, .. } = self.args;
        let at = entry.at.parse::<Timestamp>().ok();
        let of_match = |wanted: &MatchId| entry.match_id.as_deref() == Some(&*wanted.to_string());
        let with = |who: &String| entry.is_with(who, &self.known);
        let how = entry.outcome();
        match_id.as_ref().is_none_or(of_match)
            && agent.as_ref().is_none_or(with)
            && message.as_ref().is_none_or(|name| entry.message.as_deref() == Some(name))
            && since.is_none_or(|since| at.is_some_and(|at| at >= since))
            && until.is_none_or(|until| at.is_some_and(|at| at <= until))
            && outcome.as_ref().is_none_or(|it| it == how || it == "not-ok" && how != "ok")
    }

    fn show(&mut self, entry: &Entry<'_>, line: &str) {
        if self.common.json {
            return output::line(line);
        }
        let (day, _) = entry.at.split_once('T').unwrap_or_default();
        if day != self.day {
            day.clone_into(&mut self.day);
            output::line(day);
        }
        output::line(entry.line(&self.known));
        entry.more(self.args.whole).into_iter().for_each(output::line);
    }
}
