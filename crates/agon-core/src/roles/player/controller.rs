//! One match, as its player sees it: what was asked, what was said, what was sent.
//!
//! The first question of each number counts, so whoever thinks for us is asked once for each. By
//! call a question is answered in its reply, and a later one puts an earlier one behind us; by
//! letter each is answered by a letter, and one that comes early waits for what it needs.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::{
    Act, ActKind, Asked, LastActor, Progress, Reporter, StatusReport, StopReason, Worth,
};
use agon_proto::{
    Address, Answer, AuthToken, Envelope, MessageId, Part, Payload, PlayerId, SeasonId, Sender,
    Timestamp,
};

use super::fact::{AskedInLetter, Assignment, Heard, SCORE, place};
use crate::effect::{Handling, RequestId};
use crate::moves_made::MovesMade;

/// The controller of one match.
#[derive(Debug, Default)]
pub struct Controller {
    pub(super) attempt: u32,
    /// Whom we meet, where the referee's calls say it.
    pub(super) opponent: Option<PlayerId>,
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
    pub(super) fn called(
        attempt: u32,
        opponent: Option<PlayerId>,
        until: Option<Timestamp>,
    ) -> Self {
        Self { attempt, opponent, until, ..Self::default() }
    }

    /// Of a match that the season's table has.
    pub(super) fn by_letter(parameters: GameParameters) -> Self {
        let parameters = Some(Box::new(parameters));
        Self { parameters, attempt: 1, ..Self::default() }
    }

    pub fn phase(&self) -> Progress {
        if self.terminated.is_some() {
            return Progress::Terminated;
        }
        if self.score.is_some() {
            return Progress::Completed;
        }
        let sent = self.turns().filter(|turn| turn.sent).map(|turn| turn.number).max();
        Progress::Answered(u16::try_from(sent.unwrap_or(0)).unwrap_or(u16::MAX))
    }

    pub fn last_sent(&self) -> Option<ActKind> {
        self.last_sent.map(|number| ActKind::Move(place(number)))
    }

    pub fn last_received(&self) -> Option<ActKind> {
        self.last_received.map(|number| match number {
            SCORE => ActKind::Worth,
            _ => ActKind::Ask(place(number)),
        })
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
    fn turns(&self) -> impl DoubleEndedIterator<Item = &Turn> {
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

    /// Our moves before that question, oldest first.
    pub(super) fn said_before(&self, number: u32) -> Vec<Payload> {
        let before = self.turns().filter(|turn| turn.number < number);
        before.filter_map(|turn| Some(turn.said.as_ref()?.1.clone())).collect()
    }

    /// Our moves, as far as they are worth comparing: if we were asked nothing, or have perhaps
    /// forgotten what we said, we say nothing.
    pub(super) fn moves_made(&self) -> Option<MovesMade> {
        let in_order = (1..).zip(self.turns()).all(|(number, turn)| turn.number == number);
        let said = || self.turns().filter_map(|turn| Some(turn.said.as_ref()?.1.as_str()));
        let known = in_order && self.newest.number > 0;
        known.then(|| MovesMade::new(&said().collect::<Vec<_>>()))
    }

    /// Whether what is thought about that question is still of use.
    pub(super) fn thinks_of(&self, number: u32) -> bool {
        match self.parameters {
            Some(_) => self.wanted().any(|wanted| wanted == number),
            None => number == self.newest.number,
        }
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
    pub(super) fn receive(&mut self, id: &MessageId, heard: &Heard, shown: Option<&AuthToken>) {
        if self.is_over() {
            return;
        }
        let first = match heard {
            Heard::Asks(asked) => {
                let turn = self.turn_mut(asked.number);
                let first = turn.letter.is_none();
                turn.letter.get_or_insert_with(|| Box::new((id.clone(), asked.clone())));
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

    /// That question, and what the letters up to it show.
    pub(super) fn seen(&self, number: u32) -> Option<(&AskedInLetter, Payload)> {
        let asked = &self.turn(number)?.letter.as_ref()?.1;
        let letters = self.turns().filter(|turn| turn.number <= number);
        let views = letters.filter_map(|turn| Some(&turn.letter.as_ref()?.1.view));
        Some((asked, Asked::shown(&views.collect::<Vec<_>>())))
    }

    /// Where it stands, for the league manager. Nothing, if no table has it.
    pub(super) fn report(
        &self,
        reporter: &Address,
        reason: StopReason,
        at: Timestamp,
    ) -> Option<StatusReport> {
        let GameParameters { assignment, season, .. } = self.parameters.as_deref()?;
        let (name, score) = (|kind: ActKind| kind.name().into(), self.score.as_ref());
        Some(StatusReport {
            game: assignment.game.clone(),
            round: assignment.match_id.round,
            season: season.clone(),
            phase: self.phase(),
            last_actor: self.last_actor(),
            last_sent: self.last_sent().map(name),
            last_received: self.last_received().map(name),
            at: Some(at),
            reason,
            reporter: Reporter {
                address: Some(reporter.clone()),
                role: role_name(assignment.my_role).into(),
            },
            points: score.map(|said| (said.league_points, said.private_score)),
            view: score.map(|said| said.view.clone()),
        })
    }
}

/// Who did something last, in that phase. Whoever owes an answer was not the last: the referee was.
const fn last_actor(phase: Progress, owes_an_answer: bool) -> LastActor {
    match phase {
        Progress::Completed | Progress::Terminated => LastActor::None,
        Progress::Answered(_) if owes_an_answer => LastActor::Referee,
        Progress::Answered(0) => LastActor::None,
        Progress::Answered(_) => LastActor::Player,
    }
}

/// A place at the table, as reports spell it.
const fn role_name(part: Part) -> &'static str {
    match part {
        Part::Player1 => "PLAYER_A",
        Part::Player2 => "PLAYER_B",
        Part::Referee => "PLAYER",
    }
}

/// One thing that the referee asks of us, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// 0 before the first.
    number: u32,
    pub(super) letter: Option<Box<(MessageId, AskedInLetter)>>,
    /// Our move.
    pub(super) said: Option<(Timestamp, Payload)>,
    sent: bool,
    /// Calls that wait for our move, oldest first. Nearly always it is one.
    waiting: Vec<AskedInCall>,
}

/// A question that came by a call. Its answer goes back in the same envelope: the conversation and
/// the match token stand there already, so the league token stays at home.
#[derive(Debug)]
pub(super) struct AskedInCall {
    pub(super) request: RequestId,
    pub(super) letter: Box<Envelope>,
}

impl AskedInCall {
    pub(super) fn answer<F>(self, player: PlayerId, act: Act, out: &mut Handling<F>) {
        let Self { request, mut letter } = self;
        letter.head.sender = Sender::Player(player);
        letter.head.timestamp = out.now;
        letter.act = act;
        out.reply(request, Answer::Message(letter));
    }
}

/// All that is known about one game. `match_id` and `game_id` are the same thing.
#[derive(Debug, Clone, PartialEq)]
pub struct GameParameters {
    pub assignment: Assignment,
    pub season: Option<SeasonId>,
    /// The game's token, as the referee has it in the payload: we echo it.
    pub token: Option<Box<str>>,
    /// What proves the referee to us and us to it, where letters travel by call.
    pub shown: Option<AuthToken>,
}

impl GameParameters {
    pub(super) fn new(assignment: Assignment, season: Option<SeasonId>) -> Self {
        Self { assignment, season, token: None, shown: None }
    }
}

#[cfg(test)]
mod tests;
