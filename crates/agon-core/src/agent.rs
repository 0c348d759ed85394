//! An agent of a league: what a player and a referee share, whatever they play, speak and travel
//! by.
//!
//! Who we are, what the league gave us, the season as we were told of it, getting in and coming
//! back. A role stands on it as a [`Member`], which says what this layer cannot know.
//!
//! Spec: docs/protocol/registration.md

mod asking;
mod door;
mod joining;
mod letters;
mod profile;
mod reach;
mod season;

use agon_proto::act::{Act, ActKind, StateAnswer};
use agon_proto::tool::{Lifecycle, Tool, ToolAnswer, ToolParams};
use agon_proto::{
    Address, Answer, AuthToken, Context, Endpoint, Envelope, Letter, Sender, Timestamp,
};

use crate::effect::{Effect, Garbled, Handling, Proof, RequestId};
use crate::gate::{Arrival, Author, Written};
use crate::letterbox::{Letterbox, LetterboxFact};
use crate::{Machine, Refusal, first_of};
use asking::Asking;
use door::{EarlyCall, EarlyLetter};
use profile::Keys;
use reach::Reach;

pub(crate) use asking::undelivered;
#[cfg(test)]
pub(crate) use door::KEPT_MAX;
pub(crate) use door::{admitted, called, garbled, posted, reconsider};
pub(crate) use joining::{answered, ask_again, denies_token, objection, resume};
pub(crate) use letters::{
    answer_manager, drop_expired, hear, origin, send, settle, short_hash, tell_manager, to_manager,
};
pub use profile::{Credentials, Joins, Profile};
pub use season::AgentFact;
pub(crate) use season::{Membership, SeasonTold, season_of};

/// What comes of an event of a role's.
type Out<'a, M> = Handling<'a, <M as Machine>::Fact>;

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
    reach: Reach,
    /// A round was announced since we were let in.
    active: bool,
    /// We have asked to be told of seasons.
    introduced: bool,
    /// Letters that came too early.
    pub(crate) kept: Vec<EarlyLetter>,
    /// Calls that came while we ask to be let in, and that nobody could prove until then.
    early: Vec<EarlyCall>,
}

/// A role that is an agent of a league.
pub(crate) trait Member: Machine<Fact: From<AgentFact>> + Sized {
    /// The answer to a call where we speak by letters.
    const NO_CALLS: Refusal;

    fn agent(&self) -> &Agent;
    fn agent_mut(&mut self) -> &mut Agent;

    /// Answers a message that came by a call: the whole routing table of calls.
    fn route(&mut self, request: RequestId, letter: Box<Envelope>, out: &mut Out<Self>);

    /// What others may read off it.
    fn read(&self, tool: Tool, params: &ToolParams) -> Result<ToolAnswer, Refusal>;

    /// A call of ours has let us in.
    fn let_in(&mut self, _: &mut Out<Self>) {}

    /// Who speaks, and may they say this? With their proved address, whatever the letter says.
    fn admit(&self, came: Arrival) -> Written;

    /// Does what a letter asks for. It is a new one.
    fn hear(&mut self, by: &Author, came: Arrival, out: &mut Out<Self>) -> Result<(), Refusal>;

    /// A letter of a game that arrived then, and that nobody can make sense of.
    fn misread(
        &mut self,
        _: &Proof,
        _: &Garbled,
        _arrived: Timestamp,
        _: &mut Out<Self>,
    ) -> Result<(), Refusal> {
        Ok(())
    }

    /// What our letters to the manager are about; in the words of the one that they answer.
    fn context(&self, answered: Option<&Letter>) -> Context;

    /// Where we stand, in the words of our league.
    fn status(&self) -> StateAnswer;

    /// Whether the season's table has a match of ours.
    fn takes_part(&self) -> bool;

    /// Another season opens: what is under way stops.
    fn stop(&mut self, out: &mut Out<Self>);

    /// The season goes on after a pause.
    fn released(&mut self, _: &mut Out<Self>) {}

    /// That is true from now on.
    fn record(&mut self, fact: Self::Fact, out: &mut Out<Self>) {
        self.apply(&fact);
        out.facts.push(fact);
    }

    /// The same, of what every agent writes down.
    fn note(&mut self, fact: impl Into<AgentFact>, out: &mut Out<Self>) {
        self.record(fact.into().into(), out);
    }
}

impl Agent {
    /// The manager, if it can be called, and what it gave us.
    pub(crate) fn record_keeper(&self) -> Option<(Endpoint, AuthToken)> {
        let manager = Some(&self.profile.manager).filter(|manager| !manager.vouches());
        Some((manager?.endpoint(), self.keys.given.as_ref()?.token.clone()))
    }

    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            address: profile.contact.address(),
            manager: profile.manager.address(),
            profile,
            season: SeasonTold::default(),
            letterbox: Letterbox::default(),
            keys: Keys::default(),
            asking: Asking::default(),
            reach: Reach::default(),
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

