//! An agent of a league: what a player and a referee share, whatever they play, speak and travel
//! by.
//!
//! Who we are, what the league gave us, the season as we were told of it, getting in and coming
//! back. A role stands on it: as a [`Member`] it says where its agent is, as a [`Correspondent`]
//! what this layer cannot know of somebody who speaks by letters.
//!
//! Spec: docs/protocol/registration.md

mod calling;
mod courtesy;
mod early;
mod fact;
mod joining;
mod keys;
mod letters;
mod profile;
mod season;

use agon_proto::tool::Lifecycle;
use agon_proto::{Address, AuthToken, Context, GameId, Letter, Timestamp};

use crate::effect::{Effects, Proof};
use crate::gate::{Doubt, Proved, TheManager};
use crate::letterbox::{Letterbox, LetterboxFact};
use crate::{Machine, Refusal};
use agon_proto::act::Act;
use calling::Asking;
use early::{EarlyCall, Kept};
use keys::Keys;

pub(crate) use calling::{answered, ask, denies_token, undelivered};
#[cfg(test)]
pub(crate) use early::KEPT_MAX;
pub(crate) use early::{admitted, open, reconsider};
pub use fact::AgentFact;
pub(crate) use joining::resume;
pub use keys::Credentials;
pub(crate) use letters::{
    answer_manager, origin, send, settle, short_hash, tell_manager, to_manager,
};
pub use profile::{Joins, Profile};
pub(crate) use season::{Membership, SeasonTold, season_of};

/// What comes of a role.
type Out<M> = Effects<<M as Machine>::Fact>;

/// What a role stands on.
#[derive(Debug)]
pub(crate) struct Agent {
    pub(crate) profile: Profile,
    /// Who we are, as letters name us.
    pub(crate) address: Address,
    /// The manager, as letters name it.
    pub(crate) manager: Address,
    pub(crate) season: SeasonTold,
    pub(crate) letterbox: Letterbox,
    pub(crate) keys: Keys,
    asking: Asking,
    /// A round was announced since we were let in.
    active: bool,
    /// We have asked to be told of seasons.
    introduced: bool,
    /// Letters that came too early.
    pub(crate) kept: Vec<Kept>,
    /// Calls that came while we ask to be let in, and that nobody could prove until then.
    pub(crate) early: Vec<EarlyCall>,
}

/// A role that is an agent of a league.
pub(crate) trait Member: Machine<Fact: From<AgentFact>> + Sized {
    fn agent(&self) -> &Agent;
    fn agent_mut(&mut self) -> &mut Agent;

    fn note(&mut self, fact: impl Into<AgentFact>, out: &mut Out<Self>) {
        let fact = Self::Fact::from(fact.into());
        self.apply(&fact);
        out.facts.push(fact);
    }
}

/// A role that speaks by letters.
pub(crate) trait Correspondent: Member {
    /// Who speaks to it, proved.
    type Speaker;

    /// Who speaks, and may they say this? With their proved address, whatever the letter says.
    fn admit(&self, proof: &Proof, letter: &Letter) -> Result<(Address, Self::Speaker), Doubt>;

    /// Does what a letter asks for. It is a new one.
    fn hear(
        &mut self,
        speaker: Self::Speaker,
        letter: &Letter,
        times: Times,
        out: &mut Out<Self>,
    ) -> Result<(), Refusal>;

    /// What our letters to the manager are about; in the words of the one that they answer.
    fn context(&self, answered: Option<&Letter>) -> Context;

    /// Where we stand.
    fn status(&self) -> Status;

    /// Whether the season's table has a match of ours.
    fn takes_part(&self) -> bool;

    /// Another season opens: what is under way stops.
    fn stop(&mut self, now: Timestamp, out: &mut Out<Self>);

    /// The season goes on after a pause.
    fn released(&mut self, _: &mut Out<Self>) {}
}

/// Where an agent stands, in the words of its league.
pub(crate) struct Status {
    pub(crate) state: &'static str,
    /// The match under way.
    pub(crate) game: Option<GameId>,
    /// For people.
    pub(crate) text: Box<str>,
}

/// When a letter arrived where we could find it, and when we did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    pub(crate) arrived: Timestamp,
    pub(crate) now: Timestamp,
}

