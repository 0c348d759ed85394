//! Commands in, chores out.

use super::{Chore, Chores};
use crate::mail::{Folder, MailCommand, MailId};

fn mail(folder: Folder, validity: u32, uid: u32) -> MailId {
    MailId { folder, validity, uid }
}

fn inbox(uid: u32) -> MailId {
    mail(Folder::Inbox, 1, uid)
}

/// Notes the commands and does everything there is to do.
#[track_caller]
fn check(commands: &[MailCommand], expected: &[Chore]) {
    let mut chores = Chores::default();
    commands.iter().for_each(|command| chores.note(*command));
    let mut done = Vec::new();
    while let Some(chore) = chores.next() {
        chores.done(&chore);
        done.push(chore);
    }
    assert_eq!(done, expected);
    assert_eq!(chores.unmarked(), 0);
}

#[test]
fn mails_of_one_folder_are_marked_together_and_once() {
    let commands =
        [MailCommand::Seen(inbox(2)), MailCommand::Seen(inbox(1)), MailCommand::Seen(inbox(2))];
    check(&commands, &[Chore::Mark(vec![inbox(1), inbox(2)])]);
}

#[test]
fn folders_and_their_ages_are_kept_apart() {
    let (junk, older) = (mail(Folder::Junk, 1, 1), mail(Folder::Inbox, 0, 9));
    let commands = [MailCommand::Seen(junk), MailCommand::Seen(inbox(1)), MailCommand::Seen(older)];
    let expected = [Chore::Mark(vec![older]), Chore::Mark(vec![inbox(1)]), Chore::Mark(vec![junk])];
    check(&commands, &expected);
}

#[test]
fn a_mail_can_be_set_aside() {
    check(&[MailCommand::Quarantine(inbox(3))], &[Chore::SetAside(inbox(3))]);
}

#[test]
fn a_command_is_never_longer_than_a_hundred_mails() {
    let commands: Vec<_> = (1..=150).map(|uid| MailCommand::Seen(inbox(uid))).collect();
    let first: Vec<_> = (1..=100).map(inbox).collect();
    let second: Vec<_> = (101..=150).map(inbox).collect();
    check(&commands, &[Chore::Mark(first), Chore::Mark(second)]);
}

#[test]
fn a_mail_that_waits_for_its_mark_is_known() {
    let mut chores = Chores::default();
    chores.note(MailCommand::Seen(inbox(1)));
    chores.note(MailCommand::Quarantine(inbox(2)));
    assert!(chores.covers(&inbox(1)) && chores.covers(&inbox(2)) && !chores.covers(&inbox(3)));
}

#[test]
fn asking_often_what_is_new_is_asking_once() {
    let mut chores = Chores::default();
    assert!(chores.is_empty());
    chores.note(MailCommand::ScanNow);
    chores.note(MailCommand::ScanNow);
    assert!(!chores.is_empty());
    assert!(chores.take_scan() && !chores.take_scan() && chores.is_empty());
}
