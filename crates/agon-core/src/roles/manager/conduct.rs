//! Giving matches to referees, as many as each has room for.
//!
//! What becomes of a match then is in `leases` and `settling`; who must have heard what before it
//! may begin, in `hearing`.
//!
//! Spec: docs/protocol/assignment.md

use std::sync::Arc;

use agon_proto::act::Act;
use agon_proto::message::{Blame, Cause, MatchAssignment, Record};
use agon_proto::{
    AgentId, ConversationId, Dialogue, Endpoint, Envelope, MatchId, PlayerId, RefereeId, Sender,
};

use super::book::Book;
use super::in_play::InPlay;
use crate::assignments::Place;
use crate::effect::{Effect, Lane, Outgoing, Tag};
use crate::season::Attempt;

/// How often one referee is called about one match before it is given up.
const CALLS_MAX: u32 = 3;

/// The conduct of the matches, from hand to hand, until each has its result.
pub(super) struct Conduct<'a> {
    pub(super) book: Book<'a>,
    pub(super) in_play: &'a mut InPlay,
}

impl Conduct<'_> {
    pub(super) fn hand_out_all(&mut self) {
        for referee in self.book.league().registry.referee_ids() {
            self.hand_out(referee);
        }
    }

    /// Gives that referee as many matches as it has room for.
    pub(super) fn hand_out(&mut self, referee: RefereeId) {
        if self.book.league().season.paused() {
            return;
        }
        let capacity = self.book.league().registry.capacity(referee);
        while let Some(match_id) = self.in_play.assignments.take(referee, capacity) {
            self.assign(match_id);
        }
    }

    pub(super) fn assign(&mut self, match_id: MatchId) {
        let Some(attempt) = self.book.league().season.attempt(match_id) else {
            return;
        };
        let Some((to, letter)) = self.assignment(match_id, attempt) else {
            return;
        };
        let settings = &self.book.league().settings;
        self.in_play.assignments.wait(match_id, self.book.now + settings.match_time_max());
        let timeout = settings.call();
        self.book.out.push(Effect::Send(Outgoing {
            to,
            lane: Lane::Once { timeout },
            tag: Tag::Assign { match_id, attempt: attempt.number },
            letter,
        }));
    }

    fn assignment(&self, match_id: MatchId, attempt: Attempt) -> Option<(Endpoint, Box<Envelope>)> {
        let (records, registry) = (self.book.records(), &self.book.league().registry);
        let fixture = records.league.season.fixture(match_id)?;
        let referee = registry.referee(attempt.referee)?;
        let (a, b) = (registry.player(fixture.a)?, registry.player(fixture.b)?);
        let settings = &records.league.settings;
        let (number, by) = (attempt.number, attempt.referee);
        let token = |player: PlayerId| {
            let signer = records.signer(AgentId::Player(player))?;
            Some(signer.key.match_token(&settings.league_id, match_id, number, by))
        };
        let game_type = settings.game_type();
        let game_settings = settings.told_apart(&game_type);
        let assignment = Arc::new(MatchAssignment {
            league_id: settings.league_id.clone(),
            round_id: match_id.round,
            match_id,
            attempt: number,
            game_type,
            referee_id: by,
            player_a_id: fixture.a,
            player_a_endpoint: a.endpoint(),
            player_a_display_name: a.name.clone(),
            player_a_token: token(fixture.a)?,
            player_a_standings: self.record_of(fixture.a),
            player_b_id: fixture.b,
            player_b_endpoint: b.endpoint(),
            player_b_display_name: b.name.clone(),
            player_b_token: token(fixture.b)?,
            player_b_standings: self.record_of(fixture.b),
            limits: settings.limits,
            hints: settings.hints && game_settings.is_some(),
            game_settings,
        });
        let proof = records.signer(AgentId::Referee(by)).map(|signer| &signer.manager_token);
        // Its place first: a letter is large, and is not written twice then.
        let letter = Box::write(
            Box::new_uninit(),
            Envelope {
                head: Dialogue {
                    sender: Sender::LeagueManager,
                    timestamp: self.book.now,
                    conversation_id: ConversationId::Match { match_id, attempt: number },
                },
                auth_token: proof.cloned(),
                act: Act::MatchAssignment(assignment),
            },
        );
        Some((referee.endpoint(), letter))
    }

    fn record_of(&self, player: PlayerId) -> Record {
        let row = self.book.league().season.standings().row(player);
        Record { wins: row.wins, losses: row.losses, draws: row.draws }
    }

    /// Whether that attempt is the one under way.
    pub(super) fn is_current(&self, match_id: MatchId, attempt: u32) -> bool {
        let season = &self.book.league().season;
        season.result(match_id).is_none()
            && season.attempt(match_id).is_some_and(|current| current.number == attempt)
    }

    pub(super) fn assignment_answered(&mut self, match_id: MatchId, attempt: u32, refused: bool) {
        // What an older attempt's referee answers late says nothing of the one that holds it now.
        let held = self.book.league().season.attempt(match_id);
        let Some(holder) = held.filter(|held| held.number == attempt) else {
            return;
        };
        let (now, settings) = (self.book.now, &self.book.league().settings);
        self.in_play.assignments.heard(holder.referee, now + settings.lease());
        if refused && self.is_out(match_id, attempt) {
            self.in_play.assignments.put_back(match_id, now + settings.retry());
        }
        self.hand_out(holder.referee);
    }

    pub(super) fn assignment_failed(&mut self, match_id: MatchId, attempt: u32) {
        if !self.is_out(match_id, attempt) {
            return;
        }
        let league = self.book.league();
        let again_at = self.book.now + league.settings.retry();
        let tries = self.in_play.assignments.rest(match_id, again_at);
        let holder = league.season.attempt(match_id).map(|attempt| attempt.referee);
        let next = holder.map(|holder| (holder, self.in_play.substitute(holder, league)));
        let better =
            next.is_some_and(|(from, to)| from != to && !self.in_play.assignments.is_doubtful(to));
        // With nobody to turn to the league waits: no attempt is spent on calls that do not arrive.
        if tries >= CALLS_MAX && better {
            self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee);
        }
    }

    /// The call never left, for want of something that our own host lacks: the referee knows
    /// nothing of it, and it does not count against it.
    pub(super) fn assignment_not_sent(&mut self, match_id: MatchId, attempt: u32) {
        if self.is_out(match_id, attempt) {
            let again_at = self.book.now + self.book.league().settings.retry();
            self.in_play.assignments.put_back(match_id, again_at);
        }
    }

    /// Whether that attempt is under way, and with its referee.
    fn is_out(&self, match_id: MatchId, attempt: u32) -> bool {
        let out = self.in_play.assignments.place(match_id) == Some(Place::Out);
        out && self.is_current(match_id, attempt)
    }
}
