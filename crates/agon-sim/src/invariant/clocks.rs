//! The promise about clocks: who has nothing left is asked once, and nobody else is asked less than
//! four times before it loses by that.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Effect, RefereeFact, Seat, Tag};
use agon_proto::PlayerId;
use agon_proto::act::Act;
use agon_proto::message::Cause;

use crate::audit::{Attempt, Books, Kept, Promise, Sight, all_wrong, hold};

/// How often a question is put to a player that has something on its clock.
const ASKS: u8 = 4;

#[derive(Default)]
struct Clocks {
    /// Those without anything left when the manager wrote down its last batch but one: it knew.
    known_empty: BTreeSet<PlayerId>,
    /// Whether an effect of the manager's has left since it last wrote something down.
    has_spoken: bool,
    /// Who is asked once in a match, as the manager has said it; again after a restart, perhaps.
    said: BTreeMap<Attempt, Vec<Vec<PlayerId>>>,
    /// The matches in which somebody is asked once, and who, as each referee has taken them: what
    /// comes later, because its answer was lost, changes nothing.
    asked_once: BTreeMap<(usize, Attempt), Vec<PlayerId>>,
    /// For the how manieth time each player was asked the last question, by referee.
    asks: BTreeMap<(usize, Attempt, Seat), u8>,
}

pub(super) fn clocks() -> Promise {
    let mut clocks = Clocks::default();
    Box::new(move |sight, books| {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is none of it")]
        match sight {
            Sight::LeagueWrote(_) => {
                if std::mem::take(&mut clocks.has_spoken) {
                    clocks.known_empty = empty(books).collect();
                }
                Ok(())
            }
            Sight::Leaves(node, Effect::Send(sent)) => match (&sent.letter.act, sent.tag) {
                (Act::MatchAssignment(said), Tag::Assign { match_id, attempt }) => {
                    clocks.has_spoken = true;
                    let players = [said.player_a_id, said.player_b_id];
                    clocks.assigned((match_id, attempt), players, &said.asked_once, books)
                }
                (_, Tag::Ask { match_id, attempt, seat, ask, .. }) => {
                    clocks.asks.insert((*node, (match_id, attempt), seat), ask);
                    let once = clocks.is_asked_once((*node, (match_id, attempt)), seat, books);
                    hold(!once || ask == 1, || {
                        format!("{match_id}: {seat:?} is asked again, and its clock is empty")
                    })
                }
                _ => Ok(()),
            },
            Sight::Leaves(0, _) => {
                clocks.has_spoken = true;
                Ok(())
            }
            Sight::RefereeWrote(node, RefereeFact::Assigned(said)) => {
                let attempt = (said.match_id, said.attempt);
                let asked_once = said.asked_once.to_vec();
                let is_said = clocks.said.get(&attempt).is_some_and(|it| it.contains(&asked_once));
                clocks.asked_once.insert((*node, attempt), asked_once);
                hold(is_said, || format!("{}: its referee knows of other clocks", said.match_id))
            }
            Sight::RefereeWrote(node, RefereeFact::Judged { match_id, attempt, verdict, .. }) => {
                let counts = matches!(verdict.cause, Cause::NoShow | Cause::TimedOut);
                let lost = Seat::BOTH.into_iter().filter(|seat| counts && verdict.blames(*seat));
                let attempt = (*match_id, *attempt);
                let asked = |seat| clocks.asks.get(&(*node, attempt, seat)).copied();
                let hasty = |seat: &Seat| {
                    let once = clocks.is_asked_once((*node, attempt), *seat, books);
                    !once && asked(*seat).is_some_and(|asks| asks < ASKS)
                };
                // Where both have lost, the reason may be that of one of them.
                let lost: Vec<_> = lost.collect();
                let wrong = lost.iter().copied().filter(|_| lost.iter().all(hasty));
                all_wrong(wrong.map(|seat| {
                    format!("{match_id}: {seat:?} lost and was asked {:?} times", asked(seat))
                }))
            }
            _ => Ok(()),
        }
    })
}

/// Who has nothing left on its clock.
fn empty(books: &Books) -> impl Iterator<Item = PlayerId> {
    let league = &books.league;
    league
        .player_ids()
        .into_iter()
        .filter(|it| league.clock(*it).is_some_and(|left| left.is_zero()))
}

impl Clocks {
    /// A referee is told who is asked once: nobody who has something left, and everybody of whom
    /// the manager had written down that nothing is.
    fn assigned(
        &mut self,
        attempt: Attempt,
        players: [PlayerId; 2],
        asked_once: &[PlayerId],
        books: &Books,
    ) -> Kept {
        self.said.entry(attempt).or_default().push(asked_once.to_vec());
        let empty: BTreeSet<PlayerId> = empty(books).collect();
        let (match_id, _) = attempt;
        let early = asked_once.iter().find(|player| !empty.contains(player));
        let late = players
            .iter()
            .find(|player| self.known_empty.contains(player) && !asked_once.contains(player));
        let early = early.map(|it| format!("{match_id}: {it} is to be asked once too early"));
        let late =
            late.map(|it| format!("{match_id}: {it} is to be asked again, with nothing left"));
        all_wrong(early.into_iter().chain(late))
    }

    fn is_asked_once(&self, by: (usize, Attempt), seat: Seat, books: &Books) -> bool {
        let (_, (match_id, _)) = by;
        let player = books.fixture(match_id).map(|it| it.players()[seat.index()]);
        let asked_once = self.asked_once.get(&by).zip(player);
        asked_once.is_some_and(|(all, player)| all.contains(&player))
    }
}
