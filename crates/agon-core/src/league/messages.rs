//! Messages of matches that their referees handed in: which pieces tell of a match, and how many
//! messages it had.
//!
//! The pieces themselves lie beside the facts. They prove nothing, and no result waits for them or
//! changes with them. What a referee may leave here grows with the attempts that it has held.
//!
//! Spec: docs/protocol/match.md

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::piece::PIECES_MAX;
use agon_proto::tool::{AttemptMessages, MessagePiece, PieceId, PieceOf};
use agon_proto::{AgentId, Contact, MatchId, PlayerId, RefereeId};

use super::League;
use crate::Refusal;
use crate::fact::LeagueFact;

/// So much is kept for each attempt that a referee has held, as it was handed in, in bytes: the
/// messages of a match are less by far, and what one does not need another may.
const ATTEMPT_MAX: u64 = 128 * 1024;
/// A piece is not longer, in bytes: one that cannot be compressed at all stays below.
const PIECE_MAX: usize = agon_proto::piece::PIECE_MAX + 4 * 1024;

/// All that was handed in.
#[derive(Debug, Default)]
pub(crate) struct HandedIn {
    /// What each piece says of an attempt, by the piece's place in `pieces`.
    told: BTreeMap<(MatchId, u32, u32), Told>,
    pieces: Vec<(RefereeId, PieceId)>,
    shares: BTreeMap<RefereeId, Share>,
}

/// How many messages an attempt had, as a piece has it.
#[derive(Debug, Clone, Copy)]
struct Told {
    messages: u32,
    last: bool,
}

/// What one referee has handed in.
#[derive(Debug, Default)]
struct Share {
    pieces: BTreeSet<PieceId>,
    attempts: u64,
    bytes: u64,
}

/// Where the messages of a match are, and what its people are called there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptPieces {
    /// The pieces that tell of it, in the order in which they came.
    pub pieces: Vec<(RefereeId, PieceId)>,
    /// Its players, and where they are reached.
    pub players: Vec<(Contact, PlayerId)>,
    /// Its referees, and where they are reached.
    pub referees: Vec<(Contact, RefereeId)>,
}

impl HandedIn {
    /// Somebody has handed in a piece.
    pub(super) fn apply(&mut self, fact: &LeagueFact) {
        let LeagueFact::MessagesKept { referee, piece, bytes, matches, .. } = fact else { return };
        let place = u32::try_from(self.pieces.len()).expect("each is a fact, and there are fewer");
        self.pieces.push((*referee, *piece));
        let share = self.shares.entry(*referee).or_default();
        share.pieces.insert(*piece);
        share.bytes += u64::from(*bytes);
        for PieceOf { match_id, attempt, messages, last } in matches.iter().copied() {
            let attempts = (match_id, attempt, 0)..=(match_id, attempt, u32::MAX);
            share.attempts += u64::from(self.told.range(attempts).next().is_none());
            self.told.insert((match_id, attempt, place), Told { messages, last });
        }
    }

    /// Whether that piece is here already.
    pub(crate) fn knows(&self, by: RefereeId, piece: PieceId) -> bool {
        self.shares.get(&by).is_some_and(|share| share.pieces.contains(&piece))
    }

    /// What the pieces say of an attempt.
    fn of(&self, match_id: MatchId, attempt: u32) -> impl Iterator<Item = Told> + '_ {
        let attempt = (match_id, attempt, 0)..=(match_id, attempt, u32::MAX);
        self.told.range(attempt).map(|(_, told)| *told)
    }
}

impl League {
    /// Whether that piece is to be kept, which is not here yet.
    pub(crate) fn check_piece(&self, by: RefereeId, piece: &MessagePiece) -> Result<(), Refusal> {
        let MessagePiece { matches, body, .. } = piece;
        if matches.is_empty() || body.as_bytes().len() > PIECE_MAX {
            return Err(Refusal::BadValue("a piece that is too long, or tells of nothing"));
        }
        let (mut before, mut new) = (None, 0);
        for PieceOf { match_id, attempt, .. } in matches {
            if before.replace((*match_id, *attempt)) >= Some((*match_id, *attempt)) {
                return Err(Refusal::BadValue("a piece names its matches once, in their order"));
            }
            let holder = self.season.holder(*match_id, *attempt).ok_or(Refusal::NoSuchMatch)?;
            if holder != by {
                return Err(Refusal::NotYourMatch(*match_id));
            }
            let known = self.handed_in.of(*match_id, *attempt).count();
            if known >= PIECES_MAX as usize {
                return Err(Refusal::BadValue("a match has no more pieces than that"));
            }
            new += u64::from(known == 0);
        }
        let share = self.handed_in.shares.get(&by);
        let (attempts, bytes) = share.map_or((0, 0), |share| (share.attempts, share.bytes));
        if bytes + body.as_bytes().len() as u64 > (attempts + new) * ATTEMPT_MAX {
            return Err(Refusal::BadValue("more than is kept of so many matches"));
        }
        Ok(())
    }

    /// Which attempts there were at that match, and how many messages each had; the messages
    /// themselves are elsewhere. Nothing while it has no result: something may be sealed yet.
    pub(super) fn attempts_at(&self, match_id: MatchId) -> Vec<AttemptMessages> {
        let attempt = self.season.attempt(match_id);
        let last = attempt.filter(|_| self.season.result(match_id).is_some());
        let counted = (1..=last.map_or(0, |attempt| attempt.number)).map(|attempt| {
            let told = || self.handed_in.of(match_id, attempt);
            AttemptMessages {
                attempt,
                referee_id: self.season.holder(match_id, attempt),
                messages_sent: told().map(|told| told.messages).max().unwrap_or(0),
                complete: told().any(|told| told.last),
                messages: Vec::new(),
            }
        });
        counted.collect()
    }

    /// Where its messages are.
    pub fn pieces(&self, match_id: MatchId) -> KeptPieces {
        let told = self.handed_in.told.range((match_id, 0, 0)..=(match_id, u32::MAX, u32::MAX));
        let mut places: Vec<u32> = told.map(|((_, _, place), _)| *place).collect();
        places.sort_unstable();
        places.dedup();
        let pieces: Vec<_> =
            places.into_iter().map(|place| self.handed_in.pieces[place as usize]).collect();
        let fixture = self.season.fixture(match_id).into_iter();
        let contact = |id| self.registry.agent(id).map(|agent| agent.contact.clone());
        let players = fixture.flat_map(|fixture| fixture.players());
        let players = players.filter_map(|id| Some((contact(AgentId::Player(id))?, id))).collect();
        let mut referees: Vec<_> = pieces.iter().map(|(referee, _)| *referee).collect();
        referees.dedup();
        let referees = referees.into_iter();
        let referees = referees.filter_map(|id| Some((contact(AgentId::Referee(id))?, id)));
        KeptPieces { pieces, players, referees: referees.collect() }
    }
}
