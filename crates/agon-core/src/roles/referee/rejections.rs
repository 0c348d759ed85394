//! What a referee writes to a player that was late, never came, or said what is no answer.
//!
//! Nobody is asked twice by letter, so the game goes on without it: it is told why, and what was
//! received, so that its author can mend the next one.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{Act, ActKind, Problem, Rejection};
use agon_proto::{Heading, Letter, MatchId, MessageId, Timestamp};
use rustc_hash::FxHashSet;

use super::exchange::Exchange;
use super::records::{Held, HeldStage, Pairing, Records};
use super::results::problem;
use crate::agent::Agent;
use crate::gate::Arrival;
use crate::letterbox::Parcel;
use crate::matches::{Failure, Lapsed, Match};
use crate::verdict::Seat;

/// Whose letter was rejected, in which match, and whether because it was late or because the match
/// was over.
pub(super) type Told = (MatchId, Seat, bool);

/// What a game brings to whoever fails in it.
const LOST: &str = "this game brings you 0 points";

impl Exchange {
    /// What a player is told of an ask that came to nothing. One that will be asked again after its
    /// silence hears that question instead.
    pub(super) fn lapsed(
        &self,
        live: &Match,
        lapsed: &Lapsed,
        me: &Agent,
        now: Timestamp,
    ) -> Option<Letter> {
        let Lapsed { seat, step, ask, failure, due, .. } = *lapsed;
        let is_over = live.has_failed(seat);
        let (problem, original) = (problem(lapsed), ActKind::Move(step).name());
        let end = if is_over { format!("; {LOST}") } else { String::new() };
        if matches!(failure, Failure::Silent | Failure::Unreachable) {
            let reason = format!("{problem}{end}");
            return is_over
                .then(|| self.rejection(seat, (original, due, None), &reason, (me, now)));
        }
        let received = lapsed.objection.as_ref().and_then(|objection| objection.received.as_ref());
        let received = received.map_or(String::new(), |text| format!("; received: {text}"));
        let act = Act::Problem(Problem {
            code: "INVALID_MESSAGE".into(),
            text: format!("{problem}{end}{received}").into(),
            original: Some(original.into()),
            recoverable: !is_over,
        });
        let letter = self.to_player(seat, act, me, now);
        let (game, group) = (self.game(), &self.player(seat).group);
        let id = MessageId::new(&format!("error-{game}-{group}-{step}-{ask}"));
        Some(Letter { head: Heading { id, ..letter.head }, ..letter })
    }

    /// That letter, which says what was due when, and when it came, if it did.
    fn rejection(
        &self,
        seat: Seat,
        (original, deadline, received_at): (&str, Option<Timestamp>, Option<Timestamp>),
        reason: &str,
        (me, now): (&Agent, Timestamp),
    ) -> Letter {
        let (original, reason) = (Some(original.into()), reason.into());
        let act = Act::Rejection(Rejection { original, deadline, received_at, reason });
        self.rejecting("rej", seat, act, (me, now))
    }

    fn rejecting(&self, tag: &str, seat: Seat, act: Act, (me, now): (&Agent, Timestamp)) -> Letter {
        let letter = self.to_player(seat, act, me, now);
        let id = MessageId::new(&format!("{tag}-{}-{}", self.game(), self.player(seat).group));
        Letter { head: Heading { id, ..letter.head }, ..letter }
    }
}

/// What is said of a player's letter that came too late, or after its game was over for it. By mail
/// nothing else tells it so; once for each, or anybody could have us write for ever.
pub(super) fn rejected(
    records: &Records,
    before: &mut FxHashSet<Told>,
    (match_id, seat): (MatchId, Seat),
    came: Arrival,
    now: Timestamp,
) -> Option<Parcel> {
    let Held { pairing: Pairing::Written(exchange), stage } =
        records.matches.held.get(&match_id)?
    else {
        return None;
    };
    let (open, has_failed) = match stage {
        HeldStage::Live(live, _) => (live.open(seat), live.has_failed(seat)),
        HeldStage::Over(verdict) => (None, verdict.blames(seat)),
        HeldStage::Abandoned | HeldStage::Judged(_) | HeldStage::Telling(..) => (None, false),
    };
    let original = came.letter.act.kind();
    let is_late = open.is_some_and(|open| ActKind::Move(open.step) == original);
    let is_wanted = is_late || has_failed;
    if exchange.is_called(seat) || !is_wanted || !before.insert((match_id, seat, is_late)) {
        return None;
    }
    let (me, at) = (&records.me, came.at);
    let about = (original.name(), open.map(|open| open.until), Some(at));
    let letter = if is_late {
        let reason = format!("it came after its deadline; {LOST}");
        exchange.rejection(seat, about, &reason, (me, now))
    } else {
        let (original, reason) = (Some(original.name().into()), LOST.into());
        let said = Rejection { original, deadline: None, received_at: Some(at), reason };
        exchange.rejecting("alr", seat, Act::AlreadyRejected(said), (me, now))
    };
    Some(exchange.parcel(me, (seat, &answering(letter, came.letter), now)))
}

/// The same, in answer to that one.
fn answering(letter: Letter, answered: &Letter) -> Letter {
    let answers = Some(answered.head.id.clone());
    Letter { head: Heading { answers, ..letter.head }, ..letter }
}
