//! A player's moves: what a referee says, what is thought about it, and what goes back.
//!
//! Our move is a fact before anybody hears it, and a question that comes again joins the thought
//! that is under way. By call the move is the reply to every call that waits for it. By letter it
//! is a letter of its own, and a repeat gets the same one: its id follows from what it is about.
//!
//! Spec: docs/protocol/match.md docs/protocol/q21.md

use std::borrow::Cow;

use agon_proto::act::{Act, ActKind, Moved, StatusReport, StopReason};
use agon_proto::known::GameStatus;
use agon_proto::message::move_message;
use agon_proto::{
    Address, Context, GameId, Heading, Letter, MatchId, MessageId, Payload, PlayerId, ShortText,
    Timestamp,
};

use super::controller::{AskedInCall, Controller};
use super::fact::{AskedInLetter, Heard, SCORE, place};
use super::{Out, Player, PlayerFact, Thought};
use crate::agent::{self, Member};
use crate::effect::{Alert, Effect};
use crate::gate::Proved;
use crate::thinking::{Mishap, MishapKind, Question, ThinkingTime, What};
use crate::{Refusal, Rules};

impl Player {
    pub(super) fn hear_referee(
        &mut self,
        by: &Proved<(GameId, Address)>,
        letter: &Letter,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let (game, referee) = by.get().clone();
        let Some(heard) = Heard::of(&letter.act) else {
            self.hear_trouble(self.rounds.match_of(&game).zip(Some(game)), letter, out);
            return Ok(());
        };
        let is_new = self.rounds.is_new(&game, &heard)?;
        let Some(match_id) = self.rounds.match_of(&game) else { return Ok(()) };
        if !is_new {
            if self.me.season.paused_at.is_none() {
                self.send(match_id, heard.number(), out);
            }
            return Ok(());
        }
        let is_score = matches!(heard, Heard::Score(_));
        let shown = letter.auth_token.clone().filter(|_| referee.is_endpoint());
        let (message, about, heard) = (letter.head.id.clone(), game.clone(), heard.into());
        self.record(PlayerFact::Received { game: about, message, heard, shown }, out);
        if is_score {
            self.withdraw_game_letters(Some(&game), out);
            let (me, reason) = (&self.me.address, StopReason::GameCompleted);
            let done = self.rounds.active.get(&match_id);
            let report = done.and_then(|done| done.report(me, reason, out.now));
            self.post_reports(report, out);
        }
        Ok(())
    }