/// What every agent does about a letter of the manager's. Whether nothing is left to do about it.
#[expect(clippy::wildcard_enum_match_arm, reason = "eight of 40 letters mean the same to all")]
pub(crate) fn hear<M: Correspondent>(
    role: &mut M,
    by: &Proved<TheManager>,
    letter: &Letter,
    now: Timestamp,
    out: &mut Out<M>,
) -> bool {
    match &letter.act {
        Act::StartSeason(said) => joining::season_opened(role, said, letter, now, out),
        Act::Decide(said) => joining::answered(role, by, (said, letter), now, out),
        _ => return courtesy::answer(role, letter, now, out),
    }
    true
}

impl Agent {
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            address: profile.contact.address(),
            manager: profile.manager.address(),
            profile,
            season: SeasonTold::default(),
            letterbox: Letterbox::default(),
            keys: Keys::default(),
            asking: Asking::default(),
            active: false,
            introduced: false,
            kept: Vec::new(),
            early: Vec::new(),
        }
    }

    pub(crate) fn credentials(&self) -> Option<&Credentials> {
        self.keys.given.as_ref()
    }

    /// What proves us to the manager, where we are called.
    pub(crate) fn token(&self) -> Option<AuthToken> {
        self.credentials().map(|given| given.token.clone())
    }

    pub(crate) fn is_in(&self) -> bool {
        self.season.membership == Membership::In
    }

    pub(crate) fn lifecycle(&self) -> Lifecycle {
        match &self.season.membership {
            _ if self.season.completed.is_some() => Lifecycle::Shutdown,
            Membership::Outside => Lifecycle::Init,
            Membership::Applying => Lifecycle::Registering,
            Membership::In if self.active => Lifecycle::Active,
            Membership::In => Lifecycle::Registered,
            Membership::Rejected(_) => Lifecycle::Failed,
        }
    }

    /// A round was announced.
    pub(crate) fn activate(&mut self) {
        self.active |= self.is_in();
    }

    /// The league is complete, for this process.
    pub(crate) fn shut_down(&mut self, now: Timestamp) {
        self.season.completed = Some(now);
        self.asking.again_at = None;
    }

    pub(crate) fn apply(&mut self, fact: &AgentFact) {
        match fact {
            AgentFact::Letterbox(fact) => self.posted(fact),
            AgentFact::Asked { nonce } => {
                self.asking.number = Some(*nonce);
                self.asking.asked += 1;
            }
            AgentFact::SeasonOpened { season, league } => {
                if self.season.is_another(season) {
                    self.kept.clear();
                }
                self.season.open(season, league.as_ref());
            }
            AgentFact::Admitted { season, league, given } => {
                self.season.membership = Membership::In;
                self.season.name(season.as_ref());
                self.season.learn(league.as_ref());
                (self.asking.number, self.asking.again_at) = (None, None);
                if let Some(given) = given {
                    self.keys.take(given);
                }
            }
            AgentFact::Rejected { reason } => {
                self.season.membership = Membership::Rejected(reason.clone());
            }
            AgentFact::Paused { at } => {
                self.season.paused_at.get_or_insert(*at);
            }
            AgentFact::Continued { .. } => self.season.paused_at = None,
            AgentFact::Reset => {
                self.season.forget();
                self.kept.clear();
            }
            AgentFact::Expired => self.keys = Keys::default(),
            AgentFact::Completed { at } => {
                self.season.completed.get_or_insert(*at);
            }
            AgentFact::Kept { from, letter } => {
                self.kept.push(Kept { from: from.clone(), letter: letter.clone() });
            }
            AgentFact::Reconsidered => self.kept.clear(),
        }
    }

    fn posted(&mut self, fact: &LetterboxFact) {
        self.letterbox.apply(fact);
        if let LetterboxFact::Queued(parcel) = fact {
            if let Act::Apply(_) = parcel.letter.act {
                self.season.requested(&parcel.letter.head.id);
            }
            self.introduced |= matches!(parcel.letter.act, Act::LeagueRegistration(_));
        }
    }
}

impl From<LetterboxFact> for AgentFact {
    fn from(fact: LetterboxFact) -> Self {
        Self::Letterbox(fact)
    }
}
