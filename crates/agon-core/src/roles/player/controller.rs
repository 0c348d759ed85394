//! One match, as its player sees it: what was asked, what was said, what was sent.
//!
//! The first question of each number counts, so whoever thinks for us is asked once for each. By
//! call a question is answered in its reply, and a later one puts an earlier one behind us; by
//! letter each is answered by a letter, and one that comes early waits for what it needs.
//!
//! Spec: docs/protocol/match.md

mod turn;

use agon_proto::act::{ActKind, LastActor, Progress, StopReason, Worth};
use agon_proto::{AuthToken, MessageId, Payload, PlayerId, Timestamp};

use super::parameters::GameParameters;
use super::spelling::{self, Heard};
use super::termination::last_actor;
use turn::Turn;

pub(super) use turn::AskedInCall;
pub use turn::AskedInLetter;

/// The controller of one match.
#[derive(Debug)]
pub struct Controller {
    pub(super) attempt: u32,
    pub(super) opponent: PlayerId,
    /// When we give up hearing of it.
    pub(super) until: Option<Timestamp>,
    newest: Turn,
    /// The turns before that, oldest first.
    earlier: Vec<Turn>,
    /// The numbers of what was sent and received last, for the first time.
    last_sent: Option<u32>,
    last_received: Option<u32>,
    /// What the season's table says of it; nothing where the referee's calls say everything.
    pub(super) parameters: Option<Box<GameParameters>>,
    /// What it brought, as soon as that was told.
    pub score: Option<Box<Worth>>,
    /// Why it ended before there was a score, if it did.
    pub terminated: Option<StopReason>,
}

impl Controller {
    /// Of a match that its referee's calls tell us of.
    pub(super) fn called(attempt: u32, opponent: PlayerId, until: Option<Timestamp>) -> Self {
        Self {
            attempt,
            opponent,
            until,
            newest: Turn::default(),
            earlier: Vec::new(),
            last_sent: None,
            last_received: None,
            parameters: None,
            score: None,
            terminated: None,
        }
    }

    /// Of a match that the season's table has.
    pub(super) fn by_letter(parameters: GameParameters) -> Self {
        let parameters = Some(Box::new(parameters));
        Self { parameters, ..Self::called(1, PlayerId::new(0), None) }
    }

    pub fn phase(&self) -> Progress {
        if self.terminated.is_some() {
            return Progress::Terminated;
        }
        if self.score.is_some() {
            return Progress::Completed;
        }
        let sent = self.turns().filter(|turn| turn.sent).map(|turn| turn.number).max();
        spelling::progress(sent.unwrap_or(0))
    }

    pub fn last_sent(&self) -> Option<ActKind> {
        self.last_sent.map(|number| ActKind::Move(spelling::place(number)))
    }

    pub fn last_received(&self) -> Option<ActKind> {
        self.last_received.map(spelling::heard_kind)
    }

    /// Who did something last: the referee, while we still owe it an answer.
    pub fn last_actor(&self) -> LastActor {
        let owes = self.turns().any(|turn| turn.letter.is_some() && !turn.sent);
        last_actor(self.phase(), owes)
    }

    /// Whether nothing more is expected of it.
    pub fn is_over(&self) -> bool {
        self.terminated.is_some() || self.score.is_some()
    }

    /// All turns, oldest first.
    fn turns(&self) -> impl Iterator<Item = &Turn> {
        self.earlier.iter().chain(Some(&self.newest).filter(|turn| turn.number > 0))
    }

    pub(super) fn turn(&self, number: u32) -> Option<&Turn> {
        self.turns().find(|turn| turn.number == number)
    }

    fn turn_mut(&mut self, number: u32) -> &mut Turn {
        if number > self.newest.number {
            self.go_on_to(number);
        }
        if number == self.newest.number {
            return &mut self.newest;
        }
        let place = self.earlier.partition_point(|turn| turn.number < number);
        if self.earlier.get(place).is_none_or(|turn| turn.number != number) {
            self.earlier.insert(place, Turn { number, ..Turn::default() });
        }
        &mut self.earlier[place]
    }

    // By call.

    /// Which question of the match is before us, counted from 1; 0 before the first.
    pub(super) fn step(&self) -> u32 {
        self.newest.number
    }

