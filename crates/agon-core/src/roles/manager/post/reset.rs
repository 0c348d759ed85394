//! Forgetting a season: everybody is told, and another one opens at once.
//!
//! Who had enrolled registers again. The new season has an id and a number of its own, so that
//! nobody takes a letter of the one for a letter of the other; what was dealt with stays so.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::announcement::Announcement;
use agon_proto::q21::{Address, Body, SeasonId, Task};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Contact, Timestamp};

use super::super::saying::Reader;
use super::super::{Manager, Out};
use crate::Refusal;
use crate::fact::{LeagueFact, Order, Q21Fact};
use crate::post::{Parcel, ParcelId, PostFact};

impl Manager {
    /// The operator wants to begin anew. Where nobody has enrolled there is nothing to forget.
    pub(in crate::roles::manager) fn reset_season(
        &mut self,
        order: Order,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        if !self.league.settings.says().seasons {
            let why =
                "reset_season: agents of this league know of no seasons, so none can be forgotten";
            return Err(Refusal::Unsupported(why));
        }
        if self.is_untouched() {
            return Ok(());
        }
        for parcel in self.of_no_use() {
            self.record(LeagueFact::Post(PostFact::Settled(parcel)), out);
        }
        let (number, reason) = (self.league.resets, order.reason.clone());
        let news = Announcement::Halt { task: Task::Reset, number, reason };
        self.say(news, self.expected(), now, out);
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
        open && !self.league.season.paused() && self.league.everybody().next().is_none()
    }

    /// Letters that wait and that nobody wants after the season. By call a token and the reset
    /// itself must arrive all the same: who never got the one cannot tell who says the other.
    fn of_no_use(&self) -> Vec<ParcelId> {
        let wanted = |parcel: &Parcel| {
            let called = parcel.to.iter().any(Address::is_endpoint);
            matches!(parcel.letter.body, Body::Reset(_))
                || called && matches!(parcel.letter.body, Body::RegistrationAnswer(_))
        };
        let waiting = self.letterbox.waiting();
        waiting.filter(|parcel| !wanted(parcel)).map(|parcel| parcel.id).collect()
    }

    /// Everybody who has enrolled; and of those who are vouched for also who is on the roster or
    /// was in a season before. Nobody else could tell that it is us.
    pub(in crate::roles::manager) fn expected(&self) -> Vec<Reader> {
        let members = self.league.registry.everybody().map(|(_, agent)| agent.contact.clone());
        let roster = self.league.settings.q21.roster.iter().flat_map(|entry| {
            [Some(&entry.player), entry.referee.as_ref()].into_iter().flatten().map(Contact::of)
        });
        let before = self.league.former.keys().cloned();
        let mut known = BTreeSet::new();
        let strangers = roster.chain(before).filter(Contact::vouches);
        let everybody = strangers.chain(members);
        everybody.filter(|one| known.insert(one.clone())).map(Reader::at).collect()
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
        self.league.settings.q21.season_number % self.league.settings.says().seasons_max + 1
    }
}
