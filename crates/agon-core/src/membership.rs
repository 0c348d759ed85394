//! An agent's membership: getting into the league, and what it was given there.
//!
//! Every try of one request is the same conversation, so a repeat gets the same token. Which one is
//! written down before it is asked: a process that dies before it has the answer repeats it. With
//! an old token in hand the agent shows it and keeps its id.
//!
//! Spec: docs/protocol/registration.md

mod answer;
mod rejoin;

use std::time::Duration;

use agon_proto::message::{
    LeagueRegisterRequest, Message, PlayerMeta, RefereeMeta, RefereeRegisterRequest,
};
use agon_proto::tool::Lifecycle;
use agon_proto::{
    AgentId, Answer, AuthToken, ConversationId, DisplayName, Endpoint, Envelope, GameType,
    InvitationCode, LeagueId, MatchId, PROTOCOL_VERSION, RefereeId, Sender, Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::effect::{Effect, Effects, Ending, Lane, Outgoing, RequestId, Tag};
use crate::secret::SigningKey;
pub(crate) use answer::denies_token;
use rejoin::Rejoins;

/// What an agent says of itself, and where it wants to go.
#[derive(Debug, Clone)]
pub struct Profile {
    pub name: DisplayName,
    /// What it plays, or referees.
    pub games: Vec<GameType>,
    /// Where we can be called.
    pub endpoint: Endpoint,
    /// The league manager.
    pub manager: Endpoint,
    /// For a referee, how many matches at once.
    pub capacity: Option<u32>,
    /// Different at every start.
    pub nonce: u64,
    /// Whether it has a journal, and so its token after a restart.
    pub keeps_token: bool,
    /// For a referee on another machine than the manager, what the operator gave it.
    pub invitation_code: Option<InvitationCode>,
    /// How long one try may take.
    pub timeout: Duration,
    /// How many tries.
    pub tries: u32,
    /// The wait before the second try; it doubles.
    pub backoff: Duration,
    /// Whoever runs later than this is too late to blame anybody: its own machine is overloaded.
    pub lateness_max: Duration,
}

/// What the league gave us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credentials {
    pub agent: AgentId,
    pub league: LeagueId,
    pub token: AuthToken,
    /// Whether the manager's calls carry a token that we can check.
    pub signed_calls: bool,
    /// How often the manager wants to hear from us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat_ms: Option<u32>,
}

/// What an answer to our request means.
pub(crate) enum Admission {
    Granted(Credentials),
    Refused(Box<str>),
}

#[derive(Debug)]
pub(crate) struct Membership {
    pub(crate) profile: Profile,
    lifecycle: Lifecycle,
    credentials: Option<Credentials>,
    /// What our token signs with.
    key: Option<SigningKey>,
    /// What the operator gave to come back with: shown until it has let us in.
    shown: Option<AuthToken>,
    /// The key before the last registration: matches that were assigned then still use it.
    previous: Option<SigningKey>,
    manager_token: Option<AuthToken>,
    /// The last match token that was found good.
    proved: Option<((MatchId, u32, RefereeId), AuthToken)>,
    /// What our request is known by, as long as it was not answered.
    asking: Option<u64>,
    /// How many requests there were.
    asked: u64,
    tried: u32,
    again_at: Option<Timestamp>,
    rejoins: Rejoins,
    /// Letters that came while we ask to be let in, and that nobody could prove until then.
    early: Vec<(RequestId, Box<Envelope>)>,
}

/// So many letters wait for our admission; it is the answer to one call, so few can come.
const EARLY_MAX: usize = 64;

