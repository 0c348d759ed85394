//! `--dry-run`: what an agent would do with the mail that lies in its box. Nothing is sent, nothing
//! is written down, nothing is marked as read, and no program is asked.

use std::process::ExitCode;

use agon_core::{Effect, Effects, Event, Machine, Proof, RequestId};
use agon_net::mail::Mailbox;
use agon_node::clock::Clock;
use agon_node::open_mail;
use agon_store::Journal;

use super::agent::Agent;
use super::mailbox::{self, Opened};
use crate::output;

pub(super) async fn run<M: Machine>(
    agent: &Agent<'_>,
    mut role: M,
    opened: Opened,
) -> anyhow::Result<ExitCode> {
    let folder = agent.mail_folder(&opened);
    if folder.join("journal.sqlite3").exists() {
        Journal::read_only(&folder)?.replay(|fact| role.apply(&fact))?;
    }
    let used = mailbox::used(opened.account, agent.config)?;
    let (folders, size_max) = (used.watch.folders, used.watch.size_max);
    let mut mailbox = Mailbox::open(&used.account, folders, size_max).await?;
    let clock = Clock::start();
    for (number, mail) in (1..).zip(mailbox.scan().await?) {
        let (from, letter) = match open_mail(&mail) {
            Ok(opened) => opened,
            Err(problem) => {
                output::line(format!("{}\n  would go to quarantine: {problem}", mail.subject));
                continue;
            }
        };
        output::line(format!("{} from {from}", letter.act.kind().name()));
        let (request, now) = (RequestId(number), clock.now());
        let (proof, caller, letter) = (Proof::Vouched(from), None, Box::new(letter));
        let event = Event::Posted { request, proof, caller, at: now, letter };
        let mut out = Effects::default();
        role.handle(event, now, &mut out);
        for effect in &out.effects {
            if let Some(line) = told(effect) {
                output::line(format!("  {line}"));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What an effect would do, in a line.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others concern nobody outside")]
fn told(effect: &Effect) -> Option<String> {
    match effect {
        Effect::SendLetter(parcel) => {
            let to: Vec<_> = parcel.to.iter().map(|address| address.as_str()).collect();
            Some(format!("would send {} to {}", parcel.letter.act.kind().name(), to.join(", ")))
        }
        Effect::Think(asked) => Some(format!("would ask the program for {}", asked.kind)),
        Effect::Refuse { refusal, .. } => Some(format!("would refuse: {refusal}")),
        Effect::Finish(_) => Some("would leave: the league is complete".to_owned()),
        _ => None,
    }
}
