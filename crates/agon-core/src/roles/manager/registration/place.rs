//! Who asks to be let in, and as what it may come.
//!
//! It is somebody whom the league knows, and shows that, or a newcomer. A token proves an agent,
//! whatever its clock says. Without it only the request that let the agent in last, said again
//! because its answer was lost, leads to the same token. An agent that keeps its token is replaced
//! by nobody who has not got it; one that does not is known by its address. A newcomer comes as the
//! roster says, or else as it says itself.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::act::Applying;
use agon_proto::tool::{AgentRole, LeaguePhase};
use agon_proto::{
    Address, AgentId, Contact, DisplayName, GroupId, PROTOCOL_MAJOR_MIN, REPEAT_MAX, Role, SeasonId,
};

use super::leave::{Leave, role_of};
use super::{Application, Applications};
use crate::effect::{Caller, Origin};
use crate::format::FormatKind;
use crate::gate::REMOVED;
use crate::league::registry::{Admission, RegisteredAgent};
use crate::league::{Issued, League};
use crate::{Provenance, Refusal, RequestDigest, RosterEntry, Settings, TokenHash};

/// What an application shows of its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It has the token of this agent.
    Proved(AgentId),
    /// It is the request that let this agent in, said again.
    Repeated(AgentId),
    /// It calls from where this agent is, which keeps no token.
    AtItsPlace(AgentId),
    /// It comes by the invitation that is this agent's alone.
    Invited(AgentId),
    /// Nobody knows it yet.
    New,
}

impl Standing {
    pub(super) fn agent(self) -> Option<AgentId> {
        match self {
            Self::Proved(agent)
            | Self::Repeated(agent)
            | Self::AtItsPlace(agent)
            | Self::Invited(agent) => Some(agent),
            Self::New => None,
        }
    }
}

/// Whose place somebody has in the league.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) agent: AgentId,
    pub(super) group: Option<GroupId>,
    pub(super) name: DisplayName,
}

/// As what a newcomer may come: its role, its team, and how it is called.
type Seat = (Role, Option<GroupId>, Option<DisplayName>);