impl Membership {
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            profile,
            lifecycle: Lifecycle::Init,
            credentials: None,
            key: None,
            shown: None,
            previous: None,
            proved: None,
            manager_token: None,
            asking: None,
            asked: 0,
            tried: 0,
            again_at: None,
            rejoins: Rejoins::default(),
            early: Vec::new(),
        }
    }

    pub(crate) fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }

    pub(crate) fn lifecycle(&self) -> Lifecycle {
        self.lifecycle
    }

    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.again_at
    }

    /// What the manager must show, if it said that it would.
    pub(crate) fn manager_token(&self) -> Option<&AuthToken> {
        self.manager_token.as_ref()
    }

    /// Whether that token proves that referee in that attempt. Derived from our own token or, for
    /// a match that was assigned before we registered again, from the one before. Where the
    /// manager does not sign, nothing can be proved and everything passes.
    pub(crate) fn proves(
        &mut self,
        place: (MatchId, u32, RefereeId),
        token: Option<&AuthToken>,
    ) -> Result<(), Refusal> {
        let Some(Credentials { league, signed_calls: true, .. }) = &self.credentials else {
            return Ok(());
        };
        let token = token.ok_or(Refusal::TokenMissing)?;
        // The same referee calls several times in a match, with the same token.
        if let Some((proved, good)) = &self.proved
            && *proved == place
            && good == token
        {
            return Ok(());
        }
        let (match_id, attempt, referee) = place;
        let mut good = self.key.iter().chain(&self.previous);
        if good.any(|key| key.match_token(league, match_id, attempt, referee) == *token) {
            self.proved = Some((place, token.clone()));
            return Ok(());
        }
        Err(Refusal::TokenInvalid(token.clone()))
    }

    /// Keeps a letter until we are let in, or says why not.
    pub(crate) fn hold(
        &mut self,
        request: RequestId,
        (refusal, letter): (Refusal, Box<Envelope>),
    ) -> Result<(), Refusal> {
        if self.lifecycle != Lifecycle::Registering || self.early.len() >= EARLY_MAX {
            return Err(refusal);
        }
        self.early.push((request, letter));
        Ok(())
    }

    /// The letters that waited, oldest first.
    pub(crate) fn held(&mut self) -> Vec<(RequestId, Box<Envelope>)> {
        std::mem::take(&mut self.early)
    }

    /// Takes what the league gave. Called from `apply`.
    pub(crate) fn admitted(&mut self, credentials: &Credentials) {
        let key = SigningKey::of(&credentials.token);
        self.proved = None;
        if key != self.key {
            self.previous = std::mem::replace(&mut self.key, key);
        }
        let key = self.key.as_ref().filter(|_| credentials.signed_calls);
        self.manager_token = key.map(|key| key.manager_token(&credentials.league));
        self.credentials = Some(credentials.clone());
        self.shown = None;
        self.asking = None;
        self.lifecycle = Lifecycle::Registered;
        self.again_at = None;
    }

    /// What the next request is known by, if it is a new one and no repeat.
    pub(crate) fn new_request(&self) -> Option<u64> {
        let nonce = self.profile.nonce.wrapping_add(self.asked);
        self.asking.is_none().then_some(nonce)
    }

    /// From now on we ask with that. Called from `apply`.
    pub(crate) fn asks(&mut self, nonce: u64) {
        self.asking = Some(nonce);
        self.asked += 1;
    }

    /// Shows that token instead of the one that was given before.
    pub(crate) fn show(&mut self, token: AuthToken) {
        self.shown = Some(token);
    }

    pub(crate) fn activate(&mut self) {
        if self.lifecycle == Lifecycle::Registered {
            self.lifecycle = Lifecycle::Active;
        }
    }

    pub(crate) fn shut_down(&mut self) {
        self.lifecycle = Lifecycle::Shutdown;
        self.again_at = None;
    }

    /// Asks to be let in. What is asked is written down by now.
    pub(crate) fn register(&mut self, now: Timestamp) -> Effect {
        self.lifecycle = Lifecycle::Registering;
        self.tried += 1;
        self.again_at = None;
        Effect::Send(Outgoing {
            to: self.profile.manager.clone(),
            lane: Lane::Once { timeout: self.profile.timeout },
            tag: Tag::Register,
            letter: Box::new(self.request(now)),
        })
    }

    /// Whether the next try is due.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        self.again_at.is_some_and(|again_at| again_at <= now)
    }

    /// A try brought no answer. After the last one the agent has failed.
    pub(crate) fn undelivered(&mut self, now: Timestamp) -> Option<Box<str>> {
        if self.lifecycle != Lifecycle::Registering {
            return None;
        }
        if self.tried >= self.profile.tries {
            self.lifecycle = Lifecycle::Failed;
            let Self { tried, profile, .. } = self;
            return Some(format!("no answer from {} in {tried} tries", profile.manager).into());
        }
        self.again_at = Some(now + self.profile.backoff * 2u32.saturating_pow(self.tried - 1));
        None
    }

    /// We are not let in: nobody who waited for that is heard, and the agent's life is over.
    pub(crate) fn give_up<F>(&mut self, why: Box<str>, out: &mut Effects<F>) {
        for (request, _) in self.held() {
            out.refuse(request, Refusal::NotRegistered);
        }
        out.push(Effect::Finish(Ending::NotAdmitted(why)));
    }

    /// Reads an answer to our request. `None`: it is no answer to it, or it came twice.
    pub(crate) fn answered(&mut self, answer: &Answer, now: Timestamp) -> Option<Admission> {
        if self.lifecycle != Lifecycle::Registering {
            return None;
        }
        let admission = answer::read(answer);
        match admission {
            Admission::Granted(_) => self.rejoins.succeeded(now),
            Admission::Refused(_) => self.lifecycle = Lifecycle::Failed,
        }
        Some(admission)
    }

    fn request(&self, now: Timestamp) -> Envelope {
        let Profile { name, endpoint, capacity, keeps_token, invitation_code, .. } = &self.profile;
        let (keeps_token, nonce) = (*keeps_token, self.asking.unwrap_or(self.profile.nonce));
        let version = DisplayName::new(env!("CARGO_PKG_VERSION"));
        let game_types = self.profile.games.clone();
        let protocol_version = Some(DisplayName::new(PROTOCOL_VERSION));
        let message: Message = match *capacity {
            Some(max_concurrent_matches) => RefereeRegisterRequest {
                referee_meta: RefereeMeta {
                    display_name: name.clone(),
                    version,
                    game_types,
                    contact_endpoint: endpoint.clone(),
                    max_concurrent_matches,
                    protocol_version,
                    says_told: true,
                    keeps_token,
                    invitation_code: invitation_code.clone(),
                },
            }
            .into(),
            None => LeagueRegisterRequest {
                player_meta: PlayerMeta {
                    display_name: name.clone(),
                    version,
                    game_types,
                    contact_endpoint: endpoint.clone(),
                    protocol_version,
                    keeps_token,
                },
            }
            .into(),
        };
        let (role, sender) = match (&self.credentials, capacity) {
            (Some(Credentials { agent: AgentId::Player(id), .. }), _) => {
                ("player", Sender::Player(*id))
            }
            (Some(Credentials { agent: AgentId::Referee(id), .. }), _) => {
                ("ref", Sender::Referee(*id))
            }
            (None, Some(_)) => ("ref", Sender::NewReferee(name.clone())),
            (None, None) => ("player", Sender::NewPlayer(name.clone())),
        };
        let known = || self.credentials.as_ref().map(|given| given.token.clone());
        Envelope {
            sender,
            timestamp: now,
            conversation_id: ConversationId::new(&format!("conv-{role}-reg-{nonce:016x}")),
            auth_token: self.shown.clone().or_else(known),
            message,
        }
    }
}