    /// Somebody says that a letter of ours was no good, late or missing: its author is told, and
    /// what it means for a game under way is kept. Of what nobody here knows nothing follows.
    pub(super) fn hear_trouble(
        &mut self,
        about: Option<(MatchId, GameId)>,
        letter: &Letter,
        out: &mut Out,
    ) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "three acts tell of trouble")]
        let (original, text, status) = match &letter.act {
            Act::Rejection(said) => (&said.original, &said.reason, Some(GameStatus::Timeout)),
            Act::AlreadyRejected(said) => (&said.original, &said.reason, None),
            Act::Problem(said) => {
                let status = Some(GameStatus::Failed).filter(|_| !said.recoverable);
                (&said.original, &said.text, status)
            }
            _ => return,
        };
        let (match_id, original) = (about.as_ref().map(|(id, _)| *id), original.clone());
        let told = Alert::Rejected { match_id, original, text: ShortText::new(text) };
        out.push(Effect::Alert(told));
        let Some(((match_id, game), status)) = about.zip(status) else { return };
        if self.rounds.active.get(&match_id).is_some_and(|live| !live.is_over()) {
            self.record(PlayerFact::Failed { game, status, error: text.clone() }, out);
        }
    }

    /// Asks for everything that is owed by letter and that is not thought about already.
    pub(super) fn consult(&mut self, out: &mut Out) {
        let scores = self.unheard.keys().map(|match_id| (*match_id, SCORE));
        let wanted: Vec<_> = self.rounds.wanted().into_iter().chain(scores).collect();
        for (match_id, turn) in wanted {
            let same = |open: &Thought| open.match_id == match_id && open.turn == turn;
            if !self.thinking.open.iter().any(|(_, open)| same(open)) {
                let thought = Thought { match_id, attempt: 1, turn, second_try: false };
                self.ask(thought, out);
            }
        }
    }

    fn ask(&mut self, thought: Thought, out: &mut Out) {
        let Thought { match_id, turn, .. } = thought;
        let score = self.unheard.get(&match_id).filter(|_| turn == SCORE);
        let (kind, what, deadline) = match score {
            Some((_, score)) => {
                let what = What::Heard { view: score.view.clone() };
                (Cow::Borrowed(ActKind::Worth.wanted()), what, None)
            }
            None => {
                let Some(live) = self.rounds.active.get(&match_id) else { return };
                let Some((asked, view)) = live.seen(turn) else { return };
                let said = live.said_before(turn);
                let what = What::Move { view, options: Cow::default(), said };
                (asked.kind.clone(), what, asked.deadline)
            }
        };
        let until = self.thinking_time(match_id, turn).until(deadline, out.now);
        self.think(thought, (kind, what), until, out);
    }

    /// How long may be thought about that, by letter.
    fn thinking_time(&self, match_id: MatchId, turn: u32) -> ThinkingTime {
        let live = self.rounds.assignments().find(|row| row.match_id == match_id);
        let called = live.and_then(|row| row.referee.as_ref()).is_some_and(Address::is_endpoint);
        let letters = &self.times.letters;
        let margin = if called { self.times.thinking.margin } else { letters.margin };
        let place = usize::try_from(turn - 1).unwrap_or(0).min(letters.callbacks.len() - 1);
        ThinkingTime { usual: letters.callbacks[place], margin }
    }

    /// Asks whoever thinks for us.
    pub(super) fn think(
        &mut self,
        thought: Thought,
        (kind, what): (Cow<'static, str>, What),
        until: Timestamp,
        out: &mut Out,
    ) {
        let Thought { match_id, attempt, .. } = thought;
        let number = self.thinking.begin(thought);
        let question = Question { number, match_id, attempt, kind, what, until };
        out.push(Effect::Think(Box::new(question)));
    }

    /// Whoever thinks for us has answered, or could not. The first move counts, and everybody who
    /// asked by call hears it.
    pub(super) fn thought(
        &mut self,
        thought: Thought,
        answer: Result<Payload, Mishap>,
        out: &mut Out,
    ) {
        let Thought { match_id, attempt, turn: step, .. } = thought;
        if step == SCORE {
            // It was told; what it makes of it is its own business.
            return self.record(PlayerFact::Noted(match_id), out);
        }
        let player = self.id();
        // The round may be over, the score may have come first, or a later question.
        let live = self.rounds.active.get_mut(&match_id);
        let thinks = |live: &&mut Controller| live.attempt == attempt && live.thinks_of(step);
        let Some(live) = live.filter(thinks) else { return };
        if live.parameters.is_some() {
            let judged = answer.and_then(|choice| match Moved::objection(place(step), &choice) {
                None => Ok(choice),
                Some(text) => Err(Mishap { kind: MishapKind::WrongValue, text }),
            });
            return match judged {
                Ok(choice) => self.chose(thought, choice, None, out),
                Err(mishap) => self.stumbled(thought, &mishap, out),
            };
        }
        let Some(player) = player else { return };
        let waiting = std::mem::take(live.waiting());
        let mut said = live.choice().cloned();
        let late = matches!(&answer, Err(Mishap { kind: MishapKind::TimedOut, .. }));
        let refusal = || if late { Refusal::TooSlow } else { Refusal::NoDecision };
        if said.is_none()
            && let Ok(choice) = answer
        {
            let asked = waiting.first().map(|asked| &asked.letter.act);
            if asked.is_some_and(|asked| move_message(asked, player, &choice).is_some()) {
                said = Some(choice.clone());
                self.chose(thought, choice, None, out);
            } else {
                let said = ShortText::new(choice.as_str());
                out.push(Effect::Alert(Alert::NoMove { match_id, said }));
            }
        }
        for asked in waiting {
            match &said {
                Some(choice) => make(asked, player, choice, out),
                None => out.refuse(asked.request, refusal()),
            }
        }
    }

    fn chose(
        &mut self,
        Thought { match_id, attempt, turn: step, .. }: Thought,
        choice: Payload,
        instead_of: Option<Box<str>>,
        out: &mut Out,
    ) {
        let at = out.now;
        let fact = PlayerFact::Chosen { match_id, attempt, step, choice, instead_of, at };
        self.record(fact, out);
    }

    /// Our program has failed by letter. It is asked once more, except for the first question,
    /// which only asks whether we are there; then we say the least that lets the game go on, and
    /// why.
    fn stumbled(&mut self, thought: Thought, mishap: &Mishap, out: &mut Out) {
        let Thought { match_id, turn: step, second_try, .. } = thought;
        if step > 1 && !second_try {
            return self.ask(Thought { second_try: true, ..thought }, out);
        }
        let seen = self.rounds.active.get(&match_id).and_then(|live| live.seen(step));
        let Some((asked, view)) = seen else { return };
        let why = format!("{} {}: {}", asked.kind, failed(mishap.kind), mishap.text);
        let Some(choice) = self.move_instead(step, &view) else { return };
        self.chose(thought, choice, Some(why.into()), out);
    }

    /// What the game lets us say where nobody has thought of a move.
    fn move_instead(&self, step: u32, view: &Payload) -> Option<Payload> {
        let game = self.me.profile.games.first()?;
        let rules = Rules::new(game.as_str(), "{}").ok()?;
        let said = rules.move_instead(u8::try_from(place(step)).ok()?, view.as_bytes())?;
        Some(Payload::trusted(&said))
    }

    pub(super) fn post_reports(
        &mut self,
        reports: impl IntoIterator<Item = StatusReport>,
        out: &mut Out,
    ) {
        for report in reports {
            let reason = report.reason.as_str().to_lowercase();
            let id =
                MessageId::new(&format!("report-{}-{}-{reason}", report.game, self.me.address));
            let (game, round) = (report.game.clone(), report.round);
            let mut letter =
                agent::to_manager(self, id, Act::StatusReport(report.into()), None, out.now);
            letter.head.context.game = Some(game);
            // The round that the report is about may be over, and its name forgotten.
            if round != self.rounds.current_round() {
                letter.head.context.round = None;
            }
            agent::tell_manager(self, letter, out);
        }
    }

    /// Sends what was said and not sent yet, unless the season stands still.
    pub(super) fn send_owed(&mut self, out: &mut Out) {
        if self.me.season.paused_at.is_none() {
            for (match_id, turn) in self.rounds.owed() {
                self.send(match_id, turn, out);
            }
        }
    }

    /// Sends our answer in a game, or sends it again: the very same letter.
    fn send(&mut self, match_id: MatchId, number: u32, out: &mut Out) {
        let Some(live) = self.rounds.active.get(&match_id) else { return };
        let (Some(parameters), Some(turn)) = (&live.parameters, live.turn(number)) else { return };
        let (Some(asked), Some((said_at, said))) = (&turn.letter, &turn.said) else { return };
        let (message, AskedInLetter { deadline, .. }) = &**asked;
        let assignment = &parameters.assignment;
        let (game, shown) = (assignment.game.clone(), parameters.shown.clone());
        let Some(referee) = assignment.referee.clone() else { return };
        let (said, token) = (said.clone(), parameters.token.clone());
        let act = Act::Move(Moved { game: game.clone(), number: place(number), said, token });
        let id = MessageId::new(&format!("{}-{game}-{}", act.kind().tag(), self.me.address));
        if self.me.letterbox.holds(&id) {
            return;
        }
        let head = Heading {
            id,
            sent_at: *said_at,
            from: agent::origin(&self.me, &referee),
            recipient: referee.as_str().into(),
            answers: Some(message.clone()),
            context: Context { game: Some(game), ..self.context(None) },
        };
        let letter = Letter { head, auth_token: shown, act };
        // A referee that cannot be reached must not be written to for ever.
        let until = deadline.unwrap_or(out.now).max(out.now) + self.times.letters.grace;
        agent::send(self, referee, letter, Some(until), out);
    }

    /// Nobody wants our letters about that game any more, or about any.
    pub(super) fn withdraw_game_letters(&mut self, game: Option<&GameId>, out: &mut Out) {
        let waiting = self.me.letterbox.waiting().filter(|parcel| {
            let about = parcel.letter.head.context.game.as_ref();
            parcel.letter.kind.is_of_match() && (game.is_none() || about == game)
        });
        let waiting: Vec<_> = waiting.map(|parcel| parcel.id).collect();
        agent::settle(self, waiting, out);
    }
}

/// Answers a call with a move.
pub(super) fn make(asked: AskedInCall, player: PlayerId, choice: &Payload, out: &mut Out) {
    match move_message(&asked.letter.act, player, choice) {
        Some(message) => asked.answer(player, message, out),
        None => out.refuse(asked.request, Refusal::NoDecision),
    }
}

/// Nothing more is said in that match to whoever waits.
pub(super) fn send_away(live: &mut Controller, why: &Refusal, out: &mut Out) {
    for asked in std::mem::take(live.waiting()) {
        out.refuse(asked.request, why.clone());
    }
}

const fn failed(kind: MishapKind) -> &'static str {
    match kind {
        MishapKind::Raised => "raised an exception",
        MishapKind::TimedOut => "took too long",
        MishapKind::WrongValue => "returned a wrong value",
        MishapKind::Gone => "could not be called",
    }
}
