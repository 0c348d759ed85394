//! What is still to be done in the mailbox: mails to mark as read, to set aside, and to look for.
//!
//! A chore is forgotten only when it is done, so it survives a connection that broke. Asking for
//! the same thing twice is asking once, so there are never more chores than mails.

use std::collections::BTreeSet;

use super::read::MailId;
use super::watch::MailCommand;

/// So many mails are marked with one command.
const TOGETHER_MAX: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Chores {
    seen: BTreeSet<MailId>,
    aside: BTreeSet<MailId>,
    scan: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Chore {
    /// Marks these as read; they are of one folder.
    Mark(Vec<MailId>),
    SetAside(MailId),
}

impl Chores {
    pub(super) fn note(&mut self, command: MailCommand) {
        match command {
            MailCommand::ScanNow => self.scan = true,
            MailCommand::Seen(mail) => {
                self.seen.insert(mail);
            }
            MailCommand::Quarantine(mail) => {
                self.aside.insert(mail);
            }
        }
    }

    /// What to do next.
    pub(super) fn next(&self) -> Option<Chore> {
        if let Some(first) = self.seen.first() {
            let same =
                |mail: &&MailId| (mail.folder, mail.validity) == (first.folder, first.validity);
            let mails = self.seen.iter().take_while(same).take(TOGETHER_MAX);
            return Some(Chore::Mark(mails.copied().collect()));
        }
        self.aside.first().map(|mail| Chore::SetAside(*mail))
    }

    pub(super) fn done(&mut self, chore: &Chore) {
        match chore {
            Chore::Mark(mails) => mails.iter().for_each(|mail| {
                self.seen.remove(mail);
            }),
            Chore::SetAside(mail) => {
                self.aside.remove(mail);
            }
        }
    }

    /// Whether somebody wants to know now what is new. Asked once.
    pub(super) fn take_scan(&mut self) -> bool {
        std::mem::take(&mut self.scan)
    }

    /// Whether nothing is left to do in the mailbox, and nobody wants to know what is new.
    pub(super) fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.aside.is_empty() && !self.scan
    }

    /// Mails that are dealt with, although the mailbox does not show it yet.
    pub(super) fn covers(&self, mail: &MailId) -> bool {
        self.seen.contains(mail) || self.aside.contains(mail)
    }

    /// How many mails wait for their mark.
    pub(super) fn unmarked(&self) -> usize {
        self.seen.len() + self.aside.len()
    }
}

#[cfg(test)]
mod tests;