    /// Another question is before us: what we said to the last one is behind us.
    pub(super) fn go_on_to(&mut self, number: u32) {
        if number > self.newest.number {
            if self.newest.number > 0 {
                self.earlier.push(std::mem::take(&mut self.newest));
            }
            self.newest.number = number;
        }
    }

    /// The move that we make in answer to the question before us.
    pub(super) fn choice(&self) -> Option<&Payload> {
        self.newest.said.as_ref().map(|(_, said)| said)
    }

    /// The calls that wait for it.
    pub(super) fn waiting(&mut self) -> &mut Vec<AskedInCall> {
        &mut self.newest.waiting
    }

    /// Our moves before that, oldest first.
    pub(super) fn said_before(&self) -> Vec<Payload> {
        self.earlier.iter().filter_map(|turn| Some(turn.said.as_ref()?.1.clone())).collect()
    }

    // By letter.

    /// Whether the referee has said such a thing before.
    pub(super) fn has_heard(&self, heard: &Heard) -> bool {
        match heard {
            Heard::Asks(asked) => self.turn(asked.number).is_some_and(|turn| turn.letter.is_some()),
            Heard::Score(_) => self.score.is_some(),
        }
    }

    /// The referee has said something. Called from `apply`.
    pub(super) fn receive(
        &mut self,
        message: &MessageId,
        heard: &Heard,
        shown: Option<&AuthToken>,
    ) {
        if self.is_over() {
            return;
        }
        let first = match heard {
            Heard::Asks(asked) => {
                let turn = self.turn_mut(asked.number);
                let first = turn.letter.is_none();
                turn.letter.get_or_insert_with(|| Box::new((message.clone(), asked.clone())));
                first
            }
            Heard::Score(said) => self.score.replace(said.clone()).is_none(),
        };
        if first {
            self.last_received = Some(heard.number());
        }
        let Some(parameters) = &mut self.parameters else { return };
        if let Some(token) = heard.token() {
            parameters.token = Some(token.into());
        }
        if let Some(token) = shown {
            parameters.shown = Some(token.clone());
        }
    }

    /// We have said something, and the first word counts. Called from `apply`.
    pub(super) fn say(&mut self, number: u32, at: Timestamp, said: &Payload) {
        self.turn_mut(number).said.get_or_insert_with(|| (at, said.clone()));
    }

    /// A letter of ours is on its way; a later repeat of it changes nothing. Called from `apply`.
    pub(super) fn sent(&mut self, kind: ActKind) {
        let ActKind::Move(place) = kind else { return };
        let number = u32::from(place) + 1;
        if !std::mem::replace(&mut self.turn_mut(number).sent, true) {
            self.last_sent = Some(number);
        }
    }

    /// Its round is over, perhaps before it was: of its letters nothing is kept. Called from
    /// `apply`.
    pub(super) fn terminate(&mut self, reason: StopReason) {
        self.terminated = Some(reason).filter(|_| self.score.is_none());
        (self.newest, self.earlier) = (Turn::default(), Vec::new());
    }

    /// What must be thought about now.
    pub(super) fn wanted(&self) -> impl Iterator<Item = u32> {
        let has_said = |number| self.turn(number).is_some_and(|turn| turn.said.is_some());
        let wanted = self.turns().filter(move |turn| {
            let asked = turn.letter.as_ref().filter(|_| turn.said.is_none());
            asked.is_some_and(|asked| asked.1.after.is_none_or(has_said))
        });
        wanted.filter(|_| !self.is_over()).map(|turn| turn.number)
    }

    /// What was said and not sent yet.
    pub(super) fn owed(&self) -> impl Iterator<Item = u32> {
        let owed = self.turns().filter(|turn| turn.said.is_some() && !turn.sent);
        owed.filter(|_| !self.is_over()).map(|turn| turn.number)
    }

    /// What the letters up to that question show, and our moves before it.
    pub(super) fn seen(
        &self,
        number: u32,
    ) -> Option<(&AskedInLetter, Vec<&Payload>, Vec<Payload>)> {
        let asked = &self.turn(number)?.letter.as_ref()?.1;
        let letters = self.turns().filter(|turn| turn.number <= number);
        let views = letters.filter_map(|turn| Some(&turn.letter.as_ref()?.1.view));
        let before = self.turns().filter(|turn| turn.number < number);
        let said = before.filter_map(|turn| Some(turn.said.as_ref()?.1.clone()));
        Some((asked, views.collect(), said.collect()))
    }
}

#[cfg(test)]
mod tests;