impl Applications<'_> {
    /// How somebody shows that the league knows it, or that nobody does.
    pub(super) fn standing(&self, application: &Application) -> Result<Standing, Refusal> {
        let (Application { said, contact, .. }, league) = (application, self.0.book.league());
        let resident = league.registry.at(contact);
        if application.caller.is_some_and(|caller| caller.origin == Origin::Forbidden) {
            return Err(Refusal::EndpointForbidden);
        }
        // Who always asks in the same words has its answer by another way, and needs it once.
        let (Some(caller), Some(_)) = (application.caller, &application.conversation) else {
            let known = resident.and_then(|known| league.registry.agent(known));
            return match known.map(|known| known.admission) {
                None => Ok(Standing::New),
                Some(Admission::Removed) => Err(Refusal::NotPermitted(REMOVED)),
                Some(_) => Err(Refusal::AlreadyIn),
            };
        };
        // Whoever somebody is, it does not live where another one does.
        let taken = |by: AgentId| resident.is_some_and(|resident| resident != by);
        let token = application.token.as_ref().and_then(TokenHash::of);
        if let Some(holder) = token.and_then(|hash| league.registry.holder(&hash)) {
            let is_taken = taken(holder);
            return if is_taken {
                Err(Refusal::EndpointTaken)
            } else {
                Ok(Standing::Proved(holder))
            };
        }
        let invitation = self.invitation(Some(&caller), said)?;
        let owner = invitation.and_then(Issued::owner);
        if owner.is_some_and(taken) {
            return Err(Refusal::EndpointTaken);
        }
        let Some(agent) = resident.or(owner).and_then(|known| league.registry.agent(known)) else {
            return Ok(Standing::New);
        };
        // Who waits there has no place yet, and cannot keep an invited one from its own.
        let is_open = |issued: &Issued| issued.is_open(self.0.book.now);
        if agent.admission == Admission::Waiting && invitation.is_some_and(is_open) {
            return Ok(Standing::Invited(agent.id));
        }
        if agent.admission == Admission::Reset {
            return Err(Refusal::NotPermitted(
                "the operator has reset this agent; register with the token that it was given",
            ));
        }
        if self.is_repeated(agent, application, caller) {
            return Ok(Standing::Repeated(agent.id));
        }
        if agent.provenance.keeps_token {
            return Err(Refusal::TokenKept);
        }
        if owner != Some(agent.id) && !self.is_known_by_place(agent.id, &caller) {
            return Err(Refusal::EndpointTaken);
        }
        // A letter of a process that died must not lock out the one that took its place.
        if application.said_at < agent.said_at {
            return Err(Refusal::OutOfTurn("this agent has registered again since then"));
        }
        let is_invited = owner == Some(agent.id);
        let known = if is_invited { Standing::Invited } else { Standing::AtItsPlace };
        Ok(known(agent.id))
    }

    fn is_repeated(
        &self,
        agent: &RegisteredAgent,
        application: &Application,
        caller: Caller,
    ) -> bool {
        let (records, Provenance { request, address, .. }) =
            (self.0.book.records(), agent.provenance);
        request == Some(request_digest(application, &records.league.settings))
            && address == caller.address
            && self.0.book.now.since(agent.at) <= REPEAT_MAX
            && !self.0.book.heard.shown.contains(&(agent.id, agent.number))
            && records.is_ours(agent)
    }

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
        // It is shown to others, who would call whatever stands there.
        if said.also.as_ref().is_some_and(|also| !also.vouches()) {
            return Err(Refusal::BadValue(
                "also_reached_at must be an address to write to, and nothing that is called",
            ));
        }
        if said.capacity == Some(0) {
            return Err(Refusal::BadValue("max_concurrent_matches must be at least 1"));
        }
        Ok(())
    }

    /// The place of somebody whom we know.
    pub(super) fn place_of(
        &self,
        agent: AgentId,
        said: &Applying,
        leave: Leave,
    ) -> Result<Place, Refusal> {
        let league = self.0.book.league();
        if matches!(agent, AgentId::Referee(_)) != (said.role == Some(Role::Referee)) {
            return Err(Refusal::EndpointTaken);
        }
        if matches!(agent, AgentId::Player(id) if league.season.is_withdrawn(id)) {
            return Err(Refusal::NotPermitted("this player was withdrawn"));
        }
        let known = league.registry.agent(agent);
        // Who is not in yet comes as any newcomer does; and who waits takes no place.
        if known.is_some_and(|known| !known.is_in()) {
            self.is_open_for(said)?;
            if !leave.waits {
                self.has_room(said.role == Some(Role::Referee))?;
            }
        }
        let group = known.and_then(|it| it.group.clone());
        let name = said.name.clone().unwrap_or_else(|| DisplayName::new(""));
        Ok(Place { agent, group, name: league.registry.distinct(name, agent) })
    }

    /// Whether anybody may still come as that.
    fn is_open_for(&self, said: &Applying) -> Result<(), Refusal> {
        let League { settings, season, .. } = self.0.book.league();
        let is_open = season.phase == LeaguePhase::AcceptingRegistrations;
        // Where matches are given out one by one, a season can always use one more referee.
        let any_time = said.role == Some(Role::Referee)
            && settings.says().assigns
            && season.phase != LeaguePhase::Completed;
        if is_open || any_time { Ok(()) } else { Err(Refusal::RegistrationClosed) }
    }

    /// A place for a newcomer.
    pub(super) fn new_place(&self, application: &Application) -> Result<Place, Refusal> {
        let settings = &self.0.book.league().settings;
        let Application { said, contact, .. } = application;
        self.is_open_for(said)?;
        let ours = &settings.seasons.season;
        let other = |season: &&_| !same(SeasonId::as_str(season), ours.as_str());
        if said.season.as_ref().filter(other).is_some() {
            return Err(Refusal::UnknownSeason(ours.clone()));
        }
        let (role, group, name) = self.seat(contact, said)?;
        let agent = self.vacancy(role, group.as_ref())?;
        let name = name.or_else(|| said.name.clone());
        let name = name.filter(|name| !name.as_str().trim().is_empty() || group.is_none());
        let called = || DisplayName::new(group.as_ref().map_or("", GroupId::as_str));
        let name = self.0.book.league().registry.distinct(name.unwrap_or_else(called), agent);
        Ok(Place { agent, name, group })
    }

    /// As what somebody may come who is reached there.
    fn seat(&self, contact: &Contact, said: &Applying) -> Result<Seat, Refusal> {
        let role = match role_of(said) {
            AgentRole::Referee => Role::Referee,
            AgentRole::Player => Role::Player,
        };
        let settings = &self.0.book.league().settings;
        if !settings.says().teams {
            return Ok((role, None, None));
        }
        let (terms, address) = (&settings.seasons, contact.address());
        for RosterEntry { group, name, player, referee } in &terms.roster {
            let (group, name) = (Some(group.clone()), Some(name.clone()));
            if player == &address {
                return Ok((Role::Player, group, name));
            }
            if referee.as_ref() == Some(&address) {
                return Ok((Role::Referee, group, name));
            }
        }
        if !terms.open_registration {
            return Err(Refusal::NotOnRoster);
        }
        let group = said.group.clone().unwrap_or_else(|| group_of(&address));
        if terms.roster.iter().any(|entry| same(entry.group.as_str(), group.as_str())) {
            let text = format!("The team {group} is on the roster with other addresses");
            return Err(Refusal::TeamTaken(text.into()));
        }
        Ok((role, Some(group), None))
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
        self.has_room(referees)?;
        Ok(registry.next_id(referees))
    }

    /// Whether there is room for one more.
    fn has_room(&self, referees: bool) -> Result<(), Refusal> {
        let League { registry, settings, .. } = self.0.book.league();
        let (count, bound) = if referees {
            (registry.referee_count(), settings.referees_max)
        } else {
            (registry.player_count(), settings.players_max)
        };
        let is_full = count >= bound.min(settings.says().agents_max);
        if is_full { Err(Refusal::LeagueFull) } else { Ok(()) }
    }
}

