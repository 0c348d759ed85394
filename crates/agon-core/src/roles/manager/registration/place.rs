//! As what somebody may come: as the roster says, or else as it says itself.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::act::Applying;
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    Address, AgentId, DisplayName, GroupId, PROTOCOL_MAJOR_MIN, PlayerId, RefereeId, Role,
};

use super::{Application, Applications};
use crate::format::FormatKind;
use crate::league::League;
use crate::{Refusal, RosterEntry};

/// Whose place somebody has in the league.
#[derive(Debug)]
pub(in crate::roles::manager) struct Place {
    pub(super) agent: AgentId,
    pub(super) group: Option<GroupId>,
    pub(super) name: DisplayName,
}

/// As what a newcomer may come.
struct Seat {
    role: Role,
    group: Option<GroupId>,
    name: Option<DisplayName>,
}

impl Applications<'_> {
    /// Whether somebody can take part who speaks and plays like that.
    pub(super) fn check(&self, said: &Applying) -> Result<(), Refusal> {
        let ours = self.0.book.league().settings.game_type();
        if said.games.as_ref().is_some_and(|games| !games.contains(&ours)) {
            return Err(Refusal::OtherGame(ours));
        }
        // The protocol's own name and silence both mean "some 2.x"; that is what agents send.
        let recent = match said.protocol.as_ref().map(DisplayName::as_str) {
            None | Some(agon_proto::PROTOCOL | "") => true,
            Some(version) => {
                let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
                major.is_some_and(|major| major >= PROTOCOL_MAJOR_MIN)
            }
        };
        if !recent {
            return Err(Refusal::VersionTooOld);
        }
        if said.capacity == Some(0) {
            return Err(Refusal::BadValue("max_concurrent_matches must be at least 1"));
        }
        Ok(())
    }

    /// The place of somebody whom we know, or one for a newcomer.
    pub(in crate::roles::manager) fn place(
        &self,
        known: Option<AgentId>,
        application: &Application,
    ) -> Result<Place, Refusal> {
        let (league, said) = (self.0.book.league(), &application.said);
        let is_referee = said.role == Some(Role::Referee);
        match known {
            Some(agent) => {
                if matches!(agent, AgentId::Referee(_)) != is_referee {
                    return Err(Refusal::EndpointTaken);
                }
                if matches!(agent, AgentId::Player(id) if league.season.is_withdrawn(id)) {
                    return Err(Refusal::NotPermitted("this player was withdrawn"));
                }
                let before = league.registry.agent(agent).and_then(|it| it.group.clone());
                let name = said.name.clone().unwrap_or_else(|| DisplayName::new(""));
                Ok(Place { agent, group: before, name })
            }
            None => self.place_for_newcomer(application),
        }
    }

    fn place_for_newcomer(&self, application: &Application) -> Result<Place, Refusal> {
        let League { settings, season, .. } = self.0.book.league();
        let Application { said, contact, caller, .. } = application;
        let is_open = season.phase() == LeaguePhase::AcceptingRegistrations;
        // Where matches are given out one by one, a season can always use one more referee.
        let any_time = said.role == Some(Role::Referee)
            && settings.says().assigns
            && season.phase() != LeaguePhase::Completed;
        if !is_open && !any_time {
            return Err(Refusal::RegistrationClosed);
        }
        let ours = &settings.seasons.season;
        let other = |season: &&_| !same(agon_proto::SeasonId::as_str(season), ours.as_str());
        if said.season.as_ref().filter(other).is_some() {
            return Err(Refusal::UnknownSeason(ours.clone()));
        }
        let Seat { role, group, name } = self.seat(&contact.address(), said)?;
        if let Some(caller) = caller.as_ref().filter(|_| role == Role::Referee) {
            self.may_referee(caller, said)?;
        }
        let agent = self.vacancy(role, group.as_ref())?;
        let name = name.or_else(|| said.name.clone());
        let name = name.filter(|name| !name.as_str().trim().is_empty() || group.is_none());
        let called = || DisplayName::new(group.as_ref().map_or("", GroupId::as_str));
        let name = name.unwrap_or_else(called);
        Ok(Place { agent, group, name })
    }

    /// As what that address may come.
    fn seat(&self, address: &Address, said: &Applying) -> Result<Seat, Refusal> {
        let role = match said.role {
            Some(Role::Referee) => Role::Referee,
            Some(Role::Player | Role::Manager) | None => Role::Player,
        };
        let settings = &self.0.book.league().settings;
        if !settings.says().teams {
            return Ok(Seat { role, group: None, name: None });
        }
        let terms = &settings.seasons;
        for RosterEntry { group, name, player, referee } in &terms.roster {
            let (group, name) = (Some(group.clone()), Some(name.clone()));
            if player == address {
                return Ok(Seat { role: Role::Player, group, name });
            }
            if referee.as_ref() == Some(address) {
                return Ok(Seat { role: Role::Referee, group, name });
            }
        }
        if !terms.open_registration {
            return Err(Refusal::NotOnRoster);
        }
        let group = said.group.clone().unwrap_or_else(|| group_of(address));
        if terms.roster.iter().any(|entry| same(entry.group.as_str(), group.as_str())) {
            let text = format!("The team {group} is on the roster with other addresses");
            return Err(Refusal::TeamTaken(text.into()));
        }
        Ok(Seat { role, group: Some(group), name: None })
    }

    /// The id of one more, if there is room.
    fn vacancy(&self, role: Role, group: Option<&GroupId>) -> Result<AgentId, Refusal> {
        let League { registry, settings, .. } = self.0.book.league();
        let referees = role == Role::Referee;
        // Referees that come apart from players may be several of one house.
        let alone = !referees || settings.format == FormatKind::Teams;
        if let Some(group) = group.filter(|_| alone)
            && registry.of_group(group, referees).is_some()
        {
            let text = format!("The team {group} has its {} already", role.name());
            return Err(Refusal::TeamTaken(text.into()));
        }
        let (count, bound) = if referees {
            (registry.referee_count(), settings.referees_max)
        } else {
            (registry.player_count(), settings.players_max)
        };
        if count >= bound.min(settings.says().agents_max) {
            return Err(Refusal::LeagueFull);
        }
        Ok(if referees {
            AgentId::Referee(RefereeId::new(count + 1))
        } else {
            AgentId::Player(PlayerId::new(count + 1))
        })
    }
}

fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
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