    pub(crate) fn speaks_by_letter(&self) -> bool {
        self.profile.joins != Joins::AtOnce
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

    /// When we ask once more to be let in, or a letter of ours is wanted no more.
    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        let unanswered = self.asking.deadline(self.profile.wait);
        let again = [self.asking.again_at, unanswered, self.asks_about_reach()];
        first_of([first_of(again), self.letterbox.deadline()])
    }

    /// When we ask whether we can be called: until a round begins; or whether we are still in.
    fn asks_about_reach(&self) -> Option<Timestamp> {
        let reach = self.reach.due().filter(|_| self.lifecycle() == Lifecycle::Registered);
        let is_in = matches!(self.lifecycle(), Lifecycle::Registered | Lifecycle::Active);
        first_of([reach, self.reach.doubted().filter(|_| is_in)])
    }

    /// A call is refused whose sender cannot prove that it is who it says.
    fn unproved(&mut self, letter: &Envelope, now: Timestamp) {
        let shown = letter.auth_token.as_ref();
        // What was on its way when we were let in again is signed as before.
        let is_strange = shown.is_some_and(|token| !self.keys.was_managers(token));
        if letter.head.sender == Sender::LeagueManager && is_strange {
            self.reach.doubt(now);
        }
    }

    /// Asks it, if that is due.
    fn ask_about_reach<F>(&mut self, out: &mut Handling<F>) {
        let now = out.now;
        if self.asks_about_reach().is_some_and(|due| due <= now)
            && let Some(given) = &self.keys.given
        {
            out.effects.extend(self.reach.ask(given, &self.profile, now));
        }
    }

    /// The answer to that.
    pub(crate) fn told_of_reach<F>(&mut self, answer: &Answer, out: &mut Handling<F>) {
        if denies_token(answer) {
            return self.displaced(out);
        }
        let Answer::Message(letter) = answer else { return };
        let Act::LeagueQueryResponse(said) = &letter.act else { return };
        if self.lifecycle() != Lifecycle::Registered || self.reach.due().is_none() {
            return;
        }
        let endpoint = self.profile.contact.endpoint();
        let told = self.reach.told(said, endpoint.clone());
        out.effects.extend(told.map(Effect::Alert));
        // Nobody could tell us, so nobody will.
        if said.completed == Some(true) {
            let at = endpoint.shown();
            self.give_up(
                format!("the season is over, and nobody has called us at {at}").into(),
                out,
            );
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

    /// Whether everything of the season is forgotten by that.
    pub(crate) fn forgets(&self, fact: &AgentFact) -> bool {
        if let AgentFact::SeasonOpened { season, .. } = fact {
            return self.season.is_another(season);
        }
        *fact == AgentFact::Reset
    }

    pub(crate) fn apply(&mut self, fact: &AgentFact) {
        if self.forgets(fact) {
            self.kept.clear();
        }
        match fact {
            AgentFact::Letterbox(fact) => self.posted(fact),
            AgentFact::Asked { nonce } => {
                self.asking.number = Some(*nonce);
                self.asking.asked += 1;
            }
            AgentFact::SeasonOpened { season, league } => {
                self.season.open(season, league.as_ref());
            }
            AgentFact::Admitted { season, league, given } => {
                let is_new = self.season.id.is_none() && season.is_some();
                self.season.membership = Membership::In;
                self.season.name(season.as_ref());
                self.season.learn(league.as_ref());
                (self.asking.number, self.asking.again_at) = (None, None);
                if let Some(given) = given {
                    self.keys.take(given);
                    self.keys.forget_previous(is_new);
                }
            }
            AgentFact::Rejected { reason } => {
                self.season.membership = Membership::Rejected(reason.clone());
            }
            AgentFact::Paused { at } => {
                self.season.paused_at.get_or_insert(*at);
            }
            AgentFact::Continued { .. } => self.season.paused_at = None,
            AgentFact::Reset => self.season.forget(),
            AgentFact::Expired => self.keys = Keys::default(),
            AgentFact::Completed { at } => {
                self.season.completed.get_or_insert(*at);
            }
            AgentFact::Kept { from, letter } => {
                self.kept.push((Proof::by(from.clone()), letter.clone()));
            }
            AgentFact::Reconsidered => self.kept.clear(),
        }
    }

    fn posted(&mut self, fact: &LetterboxFact) {
        self.letterbox.apply(fact);
        if let LetterboxFact::Queued(parcel) = fact {
            if parcel.letter.kind == ActKind::Apply {
                self.season.requested(&parcel.letter.head.id);
            }
            self.introduced |= parcel.letter.kind == ActKind::LeagueRegistration;
        }
    }
}
