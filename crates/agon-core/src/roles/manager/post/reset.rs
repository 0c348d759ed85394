//! Forgetting a season: everybody is told, and another one opens at once.
//!
//! Who had enrolled registers again. The new season has an id and a number of its own, so that
//! nobody takes a letter of the one for a letter of the other; what was dealt with stays so.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::q21::{Address, Body, Halt, Letter, SeasonId};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Contact, Timestamp};

use super::super::{Manager, Out};
use super::outbox::News;
use crate::Refusal;
use crate::fact::{LeagueFact, Order, Q21Fact};
use crate::post::{ParcelId, PostFact};
use crate::settings::SEASONS_MAX;

impl Manager {
    /// The operator wants to begin anew. Where nobody has enrolled there is nothing to forget.
    pub(in crate::roles::manager) fn reset_season(
        &mut self,
        order: Order,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        if !self.league.is_q21() {
            let why = "reset_season: this is an Even/Odd league, and only Q21 seasons are reset";
            return Err(Refusal::Unsupported(why));
        }
        if self.is_untouched() {
            return Ok(());
        }
        for parcel in self.of_no_use() {
            self.record(LeagueFact::Post(PostFact::Settled(parcel)), out);
        }
        let halt = Halt { reason: order.reason.as_str().into() };
        let everybody = self.expected();
        self.tell(everybody, News::once("reset", Body::Reset(halt)), now, out);
        let (season, number) = (self.next_season(), self.next_number());
        let fact = Q21Fact::SeasonReset { season, number, order, at: now };
        self.record(LeagueFact::Q21(fact), out);
        self.open_season(now, out);
        Ok(())
    }

    /// Whether the season is as it was when it opened.
    fn is_untouched(&self) -> bool {
        let phase = self.league.season.phase();
        let open = matches!(phase, LeaguePhase::Startup | LeaguePhase::AcceptingRegistrations);
        open && !self.league.season.paused() && self.everybody().is_empty()
    }

    /// Letters that wait and that nobody wants after the season. By call a token and the reset
    /// itself must arrive all the same: who never got the one cannot tell who says the other.
    fn of_no_use(&self) -> Vec<ParcelId> {
        let by_call = self.league.settings.q21.by_call;
        let wanted = |letter: &Letter| {
            matches!(letter.body, Body::Reset(_))
                || by_call && matches!(letter.body, Body::RegistrationAnswer(_))
        };
        let waiting = self.letterbox.waiting();
        waiting.filter(|parcel| !wanted(&parcel.letter)).map(|parcel| parcel.id).collect()
    }

    /// Everybody who is on the roster, and by mail whoever was in a season before. By call those
    /// who have enrolled: nobody else could tell that it is us.
    pub(super) fn expected(&self) -> Vec<Address> {
        let members = self.league.registry.everybody().map(|(_, agent)| agent.address());
        if self.league.settings.q21.by_call {
            return members.collect();
        }
        let roster = self.league.settings.q21.roster.iter().flat_map(|entry| {
            [Some(entry.player.clone()), entry.referee.clone()].into_iter().flatten()
        });
        let before = self.league.former.keys().map(Contact::address);
        let mut known = BTreeSet::new();
        roster.chain(members).chain(before).filter(|one| known.insert(one.clone())).collect()
    }

    /// `S01-2` after `S01`, then `S01-3`.
    fn next_season(&self) -> SeasonId {
        let (resets, ours) = (self.league.resets, self.league.settings.q21.season.as_str());
        let ending = format!("-{}", resets + 1);
        // Only what we have added ourselves is taken away: `SEASON_2026-02` may be its name.
        let first = ours.strip_suffix(&ending).filter(|_| resets > 0).unwrap_or(ours);
        SeasonId::new(&format!("{first}-{}", resets + 2))
    }

    fn next_number(&self) -> u32 {
        self.league.settings.q21.season_number % SEASONS_MAX + 1
    }
}