/// A value that is the same for the same request, shown with the same token. Who always asks in the
/// same words is given the same token for a season, however often it asks.
pub(super) fn request_digest(application: &Application, settings: &Settings) -> RequestDigest {
    let Application { said, contact, conversation, token, .. } = application;
    let Some(conversation) = conversation else {
        let season = settings.seasons.season.as_str().as_bytes();
        return RequestDigest::of([season, contact.address().key().as_bytes()]);
    };
    let conversation = conversation.to_string();
    let flags = [said.keeps_token, said.says_told, false, false].map(u8::from);
    let numbers = [flags, said.capacity.unwrap_or(0).to_le_bytes()];
    let token = token.as_ref().and_then(TokenHash::of);
    let [name, version, protocol] = [&said.name, &said.version, &said.protocol]
        .map(|text| text.as_ref().map_or("", DisplayName::as_str));
    let role = if said.role == Some(Role::Referee) { "referee" } else { "player" };
    let texts = [role, name, version, contact.as_str(), protocol, &conversation];
    let games = said.games.iter().flatten().map(|game| game.as_str().as_bytes());
    let parts = texts.iter().map(|text| text.as_bytes());
    let parts = parts.chain(numbers.iter().map(|number| &number[..]));
    let parts = parts.chain(token.as_ref().map(|token| &token.as_bytes()[..]));
    RequestDigest::of(parts.chain(games))
}

fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// The team of an agent that does not say it: `alpha` for `alpha.player@league.test`.
fn group_of(address: &Address) -> GroupId {
    let text = address.key();
    let Some((name, _)) = text.split_once('@').filter(|_| !address.is_endpoint()) else {
        return GroupId::new(&text);
    };
    let endings = [".player", ".referee", "-player", "-referee", "+player", "+referee"];
    let team = endings.iter().find_map(|ending| name.strip_suffix(ending));
    GroupId::new(team.unwrap_or(name))
}
