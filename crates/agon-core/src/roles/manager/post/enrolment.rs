//! Letting agents into the season, by letter: who is on the roster, and others where that is open.
//!
//! A second request is rejected as `already_registered`, as real league managers do; everybody
//! takes that for success. Whoever may not come is told why, once.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::q21::{
    Address, Body, GroupId, Letter, RegistrationAnswer, RegistrationRequest, Role, SeasonId,
    Verdict,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, Contact, DisplayName, PlayerId, RefereeId, Timestamp};

use super::super::{Manager, Out};
use super::admission::Voice;
use crate::fact::{LeagueFact, Q21Fact, Registration};
use crate::format::FormatKind;
use crate::{Provenance, Refusal, RequestDigest, TokenHash};

/// As what somebody may come.
pub(super) struct Place {
    role: Role,
    group: GroupId,
    name: Option<DisplayName>,
}

/// Why somebody may not: a word for programs, and a sentence for people.
pub(super) type No = (&'static str, String);

impl Manager {
    /// Somebody wants to be in the season.
    pub(super) fn enrol(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        said: &RegistrationRequest,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let season = self.league.settings.q21.season.clone();
        if voice.enrolled {
            let text = format!("Already registered for {season}");
            self.answer(voice, letter, Err(("already_registered", text)), now, out);
            if let Some(id) = self.agent_at(&voice.address) {
                self.tell_all_again_to(id, now, out);
            }
            return Ok(());
        }
        match self.place_for(voice, letter, said) {
            Ok(Place { role, group, name }) => {
                let name = name.or_else(|| said.name.clone());
                let name = name.filter(|name| !name.as_str().trim().is_empty());
                let name = name.unwrap_or_else(|| DisplayName::new(group.as_str()));
                let registration = self.registration(&voice.address, role, (group, name), now);
                self.record(LeagueFact::Registered(registration.into()), out);
                self.answer(voice, letter, Ok(role), now, out);
                Ok(())
            }
            Err(no) => self.turn_away(voice, letter, no, now, out),
        }
    }

    /// What is written down of somebody who may come. Whoever carries its letters vouches for it,
    /// or else a token proves it, however often it asks the same one.
    fn registration(
        &self,
        address: &Address,
        role: Role,
        (group, name): (GroupId, DisplayName),
        now: Timestamp,
    ) -> Registration {
        let (registry, settings) = (&self.league.registry, &self.league.settings);
        let (agent, capacity) = match role {
            Role::Referee => {
                let referee = RefereeId::new(registry.referee_count() + 1);
                (AgentId::Referee(referee), self.league.settings.says().agents_max)
            }
            Role::Player | Role::Manager => {
                (AgentId::Player(PlayerId::new(registry.player_count() + 1)), 0)
            }
        };
        let season = settings.q21.season.as_str();
        let request = RequestDigest::of([season.as_bytes(), address.as_str().as_bytes()]);
        let contact = Contact::of(address);
        let request = Some(request).filter(|_| !contact.vouches());
        let token = request.map(|request| self.options.secrets.mint((agent, 1), Some(request)));
        Registration {
            agent,
            name,
            contact,
            group: Some(group),
            token: token.as_ref().and_then(TokenHash::of),
            provenance: Provenance { request, ..Provenance::default() },
            capacity,
            says_told: false,
            said_at: now,
            at: now,
        }
    }

    /// As what whoever asks may come, or why not.
    pub(super) fn place_for(
        &self,
        voice: &Voice,
        letter: &Letter,
        said: &RegistrationRequest,
    ) -> Result<Place, No> {
        self.open_for(said.season.as_ref())
            .and_then(|()| self.place(&voice.address, letter, said))
            .and_then(|place| allowed(voice, place))
            .and_then(|place| self.vacant(place))
    }

    /// Tells somebody who may not come why, if it was not told before.
    fn turn_away(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        no: No,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        if !self.league.correspondence.may_answer(&voice.address) {
            return Err(Refusal::NotPermitted("this address was turned away before"));
        }
        let address = voice.address.clone();
        self.record(LeagueFact::Q21(Q21Fact::TurnedAway { address, at: now }), out);
        self.answer(voice, letter, Err(no), now, out);
        Ok(())
    }

    fn answer(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        answer: Result<Role, No>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let season = self.league.settings.q21.season.clone();
        let (status, reason, text, registration) = match answer {
            Ok(role) => {
                let registry = &self.league.registry;
                let count = registry.player_count() + registry.referee_count();
                let registration = format!("reg-{season}-{count:03}").into();
                let text = format!("Registered for {season} as {}", role.name());
                (Verdict::Accepted, None, text, Some(registration))
            }
            Err((reason, text)) => (Verdict::Rejected, Some(reason.into()), text, None),
        };
        let answer = RegistrationAnswer {
            status,
            season: Some(season),
            reason,
            text: Some(text.into()),
            registration,
            auth_token: None,
        };
        self.reply(&voice.address, letter, Body::RegistrationAnswer(answer), now, out);
    }

    fn open_for(&self, season: Option<&SeasonId>) -> Result<(), No> {
        let ours = &self.league.settings.q21.season;
        if self.league.season.phase() != LeaguePhase::AcceptingRegistrations {
            let text =
                format!("Registration for {ours} is closed: the season has begun or is over");
            return Err(("registration_closed", text));
        }
        match season.filter(|season| !season.is_empty()) {
            Some(other) if !other.as_str().eq_ignore_ascii_case(ours.as_str()) => {
                Err(("unknown_season", format!("The season that is open is {ours}")))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// As what that address may come: as the roster says, or else as it says itself.
    fn place(
        &self,
        address: &Address,
        letter: &Letter,
        said: &RegistrationRequest,
    ) -> Result<Place, No> {
        let terms = &self.league.settings.q21;
        for entry in &terms.roster {
            let (group, name) = (entry.group.clone(), Some(entry.name.clone()));
            if entry.player == *address {
                return Ok(Place { role: Role::Player, group, name });
            }
            if entry.referee.as_ref() == Some(address) {
                return Ok(Place { role: Role::Referee, group, name });
            }
        }
        if !terms.open_registration {
            let text = "This address is not on the roster of the season".to_owned();
            return Err(("not_on_roster", text));
        }
        let group = said.group.clone().filter(|group| !group.is_empty());
        let group = group.unwrap_or_else(|| group_of(address));
        let expected = |entry: &crate::RosterEntry| same(&entry.group, &group);
        if terms.roster.iter().any(expected) {
            let text = format!("The team {group} is on the roster with other addresses");
            return Err(("group_taken", text));
        }
        let role = match said.role.or(letter.from.role) {
            Some(Role::Referee) => Role::Referee,
            Some(Role::Player | Role::Manager) | None => Role::Player,
        };
        Ok(Place { role, group, name: None })
    }

    fn vacant(&self, place: Place) -> Result<Place, No> {
        let Place { role, group, .. } = &place;
        let (registry, referees) = (&self.league.registry, *role == Role::Referee);
        // Referees that come apart from players may be several of one house.
        let alone = *role == Role::Player || self.league.settings.format == FormatKind::Teams;
        if alone && registry.of_group(group, referees).is_some() {
            let text = format!("The team {group} has its {} already", role.name());
            return Err(("group_taken", text));
        }
        let settings = &self.league.settings;
        let (count, bound) = if referees {
            (registry.referee_count(), settings.referees_max)
        } else {
            (registry.player_count(), settings.players_max)
        };
        if count >= bound.min(settings.says().agents_max) {
            return Err(("league_full", "The league is full".to_owned()));
        }
        Ok(place)
    }
}

/// Referees on other machines need the operator's leave.
fn allowed(voice: &Voice, place: Place) -> Result<Place, No> {
    match (&voice.may_referee, place.role) {
        (Err(refusal), Role::Referee) => Err(("code_needed", refusal.to_string())),
        (Ok(()) | Err(_), Role::Referee | Role::Player | Role::Manager) => Ok(place),
    }
}

fn same(one: &GroupId, other: &GroupId) -> bool {
    one.as_str().eq_ignore_ascii_case(other.as_str())
}

/// The team of an agent that does not say it: `alpha` for `alpha.player@league.test`.
fn group_of(address: &Address) -> GroupId {
    let text = address.as_str();
    let Some((name, _)) = text.split_once('@').filter(|_| !address.is_endpoint()) else {
        return GroupId::new(text);
    };
    let endings = [".player", ".referee", "-player", "-referee", "+player", "+referee"];
    let team = endings.iter().find_map(|ending| name.strip_suffix(ending));
    GroupId::new(team.unwrap_or(name))
}
