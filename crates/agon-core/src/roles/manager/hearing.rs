//! The order of what is heard: no match before its players know of it, no table before they know
//! how their own match ended.
//!
//! A referee of ours tells its players after it has reported, and says when they know. Any other
//! told them before. Nobody is waited for longer than a notice may take, at any turn of a round.
//!
//! Spec: docs/protocol/season.md

use agon_proto::message::{Blame, Cause};
use agon_proto::tool::LeaguePhase;
use agon_proto::{MatchId, RefereeId};

use super::conduct::Conduct;
use crate::effect::{Effect, Tag};
use crate::league::registry::Agent;
use crate::season::MatchRecord;

impl Conduct<'_> {
    /// Somebody has taken news, or could not at the first try.
    pub(super) fn noticed(&mut self, tag: Tag) {
        match tag {
            Tag::Announce { match_id, seat } => {
                if let Some(referee) = self.in_play.assignments.player_heard(match_id, seat) {
                    self.hand_out(referee);
                }
            }
            Tag::AnnounceTo { referee, round } => {
                self.in_play.assignments.referee_heard(referee, round);
                self.hand_out(referee);
            }
            Tag::Register
            | Tag::Ask { .. }
            | Tag::Assign { .. }
            | Tag::Report { .. }
            | Tag::Over { .. }
            | Tag::Told
            | Tag::Heartbeat
            | Tag::Notice
            | Tag::Parcel(_) => {}
        }
    }

    /// That referee's match is about to have its result, and its players have yet to hear of it.
    pub(super) fn expect_told(&mut self, match_id: MatchId, referee: RefereeId) {
        let league = self.book.league();
        let fixture = league.season.fixture(match_id);
        if let Some(fixture) = fixture.filter(|_| league.registry.duty(referee).says_told) {
            self.book.heard.expect(match_id, [fixture.a, fixture.b]);
        }
    }

    /// A referee says whose players know how their match ended.
    pub(super) fn players_told(&mut self, referee: RefereeId, told: &[MatchId]) {
        for match_id in told {
            let result = self.book.league().season.result(*match_id);
            if result.is_some_and(|it| it.referee == referee) {
                self.book.heard.told(*match_id);
            }
        }
        self.let_hear();
    }

    /// A referee has forgotten whom it had told, and nobody else will tell them.
    pub(super) fn expect_nothing_of(&mut self, referee: RefereeId) {
        let told = self.book.heard.untold();
        self.players_told(referee, &told);
    }

    /// What waited for somebody leaves, as far as nobody has to wait any more.
    fn let_hear(&mut self) {
        if self.book.heard.is_holding() {
            let ready = self.book.heard.release().into_iter();
            self.book.out.effects.extend(ready.map(|news| Effect::Broadcast(Box::new(news))));
        }
    }

    /// After a restart nobody knows who has heard what: referees are asked by telling them of the
    /// round again.
    pub(super) fn wait_for_news(&mut self) {
        self.book.wait_for_everybody();
        let last = self.book.league().season.round();
        for round in last.saturating_sub(1).max(1)..=last {
            for match_id in self.book.league().season.matches_in(round) {
                self.expect_again(match_id);
            }
        }
    }

    fn expect_again(&mut self, match_id: MatchId) {
        let league = self.book.league();
        let record = league.season.result(match_id).copied();
        if let Some(MatchRecord { verdict, referee, at, .. }) = record {
            // Who has begun anew since then without a journal knows of none of it.
            let agent = league.registry.referee(referee);
            let forgot = |it: &Agent| it.registered_at > at && !it.provenance.keeps_token;
            if agent.is_none_or(forgot) {
                return;
            }
            // Nobody is told of a match that came to nothing through no player's fault.
            let silent = matches!(
                verdict.blame,
                Some(Blame::Referee | Blame::Network | Blame::Host | Blame::Operator)
            );
            let withdrawn = verdict.cause == Cause::Withdrawn;
            if !silent && !withdrawn {
                self.expect_told(match_id, referee);
            }
        }
    }

    /// Whoever has not heard by now is not waited for.
    pub(super) fn wait_no_longer(&mut self) {
        let until = self.in_play.waits_until(self.book.heard);
        if until.is_none_or(|until| until > self.book.now) {
            return;
        }
        self.book.heard.give_up();
        self.let_hear();
        self.in_play.assignments.all_heard();
        self.hand_out_all();
    }

    /// A referee that comes in the middle of a round hears of it before it gets a match.
    pub(super) fn catch_up(&mut self, referee: RefereeId) {
        let league = self.book.league();
        if league.season.phase() == LeaguePhase::Running && league.season.open() > 0 {
            let until = self.book.now + league.settings.notice();
            self.in_play.assignments.announce_to(referee);
            self.book.tell().round_to_referee(referee);
            self.book.heard.wait_if_nobody_does(until);
        }
    }
}
